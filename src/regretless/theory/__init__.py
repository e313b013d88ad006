"""Theory: every bound as an object, evaluated on this very data.

Pure functions of ledgers and comparisons. Nothing here reads data or runs a kernel.
"""

from .index import theorems_about
from .report import Theorems
from .theorem import Assumption, Measured, Theorem, TheoremViolated, Verdict

__all__ = [
    "Assumption",
    "Measured",
    "Theorem",
    "TheoremViolated",
    "Theorems",
    "Verdict",
    "theorems_about",
]
