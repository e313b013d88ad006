"""The mean game on independent draws: what following the leader costs, on average.

x_t is the mean of t-1 draws for t >= 2, so E(x_t - y_t)^2 = sigma^2 + sigma^2/(t-1),
and x_1 is a number chosen in advance: E[R(mu)] = (x_1 - mu)^2 + sigma^2 H_{T-1}, with
H_n = 1 + 1/2 + ... + 1/n.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from .theorem import RegretBound, Symbol, Theorem


@dataclass(frozen=True)
class IidMeanFacts:
    """A declared distribution: x_1, the rounds T, the mean mu and the deviation."""

    first: float
    rounds: int
    mu: float
    sigma: float
    compared = False  # an expectation: one run does not know it

    def describe(self) -> str:
        """The comparator in words."""
        return f"mu = {self.mu:g}"


def _harmonic(facts: IidMeanFacts) -> float:
    return math.fsum(1.0 / t for t in range(1, facts.rounds))


IID_MEAN: tuple[Theorem[IidMeanFacts], ...] = (
    RegretBound(
        "iid/leader",
        "E[R(mu)] = (x_1 - mu)^2 + sigma^2 H",
        "Freund, introduction (whose regret lacks the sum over t)",
        lambda facts: (facts.first - facts.mu) ** 2 + facts.sigma**2 * _harmonic(facts),
        symbols=(
            Symbol("R(mu)", "loss - loss of mu"),
            Symbol("mu", "declared mean", lambda facts: facts.mu),
            Symbol("sigma", "declared deviation", lambda facts: facts.sigma),
            Symbol("x_1", "first guess", lambda facts: facts.first),
            Symbol("H", "1 + 1/2 + ... + 1/(T-1)", _harmonic),
        ),
        every_u=True,
        equal=True,
    ),
)
