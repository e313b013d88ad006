"""A linear learner in the middle of a game: its parts, its weights, its statistics.

The player owns the arrays that a kernel reads and writes. It knows nothing of where
rows come from; it takes them a batch at a time, and a batch may be a single row.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy, deepcopy
from typing import Self

import numpy as np

from ...parts.composition import Composition
from ...parts.documents import Document
from ...parts.domains import enter
from ...parts.generic import canonical, implemented
from ...parts.geometries import (
    Euclidean,
    FullMatrix,
    extend,
    extra_sums,
    refresh,
    start,
    weights,
)
from ...parts.lengths import length_of
from ...parts.observers import TraceArrays, traced
from ...parts.part_types import Geometry, Loss
from ...parts.penalties import L2
from ...parts.prediction_rules import Foreseen
from ...parts.rows import Biased, Rows, SeenRows, longest_of
from ...parts.state import AGE, AGE_ERROR, SIZE, Floats, State
from ...parts.steps import InverseTime
from ...parts.views import AsIs, Viewed, scales
from ..hypotheses.linear import LinearHypothesis
from ..storage import ALIKE, Range, Sized, keep
from .row_player import EQUAL, LARGEST_COLUMN, Call, RowPlayer

MADE_FOR = "made_for"  # in files: how many features the parts were made for


LEARNED: dict[str, object] = {
    "numbers": ALIKE,
    **{name: Sized(name) for name in ("primal", "dual", "sums", "clock", "seen")},
}
"""What files have of a state; the rest of it is room to work in."""


class LinearPlayer(RowPlayer):
    """The mutable middle of a run.

    Parameters
    ----------
    compose : callable
        From the number of weights to the learner's parts.
    n_features : int
        Features that have appeared, or the declared number where `fixed`.
    bias : bool
        Whether every row has one more feature, first, with value 1.
    fixed : bool
        Whether the start depends on the number of features, so that it cannot grow.
    advice : str
        What to tell about a row whose entries are outside [low, high].
    partial : bool
        Whether features that a full matrix has no room for are left out, and not
        refused.
    """

    kept = keep("keeps_mean", made_for=Range(0, LARGEST_COLUMN), learned=LEARNED)

    averages = True
    linear = True
    starts_from = "weights"

    def __init__(
        self,
        compose: Callable[[int], Composition],
        n_features: int,
        *,
        bias: bool = False,
        fixed: bool = False,
        advice: str = "",
        partial: bool = False,
    ) -> None:
        self.partial = partial
        self.bias = bool(bias)
        self.fixed = fixed
        self.advice = advice
        super().__init__(n_features)
        size = n_features + self.bias
        self.made_for = n_features
        self.parts: Composition = canonical(compose(size))
        self.state = State(
            primal=np.zeros(size),
            dual=np.zeros(dual_size(self.parts.geometry, size)),
            numbers=np.zeros(SIZE),
            scratch=np.zeros(64),
            sums=np.zeros(0),
            clock=np.zeros(0),
            seen=np.zeros(size * self.parts.view.width),
            shown=np.zeros(64),
        )
        self.make_tile(0)
        start(self.parts.geometry, self.state)
        enter(self.parts.domain, self.state)
        self.keeps_mean = False
        self.unknown_features_matter = isinstance(self.parts.prediction_rule, Foreseen)

    @property
    def binary(self) -> bool:
        """Whether labels are -1 and +1."""
        return self.parts.loss.task == "binary"

    @property
    def loss(self) -> Loss:
        """What a prediction costs, but for a penalty."""
        return self.parts.loss

    @property
    def allowed(self) -> tuple[float, float]:
        """The least and the largest entry that rows may have."""
        return self.parts.low, self.parts.high

    def playing(
        self,
        rows: Rows,
        targets: Floats,
        importance: Floats = EQUAL,
        trace: TraceArrays | None = None,
    ) -> Call:
        """The machine code that plays `rows`, and its arguments."""
        from ..kernels.compiled import entry
        from ..kernels.linear import play_rows

        statistics, seen = traced(self.statistics, trace), self.seen(rows)
        arguments = (self.parts, self.state, statistics, seen, targets, importance)
        return entry(play_rows, arguments), arguments

    def scoring(self, rows: Rows, out: Floats) -> Call:
        """The machine code that scores `rows` into `out`, and its arguments.

        A row that is alone may be another in its buffers, each time.
        """
        longest = rows.values.size if out.size == 1 else longest_of(rows)
        return self._scoring(rows, out, self.with_room(longest))

    def asking(self, rows: Rows, out: Floats) -> list[Call]:
        """The same, in the room that there is."""
        return [self._scoring(rows, out, self.state)]

    def held(self) -> tuple[object, ...]:
        """The state."""
        return (self.state,)

    def _scoring(self, rows: Rows, out: Floats, state: State) -> Call:
        from ..kernels.compiled import entry
        from ..kernels.linear import score_rows

        arguments = (self.parts, state, self.seen(rows, state), out)
        return entry(score_rows, arguments), arguments

    def scores(self, rows: Rows, n: int) -> Floats:
        """The scores of `n` rows under the present weights, learning nothing."""
        out = np.empty(n)
        kernel, arguments = self.scoring(rows, out)
        kernel(*arguments)
        return out

    def weights(self) -> Floats:
        """The weights of the features, without the bias."""
        return self.all_weights()[self.bias :]

    def all_weights(self) -> Floats:
        """The weights of the features, that of the bias first where there is one.

        They multiply rows as they come: where the learner sees them through a view, its
        own weights are divided by the scales of the present.
        """
        return self.unscaled(self._own_weights())

    def bias_weight(self) -> float:
        """The weight of the bias, 0 without one."""
        return float(self.all_weights()[0]) if self.bias else 0.0

    def unscaled(self, own: Floats) -> Floats:
        """Weights for rows as they come, from weights for rows as the learner sees."""
        if isinstance(self.parts.view, AsIs):
            return own
        return own / scales(self.parts.view, self.state.seen, own.size)

    def hypothesis(self) -> LinearHypothesis:
        """What it would predict with now."""
        return self.averaged(self.all_weights())

    def averaged(self, weights: Floats) -> LinearHypothesis:
        """A mean of hypotheses, the bias first, as one of them."""
        return LinearHypothesis.of_all(
            weights, float(self.parts.threshold), bias=self.bias
        )

    def twin(self) -> Self:
        """One that stands where this one does, and goes its own way from now on."""
        other = copy(self)
        other.state, other.statistics = deepcopy(self.state), deepcopy(self.statistics)
        return other

    def extra_sums(self) -> Document:
        """What the geometry has summed for its theorems."""
        geometry = self.parts.geometry
        known = implemented(extra_sums, geometry)
        return extra_sums(geometry, self.state) if known else {}

    def _own_weights(self) -> Floats:
        size = self.n_features + self.bias
        return weights(self.parts.geometry, self.state)[:size]

    def begin_at(self, weights: Floats, bias: float) -> None:
        """Start from these weights instead; for additive learners."""
        if not isinstance(self.parts.geometry, Euclidean):
            raise ValueError(
                "only additive learners can start from the weights of a model: those "
                "of this learner come from its own start"
            )
        shrinks = isinstance(self.parts.penalty, L2)
        if shrinks and isinstance(self.parts.step, InverseTime):
            raise ValueError(
                "the first step of this learner forgets its weights, so it cannot "
                "start from those of a model"
            )
        if bias and not self.bias:
            raise ValueError("the model has a bias, and this learner has none")
        self.grow(weights.size)
        self.state.primal[self.bias :][: weights.size] = weights
        self.state.primal[: self.bias] = bias
        refresh(self.parts.geometry, self.state)
        enter(self.parts.domain, self.state)

    def keep_mean(self) -> None:
        """From now on, keep the sum of all hypotheses that predict."""
        self.keeps_mean = True
        size = self.state.primal.size
        now = self.state.numbers[[AGE, AGE_ERROR]]
        self.state = self.state._replace(sums=np.zeros(size), clock=np.tile(now, size))

    def summed(self) -> Floats:
        """The sum of all own weights since :meth:`keep_mean`, the bias first."""
        state = self.state
        clock = state.clock.reshape(-1, 2)
        earned = state.numbers[AGE] - clock[:, 0]
        earned += state.numbers[AGE_ERROR] - clock[:, 1]
        with np.errstate(over="ignore", invalid="ignore"):  # weights may overflow
            total = state.sums + state.primal * earned
        return total[: self.n_features + self.bias]

    def weight_norm(self) -> float:
        """|w| of the learner's own weights."""
        # Not of the room to grow in: how many zeros are added changes the last bit.
        return length_of(self._own_weights())

    def prepare_state(self, stored: Document, /) -> None:
        """The learner must be the same."""
        known = stored["n_features"]
        if self.fixed and known != self.n_features:
            raise ValueError(f"{known} features, where there are {self.n_features}")

    @property
    def learned(self) -> State:
        """The state without room to grow: it is that of events which were undone, too.

        ValueError where its arrays do not fit: kernels look at no bounds.
        """
        lengths = self._lengths(self.n_features + self.bias).items()
        used = {name: getattr(self.state, name)[:n] for name, n in lengths}
        return self.state._replace(**used)

    @learned.setter
    def learned(self, state: State) -> None:
        room = state.primal.size
        lengths = self._lengths(room)
        found = {name: getattr(state, name).size for name in lengths}
        if found != lengths or room < self.n_features + self.bias:
            raise ValueError(
                f"{room} weights cannot be those of {self.n_features} features"
            )
        self.state = state
        self.make_tile(0)

    def grow(self, n_features: int) -> None:
        """Make room for more features; the arrays double, the new weights are zero."""
        if n_features <= self.n_features:
            return
        if self.fixed:
            raise ValueError(
                f"feature number {n_features} appeared, but the start of this learner "
                f"was made for n_features={self.n_features}"
            )
        geometry = self.parts.geometry
        size, before = n_features + self.bias, self.state.primal.size
        full = geometry if isinstance(geometry, FullMatrix) else None
        if full is not None and not self.partial and size > full.most:
            raise ValueError(
                f"feature number {n_features:,} appeared, and a full matrix is kept of "
                f"at most {full.most - self.bias:,}: declare their number, or take "
                'matrix="diagonal"'
            )
        if size > before:
            # A triangle with twice as many rows would be four times as large, and every
            # round reads all of it: the first rows tell how large it will be.
            room = max(size, 2 * before)
            if full is not None and before < full.most:
                room = size + 32 * (before > self.bias)
            larger = {name: np.zeros(n) for name, n in self._lengths(room).items()}
            for name, array in larger.items():
                old = getattr(self.state, name)
                array[: old.size] = old
            state = self.state._replace(**larger)
            if implemented(extend, geometry):
                extend(geometry, state, before)
            little = self._room(0, state) > state.scratch.size
            self.state = self.with_room(1, state) if little else state
        self.n_features = n_features

    def _lengths(self, weights: int) -> dict[str, int]:
        """How long the arrays are that keep so many weights."""
        return {
            "primal": weights,
            "dual": dual_size(self.parts.geometry, weights),
            "sums": weights * self.keeps_mean,
            "clock": 2 * weights * self.keeps_mean,
            "seen": weights * self.parts.view.width,
        }

    def make_tile(self, longest: int) -> None:
        """Make room for rows with this many entries, and for work on a matrix."""
        if self._room(longest, self.state) > self.state.scratch.size:
            self.state = self.with_room(2 * longest + 1)

    def with_room(self, longest: int, state: State | None = None) -> State:
        """The state with room of its own for such rows: threads may predict at once."""
        state = self.state if state is None else state
        room = np.zeros((2, self._room(longest, state)))
        return state._replace(scratch=room[0], shown=room[1])

    def _room(self, longest: int, state: State) -> int:
        """How many numbers rows with so many entries, or work on a matrix, take."""
        geometry = self.parts.geometry
        whole = 0 if geometry.duals >= 0 else 2 * state.primal.size + 2
        return max(longest + self.bias, whole)

    def seen(self, rows: Rows, state: State | None = None) -> SeenRows | Viewed:
        """Rows as the learner sees them: with its bias, through its view."""
        state = self.state if state is None else state
        whole = Biased(rows) if self.bias else rows
        view = self.parts.view
        if isinstance(view, AsIs):
            return whole
        return Viewed(view, whole, state.seen, state.shown)


def dual_size(geometry: Geometry, weights: int) -> int:
    """How many numbers a geometry keeps beside so many weights."""
    if not isinstance(geometry, FullMatrix):
        return weights * geometry.duals
    rows = min(weights, geometry.most)
    return rows * (rows + 1) // 2
