"""A linear learner in the middle of a game: its parts, its weights, its books.

The player owns the arrays that a kernel reads and writes. It knows nothing of where
rows come from; it takes them a batch at a time, and a batch may be a single row.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .errors import BadRow
from .generic import canonical
from .ledger import Ledger, read_books
from .parts.composition import Composition
from .parts.domains import enter
from .parts.geometries import start, weights
from .parts.observers import ROUNDS, Books, Tape, new_books
from .parts.rows import Biased, Dense, Sparse, begin, column, end, entry
from .parts.state import AGE, AGE_ERROR, SIZE, Floats, State

__all__ = ["Player", "problem_of", "too_large"]

Rows = Dense | Sparse


class Player:
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
    """

    def __init__(
        self,
        compose: Callable[[int], Composition],
        n_features: int,
        *,
        bias: bool = False,
        fixed: bool = False,
        advice: str = "",
    ) -> None:
        self.bias = bool(bias)
        self.fixed = fixed
        self.advice = advice
        self.n_features = n_features
        size = n_features + self.bias
        self.parts: Composition = canonical(compose(size))
        dual = size if self.parts.geometry.has_dual else 0
        self.state = State(
            primal=np.zeros(size),
            dual=np.zeros(dual),
            numbers=np.zeros(SIZE),
            scratch=np.zeros(64),
            sums=np.zeros(0),
            clock=np.zeros(0),
        )
        start(self.parts.geometry, self.state)
        enter(self.parts.domain, self.state)
        self.books: Books = new_books()
        self.seconds = 0.0  # spent in the kernel
        self.keeps_mean = False

    @property
    def binary(self) -> bool:
        """Whether labels are -1 and +1."""
        return self.parts.loss.task == "binary"

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
    ) -> None:
        """Play a batch of rows in order.

        `first` is the number of the first one, and `names` gives the features' names
        (or None), both for the error message. Raises
        :class:`BadRow` at the first row that is refused; the rows before it are
        learned.
        """
        self.make_room(rows)
        observer: Any = self.books
        if tape is not None:
            scores, losses, mistakes = tape
            before = int(self.books.counts[ROUNDS])
            observer = Tape(*self.books, scores, losses, mistakes, before)
        arguments = (self.parts, self.state, observer, self._seen(rows), targets)
        kernel = self.kernel(arguments)
        began = time.perf_counter()
        played = kernel(*arguments)
        self.seconds += time.perf_counter() - began
        if played < targets.size:
            known = names() if names is not None else None
            said = problem_of(rows, played, known, self.allowed, self.advice)
            raise BadRow(first + played, said)

    def kernel(self, arguments: tuple[Any, ...]) -> Callable[..., int]:
        """The machine code that plays `arguments`."""
        from .kernels.compiled import entry as kernel_entry
        from .kernels.linear import play_rows

        return kernel_entry(play_rows, arguments)

    def playing(
        self, rows: Any, targets: Floats
    ) -> tuple[Callable[..., int], tuple[Any, ...]]:
        """The machine code that plays `rows`, and its arguments."""
        arguments = (self.parts, self.state, self.books, self._seen(rows), targets)
        return self.kernel(arguments), arguments

    def scoring(
        self, rows: Any, out: Floats
    ) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """The machine code that scores `rows` into `out`, and its arguments."""
        from .kernels.compiled import entry as kernel_entry
        from .kernels.linear import score_rows

        arguments = (self.parts, self.state, self._seen(rows), out)
        return kernel_entry(score_rows, arguments), arguments

    def scores(self, rows: Rows, n: int) -> Floats:
        """The scores of `n` rows under the present weights, learning nothing."""
        out = np.empty(n)
        kernel, arguments = self.scoring(rows, out)
        kernel(*arguments)
        return out

    def weights(self) -> Floats:
        """The weights of the features, without the bias."""
        return weights(self.parts.geometry, self.state)[self.bias :][: self.n_features]

    def all_weights(self) -> Floats:
        """The weights of the features, that of the bias first where there is one."""
        size = self.n_features + self.bias
        return weights(self.parts.geometry, self.state)[:size]

    def bias_weight(self) -> float:
        """The weight of the bias, 0 without one."""
        if not self.bias:
            return 0.0
        return float(weights(self.parts.geometry, self.state)[0])

    def keep_mean(self) -> None:
        """From now on, keep the sum of all hypotheses that predict."""
        self.keeps_mean = True
        size = self.state.primal.size
        now = self.state.numbers[[AGE, AGE_ERROR]]
        self.state = self.state._replace(sums=np.zeros(size), clock=np.tile(now, size))

    def summed(self) -> Floats:
        """The sum of all hypotheses since :meth:`keep_mean`, the bias first."""
        state = self.state
        clock = state.clock.reshape(-1, 2)
        earned = state.numbers[[AGE, AGE_ERROR]] - clock
        total = state.sums + state.primal * earned.sum(axis=1)
        return total[: self.n_features + self.bias]

    def ledger(self) -> Ledger:
        """What has been met and paid so far."""
        # Not of the room to grow in: how many zeros are added changes the last bit.
        used = weights(self.parts.geometry, self.state)[: self.n_features + self.bias]
        norm = float(np.linalg.norm(used))
        return read_books(self.books, binary=self.binary, weight_norm=norm)

    def grow(self, n_features: int) -> None:
        """Make room for more features; the arrays double, the new weights are zero."""
        if n_features <= self.n_features:
            return
        if self.fixed:
            raise ValueError(
                f"feature number {n_features} appeared, but the start of this learner "
                f"was made for n_features={self.n_features}"
            )
        self.n_features = n_features
        size = n_features + self.bias
        if size > self.state.primal.size:
            room = max(size, 2 * self.state.primal.size)
            wanted = {
                "primal": room,
                "dual": room * self.parts.geometry.has_dual,
                "sums": room * self.keeps_mean,
                "clock": 2 * room * self.keeps_mean,
            }
            for name, length in wanted.items():
                larger = np.zeros(length)
                array = getattr(self.state, name)
                larger[: array.size] = array
                self.state = self.state._replace(**{name: larger})

    def make_room(self, rows: Rows) -> None:
        """Make scratch as long as the longest row."""
        if isinstance(rows, Dense):
            longest = rows.width
        else:
            longest = int(np.diff(rows.starts).max(initial=0))
        self.make_tile(longest)

    def make_tile(self, longest: int) -> None:
        """Make scratch hold `longest` features and the bias."""
        if longest + self.bias > self.state.scratch.size:
            self.state = self.state._replace(scratch=np.zeros(2 * longest + 2))

    def _seen(self, rows: Rows) -> Any:
        return Biased(rows) if self.bias else rows


def problem_of(
    rows: Rows,
    i: int,
    names: Any,
    allowed: tuple[float, float] = (-math.inf, math.inf),
    advice: str = "",
) -> str:
    """Say what is wrong with row `i`, which a kernel refused."""
    lo, hi = begin(rows, i), end(rows, i)
    low, high = allowed
    for k in range(lo, hi):
        x = float(entry(rows, k, hi))
        j = int(column(rows, k, lo, hi))
        where = f"column {j}" if names is None else f"feature {names[j]!r}"
        if not math.isfinite(x):
            return f"{where}: {x} is not a finite number"
        if not low <= x <= high:
            return f"{where}: {x:g} is outside [{low:g}, {high:g}], {advice}"
    return too_large(float(entry(rows, k, hi)) for k in range(lo, hi))


def too_large(values: Iterable[float]) -> str:
    """What to say of a row whose entries are all allowed."""
    if not sum(x * x for x in values) < math.inf:
        return "its numbers are so large that |x|^2 is not finite"
    return "the weights have overflowed before it: take a smaller step"
