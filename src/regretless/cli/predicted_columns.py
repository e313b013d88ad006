"""Predictions as columns: who the row is, the label, its probability, all of them.

====================  ==========================================================
column                what it holds
====================  ==========================================================
row, or the id        the number of the input row, from 1; or its id (``--id``)
tag                   of Vowpal Wabbit text: the row's tag
prediction            the label, or the amount
low, high             the ends of its interval, where there are intervals; empty: none
probability           of that label, where the learner has probabilities
p_LABEL               the probability of each class, under its name
set_LABEL             1 if the class is in the row's set, 0 if not, where there are sets
score, score_LABEL    what they are made from; else only if they are asked for
reason                why there is no prediction
====================  ==========================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..data.input_rows import InputRows
from ..parts.documents import Document
from ..parts.rows import Longs
from ..parts.state import Floats
from .table_files import Column

if TYPE_CHECKING:
    from ..data.chunk import Array
    from ..models.model import Model
    from ..parts.state import Bools
    from .row_names import RowNames


NO_CLASS = "no class had come yet"


class Predicted(NamedTuple):
    """Rows of a batch as they were predicted.

    Attributes
    ----------
    scores : ndarray
        A number a row, or a column a class.
    classes : tuple or None
        The labels; None: the scores are the predictions.
    probabilities : ndarray or None
        A column a class.
    chosen : ndarray of int64 or None
        The number of the label of each row; None: what the score says.
    ends : tuple of two ndarrays or None
        The low and the high ends of prediction intervals.
    inside : ndarray of bool or None
        Which classes are in the prediction set of each row, a column a class.
    """

    scores: Floats
    classes: tuple[object, ...] | None
    probabilities: Floats | None = None
    chosen: Longs | None = None
    ends: tuple[Floats, Floats] | None = None
    inside: Bools | None = None

    @classmethod
    def of(cls, model: Model, scores: Floats) -> Predicted:
        """What a model says of rows that score so."""
        chances = model.probabilities(scores) if model.probabilistic else None
        found = cls(scores, model.classes, chances)
        if scores.ndim == 1 and model.classes is not None and model.cut:
            flagged = scores > model.cut
            found = found._replace(chosen=flagged.astype(np.int64))
        if model.coverage is None:
            return found
        from ..models.sets import intervals_of, sets_of

        if model.classes is not None:
            return found._replace(inside=sets_of(model, scores))
        low, high = intervals_of(model, scores).T
        return found._replace(ends=(low, high))

    def labels(self) -> Longs:
        """The number of the predicted label; -1 where there is nothing to predict."""
        if self.chosen is not None:
            return self.chosen
        scores = self.scores
        if scores.ndim == 1:
            return np.where(np.isnan(scores), -1, scores > 0.0).astype(np.int64)
        if not scores.shape[1]:
            return np.full(len(scores), -1)
        best = scores.argmax(axis=1)
        known = np.isfinite(scores.max(axis=1))
        return np.where(known, best, -1)


def columns_of(
    predicted: Predicted,
    inputs: InputRows,
    names: RowNames,
    *,
    scored: bool = False,
    reasons: Mapping[int, str] | None = None,
) -> list[Column]:
    """The columns of a batch: one entry for each row of the input, in order.

    Parameters
    ----------
    predicted : Predicted
        What was predicted for the rows of the batch.
    inputs : InputRows
        Which rows of the input they are.
    names : RowNames
        What rows are called.
    scored : bool
        Whether scores are written beside probabilities, too.
    reasons : mapping or None
        Why rows of the batch, by their number in it, have no prediction.
    """
    why = dict(inputs.reasons)
    why |= {int(inputs.at[i]): what for i, what in (reasons or {}).items()}
    scores, classes, chances = predicted[:3]
    if classes is None:
        found = [Column("prediction", scores)]
        for name, end in zip(("low", "high"), predicted.ends or (), strict=False):
            found.append(Column(name, end))
    else:
        labels = predicted.labels()
        none = labels[:, None] < 0
        found = [Column("prediction", labels, classes)]
        for i in np.flatnonzero(none).tolist():
            why.setdefault(int(inputs.at[i]), NO_CLASS)
        if chances is not None:
            chances = np.where(none, np.nan, chances)
            best = np.take_along_axis(chances, np.maximum(labels, 0)[:, None], axis=1)
            found.append(Column("probability", best[:, 0]))
            found += _by_class("p", chances, classes)
        if predicted.inside is not None:
            inside = np.where(none, -1, predicted.inside)
            found += _by_class("set", inside, classes, (0, 1))
        if scores.ndim == 1 and (chances is None or scored):
            found.append(Column("score", scores))
        elif chances is None or scored:
            found += _by_class("score", scores, classes)
    placed = [_placed(column, inputs) for column in found]
    return [*names.columns(inputs), *placed, _reason(inputs.n, why)]


def _reason(n: int, why: dict[int, str]) -> Column:
    reasons = tuple(dict.fromkeys(why.values()))
    values: Longs = np.full(n, -1)
    values[list(why)] = [reasons.index(what) for what in why.values()]
    return Column("reason", values, reasons)


def _by_class(
    kind: str,
    table: Array,
    classes: tuple[object, ...],
    labels: tuple[object, ...] | None = None,
) -> list[Column]:
    """A column a class; classes that are not in the table have nothing in theirs."""
    absent = np.nan if labels is None else -1
    more = max(len(classes) - table.shape[1], 0)
    table = np.pad(table, ((0, 0), (0, more)), constant_values=absent)
    return [
        Column(f"{kind}_{label}", column, labels)
        for label, column in zip(classes, table.T, strict=True)
    ]


def _placed(column: Column, inputs: InputRows) -> Column:
    """A column of the rows of a batch, where these stood in the input."""
    if inputs.at.size == inputs.n:
        return column
    absent = np.nan if column.labels is None else -1
    values = np.full(inputs.n, absent, column.values.dtype)
    values[inputs.at] = column.values
    return column._replace(values=values)


def objects_of(predicted: Predicted, tags: Array | None) -> list[Document]:
    """The same for the document of --json: an object a row, with its tag, if any."""
    scores, classes, chances = predicted[:3]
    found: dict[str, Sequence[object]] = {}
    if classes is None:
        found["prediction"] = scores.tolist()
        for name, end in zip(("low", "high"), predicted.ends or (), strict=False):
            found[name] = end.tolist()
    else:
        found["prediction"] = Column("", predicted.labels(), classes).cells()
        if scores.ndim == 1:
            found["score"] = scores.tolist()
        else:
            # A class that had not come when the model was frozen has no score.
            known = np.where(scores > -1e308, scores, np.nan)
            found["scores"] = _by_label(known, classes)
        if chances is not None and scores.ndim == 1:
            found["probability"] = chances[:, 1].tolist()
        elif chances is not None:
            found["probabilities"] = _by_label(chances, classes)
        if predicted.inside is not None:
            found["set"] = [
                [label for label, is_in in zip(classes, row, strict=True) if is_in]
                for row in predicted.inside.tolist()
            ]
    entries = zip(*found.values(), strict=True)
    rows: list[Document] = [dict(zip(found, row, strict=True)) for row in entries]
    for row, tag in zip(rows, () if tags is None else tags.tolist(), strict=False):
        if tag:
            row["tag"] = tag
    return rows


def _by_label(table: Floats, classes: tuple[object, ...]) -> list[Document]:
    """An object a row, with an entry a class."""
    columns = _by_class("", table, classes)
    labels = list(map(str, classes))
    rows = zip(*(column.cells() for column in columns), strict=True)
    return [dict(zip(labels, row, strict=True)) for row in rows]
