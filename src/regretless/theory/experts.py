"""Bounds for learning with experts, against one expert k or a sequence of them.

N experts; regret and mistakes against k count the rounds on which k was awake. Losses
in [0, 1] are measured, not assumed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ..expert_ledger import ExpertLedger
from .theorem import Assumption, Measured, Theorem

__all__ = [
    "ADAHEDGE",
    "FIXED_SHARE",
    "HALVING",
    "HEDGE",
    "RANDOMIZED",
    "SQUINT",
    "WEIGHTED_MAJORITY",
    "ExpertFacts",
]

FREUND = "Freund, introduction"
SCHAPIRE = "Littlestone, Warmuth (1994), named by Schapire, lecture 15"
FREUND_SCHAPIRE = "Freund, Schapire (1997); Cesa-Bianchi, Lugosi (2006), theorem 2.2"
CESA_LUGOSI = "Cesa-Bianchi, Lugosi (2006), theorem 2.3"
DE_ROOIJ = "de Rooij, van Erven, Grunwald, Koolen (2014)"


@dataclass(frozen=True)
class ExpertFacts:
    """A run with experts, and whom it is compared with.

    Attributes
    ----------
    learner : ExpertLearner
        Who played.
    ledger : ExpertLedger
        What was met and paid.
    expert : int
        The expert k.
    switches : int
        m, how often the sequence of experts changes; 0 for one expert.
    sequence_loss : float or None
        What the sequence lost; None for one expert.
    """

    learner: Any
    ledger: ExpertLedger
    expert: int
    switches: int = 0
    sequence_loss: float | None = None

    @property
    def rounds(self) -> int:
        """T."""
        return self.ledger.rounds

    @property
    def log_n(self) -> float:
        """The logarithm of N."""
        return math.log(self.ledger.n_experts)

    @property
    def regret(self) -> float:
        """The regret against expert k, or against the sequence."""
        if self.sequence_loss is not None:
            return self.ledger.loss - self.sequence_loss
        return float(self.ledger.regrets[self.expert])

    @property
    def own(self) -> float:
        """What the learner lost while k was awake."""
        return float(self.ledger.learner_losses[self.expert])

    @property
    def paid(self) -> float:
        """What k lost."""
        return float(self.ledger.expert_losses[self.expert])

    def describe(self) -> str:
        """Whom the run is compared with."""
        if self.sequence_loss is not None:
            times = f"{self.switches} switch{'es' * (self.switches != 1)}"
            return f"a sequence with {times}, which lost {self.sequence_loss:,.6g}"
        return f"expert {self.expert}, which lost {self.paid:,.6g}"


Facts = ExpertFacts


def _perfect(facts: Facts) -> Measured:
    return Measured(facts.paid == 0.0, f"the best expert erred {facts.paid:g} times")


def _all_awake(facts: Facts) -> Measured:
    least = int(facts.ledger.waking_rounds.min())
    return Measured(
        least == facts.rounds, f"awake in at least {least} of {facts.rounds} rounds"
    )


def _unit_losses(facts: Facts) -> Measured:
    low, high = facts.ledger.min_loss, facts.ledger.max_loss
    return Measured(low >= 0.0 and high <= 1.0, f"losses in [{low:.6g}, {high:.6g}]")


def _some_beta(facts: Facts) -> Measured:
    return Measured(facts.learner.beta > 0, f"beta = {facts.learner.beta:g}")


def _one_expert(facts: Facts) -> Measured:
    single = facts.sequence_loss is None
    return Measured(single, f"u switches {facts.switches} times")


UNIT = Assumption("losses in [0, 1]", _unit_losses)
ONE = Assumption("u is one expert", _one_expert)
AWAKE = Assumption("nobody sleeps", _all_awake)
BETA = Assumption("beta > 0", _some_beta)

HALVING: tuple[Theorem[Facts], ...] = (
    Theorem(
        "halving",
        "M <= floor(log2 N)",
        FREUND,
        lambda facts: facts.ledger.loss,
        lambda facts: float(facts.ledger.n_experts.bit_length() - 1),
        (ONE, AWAKE, Assumption("some expert is perfect", _perfect)),
    ),
)


def _majority(facts: Facts) -> float:
    beta = facts.learner.beta
    return (facts.log_n - facts.paid * math.log(beta)) / math.log(2.0 / (1.0 + beta))


WEIGHTED_MAJORITY: tuple[Theorem[Facts], ...] = (
    Theorem(
        "weighted-majority",
        "M <= (ln N + m* ln(1/beta)) / ln(2/(1+beta)), m* the expert's mistakes",
        SCHAPIRE,
        lambda facts: facts.own,
        _majority,
        (ONE, BETA),
    ),
)


def _randomized(facts: Facts) -> float:
    beta = facts.learner.beta
    return (facts.log_n - facts.paid * math.log(beta)) / (1.0 - beta)


RANDOMIZED: tuple[Theorem[Facts], ...] = (
    Theorem(
        "randomized-weighted-majority",
        "E[M] <= (m* ln(1/beta) + ln N)/(1 - beta), E over the coin",
        SCHAPIRE,
        lambda facts: facts.own,
        _randomized,
        (ONE, BETA),
    ),
)


def _rate(facts: Facts) -> float:
    """The constant rate, where there is one."""
    return float(facts.learner.rule(facts.ledger.n_experts).step.eta)


def _constant_rate(facts: Facts) -> Measured:
    learner = facts.learner
    constant = learner.eta is not None or learner.horizon is not None
    return Measured(constant, f"{learner!r}")


def _anytime_rate(facts: Facts) -> Measured:
    learner = facts.learner
    return Measured(learner.eta is None and learner.horizon is None, f"{learner!r}")


def _right_horizon(facts: Facts) -> Measured:
    horizon = facts.learner.horizon
    return Measured(horizon == facts.rounds, f"horizon = {horizon}, T = {facts.rounds}")


CONSTANT = Assumption("the rate is constant", _constant_rate)

HEDGE: tuple[Theorem[Facts], ...] = (
    Theorem(
        "hedge/data",
        "R <= ln N/eta + (eta/8) sum s_t^2, s_t the range of the losses of round t",
        f"data form of {CESA_LUGOSI}",
        lambda facts: facts.regret,
        lambda facts: (
            facts.log_n / _rate(facts)
            + _rate(facts) / 8.0 * facts.ledger.sum_squared_ranges
        ),
        (ONE, CONSTANT),
    ),
    Theorem(
        "hedge/rate",
        "R <= ln N/eta + eta T/8",
        FREUND_SCHAPIRE,
        lambda facts: facts.regret,
        lambda facts: facts.log_n / _rate(facts) + _rate(facts) * facts.rounds / 8.0,
        (ONE, CONSTANT, UNIT),
    ),
    Theorem(
        "hedge/horizon",
        "R <= sqrt(T ln N / 2), eta = sqrt(8 ln N / T)",
        FREUND_SCHAPIRE,
        lambda facts: facts.regret,
        lambda facts: math.sqrt(facts.rounds * facts.log_n / 2.0),
        (ONE, Assumption("the horizon was right", _right_horizon), UNIT),
    ),
    Theorem(
        "hedge/anytime",
        "R <= sqrt(T ln N), eta_t = 2 sqrt(ln N / t)",
        CESA_LUGOSI,
        lambda facts: facts.regret,
        lambda facts: math.sqrt(facts.rounds * facts.log_n),
        (ONE, Assumption("the rate is the anytime one", _anytime_rate), UNIT),
    ),
)


def _second_order(facts: Facts) -> float:
    ledger = facts.ledger
    lead = math.sqrt(ledger.sum_squared_ranges * facts.log_n)
    return lead + ledger.max_range * (4.0 / 3.0 * facts.log_n + 2.0)


ADAHEDGE: tuple[Theorem[Facts], ...] = (
    Theorem(
        "adahedge/data",
        "R <= 2 Delta_T, Delta the sum of mixability gaps",
        DE_ROOIJ,
        lambda facts: facts.regret,
        lambda facts: 2.0 * (facts.ledger.mixability_gap or 0.0),
        (ONE,),
    ),
    Theorem(
        "adahedge/ranges",
        "R <= sqrt(sum s_t^2 ln N) + s_max (4/3 ln N + 2)",
        DE_ROOIJ,
        lambda facts: facts.regret,
        _second_order,
        (ONE,),
    ),
)


def _sharing(facts: Facts) -> float:
    m, rounds = facts.switches, facts.rounds
    eta, share = facts.learner.eta, facts.learner.share
    price = (m + 1) * facts.log_n + (rounds - 1 - m) * -math.log1p(-share)
    if m > 0:
        price += m * -math.log(share)
    return price / eta + eta * rounds / 8.0


def _may_share(facts: Facts) -> Measured:
    good = facts.switches == 0 or facts.learner.share > 0
    return Measured(good, f"share = {facts.learner.share:g}, m = {facts.switches}")


FIXED_SHARE: tuple[Theorem[Facts], ...] = (
    Theorem(
        "fixed-share",
        "R <= ((m+1) ln N + m ln(1/a) + (T-1-m) ln(1/(1-a)))/eta + eta T/8",
        "Herbster, Warmuth (1998)",
        lambda facts: facts.regret,
        _sharing,
        (UNIT, AWAKE, Assumption("a > 0 where experts switch", _may_share)),
    ),
)


def _squint(facts: Facts) -> float:
    depth = facts.learner.rule(facts.ledger.n_experts).depth
    gaps: Any = facts.ledger.squared_gaps
    spread = float(gaps[facts.expert])
    total = depth / (depth + 1.0)
    best = math.inf
    for i in range(1, depth + 1):
        eta, prior = 2.0**-i, 1.0 / (i * (i + 1.0)) / total
        best = min(best, eta * spread + (facts.log_n - math.log(prior)) / eta)
    return best


SQUINT: tuple[Theorem[Facts], ...] = (
    Theorem(
        "squint",
        "R_k <= min_i eta_i V_k + ln(N/pi_i)/eta_i, eta_i = 2^-i",
        "Koolen, van Erven (2015)",
        lambda facts: facts.regret,
        _squint,
        (ONE, UNIT),
    ),
)
