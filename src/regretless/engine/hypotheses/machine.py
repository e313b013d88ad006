"""A frozen kernel machine: score = sum_i alpha_i K(x_i, x)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

import numpy as np

from ...parts import supports as s
from ...parts.documents import Document
from ...parts.generic import canonical
from ...parts.part_types import Part
from ...parts.rows import Ints, Longs
from ...parts.state import Floats
from ...parts.supports import new_supports
from ..storage import Range, Sized, keep
from .hypothesis import Hypothesis, Rows
from .matrices import in_range

if TYPE_CHECKING:
    from ..players.row_player import Call


MOST = 2**31


SUPPORTS: dict[str, object] = {
    "starts": Sized("starts"),
    **dict.fromkeys(("columns", "values"), Sized("entries")),
    "alphas": Sized("alphas"),
}


class SupportRows(NamedTuple):
    """Support vectors as compressed rows, and what they weigh."""

    starts: Longs
    columns: Ints
    values: Floats
    alphas: Floats


class FrozenMachine(Hypothesis, stored_as="machine"):
    """A sum over support vectors as it stands: it predicts, and does not move.

    Parameters
    ----------
    part : a kernel of rows
        Whose similarity is added up.
    n_features : int
        Features that have appeared.
    """

    kept = keep(n_features=Range(0, MOST - 1), supports=SUPPORTS)

    noun: ClassVar[str] = "machine"
    log_odds = False
    two_classes: ClassVar[bool] = True

    def __init__(self, part: Part, n_features: int = 0) -> None:
        self.part = canonical(part)
        self.n_features = n_features
        self.known = new_supports(16, 256, n_features + 1)

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
        rows = in_range(rows, self.n_features)  # they are a part of its length
        kernel, arguments = FrozenMachine.scoring(self, rows, out)
        kernel(*arguments)
        return out

    def scoring(self, rows: Rows, out: Floats) -> Call:
        """The machine code that scores `rows` into `out`, and its arguments."""
        from ..kernels.compiled import entry
        from ..kernels.kernel_machine import score_dual

        work = np.zeros(self.known.work.size)  # threads may predict at once
        arguments = (self.part, self.known._replace(work=work), rows, out)
        return entry(score_dual, arguments), arguments

    def hypothesis(self) -> FrozenMachine:
        """A copy that will not move."""
        machine = FrozenMachine(self.part)
        machine.n_features, machine.supports = self.n_features, self.supports
        return machine

    def describe(self) -> str:
        """How many rows it remembers."""
        return f"{self.size:,} rows under {self.part!r}"

    def notes(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """What it remembers."""
        alphas = self.alphas
        remembered = [
            ("kernel", repr(self.part)),
            ("of the positive class", f"{int((alphas > 0).sum()):,}"),
            ("of the negative class", f"{int((alphas < 0).sum()):,}"),
        ]
        return [("remembered rows", remembered)]

    def facts(self) -> Document:
        """Its kernel."""
        return {"kernel": self.part}

    @classmethod
    def blank(cls, facts: Document) -> Self:
        """A machine that remembers nothing."""
        return cls(facts["kernel"])

    @property
    def supports(self) -> SupportRows:
        """What is remembered, as files have it; ValueError where that cannot be."""
        known = self.known
        first, last = known.counts[[s.FIRST, s.LAST]].tolist()
        used = int(known.counts[s.USED])
        begin = int(known.begins[first]) if last > first else used
        ends = known.ends[first:last] - begin
        return SupportRows(
            starts=np.concatenate([[0], ends]).astype(np.int64),
            columns=known.columns[begin:used].copy(),
            values=known.values[begin:used].copy(),
            alphas=known.alphas[first:last].copy(),
        )

    @supports.setter
    def supports(self, found: SupportRows) -> None:
        starts, columns, values, alphas = found
        width, n, size = self.n_features, alphas.size, values.size
        ordered = starts[:1].tolist() == [0] and bool((np.diff(starts) >= 0).all())
        inside = not Range(0, width - 1).refusal(columns)
        if not (ordered and starts.size == n + 1 and starts[-1] == size and inside):
            raise ValueError("its support vectors are no rows")
        known = new_supports(max(16, n), max(256, size), width + 1)
        for i in range(n):
            lo, hi = int(starts[i]), int(starts[i + 1])
            known.begins[i], known.ends[i] = lo, hi
            known.squares[i] = _square(values[lo:hi])
            whole = hi > lo and bool((columns[lo:hi] == np.arange(hi - lo)).all())
            known.full[i] = hi - lo if whole else 0
        known.columns[:size] = columns
        known.values[:size] = values
        known.alphas[:n] = alphas
        known.counts[[s.LAST, s.USED]] = n, size
        known.counts[s.BUDGET] = self.known.counts[s.BUDGET]
        self.known = known

    def grow(self, n_features: int) -> None:
        """Make room for more features; the room doubles."""
        if n_features >= self.known.work.size:
            room = max(n_features + 1, 2 * self.known.work.size)
            self.known = self.known._replace(work=np.zeros(room))
        self.n_features = max(self.n_features, n_features)


def _square(values: Floats) -> float:
    """|x|^2 as the kernel adds it up: one after the other."""
    total = 0.0
    for x in values.tolist():
        total += x * x
    return total
