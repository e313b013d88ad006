"""The ledger of the mean game: both sides of its identity, in constant memory."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import ClassVar, Literal

from ..parts import leader as g
from ..parts import observers as o
from ..parts.documents import Document
from ..parts.notebook_html import Listed
from ..parts.state import Floats


@dataclass(frozen=True, repr=False)
class MeanLedger(Listed):
    """What follow the leader met and paid in the mean game."""

    plays: ClassVar[Literal["numbers"]] = "numbers"
    """What was played."""

    rounds: int
    """Numbers seen."""
    mistakes: None
    """There is nothing to be mistaken about."""
    loss: float
    """sum (x_t - y_t)^2."""
    best: float
    """The best number in hindsight: the mean."""
    best_loss: float
    """Its loss, sum (mean - y_t)^2."""
    harmonic_loss: float
    """sum (x_t - y_t)^2/t: equal to the regret, whatever the numbers."""
    leader_loss: float
    """sum (x_{t+1} - y_t)^2, the loss of the leader who has already seen y_t."""
    sum_labels: float
    """sum y_t."""
    sum_squared_labels: float
    """sum y_t^2."""
    min_label: float
    """Smallest y."""
    max_label: float
    """Largest y."""
    curve: Floats = dataclasses.field(compare=False)
    """At most 256 rows (round, 0, loss so far), evenly spaced."""

    @property
    def regret(self) -> float:
        """The loss less that of the best number in hindsight."""
        return self.loss - self.best_loss

    def as_dict(self) -> Document:
        """The numbers as plain Python, without the curve."""
        return {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if field.name != "curve"
        }

    def lines(self) -> list[tuple[str, str]]:
        """The ledger as (what, how much), for people."""
        rounds = max(self.rounds, 1)
        return [
            ("rounds", f"{self.rounds:,}"),
            ("loss", f"{self.loss:,.6g}  ({self.loss / rounds:.4g} a round)"),
            ("best number", f"{self.best:.6g}, which lost {self.best_loss:,.6g}"),
            ("regret", f"{self.regret:,.6g}"),
            ("sum (x_t-y_t)^2/t", f"{self.harmonic_loss:,.6g}"),
            ("numbers in", f"[{self.min_label:.6g}, {self.max_label:.6g}]"),
        ]


def read_mean_statistics(statistics: o.Statistics, mean: float) -> MeanLedger:
    """Turn the arrays that a kernel wrote into a ledger."""
    sums = [float(number) for number in statistics.sums]
    return MeanLedger(
        rounds=int(statistics.counts[o.ROUNDS]),
        mistakes=None,
        loss=sums[g.LOSS],
        best=mean,
        best_loss=sums[g.SPREAD],
        harmonic_loss=sums[g.HARMONIC],
        leader_loss=sums[g.LEADER_LOSS],
        sum_labels=sums[g.Y] + sums[g.Y_CARRY],
        sum_squared_labels=sums[g.Y_SQUARES] + sums[g.Y_SQUARES_CARRY],
        min_label=sums[g.Y_LOWEST],
        max_label=sums[g.Y_HIGHEST],
        curve=statistics.curve[: int(statistics.counts[o.POINTS])].copy(),
    )
