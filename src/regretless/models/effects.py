"""What a feature does to the score of rows: differences, with and without it.

    effect of feature j on the row x  =  score(x) - score(x without j)

So it is for every kind of model. Where the score is a sum over features, as of a linear
model, the effects of a row are its terms, w_j x_j. All classes score the rows, even
where only a list of them would (:meth:`.Hypothesis.asking_all`). Effects of no row in
particular: :mod:`~regretless.engine.hypotheses.feature_effects`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from ..engine.feature_names import name_of
from ..engine.hypotheses.feature_effects import Effects
from ..engine.hypotheses.matrices import Compressed, in_range
from ..parts.notebook_html import Printed
from ..parts.reprs import shown, signed
from ..parts.rows import Longs, Sparse, some_rows
from ..parts.state import Array, Floats
from ..parts.text_tables import table_lines
from .rows_to_predict import RowMatrix, one_row, rows_of

if TYPE_CHECKING:
    from .model import Model


Titled: TypeAlias = "list[tuple[str, list[tuple[str, ...]]]]"
"""Titles, each with (what, how much) and more."""
FEW = 3  # features of each class that are shown, at least
SHOWN = 32  # classes whose effects are shown
ENTRIES = 2**20  # of rows without one of their features, that are scored at a time


@dataclass(frozen=True, repr=False)
class Explanation(Printed):
    """What moves the score, and who carries it.

    Attributes
    ----------
    features : tuple of (name, effect)
        The largest effects on the score, largest first: their mean over the rows given,
        or as the model's ``effects()`` has it where none were.
    values : tuple of (low, high)
        Where no rows were given: the two values of each of these features whose scores
        the effect is the difference of.
    unit : str
        What that is a difference of: log-odds, score or amount.
    sizes : tuple of float
        The mean sizes of these effects on the rows given, by which they are ordered: an
        effect that is large on every row may be nothing in the mean.
    measured : bool
        Whether rows were given.
    members : tuple of (name, near, far, share)
        Of a panel: the stack's weights of a member's margin, clipped twice; and its
        share of the score: of the mean |contribution| on the rows given, or of the
        largest contribution it could make where none were.
    """

    features: tuple[tuple[Hashable, float], ...]
    measured: bool
    members: tuple[tuple[str, float, float, float], ...] = ()
    sizes: tuple[float, ...] = ()
    values: tuple[tuple[float, float], ...] = ()
    unit: str = "score"

    def __str__(self) -> str:
        """A table of effects; of a panel, one of its members before it."""
        lines: list[str] = []
        if self.members:
            share = f"share {'on these rows' if self.measured else 'at most'}"
            body = [
                (n, f"{a:.3f}", f"{b:.3f}", f"{c:.1%}") for n, a, b, c in self.members
            ]
            lines = [*table_lines(("member", "near", "far", share), body), ""]
        effects = [(str(name), signed(effect)) for name, effect in self.features]
        if not self.measured:
            head = ("feature", f"effect on the {self.unit}", "low", "high")
            ends = [(shown(low), shown(high)) for low, high in self.values]
            body = [(*effect, *end) for effect, end in zip(effects, ends, strict=True)]
            return "\n".join([*lines, *table_lines(head, body)])
        rows = [
            (name, shown(size), effect)
            for (name, effect), size in zip(effects, self.sizes, strict=True)
        ]
        head = ("feature", f"effect on the {self.unit}, mean size", "mean")
        return "\n".join([*lines, *table_lines(head, rows)])


def effects_of(model: Model) -> Effects:
    """The effects of features on the score, of no row in particular."""
    found = model.hypothesis.effects()
    return found._replace(values=model.by_class(found.values), unit=unit_of(model))


def unit_of(model: Model) -> str:
    """What the scores of a model are: "log-odds", "amount", or "score" of no unit."""
    hypothesis, learner = model.hypothesis, model.learner
    if model.classes is None and not hypothesis.two_classes:
        return "amount"
    if learner is None:
        plain = hypothesis.log_odds and hypothesis.slopes is None
    else:
        plain = (learner.binary_learner or learner).probabilistic
    return "log-odds" if plain else "score"


def effects_on(model: Model, X: object) -> tuple[Compressed, Floats]:
    """The rows, and the effect of each entry that is not 0 (a column a class)."""
    matrix = _in_order(model.matrix(X))
    rows, (n, width) = matrix
    every = model.hypothesis.asking_all()

    def scores(some: Sparse) -> Floats:
        return model.scores_by(every, Compressed(some, (some.starts.size - 1, width)))

    found = [
        _difference(scores(some_rows(rows, start, stop))[places], scores(without))
        for start, stop, places, without in _without(rows, n)
    ]
    return matrix, np.concatenate([scores(some_rows(rows, 0, 0)), *found])


def _in_order(given: RowMatrix) -> Compressed:
    """The entries of each row by their columns, each once, without zeros."""
    n, width = given.shape
    if isinstance(given, np.ndarray):
        at, columns = np.nonzero(given)
        values = given[at, columns]
    else:
        starts, columns, values = cast("Sparse", rows_of(given)[0])
        at = np.repeat(np.arange(n), np.diff(starts))
        apart = width + np.arange(columns.size)  # what was never met is no double
        columns = np.where(columns < width, columns, apart)
    order = np.lexsort((columns, at))
    at, columns, values = at[order], columns[order], values[order]
    before = np.diff(at, prepend=-1), np.diff(columns, prepend=-1)
    first = np.flatnonzero(np.logical_or(*before))
    values = np.add.reduceat(values, first) if first.size else values
    some = first[values != 0.0]
    starts = np.searchsorted(at[some], np.arange(n + 1))
    rows = Sparse(starts, columns[some].astype(np.int32), values[values != 0.0])
    return Compressed(cast("Sparse", in_range(rows, width)), (n, width))


def _difference(score: Floats, without: Floats) -> Floats:
    """By how much it is more; nothing, of a class that had not come: -inf."""
    with np.errstate(invalid="ignore"):
        return np.where(np.isinf(score), 0.0, score - without)


def _without(rows: Sparse, n: int) -> Iterator[tuple[int, int, Longs, Sparse]]:
    """Some rows; of every entry which of them it is in; and that row without it."""
    sizes = np.diff(rows.starts)
    start = 0
    while start < n:
        stop, entries = start, 0
        while stop < n and (stop == start or entries < ENTRIES):
            entries += int(sizes[stop]) ** 2
            stop += 1
        columns: list[Array] = []
        values: list[Array] = []
        for i in range(start, stop):
            lo, hi = int(rows.starts[i]), int(rows.starts[i + 1])
            others = ~np.eye(hi - lo, dtype=bool)
            columns.append(np.tile(rows.columns[lo:hi], (hi - lo, 1))[others])
            values.append(np.tile(rows.values[lo:hi], (hi - lo, 1))[others])
        places = np.repeat(np.arange(stop - start), sizes[start:stop])
        lengths = np.repeat(np.maximum(sizes[start:stop] - 1, 0), sizes[start:stop])
        starts = np.concatenate([[0], np.cumsum(lengths)])
        without = Sparse(starts, np.concatenate(columns), np.concatenate(values))
        yield start, stop, places, without
        start = stop


def mean_effects(model: Model, X: object) -> tuple[Floats, Floats]:
    """The mean effect of every feature over the rows, and its mean size.

    Both are 0 where a row has it not.
    """
    (rows, (n, d)), effects = effects_on(model, X)

    def mean(effects: Floats) -> Floats:
        columns = effects.T if effects.ndim == 2 else effects[None]
        sums = [np.bincount(rows.columns, each, d)[:d] for each in columns]
        means = np.array(sums) / max(n, 1)
        return means if model.many else means[0]

    return mean(effects), mean(np.abs(effects))


def largest(effects: Floats, top: int) -> list[int]:
    """The features with the largest effects, those without one left out."""
    some = np.flatnonzero(effects)
    return some[np.argsort(-np.abs(effects[some]), kind="stable")[:top]].tolist()


def explained_row(model: Model, x: object) -> dict[Hashable, Any]:
    """The effects of the features of one row by name; of many classes, by label."""
    (rows, (n, width)), found = effects_on(model, one_row(x))
    if n != 1:
        raise ValueError(f"explain_one takes one row, not {n:,}")

    def named(effects: Floats) -> dict[Hashable, float]:
        return {
            name_of(model.names, int(rows.columns[k])): float(effects[k])
            for k in np.argsort(-np.abs(effects), kind="stable")
            if rows.columns[k] < width
        }

    if not model.many:
        return named(found)
    return {label: named(found[:, k]) for k, label in enumerate(model.classes or ())}


def explained(model: Model, X: object, top: int) -> Any:
    """The explanation on rows X, or of no row; of many classes, one for each label."""
    whole = model.effects() if X is None else None
    if whole is None:
        found, sizes = mean_effects(model, X)
    else:
        found, sizes = whole.values, np.abs(whole.values)
    rows, n = (None, 0) if X is None else rows_of(model.matrix(X))
    members = model.hypothesis.members(rows, n)

    def explanation(effects: Floats, sizes: Floats) -> Explanation:
        order = largest(sizes, top)
        features = tuple((name_of(model.names, j), float(effects[j])) for j in order)
        every = tuple(float(sizes[j]) for j in order)
        ends = ()
        if whole is not None:
            ends = tuple((float(whole.low[j]), float(whole.high[j])) for j in order)
        given = (features, X is not None, members, every, ends)
        return Explanation(*given, unit_of(model))

    if not model.many:
        return explanation(found, sizes)
    labels = enumerate(model.classes or ())
    return {label: explanation(found[k], sizes[k]) for k, label in labels}


def explanation_of(model: Model, top: int) -> Titled:
    """What moves predictions most, in words: titles, each with (what, how much).

    Of effects on a typical row there follow the low and the high value.
    """
    of = model.hypothesis.effect_of
    if not of:
        return model.hypothesis.notes()
    effects, labels = model.effects(), model.classes or ()
    titled = _of_typical if of == "typical row" else _of_one
    if not model.many:
        return [*titled(model, effects, model.classes, top), *model.hypothesis.notes()]
    known = model.hypothesis.n_classes
    count = min(top, max(FEW, 2 * top // max(known, 1)))
    parts = [
        part
        for label, row in zip(labels[: min(known, SHOWN)], effects.values, strict=False)
        for part in titled(model, effects._replace(values=row), (None, label), count)
    ]
    if known > SHOWN:
        left = f"of {known - SHOWN:,} more classes: model.effects(), a row a class"
        parts.append((left, []))
    return parts


def _of_one(
    model: Model, effects: Effects, labels: tuple[Hashable, ...] | None, top: int
) -> Titled:
    """Weights: the largest on either side, or those that say one class."""
    values, of = effects.values, model.hypothesis.effect_of
    order = np.argsort(-values, kind="stable")
    up = [j for j in order[:top].tolist() if values[j] > 0.0]
    down = [j for j in order[::-1][:top].tolist() if values[j] < 0.0]
    says = ("raise it", "lower it")
    if labels is not None:
        says = tuple(f"say {label}" for label in labels[::-1])
    return [
        (
            f"effects of {of}, not 0, on the {effects.unit} that {what}",
            [(model.feature(j), f"{values[j]:+.6g}") for j in some],
        )
        for what, some in zip(says, (up, [] if model.many else down), strict=True)
        if some
    ]


def _of_typical(
    model: Model, effects: Effects, labels: tuple[Hashable, ...] | None, top: int
) -> Titled:
    """Effects on a typical row, the largest first, each with its two values."""
    values, low, high, unit = effects
    found = [
        (model.feature(j), signed(values[j]), shown(low[j]), shown(high[j]))
        for j in largest(values, top)
    ]
    says = ""
    if unit != "amount":
        says = f" (+ says {(labels or (-1, 1))[1]})"
    return [(f"effects on the {unit} of a typical row, low to high{says}", found)]
