"""The ledger of experts: what they lost, and what the learner lost beside each.

One number an expert and a few more, whatever the number of rounds; enough to evaluate
every bound of :mod:`regretless.algorithms.experts` on this very data.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ..parts import expert_state as c
from ..parts import expert_statistics as b
from ..parts import observers as o
from ..parts.documents import Document
from ..parts.expert_state import ExpertState
from ..parts.notebook_html import Listed
from ..parts.state import Floats


@dataclass(frozen=True, repr=False, eq=False)
class ExpertLedger(Listed):
    """What a learner of experts met and paid.

    The regret against an expert counts only the rounds on which it was awake.
    """

    plays: ClassVar[Literal["experts"]] = "experts"
    """What was played."""

    rounds: int
    """Rounds played."""
    n_experts: int
    """Experts."""
    mistakes: int | None
    """Wrong votes (of the coin, where there is one); None where there are no votes."""
    loss: float
    """Sum of the learner's losses: mistakes, the chance of one where a coin is tossed,
    or the mixture's loss."""
    mean_loss: float | None
    """Sum of the losses of the mean prediction, where experts make predictions. A
    convex loss makes it at most ``loss``."""
    expert_losses: Floats
    """What each expert lost while awake."""
    learner_losses: Floats
    """What the learner lost on those rounds."""
    waking_rounds: Floats
    """On how many rounds each expert was awake."""
    min_loss: float
    """Least loss of an expert in a round."""
    max_loss: float
    """Largest."""
    max_range: float
    """max s_t, where s_t is the range of the losses of round t."""
    sum_squared_ranges: float
    """sum s_t^2."""
    mixability_gap: float | None
    """AdaHedge's Delta_T; None for others."""
    squared_gaps: Floats | None
    """Squint's V_k, sums of squared regrets of single rounds; None for others."""
    regret_bounds: Floats | None
    """The bound on the regret against each expert that a second-order rule (ML-Poly,
    SafeBOA) proves from its own numbers; None for others."""
    curve: Floats
    """At most 256 rows (round, mistakes so far, loss so far), evenly spaced."""

    @property
    def regrets(self) -> Floats:
        """The regret against each expert, on its waking rounds."""
        return _less(self.learner_losses, self.expert_losses)

    @property
    def best(self) -> int:
        """The expert (one that ever woke) against which regret is largest.

        Where no expert sleeps this is the one that lost least.
        """
        woke = np.where(self.waking_rounds > 0, self.regrets, -np.inf)
        return int(np.argmax(woke))

    @property
    def best_loss(self) -> float:
        """What the best expert lost."""
        return float(self.expert_losses[self.best])

    @property
    def regret(self) -> float:
        """The regret against the best expert."""
        return float(self.regrets[self.best])

    def as_dict(self) -> Document:
        """The numbers as plain Python, without the curve."""
        plain: Document = {}
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if field.name != "curve":
                array = isinstance(value, np.ndarray)
                plain[field.name] = value.tolist() if array else value
        return plain

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExpertLedger) and self.as_dict() == other.as_dict()

    __hash__ = None  # type: ignore[assignment]

    def lines(self) -> list[tuple[str, str]]:
        """The ledger as (what, how much), for people."""
        rounds = max(self.rounds, 1)
        rows = [("rounds", f"{self.rounds:,}"), ("experts", f"{self.n_experts:,}")]
        if self.mistakes is not None:
            share = f"{self.mistakes / rounds:.2%}"
            rows.append(("mistakes", f"{self.mistakes:,}  ({share})"))
        rows.append(("loss", f"{self.loss:,.6g}  ({self.loss / rounds:.4g} a round)"))
        if self.mean_loss is not None:
            rows.append(("loss of the mean", f"{self.mean_loss:,.6g}"))
        asleep = self.rounds - int(self.waking_rounds[self.best])
        slept = f"  (asleep in {asleep:,} rounds)" if asleep else ""
        rows += [
            ("best expert", f"{self.best}, which lost {self.best_loss:,.6g}{slept}"),
            ("regret", f"{self.regret:,.6g}"),
            ("losses in", f"[{self.min_loss:.6g}, {self.max_loss:.6g}]"),
        ]
        if self.mixability_gap is not None:
            rows.append(("mixability gap", f"{self.mixability_gap:.6g}"))
        return rows


def _less(a: float | Floats, b: Floats) -> Floats:
    """The difference, at most the largest float: losses may be as large as that."""
    with np.errstate(over="ignore"):
        return np.clip(a - b, -c.MOST, c.MOST)


def read_expert_statistics(
    statistics: o.Statistics,
    expert_state: ExpertState,
    *,
    votes: bool,
    predictions: bool,
    adaptive: bool,
    squared: bool,
    bounds: Floats | None,
) -> ExpertLedger:
    """Turn the arrays that a kernel wrote into a ledger."""
    counts = [int(count) for count in statistics.counts]
    sums = [float(number) for number in statistics.sums]
    return ExpertLedger(
        rounds=counts[o.ROUNDS],
        n_experts=expert_state.losses.size,
        mistakes=counts[o.MISTAKES] if votes else None,
        loss=sums[b.LOSS],
        mean_loss=sums[b.MEAN_LOSS] if predictions else None,
        expert_losses=expert_state.losses.copy(),
        learner_losses=_less(sums[b.LOSS], expert_state.spared),
        waking_rounds=counts[o.ROUNDS] - expert_state.slept,
        min_loss=sums[b.LOWEST],
        max_loss=sums[b.HIGHEST],
        max_range=sums[b.WIDEST],
        sum_squared_ranges=sums[b.RANGES],
        mixability_gap=float(expert_state.numbers[c.GAPS]) if adaptive else None,
        squared_gaps=expert_state.extra.copy() if squared else None,
        regret_bounds=bounds,
        curve=statistics.curve[: counts[o.POINTS]].copy(),
    )
