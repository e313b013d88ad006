"""Bounds for learning with experts, against one expert k or a sequence of them.

N experts; regret and mistakes against k count the rounds on which k was awake. Losses
in [0, 1] are measured, not assumed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ...engine.expert_ledger import ExpertLedger
from ...parts.rules import AdaptiveRate, ExponentialWeights, Sharing, SquintGrid
from ...parts.state import Floats
from ...parts.steps import Constant, InverseSqrt
from ..played_run import WeighingLearner
from .assumptions import close
from .theorem import Assumption, Measured, RegretBound, Symbol, Theorem

FREUND_SCHAPIRE = "Freund, Schapire (1997); Cesa-Bianchi, Lugosi (2006), theorem 2.2"
DE_ROOIJ = "de Rooij, van Erven, Grunwald, Koolen (2014)"
ANYTIME = (
    f"{DE_ROOIJ}, lemma 2, and Hoeffding's lemma; derived in the docstring of Hedge"
)


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

    learner: WeighingLearner
    ledger: ExpertLedger
    expert: int
    switches: int = 0
    sequence_loss: float | None = None

    def figure(self, figures: Floats | None) -> float:
        """The figure of expert k, of those that the ledger keeps for each expert."""
        if figures is None:
            raise ValueError("this learner does not keep such figures")
        return float(figures[self.expert])

    @property
    def rule(self) -> Any:
        """How it weighs experts; a theorem checks what this is before it reads it."""
        return self.learner.rule(self.ledger.n_experts)

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
        return self.figure(self.ledger.regrets)

    @property
    def mistakes(self) -> float:
        """What the learner lost while k was awake; where losses are 0 or 1, errors."""
        return self.figure(self.ledger.learner_losses)

    @property
    def paid(self) -> float:
        """What k lost."""
        return self.figure(self.ledger.expert_losses)

    def describe(self) -> str:
        """Whom the run is compared with."""
        if self.sequence_loss is not None:
            times = f"{self.switches} switch{'es' * (self.switches != 1)}"
            return f"a sequence with {times}, which lost {self.sequence_loss:,.6g}"
        return f"expert {self.expert}, which lost {self.paid:,.6g}"


Facts = ExpertFacts


def _all_awake(facts: Facts) -> Measured:
    least = int(facts.ledger.waking_rounds.min())
    return Measured(
        least == facts.rounds, f"awake in at least {least} of {facts.rounds} rounds"
    )


def _unit_losses(facts: Facts) -> Measured:
    low, high = facts.ledger.min_loss, facts.ledger.max_loss
    return Measured(low >= 0.0 and high <= 1.0, f"losses in [{low:.6g}, {high:.6g}]")


def _one_expert(facts: Facts) -> Measured:
    single = facts.sequence_loss is None
    return Measured(single, f"u switches {facts.switches} times")


def played_by(what: str, *kinds: type, step: type | None = None) -> Assumption[Facts]:
    """The assumption that experts are weighed by one of these rules, at such a rate."""

    def check(facts: Facts) -> Measured:
        rule = facts.rule
        good = isinstance(rule, kinds)
        if good and step is not None:
            good = isinstance(getattr(rule, "step", Constant(1.0)), step)
        return Measured(good, f"{rule!r}")

    return Assumption(f"the learner is {what}", check)


UNIT = Assumption("losses in [0, 1]", _unit_losses)
ONE = Assumption("u is one expert", _one_expert)
AWAKE = Assumption("no expert sleeps", _all_awake)

EXPERTS = Symbol[Facts]("N", "experts", lambda facts: facts.ledger.n_experts)
REGRET = Symbol[Facts]("R", "loss - loss of the expert", lambda facts: facts.regret)
ROUNDS = Symbol[Facts]("T", "rounds", lambda facts: facts.rounds)


def _rate(facts: Facts) -> float:
    """The constant rate, where there is one."""
    rule = facts.rule
    return float(rule.step.eta if hasattr(rule, "step") else rule.eta)


RATE = Symbol[Facts]("eta", "the rate", _rate)
RANGES = Symbol[Facts](
    "sum s_t^2",
    "s_t the range of the losses of round t",
    lambda facts: facts.ledger.sum_squared_ranges,
)


def _horizon_rate(facts: Facts) -> Measured:
    wanted = math.sqrt(8.0 * facts.log_n / facts.rounds)
    good = facts.log_n == 0.0 or close(_rate(facts), wanted)
    return Measured(good, f"eta = {_rate(facts):.6g}, wanted {wanted:.6g}")


def _anytime_rate(facts: Facts) -> Measured:
    wanted = 2.0 * math.sqrt(facts.log_n)
    scale = facts.rule.step.scale
    return Measured(close(scale, wanted), f"{scale:.6g}/sqrt(t), wanted {wanted:.6g}")


CONSTANT = played_by("Hedge at a constant rate", ExponentialWeights, step=Constant)

HEDGE: tuple[Theorem[Facts], ...] = (
    RegretBound(
        "hedge/data",
        "R <= ln N/eta + (eta/8) sum s_t^2",
        f"data form of {FREUND_SCHAPIRE}",
        lambda facts: facts.log_n / _rate(facts) + _rate(facts) / 8.0 * RANGES(facts),
        (CONSTANT, ONE),
        symbols=(REGRET, EXPERTS, RATE, RANGES),
    ),
    RegretBound(
        "hedge/rate",
        "R <= ln N/eta + eta T/8",
        FREUND_SCHAPIRE,
        lambda facts: facts.log_n / _rate(facts) + _rate(facts) * facts.rounds / 8.0,
        (CONSTANT, ONE, UNIT),
        symbols=(REGRET, EXPERTS, RATE, ROUNDS),
    ),
    RegretBound(
        "hedge/horizon",
        "R <= sqrt(T ln N / 2)",
        FREUND_SCHAPIRE,
        lambda facts: math.sqrt(facts.rounds * facts.log_n / 2.0),
        (CONSTANT, ONE, Assumption("eta = sqrt(8 ln N / T)", _horizon_rate), UNIT),
        symbols=(REGRET, EXPERTS, ROUNDS),
    ),
    RegretBound(
        "hedge/anytime",
        "R <= sqrt(T ln N)",
        ANYTIME,
        lambda facts: math.sqrt(facts.rounds * facts.log_n),
        (
            played_by("Hedge at a falling rate", ExponentialWeights, step=InverseSqrt),
            ONE,
            Assumption("eta_t = 2 sqrt(ln N / t)", _anytime_rate),
            UNIT,
        ),
        symbols=(REGRET, EXPERTS, ROUNDS),
    ),
)


def _second_order(facts: Facts) -> float:
    lead = math.sqrt(RANGES(facts) * facts.log_n)
    return lead + WIDEST(facts) * (4.0 / 3.0 * facts.log_n + 2.0)


IS_ADAHEDGE = played_by("AdaHedge", AdaptiveRate)
GAP = Symbol[Facts](
    "Delta",
    "sum of mixability gaps",
    lambda facts: facts.ledger.mixability_gap or 0.0,
)
WIDEST = Symbol[Facts]("s_max", "max s_t", lambda facts: facts.ledger.max_range)

ADAHEDGE: tuple[Theorem[Facts], ...] = (
    RegretBound(
        "adahedge/data",
        "R <= 2 Delta",
        DE_ROOIJ,
        lambda facts: 2.0 * GAP(facts),
        (IS_ADAHEDGE, ONE),
        symbols=(REGRET, GAP),
    ),
    RegretBound(
        "adahedge/ranges",
        "R <= sqrt(sum s_t^2 ln N) + s_max (4/3 ln N + 2)",
        DE_ROOIJ,
        _second_order,
        (IS_ADAHEDGE, ONE),
        symbols=(REGRET, EXPERTS, RANGES, WIDEST),
    ),
)


def _share(facts: Facts) -> float:
    return float(getattr(facts.rule, "share", 0.0))


def _sharing(facts: Facts) -> float:
    m, rounds = facts.switches, facts.rounds
    eta, share = _rate(facts), _share(facts)
    price = (m + 1) * facts.log_n + (rounds - 1 - m) * -math.log1p(-share)
    if m > 0:
        price += m * -math.log(share)
    return price / eta + eta * rounds / 8.0


def _may_share(facts: Facts) -> Measured:
    good = facts.switches == 0 or _share(facts) > 0
    return Measured(good, f"share = {_share(facts):g}, m = {facts.switches}")


FIXED_SHARE: tuple[Theorem[Facts], ...] = (
    RegretBound(
        "fixed-share",
        "R <= ((m+1) ln N + m ln(1/a) + (T-1-m) ln(1/(1-a)))/eta + eta T/8",
        "Herbster, Warmuth (1998)",
        _sharing,
        (
            played_by("fixed share", Sharing, ExponentialWeights, step=Constant),
            UNIT,
            AWAKE,
            Assumption("a > 0 where experts switch", _may_share),
        ),
        symbols=(
            REGRET,
            Symbol("m", "switches of u", lambda facts: facts.switches),
            EXPERTS,
            Symbol("a", "the share", _share),
            ROUNDS,
            RATE,
        ),
    ),
)


def _grid(facts: Facts) -> list[tuple[float, float]]:
    """(eta_i, pi_i) for every i."""
    depth = facts.rule.depth
    total = depth / (depth + 1.0)
    return [(2.0**-i, 1.0 / (i * (i + 1.0)) / total) for i in range(1, depth + 1)]


def _spread(facts: Facts) -> float:
    return facts.figure(facts.ledger.squared_gaps)


def _squint(facts: Facts) -> float:
    spread = _spread(facts)
    return min(
        eta * spread + (facts.log_n - math.log(prior)) / eta
        for eta, prior in _grid(facts)
    )


SQUINT: tuple[Theorem[Facts], ...] = (
    RegretBound(
        "squint",
        "R <= min_i eta_i V + ln(N/pi_i)/eta_i",
        "Koolen, van Erven (2015)",
        _squint,
        (played_by("Squint", SquintGrid), ONE, UNIT),
        symbols=(
            REGRET,
            Symbol("eta_i", "2^-i"),
            Symbol("pi_i", "prior of i, in proportion to 1/(i (i+1))"),
            Symbol("V", "sum of squared differences of the losses", _spread),
            EXPERTS,
        ),
    ),
)
