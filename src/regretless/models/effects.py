"""What a feature does to the score: differences of scores, with and without it.

    effect of feature j on the row x  =  score(x) - score(x without j)

So it is for every kind of model. Where the score is a sum over features, as of a linear
model, the effects of a row are its terms, w_j x_j.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..parts.notebook_html import as_text
from ..parts.state import Floats
from ..parts.text_tables import pair_lines, table_lines
from .rows_to_predict import matrix_for

__all__ = ["Explanation", "effects_on", "largest", "mean_effects"]

ENTRIES = 2**20  # of rows without one of their features, that are scored at a time


@dataclass(frozen=True, repr=False)
class Explanation:
    """What moves the score, and who carries it.

    Attributes
    ----------
    features : tuple of (name, effect)
        The largest effects on the score, largest first: their mean over the rows given,
        or as the model's ``effects()`` has it where none were.
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

    def __str__(self) -> str:
        """A table of effects; of a panel, one of its members before it."""
        lines: list[str] = []
        if self.members:
            share = f"share {'on these rows' if self.measured else 'at most'}"
            body = [
                (n, f"{a:.3f}", f"{b:.3f}", f"{c:.1%}") for n, a, b, c in self.members
            ]
            lines = [*table_lines(("member", "near", "far", share), body), ""]
        effects = [(str(name), f"{effect:+.4g}") for name, effect in self.features]
        return "\n".join(
            lines + pair_lines([("feature", "effect on the score"), *effects])
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_text(self)


def effects_on(model: Any, X: Any) -> tuple[Any, Floats]:
    """The rows as a sparse matrix, and the effect of each entry (a column a class)."""
    from scipy.sparse import csr_array

    given = matrix_for(X, model.n_features, model.names, model.reading)
    matrix: Any = csr_array(given)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    found = [
        _difference(model.scores(matrix[rows])[places], model.scores(without))
        for rows, places, without in _without(matrix)
    ]
    empty = model.scores(matrix[:0])
    return matrix, np.concatenate([empty, *found])


def _difference(score: Floats, without: Floats) -> Floats:
    """By how much it is more; nothing, of a class that had not come: -inf."""
    with np.errstate(invalid="ignore"):
        return np.where(np.isinf(score), 0.0, score - without)


def _without(matrix: Any) -> Iterator[tuple[slice, Any, Any]]:
    """Some rows; of every entry which of them it is in; and that row without it."""
    from scipy.sparse import csr_array

    sizes: Any = np.diff(matrix.indptr)
    start = 0
    while start < len(sizes):
        stop, entries = start, 0
        while stop < len(sizes) and (stop == start or entries < ENTRIES):
            entries += int(sizes[stop]) ** 2
            stop += 1
        columns: list[Any] = []
        values: list[Any] = []
        for i in range(start, stop):
            lo, hi = int(matrix.indptr[i]), int(matrix.indptr[i + 1])
            others = ~np.eye(hi - lo, dtype=bool)
            columns.append(np.tile(matrix.indices[lo:hi], (hi - lo, 1))[others])
            values.append(np.tile(matrix.data[lo:hi], (hi - lo, 1))[others])
        places = np.repeat(np.arange(stop - start), sizes[start:stop])
        lengths = np.repeat(np.maximum(sizes[start:stop] - 1, 0), sizes[start:stop])
        starts = np.concatenate([[0], np.cumsum(lengths)])
        yield (
            slice(start, stop),
            places,
            csr_array(
                (np.concatenate(values), np.concatenate(columns), starts),
                shape=(places.size, matrix.shape[1]),
            ),
        )
        start = stop


def mean_effects(model: Any, X: Any) -> Floats:
    """The mean effect of every feature over the rows: 0 where a row has it not."""
    matrix, effects = effects_on(model, X)
    n, d = matrix.shape
    columns = effects.T if effects.ndim == 2 else effects[None]
    sums = [np.bincount(matrix.indices, each, d) for each in columns]
    means = np.array(sums) / max(n, 1)
    return means if model.many else means[0]


def largest(effects: Floats, top: int) -> list[int]:
    """The features with the largest effects, those without one left out."""
    order: list[int] = np.argsort(-np.abs(effects), kind="stable")[:top].tolist()
    return [j for j in order if effects[j] != 0.0]
