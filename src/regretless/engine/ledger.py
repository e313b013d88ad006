"""The ledger of a linear run: what was really paid, in constant memory.

Everything a mistake or regret bound needs to be evaluated on this very data is a
sufficient statistic here; nothing grows with the number of rounds.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeVar, cast

import numpy as np

from ..parts import observers as o
from ..parts.documents import Document
from ..parts.notebook_html import Listed
from ..parts.observers import Statistics
from ..parts.rows import Longs
from ..parts.state import Floats
from .storage import (
    ANYTHING,
    COUNTS,
    SIZES,
    UNBOUNDED,
    Range,
    checked_fields,
    restored,
)

Books = TypeVar("Books", bound="tuple[Longs, Floats, Floats]")
STATISTICS: dict[str, Range] = {
    "counts": COUNTS,
    "sums": ANYTHING,  # nan: not known
    "curve": UNBOUNDED,
}
"""What the statistics of any game hold."""
SQUARED = (o.X_LONGEST, o.X_DUAL, o.G_LARGEST)  # sums of which the root is told


@dataclass(frozen=True, repr=False)
class Ledger(Listed):
    """What a linear learner met and paid.

    ``g`` is the (sub)gradient of a round with respect to w. "Over updates" means: over
    the rounds on which the learner moved. The dual norm is the one that pairs with the
    learner's geometry: |x|_2 for additive learners, radius*|x|_inf for multiplicative
    ones, |x|_p for the p-norm Perceptron.
    """

    plays: ClassVar[Literal["rows"]] = "rows"
    """What was played."""

    rounds: int
    """Rounds played."""
    mistakes: int | None
    """Rounds with y*score <= 0; None where labels are real numbers."""
    false_positives: int | None
    """Mistakes on negative labels."""
    false_negatives: int | None
    """Mistakes on positive labels."""
    updates: int
    """Rounds on which the learner moved."""
    loss: float
    """Sum of the learner's own loss over all rounds, penalty included."""
    mistake_loss: float
    """The part of that paid on mistakes."""
    max_norm: float
    """max |x|_2 over all rounds: the R of the Perceptron."""
    min_entry: float
    """Smallest entry of any x, or 0."""
    max_entry: float
    """Largest entry of any x, or 0."""
    max_dual_norm: float
    """Largest dual norm of an x, over updates."""
    sum_squared_norms: float
    """Sum of |x|_2^2, over updates."""
    sum_squared_gradients: float
    """Sum of |g|_2^2, over updates."""
    sum_dual_gradients: float
    """Sum of squared dual norms of g, over updates."""
    sum_rated_gradients: float
    """The same, each times its step eta_t."""
    max_gradient: float
    """max |g|_2, over updates."""
    min_label: float
    """Smallest y."""
    max_label: float
    """Largest y."""
    max_score: float
    """max |score|."""
    weight_norm: float
    """|w|_2 after the last round."""
    curve: Floats = dataclasses.field(compare=False)
    """At most 256 rows (round, mistakes so far, loss so far), evenly spaced."""
    confusion: tuple[tuple[int, ...], ...] | None = None
    """Of up to 32 classes: how often each (a row) was predicted to be which (a column);
    the first class at ties, and nothing before the first row."""
    class_mistakes: tuple[int, ...] | None = None
    """Of one-versus-rest: the mistakes of each class's own learner."""
    mixture_losses: tuple[float, float, float] | None = None
    """Of panels of many classes: the log losses of what was predicted, of the panels'
    own forecast, and of the one that all classes share."""
    squared_error: float | None = None
    """Sum of (score - y)^2; None where labels are two classes."""
    running_mean_error: float | None = None
    """The same for the mean of the labels so far (0 before the first), which never
    looks at x; None likewise, or in files that do not say."""
    majority_mistakes: int | None = None
    """Mistakes of always saying the label that was more frequent so far (a tie is
    one); None where labels are not two classes, or in files that do not say."""
    supports: int | None = None
    """Rows that a kernel machine remembers; None for other learners."""
    first_eviction: int | None = None
    """The round, from 1, in which it first had to forget one; None: it never had."""

    @property
    def max_abs_entry(self) -> float:
        """Max |x|_inf over all rounds."""
        return max(-self.min_entry, self.max_entry)

    @property
    def r2(self) -> float | None:
        """The share of the running mean's squared error that was avoided, online.

        1 is perfect, 0 as good as never looking at x; None where labels are two
        classes.
        """
        if self.squared_error is None or not self.running_mean_error:
            return None
        return 1.0 - self.squared_error / self.running_mean_error

    def as_dict(self) -> Document:
        """The numbers as plain Python, without the curve."""
        return {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if field.name != "curve"
        }

    @classmethod
    def from_dict(cls, data: Document, curve: Floats) -> Ledger:
        """The ledger that :meth:`as_dict` described, with its curve."""
        if curve.ndim != 2 or curve.shape[1] != o.CURVE_COLUMNS:
            raise ValueError(f"a curve of shape {curve.shape} is none")
        found = cls(**checked_fields(cls, {**data, "curve": curve}))
        if (found.false_positives is None) != (found.false_negatives is None):
            raise ValueError("it counts mistakes of one class alone")
        return found

    def lines(self) -> list[tuple[str, str]]:
        """The ledger as (what, how much), for people."""
        rounds = max(self.rounds, 1)
        rows = [("rounds", f"{self.rounds:,}")]
        if self.mistakes is not None:
            share = f"{self.mistakes / rounds:.2%}"
            rows.append(("mistakes", f"{self.mistakes:,}  ({share})"))
        if self.false_positives is not None:
            errors = f"{self.false_positives:,} / {self.false_negatives:,}"
            rows.append(("false +/-", errors))
        if self.majority_mistakes is not None:
            share = f"{self.majority_mistakes / rounds:.2%}"
            said = f"{self.majority_mistakes:,} mistakes  ({share})"
            rows.append(("majority so far", said))
        if self.supports is not None:
            forgot = f"{self.updates - self.supports:,} forgotten, from round "
            since = self.first_eviction
            more = f"  ({forgot}{since:,} on)" if since is not None else ""
            rows.append(("remembered rows", f"{self.supports:,}{more}"))
        return [
            *rows,
            ("updates", f"{self.updates:,}"),
            ("loss", f"{self.loss:,.6g}  ({self.loss / rounds:.4g} a round)"),
            *self._scale(rounds),
            ("max |x|", f"{self.max_norm:.6g}"),
            ("max |x|_inf", f"{self.max_abs_entry:.6g}"),
            ("|w|", f"{self.weight_norm:.6g}"),
        ]

    def _scale(self, rounds: int) -> list[tuple[str, str]]:
        """What gives a loss in the units of y its meaning."""
        if self.squared_error is None or self.running_mean_error is None:
            return []
        rows: list[tuple[str, str]] = []
        for name, total in (
            ("squared error", self.squared_error),
            ("running mean's", self.running_mean_error),
        ):
            rows.append((name, f"{total:,.6g}  ({total / rounds:.4g} a round)"))
        if self.r2 is not None:
            rows.append(("R2", f"{self.r2:.4f}  (the share of that avoided)"))
        return rows


