"""A kernel machine in the middle of a game, and one frozen: who scores, and who plays.

A :class:`FrozenMachine` owns the support vectors and predicts. A :class:`KernelPlayer`
is one that also plays, keeps more of them, and keeps books.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import BadRow
from ...parts import supports as s
from ...parts.generic import canonical
from ...parts.losses import Hinge
from ...parts.observers import Books, new_books, taped
from ...parts.rows import Dense, Sparse
from ...parts.state import Floats
from ...parts.supports import new_supports
from ..ledger import Ledger, books_from, read_books
from ..refused_rows import problem_of
from ..storage import checked_array, checked_int
from .linear import EQUAL

__all__ = ["FrozenMachine", "KernelPlayer"]

Rows = Dense | Sparse
PER_SUPPORT = ("begins", "ends", "full", "alphas", "squares")
MOST = 2**31


class FrozenMachine:
    """A sum over support vectors as it stands: it predicts, and does not move.

    Parameters
    ----------
    part : a kernel of rows
        Whose similarity is added up.
    n_features : int
        Features that have appeared.
    """

    classes = False
    n_classes = 0
    averages = False
    linear = False
    starts_from = "weights"
    bias = False
    fixed = False
    unknown_features_matter = True  # they are a part of the length of a row
    binary = True
    advice = ""
    loss = Hinge()
    allowed = (-math.inf, math.inf)

    def __init__(self, part: Any, n_features: int = 0) -> None:
        self.part = canonical(part)
        self.n_features = n_features
        self.known = new_supports(16, 256, n_features)

    @property
    def size(self) -> int:
        """How many support vectors there are."""
        return int(self.known.counts[s.LAST] - self.known.counts[s.FIRST])

    @property
    def alphas(self) -> Floats:
        """What each of them weighs, the oldest first."""
        first, last = self.known.counts[[s.FIRST, s.LAST]]
        return self.known.alphas[first:last].copy()

    def scores(self, rows: Rows, n: int) -> Floats:
        """The scores of `n` rows, learning nothing."""
        out = np.empty(n)
        work = np.zeros(self.known.work.size)  # threads may predict at once
        self._score(rows, out, self.known._replace(work=work))
        return out

    def scoring(self, rows: Any, out: Floats) -> tuple[Callable[..., Any], Any]:
        """Who scores `rows` into `out`, and the arguments."""
        return self._score_alone, (rows, out)

    def _score_alone(self, rows: Any, out: Floats) -> None:
        self._score(rows, out, self.known)

    def _score(self, rows: Any, out: Floats, known: Any) -> None:
        from ..kernels.compiled import entry
        from ..kernels.kernel_machine import score_dual

        arguments = (self.part, known, rows, out)
        entry(score_dual, arguments)(*arguments)

    def weights(self) -> Floats:
        """None: the hypothesis lies in the kernel's space, not in that of the rows."""
        return np.zeros(0)

    def bias_weight(self) -> float:
        """None."""
        return 0.0

    def frozen(self) -> FrozenMachine:
        """A copy that will not move."""
        return self.thawed(self.arrays())

    def thawed(self, arrays: Mapping[str, Any]) -> FrozenMachine:
        """The frozen machine whose arrays these are."""
        machine = self.blank()
        machine.load_state(arrays)
        return machine

    def blank(self) -> FrozenMachine:
        """A frozen machine with this kernel that knows nothing."""
        return FrozenMachine(self.part)

    def arrays(self) -> dict[str, Any]:
        """The support vectors as compressed rows, and what they weigh; copies."""
        known = self.known
        first, last = known.counts[[s.FIRST, s.LAST]].tolist()
        used = int(known.counts[s.USED])
        begin = int(known.begins[first]) if last > first else used
        ends = known.ends[first:last] - begin
        return {
            "starts": np.concatenate([[0], ends]).astype(np.int64),
            "columns": known.columns[begin:used].copy(),
            "values": known.values[begin:used].copy(),
            "alphas": known.alphas[first:last].copy(),
            "width": np.array([self.n_features], np.int64),
        }

    def load_state(self, arrays: Mapping[str, Any]) -> None:
        """Become what :meth:`arrays` wrote down; ``ValueError`` where nobody can be."""
        tree = dict(arrays)
        width = int(checked_array(tree, "width", np.int64, (1,))[0])
        alphas = checked_array(tree, "alphas")
        starts = checked_array(tree, "starts", np.int64, (alphas.size + 1,))
        values = checked_array(tree, "values")
        columns = checked_array(tree, "columns", np.int32, (values.size,))
        ordered = starts[0] == 0 and bool((np.diff(starts) >= 0).all())
        inside = not columns.size or (columns.min() >= 0 and columns.max() < width)
        if not (ordered and starts[-1] == values.size and inside and width < MOST):
            raise ValueError("its support vectors are no rows")
        if not (np.isfinite(values).all() and np.isfinite(alphas).all()):
            raise ValueError("its support vectors are not finite")
        rows = Sparse(starts, columns, values)
        known = new_supports(max(16, alphas.size), max(256, values.size), width)
        for i in range(alphas.size):
            lo, hi = int(starts[i]), int(starts[i + 1])
            known.begins[i], known.ends[i] = lo, hi
            known.squares[i] = _square(values[lo:hi])
            whole = hi > lo and bool((columns[lo:hi] == np.arange(hi - lo)).all())
            known.full[i] = hi - lo if whole else 0
        known.columns[: values.size] = rows.columns
        known.values[: values.size] = values
        known.alphas[: alphas.size] = alphas
        known.counts[[s.LAST, s.USED]] = alphas.size, values.size
        self.known = known
        self.n_features = width

    def grow(self, n_features: int) -> None:
        """Make room for more features; the room doubles."""
        if n_features > self.known.work.size:
            room = max(n_features, 2 * self.known.work.size)
            self.known = self.known._replace(work=np.zeros(room))
        self.n_features = max(self.n_features, n_features)

    def make_room(self, rows: Rows) -> None:
        """Nothing to do: a row needs no scratch."""

    def make_tile(self, longest: int) -> None:
        """Nothing to do either."""


