"""What a model says of one row: through the machine code that plays a learner's events.

A dict is read by the kernel of events into buffers that stay, and the hypothesis, which
is bound to them, scores it: one call, whatever the size of the model. What is unusual
(a word, a name that the model does not know, a bad value) is read by its schema.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from ..algorithms.learners.event_row import EventRow
from ..engine.hypotheses.hypothesis import Hypothesis
from ..engine.machine.kernel import bound, chained
from .rows_to_predict import Fields, RowReader, one_row, only_row

if TYPE_CHECKING:
    from .model import Model


Score: TypeAlias = "float | list[float]"
"""Of one row: a number, or one a class."""


class Seat:
    """The row of one caller, and what scores it: threads have one each."""

    def __init__(self, hypothesis: Hypothesis, reader: RowReader) -> None:
        self._hypothesis = hypothesis
        self.row = EventRow(reader.encoder)
        self.out = np.zeros((1, hypothesis.n_classes) if hypothesis.many else 1)
        # A view: what is read through it are floats, not numpy's.
        self.found = self.out.data.cast("B").cast("d") if self.out.size else self.out
        self._bind()

    def compute(self, columns: list[int], values: list[float]) -> None:
        """Score a row whose columns are known."""
        self.row.put(columns, values)
        if self.row.rows is not self._bound:
            self._bind()
        for kernel in self._compute:
            kernel()

    def _bind(self) -> None:
        row = self.row
        calls = self._hypothesis.asking(row.rows, self.out)
        self._compute = [bound(*call) for call in calls]
        folding = [bound(*call) for call in row.folding(0)]
        self.read_and_score = chained(row.read, [*folding, *self._compute], 0)
        self._bound = row.rows


class OneRow:
    """Scores one row at a time.

    Parameters
    ----------
    hypothesis : Hypothesis
        What predicts.
    reader : RowReader
        What reads rows.
    """

    def __init__(self, hypothesis: Hypothesis, reader: RowReader) -> None:
        self._hypothesis, self.reader = hypothesis, reader
        self._idle: list[Seat] = []

    def __reduce__(self) -> tuple[type[OneRow], tuple[Hypothesis, RowReader]]:
        """A copy makes its own buffers."""
        return OneRow, (self._hypothesis, self.reader)

    def score(self, x: Fields) -> Score:
        """The score of a row of fields by name; of many classes, a list."""
        try:
            seat = self._idle.pop()
        except IndexError:
            seat = Seat(self._hypothesis, self.reader)
        plain = x.__class__ is dict and self.reader.plain
        if not plain or seat.read_and_score(x) < 0:
            seat.compute(*self.reader.entries(x))
        score = list(seat.found) if self._hypothesis.many else seat.found[0]
        self._idle.append(seat)
        return score


def score_of(model: Model, x: object) -> Score:
    """The score of one row; of many classes, a list."""
    if x.__class__ is not dict:
        x = one_row(x)
        if not issubclass(type(x), Mapping):
            return model.scores(only_row(x))[0].tolist()
    score = model.one_row.score(cast("Fields", x))
    if isinstance(score, list):  # a class that the hypothesis does not know
        score += (len(model.classes or ()) - len(score)) * [-np.inf]
    return score


def label_of(model: Model, score: Score) -> Hashable:
    """The label, or number, that a score predicts; the first of many at ties."""
    labels: tuple[Hashable, ...] = model.classes or (-1, 1)
    if isinstance(score, list):
        return labels[score.index(max(score))]
    if model.classes is None and not model.hypothesis.two_classes:
        return score
    return labels[score > model.cut]


def by_label(model: Model, numbers: list[float]) -> dict[Hashable, float]:
    """A number for each of many classes, by its label."""
    return dict(zip(model.classes or (), numbers, strict=True))