def read_statistics(
    statistics: Statistics, *, binary: bool, weight_norm: float
) -> Ledger:
    """Turn the arrays that a kernel wrote into a ledger."""
    counts = [int(count) for count in statistics.counts]
    sums = [float(number) for number in statistics.sums]

    def known(number: float) -> float | None:
        return None if math.isnan(number) else number

    majority = known(sums[o.MAJORITY])
    return Ledger(
        rounds=counts[o.ROUNDS],
        mistakes=counts[o.MISTAKES] if binary else None,
        false_positives=counts[o.FALSE_POSITIVES] if binary else None,
        false_negatives=counts[o.FALSE_NEGATIVES] if binary else None,
        updates=counts[o.UPDATES],
        loss=sums[o.LOSS],
        mistake_loss=sums[o.MISTAKE_LOSS],
        max_norm=math.sqrt(sums[o.X_LONGEST]),
        min_entry=sums[o.X_LOWEST],
        max_entry=sums[o.X_HIGHEST],
        max_dual_norm=math.sqrt(sums[o.X_DUAL]),
        sum_squared_norms=sums[o.X_SQUARES],
        sum_squared_gradients=sums[o.G_SQUARES],
        sum_dual_gradients=sums[o.G_DUAL],
        sum_rated_gradients=sums[o.G_RATED],
        max_gradient=math.sqrt(sums[o.G_LARGEST]),
        min_label=sums[o.Y_LOWEST],
        max_label=sums[o.Y_HIGHEST],
        max_score=sums[o.SCORE_LARGEST],
        weight_norm=weight_norm,
        curve=statistics.curve[: counts[o.POINTS]].copy(),
        squared_error=None if binary else known(sums[o.SQUARES]),
        running_mean_error=None if binary else known(sums[o.MEAN_SQUARES]),
        majority_mistakes=None if not binary or majority is None else int(majority),
    )


def checked_counts(counts: Longs) -> Longs:
    """The counts of statistics, if a kernel can go on with them: it draws by them."""
    if counts[o.POINTS] >= o.CURVE or counts[o.STRIDE] < 1:
        raise ValueError("the counts of its statistics are out of range")
    return counts


def checked_statistics(fresh: Books, stored: Document) -> Books:
    """Statistics from what was stored; ValueError where a kernel cannot go on."""
    tree = {"statistics": stored}
    found = cast("Books", restored(fresh, tree, "statistics", STATISTICS))
    checked_counts(found[0])
    return found


def row_statistics(fresh: Statistics, stored: Document) -> Statistics:
    """Those of rows."""
    found = checked_statistics(fresh, stored)
    sums = found.sums
    wrong = SIZES.refusal(found.curve[:, :2])  # rounds and mistakes
    if wrong or (sums[list(SQUARED)] < 0.0).any() or math.isinf(sums[o.MAJORITY]):
        raise ValueError("the sums of its statistics are out of range")
    return found


def curve_columns(curve: Floats) -> dict[str, list[float]]:
    """A curve as three arrays of one length, for JSON; counts as whole numbers."""
    rows, mistakes, loss = curve.T
    counts = [each.astype(np.int64).tolist() for each in (rows, mistakes)]
    return {"rows": counts[0], "mistakes": counts[1], "loss": loss.tolist()}
