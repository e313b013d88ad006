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

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..data.input_rows import InputRows
from ..parts.rows import Longs
from ..parts.state import Floats

if TYPE_CHECKING:
    from ..data.chunk import Array
    from ..models.model import Model
    from ..parts.state import Bools


NO_CLASS = "no class had come yet"
FIXED = ("prediction", "low", "high", "probability", "score", "reason")
BY_CLASS = ("p", "set", "score")


class Column(NamedTuple):
    """A column of a table of predictions.

    Attributes
    ----------
    name : str
        As in the header.
    values : ndarray
        Whole numbers, floats (nan: nothing), texts (``""``: nothing), or, where there
        are `labels`, the number of the label (-1: nothing).
    labels : tuple or None
        What the numbers stand for.
    """

    name: str
    values: Array
    labels: tuple[object, ...] | None = None


class Naming(NamedTuple):
    """How rows are called: by an id column, by tags and numbers, or by numbers."""

    id: str | None = None
    tags: bool = False

    def columns(self, inputs: InputRows, first: int) -> list[Column]:
        """The leading columns of rows, the first of which has the number `first`."""
        blank = np.full(inputs.n, "", object)
        ids = blank if inputs.ids is None else inputs.ids
        if self.id is not None:
            return [Column(self.id, ids)]
        rows = Column("row", np.arange(first, first + inputs.n, dtype=np.int64))
        return [rows, Column("tag", ids)] if self.tags else [rows]

    def check(self, classes: Sequence[object] | None) -> None:
        """Refuse an id column that has the name of another column of the predictions.

        Raises
        ------
        ValueError
            In one line.
        """
        known = [str(label) for label in classes or ()]
        taken = {*FIXED, *(f"{kind}_{one}" for kind in BY_CLASS for one in known)}
        if self.id in taken or re.fullmatch(r"(p|set|score)_\d+", self.id or ""):
            raise ValueError(
                f"--id {self.id}: predictions have a column of that name: call it "
                "otherwise in the data"
            )


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
    naming: Naming,
    first: int,
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
    naming : Naming
        How rows are called.
    first : int
        The number of the first row of the input.
    scored : bool
        Whether scores are written beside probabilities, too.
    reasons : mapping or None
        Why rows of the batch, by their number in it, have no prediction.
    """
    spread = _spread(inputs)
    found = naming.columns(inputs, first)
    why = dict(inputs.reasons)
    why |= {int(inputs.at[i]): what for i, what in (reasons or {}).items()}
    scores, classes, chances = predicted[:3]
    if classes is None:
        found.append(Column("prediction", spread(scores, np.nan)))
        for name, end in zip(("low", "high"), predicted.ends or (), strict=False):
            found.append(Column(name, spread(end, np.nan)))
    else:
        labels = predicted.labels()
        found.append(Column("prediction", spread(labels, -1), tuple(classes)))
        for i in np.flatnonzero(labels < 0).tolist():
            why.setdefault(int(inputs.at[i]), NO_CLASS)
        if chances is not None:
            none = labels < 0
            chances = np.where(none[:, None], np.nan, chances)
            best = np.take_along_axis(chances, np.maximum(labels, 0)[:, None], axis=1)
            found.append(Column("probability", spread(best[:, 0], np.nan)))
            found += _by_class("p", chances, classes, spread)
        if predicted.inside is not None:
            inside = np.where(labels[:, None] < 0, np.nan, predicted.inside)
            found += _by_class("set", inside, classes, spread)
        if chances is None or scored:
            found += _scores(scores, classes, spread)
    found.append(_reason(inputs.n, why))
    return found


def _reason(n: int, why: dict[int, str]) -> Column:
    said = tuple(dict.fromkeys(why.values()))
    numbers = {what: k for k, what in enumerate(said)}
    values: Longs = np.full(n, -1)
    values[list(why)] = [numbers[what] for what in why.values()]
    return Column("reason", values, said)


def _scores(
    scores: Floats, classes: tuple[object, ...], spread: Callable[[Array, float], Array]
) -> list[Column]:
    if scores.ndim == 1:
        return [Column("score", spread(scores, np.nan))]
    known = np.where(np.isfinite(scores), scores, np.nan)
    return _by_class("score", known, classes, spread)


def _by_class(
    kind: str,
    table: Floats,
    classes: tuple[object, ...],
    spread: Callable[[Array, float], Array],
) -> list[Column]:
    """A column a class; classes that are not in the table have nothing in theirs."""
    missing = len(classes) - table.shape[1]
    if missing > 0:
        table = np.pad(table, ((0, 0), (0, missing)), constant_values=np.nan)
    return [
        Column(f"{kind}_{label}", spread(np.ascontiguousarray(table[:, k]), np.nan))
        for k, label in enumerate(classes)
    ]


def _spread(inputs: InputRows) -> Callable[[Array, float], Array]:
    """What puts numbers of the rows of a batch where these stood in the input."""
    if inputs.at.size == inputs.n:
        return lambda values, absent: values

    def spread(values: Array, absent: float) -> Array:
        found = np.full(inputs.n, absent, values.dtype)
        found[inputs.at] = values
        return found

    return spread
