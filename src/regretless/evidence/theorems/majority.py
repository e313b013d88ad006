"""Mistake bounds of majorities: Halving, weighted majority, and the one by a coin."""

from __future__ import annotations

import math

from ...parts.rules import ConservativeMajority, Majority, RandomMajority
from .experts import AWAKE, EXPERTS, ONE, ExpertFacts, played_by
from .theorem import Assumption, Measured, Symbol, Theorem


def _some_beta(facts: ExpertFacts) -> Measured:
    return Measured(facts.rule.beta > 0, f"beta = {facts.rule.beta:g}")


def _no_beta(facts: ExpertFacts) -> Measured:
    return Measured(facts.rule.beta == 0.0, f"beta = {facts.rule.beta:g}")


def _perfect(facts: ExpertFacts) -> Measured:
    return Measured(facts.paid == 0.0, f"the best expert erred {facts.paid:g} times")


SCHAPIRE = "Littlestone, Warmuth (1994), named by Schapire, lecture 15"
FREUND = "Freund, introduction"
BETA = Assumption("beta > 0", _some_beta)
BETA_IS = Symbol[ExpertFacts]("beta", "", lambda facts: facts.rule.beta)
ERRED = Symbol[ExpertFacts]("m*", "mistakes of the expert", lambda facts: facts.paid)
EXPECTED = Symbol[ExpertFacts]("E[M]", "mistakes, over the coin", lambda f: f.mistakes)
MISTAKES = Symbol[ExpertFacts]("M", "mistakes", lambda facts: facts.mistakes)

HALVING: tuple[Theorem[ExpertFacts], ...] = (
    Theorem(
        "halving",
        "M <= floor(log2 N)",
        FREUND,
        lambda facts: float(facts.ledger.n_experts.bit_length() - 1),
        (
            played_by("Halving", Majority),
            Assumption("beta = 0", _no_beta),
            ONE,
            AWAKE,
            Assumption("some expert is perfect", _perfect),
        ),
        symbols=(MISTAKES, EXPERTS),
    ),
)


def _price(facts: ExpertFacts) -> float:
    """Ln N + m* ln(1/beta)."""
    return facts.log_n - facts.paid * math.log(facts.rule.beta)


def _majority(facts: ExpertFacts) -> float:
    return _price(facts) / math.log(2.0 / (1.0 + facts.rule.beta))


WEIGHTED_MAJORITY: tuple[Theorem[ExpertFacts], ...] = (
    Theorem(
        "weighted-majority",
        "M <= (ln N + m* ln(1/beta)) / ln(2/(1+beta))",
        SCHAPIRE,
        _majority,
        (played_by("weighted majority", Majority), ONE, BETA),
        symbols=(MISTAKES, EXPERTS, ERRED, BETA_IS),
    ),
)

CONSERVATIVE: tuple[Theorem[ExpertFacts], ...] = (
    Theorem(
        "conservative-weighted-majority",
        "M <= (ln N + m* ln(1/beta)) / ln(2/(1+beta))",
        SCHAPIRE,
        _majority,
        (
            played_by("conservative weighted majority", ConservativeMajority),
            ONE,
            BETA,
            AWAKE,
        ),
        symbols=(MISTAKES, EXPERTS, ERRED, BETA_IS),
    ),
)

RANDOMIZED: tuple[Theorem[ExpertFacts], ...] = (
    Theorem(
        "randomized-weighted-majority",
        "E[M] <= (m* ln(1/beta) + ln N)/(1 - beta)",
        SCHAPIRE,
        lambda facts: _price(facts) / (1.0 - facts.rule.beta),
        (played_by("randomized weighted majority", RandomMajority), ONE, BETA),
        part="expected mistakes",
        symbols=(EXPECTED, ERRED, BETA_IS, EXPERTS),
    ),
)
