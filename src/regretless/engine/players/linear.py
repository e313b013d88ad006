"""A linear learner in the middle of a game: its parts, its weights, its books.

The player owns the arrays that a kernel reads and writes. It knows nothing of where
rows come from; it takes them a batch at a time, and a batch may be a single row.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import BadRow
from ...parts.composition import Composition
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
from ...parts.geometries.factors import factored
from ...parts.observers import ROUNDS, Books, new_books, taped
from ...parts.penalties import L2
from ...parts.prediction_rules import Foreseen
from ...parts.rows import Biased, Dense, Sparse
from ...parts.state import AGE, AGE_ERROR, SIZE, Floats, State
from ...parts.steps import InverseTime
from ...parts.views import AsIs, Viewed, scales
from ..ledger import Ledger, books_from, read_books
from ..refused_rows import problem_of
from ..storage import checked_array, checked_int

__all__ = ["EQUAL", "LinearPlayer", "dual_size"]

Rows = Dense | Sparse
EQUAL = np.zeros(0)  # weights of rows that are all equally important
LARGEST_COLUMN = 2**31  # columns are int32
OLDEST_SIZE = 10  # scalars of a state in the first files


class LinearPlayer:
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

    classes = False
    n_classes = 0
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
        self.n_features = n_features
        size = n_features + self.bias
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
        self.books: Books = new_books()
        self.seconds = 0.0  # spent in the kernel
        self.keeps_mean = False

    @property
    def rounds(self) -> int:
        """Rounds played so far."""
        return int(self.books.counts[ROUNDS])

    @property
    def binary(self) -> bool:
        """Whether labels are -1 and +1."""
        return self.parts.loss.task == "binary"

    @property
    def loss(self) -> Any:
        """What a prediction costs, but for a penalty."""
        return self.parts.loss

    @property
    def unknown_features_matter(self) -> bool:
        """Whether features never met change what is said of a row."""
        return isinstance(self.parts.foresight, Foreseen)

    @property
    def allowed(self) -> tuple[float, float]:
        """The least and the largest entry that rows may have."""
        return self.parts.low, self.parts.high

    def play(
        self,
        rows: Rows,
        targets: Floats,
        *,
        first: int = 0,
        tape: Any = None,
        names: Callable[[], Any] | None = None,
        weights: Floats | None = None,
    ) -> None:
        """Play a batch of rows in order, each of the importance that `weights` says.

        `first` is the number of the first one, and `names` gives the features' names
        (or None), both for the error message. Raises
        :class:`BadRow` at the first row that is refused; the rows before it are
        learned.
        """
        self.make_room(rows)
        observer = taped(self.books, tape)
        importance = EQUAL if weights is None else weights
        seen = self.seen(rows)
        arguments = (self.parts, self.state, observer, seen, targets, importance)
        kernel = self.kernel(arguments)
        began = time.perf_counter()
        played = kernel(*arguments)
        self.seconds += time.perf_counter() - began
        if played < targets.size:
            known = names() if names is not None else None
            allowed, advice, y = self.allowed, self.advice, float(targets[played])
            said = problem_of(rows, played, known, allowed, advice, label=y)
            raise BadRow(first + played, said)

    def kernel(self, arguments: tuple[Any, ...]) -> Callable[..., int]:
        """The machine code that plays `arguments`."""
        from ..kernels.compiled import entry as kernel_entry
        from ..kernels.linear import play_rows

        return kernel_entry(play_rows, arguments)

    def playing(
        self, rows: Any, targets: Floats
    ) -> tuple[Callable[..., int], tuple[Any, ...]]:
        """The machine code that plays `rows`, and its arguments."""
        books, seen = taped(self.books, None), self.seen(rows)
        arguments = (self.parts, self.state, books, seen, targets, EQUAL)
        return self.kernel(arguments), arguments

    def scoring(
        self, rows: Any, out: Floats
    ) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """The machine code that scores `rows` into `out`, and its arguments."""
        from ..kernels.compiled import entry as kernel_entry
        from ..kernels.linear import score_rows

        arguments = (self.parts, self.state, self.seen(rows), out)
        return kernel_entry(score_rows, arguments), arguments

    def scores(self, rows: Rows, n: int) -> Floats:
        """The scores of `n` rows under the present weights, learning nothing."""
        out = np.empty(n)
        self.make_room(rows)
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

    def extra_sums(self) -> dict[str, Any]:
        """What the geometry has summed for its theorems."""
        geometry = self.parts.geometry
        return (
            extra_sums(geometry, self.state)
            if implemented(extra_sums, geometry)
            else {}
        )

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
        earned = state.numbers[[AGE, AGE_ERROR]] - clock
        with np.errstate(over="ignore", invalid="ignore"):  # weights may overflow
            total = state.sums + state.primal * earned.sum(axis=1)
        return total[: self.n_features + self.bias]

    def ledger(self) -> Ledger:
        """What has been met and paid so far."""
        # Not of the room to grow in: how many zeros are added changes the last bit.
        with np.errstate(over="ignore", invalid="ignore"):  # weights may overflow
            norm = float(np.linalg.norm(self._own_weights()))
        return read_books(self.books, binary=self.binary, weight_norm=norm)

    def state_dict(self) -> dict[str, Any]:
        """All that the rounds to come depend on, as plain data and arrays.

        The arrays are the player's own, not copies: store them before it plays on.
        """
        arrays = self.state._asdict()
        for room in ("scratch", "shown"):
            del arrays[room]
        if self.parts.geometry.duals < 0:
            arrays["factored"] = True
        return {
            **arrays,
            "books": self.books._asdict(),
            "n_features": self.n_features,
            "keeps_mean": self.keeps_mean,
            "seconds": self.seconds,
        }

    def load_state(self, stored: dict[str, Any]) -> None:
        """Stand where :meth:`state_dict` says; ``ValueError`` where nobody can.

        The learner must be the same, and the arrays become the player's own. Kernels
        look at no bounds, so all are checked.
        """
        known = checked_int(stored, "n_features", 0, LARGEST_COLUMN)
        if self.fixed and known != self.n_features:
            raise ValueError(f"{known} features, where there are {self.n_features}")
        keeps = stored["keeps_mean"] is True
        primal = checked_array(stored, "primal")
        room = primal.size
        if room < known + self.bias:
            raise ValueError(f"{room} weights cannot be those of {known} features")
        duals, width = dual_size(self.parts.geometry, room), self.parts.view.width
        dual = checked_array(stored, "dual", shape=(duals,))
        if self.parts.geometry.duals < 0 and not stored.get("factored"):
            dual = factored(dual)  # the matrix itself, of version 0.1
        self.state = self.state._replace(
            primal=primal,
            dual=dual,
            numbers=_numbers(stored),
            sums=checked_array(stored, "sums", shape=(room * keeps,)),
            clock=checked_array(stored, "clock", shape=(2 * room * keeps,)),
            # Not in the files of versions whose learners had no views.
            seen=checked_array(stored, "seen", shape=(room * width,))
            if "seen" in stored
            else np.zeros(room * width),
        )
        self.make_tile(0)
        self.books = books_from(stored["books"])
        self.n_features = known
        self.keeps_mean = keeps
        self.seconds = float(stored["seconds"])

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
        self.n_features = n_features
        if size > before:
            # A triangle with twice as many rows would be four times as large.
            room = max(size, 2 * before) if geometry.duals >= 0 else size + 32
            wanted = {
                "primal": room,
                "dual": dual_size(geometry, room),
                "sums": room * self.keeps_mean,
                "clock": 2 * room * self.keeps_mean,
                "seen": room * self.parts.view.width,
            }
            for name, length in wanted.items():
                larger = np.zeros(length)
                array = getattr(self.state, name)
                larger[: array.size] = array
                self.state = self.state._replace(**{name: larger})
            self.make_tile(0)
            if implemented(extend, geometry):
                extend(geometry, self.state, before)

    def make_room(self, rows: Rows) -> None:
        """Make scratch as long as the longest row."""
        if isinstance(rows, Dense):
            self.make_tile(rows.width)
        else:
            self.make_tile(int(np.diff(rows.starts).max(initial=0)))

    def make_tile(self, longest: int) -> None:
        """Make room for rows with this many entries, and for work on a matrix."""
        geometry = self.parts.geometry
        whole = 0 if geometry.duals >= 0 else 2 * self.state.primal.size + 2
        if max(longest + self.bias, whole) > self.state.scratch.size:
            room = np.zeros((2, max(2 * longest + 2, whole)))
            self.state = self.state._replace(scratch=room[0], shown=room[1])

    def seen(self, rows: Rows) -> Any:
        """Rows as the learner sees them: with its bias, through its view."""
        whole: Any = Biased(rows) if self.bias else rows
        view = self.parts.view
        if isinstance(view, AsIs):
            return whole
        return Viewed(view, whole, self.state.seen, self.state.shown)


def dual_size(geometry: Any, weights: int) -> int:
    """How many numbers a geometry keeps beside so many weights."""
    if geometry.duals >= 0:
        return weights * geometry.duals
    rows = min(weights, geometry.most)
    return rows * (rows + 1) // 2


def _numbers(stored: dict[str, Any]) -> Floats:
    """The scalars of a state; those that are younger than the file are zero."""
    found = checked_array(stored, "numbers")
    if found.ndim != 1 or not OLDEST_SIZE <= found.size <= SIZE:
        raise ValueError(f"numbers is of shape {found.shape}, which it cannot be")
    return np.pad(found, (0, SIZE - found.size))
