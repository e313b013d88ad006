"""A frozen kernel machine: score = sum_i alpha_i K(x_i, x)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ...parts import supports as s
from ...parts.documents import Document
from ...parts.generic import canonical
from ...parts.part_types import Part
from ...parts.rows import Sparse
from ...parts.state import Floats
from ...parts.supports import new_supports
from ..storage import checked_array
from .hypothesis import Hypothesis, Kept, Rows, by_name
from .matrices import in_range

if TYPE_CHECKING:
    from ..players.row_player import Call


MOST = 2**31


class FrozenMachine(Hypothesis, stored_as="machine"):
    """A sum over support vectors as it stands: it predicts, and does not move.

    Parameters
    ----------
    part : a kernel of rows
        Whose similarity is added up.
    n_features : int
        Features that have appeared.
    """

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
        return self.hypothesis_from(self.arrays())

    def hypothesis_from(self, arrays: Kept) -> FrozenMachine:
        """The frozen machine whose arrays these are."""
        machine = FrozenMachine(self.part)
        machine.load_state(by_name(arrays))
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
    def from_file(cls, arrays: Document, facts: Document) -> FrozenMachine:
        """The support vectors that a file has."""
        machine = FrozenMachine(facts["kernel"])
        machine.load_state(arrays)
        return machine

    def arrays(self) -> Document:
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

    def load_state(self, arrays: Document) -> None:
        """Become what :meth:`arrays` wrote down; ``ValueError`` if it is none."""
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
        known = new_supports(max(16, alphas.size), max(256, values.size), width + 1)
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