class KernelPlayer(FrozenMachine):
    """A kernel machine that plays, as ``players.linear`` is one of weights."""

    def __init__(self, part: Any, budget: int | None, n_features: int = 0) -> None:
        super().__init__(part, n_features)
        self.known.counts[s.BUDGET] = budget or 0
        self.books: Books = new_books()
        self.seconds = 0.0  # spent in the kernel

    @property
    def rounds(self) -> int:
        """Rounds played so far."""
        return int(self.known.counts[s.ROUNDS])

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
        """Play a batch of rows in order, as ``Player.play`` does."""
        observer = taped(self.books, tape)
        importance = EQUAL if weights is None else weights
        self._play(observer, rows, targets[:0], importance)  # compiles, plays nothing
        began = time.perf_counter()
        played = self._play(observer, rows, targets, importance)
        self.seconds += time.perf_counter() - began
        if played < targets.size:
            known = names() if names is not None else None
            raise BadRow(first + played, problem_of(rows, played, known))

    def playing(
        self, rows: Any, targets: Floats
    ) -> tuple[Callable[..., int], tuple[Any, ...]]:
        """Who plays `rows`, and the arguments."""
        return self._play, (taped(self.books, None), rows, targets, EQUAL)

    def _play(
        self, observer: Any, rows: Any, targets: Floats, importance: Floats
    ) -> int:
        """Play rows, making room as mistakes are kept; how many were played."""
        from ..kernels.compiled import entry
        from ..kernels.kernel_machine import play_dual

        played = 0
        while True:
            arguments = (self.part, self.known, observer, rows, targets, importance)
            arguments = (*arguments, played)
            played = entry(play_dual, arguments)(*arguments)
            wanted = int(self.known.counts[s.WANTS])
            if not wanted:
                return played
            self._make_room(wanted)

    def _make_room(self, entries: int) -> None:
        """Move the support vectors to the beginning of a pool that holds more."""
        old = self.known
        first, last, used = old.counts[[s.FIRST, s.LAST, s.USED]].tolist()
        begin = int(old.begins[first]) if last > first else used
        new = new_supports(
            2 * (last - first) + 16, 2 * (used - begin + entries), old.work.size
        )
        for name in PER_SUPPORT:
            getattr(new, name)[: last - first] = getattr(old, name)[first:last]
        for place in (new.begins, new.ends):
            place[: last - first] -= begin
        new.columns[: used - begin] = old.columns[begin:used]
        new.values[: used - begin] = old.values[begin:used]
        new.counts[:] = old.counts
        new.numbers[:] = old.numbers
        new.counts[[s.FIRST, s.LAST, s.USED]] = 0, last - first, used - begin
        new.counts[s.WANTS] = 0
        self.known = new

    def ledger(self) -> Ledger:
        """What has been met and paid so far; norms are those of the kernel's space."""
        counts, numbers = self.known.counts, self.known.numbers
        norm = math.sqrt(max(0.0, float(numbers[s.SQUARE])))
        found = read_books(self.books, binary=True, weight_norm=norm)
        first = int(counts[s.FIRST_ROUND])
        return replace(found, supports=self.size, first_eviction=first or None)

    def until_eviction(self) -> dict[str, float]:
        """The books up to the first eviction, that round included; or up to now."""
        counts, numbers = self.known.counts, self.known.numbers
        evicted = bool(counts[s.FORGOTTEN])
        rounds, mistakes = (
            counts[[s.FIRST_ROUND, s.FIRST_MISTAKES]]
            if evicted
            else counts[[s.ROUNDS, s.MISTAKES]]
        )
        square, largest, total = (
            numbers[[s.FIRST_SQUARE, s.FIRST_LARGEST, s.FIRST_TOTAL]]
            if evicted
            else numbers[[s.SQUARE, s.LARGEST, s.TOTAL]]
        )
        return {
            "rounds": int(rounds),
            "mistakes": int(mistakes),
            "weight_norm": math.sqrt(max(0.0, float(square))),
            "max_norm": math.sqrt(float(largest)),
            "sum_squared_norms": float(total),
        }

    def state_dict(self) -> dict[str, Any]:
        """All that the rounds to come depend on, as plain data and arrays."""
        return {
            **self.arrays(),
            "counts": self.known.counts.copy(),
            "numbers": self.known.numbers.copy(),
            "books": {name: a.copy() for name, a in self.books._asdict().items()},
            "n_features": self.n_features,
            "seconds": self.seconds,
        }

    def load_state(self, arrays: Mapping[str, Any]) -> None:
        """Go on from what :meth:`state_dict` wrote down."""
        tree = dict(arrays)
        counts = checked_array(tree, "counts", np.int64, (s.COUNTS,))
        numbers = checked_array(tree, "numbers", shape=(s.NUMBERS,))
        width = checked_int(tree, "n_features", 0, MOST)
        budget = int(self.known.counts[s.BUDGET])
        super().load_state(tree)
        if counts.min() < 0 or int(counts[s.BUDGET]) != budget:
            raise ValueError("its counts cannot be")
        kept = [s.FIRST, s.LAST, s.USED, s.WANTS]
        counts = counts.copy()
        counts[kept] = self.known.counts[kept]
        self.known.counts[:] = counts
        self.known.numbers[:] = numbers
        self.books = books_from(tree["books"])
        self.grow(width)
        self.seconds = float(tree["seconds"])

    def begin_at(self, weights: Any, bias: float) -> None:
        """A model has no rows to start from."""
        raise ValueError("a kernel machine starts from no support vectors, not a model")


def _square(values: Floats) -> float:
    """|x|^2 as the kernel adds it up: one after the other."""
    total = 0.0
    for x in values.tolist():
        total += x * x
    return total
