"""What players of rows share: they keep statistics, play batches, and are stored.

A new kind says how it plays rows, how it scores them and what its hypothesis is. All
else has a default here, which says what most players cannot do.
"""

from __future__ import annotations

import abc
import time
from collections.abc import Callable
from typing import Any, Self, TypeAlias

import numpy as np

from ...parts.losses import Hinge
from ...parts.observers import ROUNDS, Statistics, TraceArrays, new_statistics
from ...parts.part_types import Loss
from ...parts.rows import Rows, longest_of
from ...parts.state import Floats
from ..feature_names import NamesOf
from ..hypotheses.hypothesis import Hypothesis
from ..ledger import Ledger, read_statistics, row_statistics
from ..refused_rows import EVERYTHING, bad_row
from ..storage import SIZES, Range, Stored, keep

EQUAL = np.zeros(0)  # weights of rows that are all equally important
LARGEST_COLUMN = 2**31  # columns are int32

Mark: TypeAlias = tuple[Any, ...]
"""How many features and classes there were, and what else growth changes."""
Call: TypeAlias = tuple[Callable[..., int | None], tuple[object, ...]]
"""What computes, and its arguments: it returns how many rows it has played, or None."""


class RowPlayer(Stored, abc.ABC):
    """The mutable middle of a run.

    Parameters
    ----------
    n_features : int
        Features that have appeared.
    """

    kept = keep(
        statistics=row_statistics,
        n_features=Range(0, LARGEST_COLUMN),
        seconds=SIZES,
    )

    classes: bool = False
    n_classes: int = 0
    averages: bool = False
    linear: bool = False
    starts_from: str = ""
    bias: bool = False
    fixed: bool = False
    """Whether the start depends on the number of features, so that it cannot grow."""
    advice: str = ""
    """What to tell about a row whose entries are outside of what is allowed."""
    unknown_features_matter: bool = False
    """Whether features never met change what is said of a row."""
    threads: int | None = None
    """How many threads may learn, of those who can use several; None: one a core."""

    def __init__(self, n_features: int) -> None:
        self.n_features = n_features
        self.begin_statistics()

    @property
    def binary(self) -> bool:
        """Whether labels are -1 and +1."""
        return True

    @property
    def allowed(self) -> tuple[float, float]:
        """The least and the largest entry that rows may have."""
        return EVERYTHING

    @property
    def loss(self) -> Loss:
        """What a prediction costs, but for a penalty."""
        return Hinge()

    def begin_statistics(self) -> None:
        """Nothing has been met or paid."""
        self.statistics: Statistics = new_statistics()
        self.seconds = 0.0  # spent in the kernel

    @property
    def rounds(self) -> int:
        """Rounds played so far."""
        return int(self.statistics.counts[ROUNDS])

    def playing(
        self,
        rows: Rows,
        targets: Floats,
        importance: Floats = EQUAL,
        trace: TraceArrays | None = None,
    ) -> Call:
        """What plays `rows`, and its arguments.

        It predicts, pays and updates, row by row, and returns how many it played: a
        row that it refuses ends it. `importance` is empty where all rows are equally
        important. See :func:`regretless.parts.observers.traced` for a `trace`.
        """
        raise NotImplementedError(f"{self!r}: it has a `play` of its own, or `playing`")

    @abc.abstractmethod
    def scores(self, rows: Rows, n: int) -> Floats:
        """The scores of `n` rows; learn nothing."""

    @abc.abstractmethod
    def hypothesis(self) -> Hypothesis:
        """What it would predict with now, frozen."""

    def play(
        self,
        rows: Rows,
        targets: Floats,
        *,
        first: int = 0,
        trace: TraceArrays | None = None,
        names: NamesOf | None = None,
        weights: Floats | None = None,
    ) -> None:
        """Play a batch of rows in order, each of the importance that `weights` says.

        `first` is the number of the first one, and `names` gives the features' names
        (or None), both for the error message. Raises :class:`BadRow` at the first row
        that is refused; the rows before it are learned.
        """
        self.make_room(rows)
        importance = EQUAL if weights is None else weights
        played, spent = self._play_rows(rows, targets, importance, trace)
        self.seconds += spent
        if played < targets.size:
            label = float(targets[played])
            raise bad_row(rows, played, first, names, self.allowed, self.advice, label)

    def _play_rows(
        self,
        rows: Rows,
        targets: Floats,
        importance: Floats,
        trace: TraceArrays | None,
    ) -> tuple[int, float]:
        """Play rows; how many were played, and the seconds that it took."""
        kernel, arguments = self.playing(rows, targets, importance, trace)
        began = time.perf_counter()
        played = kernel(*arguments) or 0
        return played, time.perf_counter() - began

    def scoring(self, rows: Rows, out: Floats) -> Call:
        """What scores `rows` into `out`, and its arguments."""
        return self._score_into, (rows, out)

    def _score_into(self, rows: Rows, out: Floats) -> None:
        out[:] = self.scores(rows, out.size)

    def learning(self, rows: Rows, targets: Floats, importance: Floats) -> list[Call]:
        """What plays a row that is alone, one call after the other: each returns 1.

        The first one refuses the row, if any does. The calls are used for one event
        after the other, until :meth:`held` are others.
        """
        return [self.playing(rows, targets, importance)]

    def asking(self, rows: Rows, out: Floats) -> list[Call]:
        """What scores such a row into `out`, learning nothing: each returns 0, or None.

        No other thread asks meanwhile, and there is room for the row.
        """
        return [self.scoring(rows, out)]

    def held(self) -> tuple[object, ...]:
        """What :meth:`learning` and :meth:`asking` hold on to: arrays, tuples of them.

        Unless a player says so, its calls are made anew after all that is unusual.
        """
        return (object(),)

    def twin(self) -> Self:
        """One that stands where this one does, and goes its own way from now on."""
        return self.copy()

    def grow(self, n_features: int) -> None:
        """Make room for features that have come."""
        self.n_features = max(self.n_features, n_features)

    def mark(self) -> Mark:
        """What :meth:`return_to` undoes growth to, before anything is learned."""
        return (self.n_features,)

    def return_to(self, mark: Mark) -> None:
        """Undo growth; the room stays."""
        self.n_features = mark[0]

    def meet(self, rows: Rows) -> Rows:
        """Rows that are to be played, as kernels take them; there is room for them.

        Most players know features by their columns.
        """
        return rows

    def make_room(self, rows: Rows) -> None:
        """Make room for the longest row."""
        self.make_tile(longest_of(rows))

    def make_tile(self, longest: int) -> None:
        """Make room for rows with this many entries."""

    def weights(self) -> Floats:
        """The weights of the features, where they have any."""
        return np.zeros(0)

    def bias_weight(self) -> float:
        """The weight of the bias, 0 without one."""
        return 0.0

    def all_weights(self) -> Floats:
        """The same, that of the bias first where there is one."""
        return (
            np.r_[self.bias_weight(), self.weights()] if self.bias else self.weights()
        )

    def weight_norm(self) -> float:
        """|w|, where there is one."""
        return 0.0

    def ledger(self) -> Ledger:
        """What has been met and paid so far."""
        norm = self.weight_norm()
        return read_statistics(self.statistics, binary=self.binary, weight_norm=norm)
