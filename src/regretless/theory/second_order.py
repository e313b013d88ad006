"""Bounds of the experts' rules that keep a rate for every expert: SafeBOA, ML-Poly.

Their bounds are made of what the rule itself recorded, so the ledger carries them
(``regret_bounds``); the proofs are in the learners' own files. No range is assumed.
"""

from __future__ import annotations

from typing import Any

from .experts import ONE, ExpertFacts
from .theorem import Theorem

__all__ = ["ML_POLY", "SAFE_BOA"]


def _proved(facts: ExpertFacts) -> float:
    bounds: Any = facts.ledger.regret_bounds
    return float(bounds[facts.expert])


SAFE_BOA: tuple[Theorem[ExpertFacts], ...] = (
    Theorem(
        "safe-boa",
        "R_k <= B + sum eta_k r_k^2 + ln N/eta_1 + ln(1 + D/e)/eta_k",
        "Wintenberger (2017), with the argument of Gaillard, Stoltz, van Erven (2014)",
        lambda facts: facts.regret,
        _proved,
        (ONE,),
    ),
)

ML_POLY: tuple[Theorem[ExpertFacts], ...] = (
    Theorem(
        "ml-poly",
        "R_k <= sqrt((B + V_k) sum_j Q_j), Q_j = sum_t r_j^2/(B + V_j) before t",
        "Gaillard, Stoltz, van Erven (2014), theorem 5, data form",
        lambda facts: facts.regret,
        _proved,
        (ONE,),
    ),
)
