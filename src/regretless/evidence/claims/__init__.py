"""Claims: what may be said about the hypotheses of a run on fresh data, or why not.

Certificates of the randomized hypothesis, of frozen ones and of sealed rows; and what
speaks against them: rows that changed, rows that were learned before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy import lazily

if TYPE_CHECKING:
    from .change import ALARM, Change, Tested, change_of, change_tests, power_of
    from .guard import Counted, claim, guarded, objection
    from .randomized import anytime_certificate, certificate_of

__all__ = [
    "ALARM",
    "Change",
    "Counted",
    "Tested",
    "anytime_certificate",
    "certificate_of",
    "change_of",
    "change_tests",
    "claim",
    "guarded",
    "objection",
    "power_of",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "change": "ALARM Change Tested change_of change_tests power_of",
        "guard": "Counted claim guarded objection",
        "randomized": "anytime_certificate certificate_of",
    },
)
