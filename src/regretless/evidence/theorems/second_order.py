"""Bounds of the experts' rules that keep a rate for every expert: SafeBOA, ML-Poly.

Their bounds are made of what the rule itself recorded, so the ledger carries them
(``regret_bounds``); the proofs are in the learners' own files. No range is assumed.
"""

from __future__ import annotations

from ...parts.rules import BernsteinWeights, PolynomialWeights
from .experts import EXPERTS, ONE, REGRET, ExpertFacts, played_by
from .theorem import RegretBound, Symbol, Theorem


def _proved(facts: ExpertFacts) -> float:
    return facts.figure(facts.ledger.regret_bounds)


SAFE_BOA: tuple[Theorem[ExpertFacts], ...] = (
    RegretBound(
        "safe-boa",
        "R <= B + sum eta r^2 + ln N/eta_1 + ln(1 + D/e)/eta_T",
        "Wintenberger (2017), with the argument of Gaillard, Stoltz, van Erven (2014)",
        _proved,
        (played_by("SafeBOA", BernsteinWeights), ONE),
        symbols=(
            REGRET,
            Symbol("B", "largest |r| of anyone"),
            Symbol("r", "the mixture's loss - the expert's, at rate eta"),
            EXPERTS,
            Symbol("eta_1", "first rate"),
            Symbol("eta_T", "the expert's last rate"),
            Symbol("D", "what changing rates cost all experts"),
        ),
    ),
)

ML_POLY: tuple[Theorem[ExpertFacts], ...] = (
    RegretBound(
        "ml-poly",
        "R <= sqrt((B + V) sum_j Q_j)",
        "Gaillard, Stoltz, van Erven (2014), theorem 5, data form",
        _proved,
        (played_by("ML-Poly", PolynomialWeights), ONE),
        symbols=(
            REGRET,
            Symbol("B", "largest r^2 of anyone, r_j the mixture's loss - the expert's"),
            Symbol("V", "sum of the expert's r^2"),
            Symbol("Q_j", "sum of r_j^2/(B + V_j), V_j before the round"),
        ),
    ),
)
