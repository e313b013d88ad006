"""Claims: what may be said about the hypotheses of a run on fresh data, or why not.

Certificates of the randomized hypothesis, of frozen ones and of sealed rows; and what
speaks against them: rows that changed, rows that were learned before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy import lazily

if TYPE_CHECKING:
    from .change import ALARM, Change, Tested, change_of, power_of, tested
    from .guard import Counted, claim, guarded, objection
    from .randomized import certificate_of

__all__ = [
    "ALARM",
    "Change",
    "Counted",
    "Tested",
    "certificate_of",
    "change_of",
    "claim",
    "guarded",
    "objection",
    "power_of",
    "tested",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "change": "ALARM Change Tested change_of power_of tested",
        "guard": "Counted claim guarded objection",
        "randomized": "certificate_of",
    },
)
