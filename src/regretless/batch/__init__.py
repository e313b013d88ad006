"""Online to batch: from a run to one model, with what is certified about it.

The hypotheses of a run are w_0..w_{m-1}, those that predicted. Each conversion says
which of them it keeps, and what its certificate is about, or why there is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import lazily

if TYPE_CHECKING:
    from .certificates import certificate_of
    from .classes import refuse_class_kind
    from .conversions import CONVERSIONS, model_of
    from .evidence import ALARM, Change, Tested, change_of, power_of, tests_of
    from .kinds import default_kinds
    from .seen_before import fresh

__all__ = [
    "ALARM",
    "CONVERSIONS",
    "Change",
    "Tested",
    "certificate_of",
    "change_of",
    "default_kinds",
    "fresh",
    "model_of",
    "power_of",
    "refuse_class_kind",
    "tests_of",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "certificates": "certificate_of",
        "classes": "refuse_class_kind",
        "conversions": "CONVERSIONS model_of",
        "evidence": "ALARM Change Tested change_of power_of tests_of",
        "kinds": "default_kinds",
        "seen_before": "fresh",
    },
)
