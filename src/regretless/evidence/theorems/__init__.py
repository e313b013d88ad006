"""Theorems: every bound as an object, evaluated on this very data.

Pure functions of ledgers and comparisons. Nothing here reads data or runs a kernel.
"""

from .collection import Theorems
from .index import theorems_about
from .showing import LEGEND
from .theorem import (
    AnyTheorem,
    Assumption,
    Measured,
    RunFacts,
    Symbol,
    Theorem,
    TheoremViolated,
    Verdict,
)

__all__ = [
    "LEGEND",
    "AnyTheorem",
    "Assumption",
    "Measured",
    "RunFacts",
    "Symbol",
    "Theorem",
    "TheoremViolated",
    "Theorems",
    "Verdict",
    "theorems_about",
]
