"""Online to batch: from a run to one model, with what is certified about it.

The hypotheses of a run are w_0..w_{m-1}, those that predicted. Each conversion says
which of them it keeps, and what its certificate is about, or why there is none.
"""

from .certificates import certificate_of
from .classes import refuse_class_kind
from .conversions import CONVERSIONS, model_of
from .evidence import ALARM, Tested, tests_of
from .seen_before import fresh

__all__ = [
    "ALARM",
    "CONVERSIONS",
    "Tested",
    "certificate_of",
    "fresh",
    "model_of",
    "refuse_class_kind",
    "tests_of",
]
