"""What each feature does to the score, of no row in particular.

    effect of feature j  =  score(x with x_j high) - score(x with x_j low)

where x is a typical row: features that most rows have are at their means, all others
are 0. What is high and low is known from the nonzeros of a feature and from how many
rows have one:

======================================== ===================== =======================
the feature                              low                   high
======================================== ===================== =======================
has one nonzero value c, and zeros       0                     c
is 0 in a sixth of the rows or more      0                     its usual size
is 0 in fewer rows: a number             mean - deviation      mean + deviation
is always c, or never comes              c, or 0               the same: no effect
======================================== ===================== =======================

Means and deviations are those of the nonzeros; their usual size is the root mean square
with the sign of the mean, which is not 0 where values of both signs cancel. The larger
one of the two values is the high one, so that an effect above 0 says that more of the
feature raises the score.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from ...parts.panel.state import MEAN, NEGATIVE, POSITIVE, SPREAD
from ...parts.rows import Longs, Rows, Sparse
from ...parts.state import Floats
from .met_features import spread_out

Scores: TypeAlias = "Callable[[Rows, int], Floats]"

TYPICAL = (
    200  # features of a typical row; where more are usual, each is looked at alone
)
SIXTH = 1.0 / 6.0  # of the rows: about what is below one deviation under the mean
ENTRIES = 2**21  # of typical rows that are scored at a time


class Effects(NamedTuple):
    """What each feature does to the score: at its high value, less at its low one."""

    values: Floats
    """One a feature; of many classes, a row a class."""
    low: Floats
    """The low value of each feature."""
    high: Floats
    """The high value of each feature."""
    unit: str = "score"
    """What `values` are differences of: "log-odds", "score" or "amount"."""


class ColumnValues(NamedTuple):
    """What is known of the values of the features that have come."""

    numbers: Longs  # which features
    means: Floats  # of the nonzeros
    deviations: Floats  # of the nonzeros
    shares: Floats  # of the rows that have a nonzero

    def ends(self) -> tuple[Floats, Floats]:
        """The low and the high value of each: see the table above."""
        _, means, deviations, shares = self
        size = np.copysign(np.hypot(means, deviations), means)
        low, high = np.minimum(size, 0.0), np.maximum(size, 0.0)
        number = np.where(deviations > 0.0, shares > 1.0 - SIXTH, shares >= 1.0)
        low = np.where(number, means - deviations, low)
        high = np.where(number, means + deviations, high)
        return low, high


def from_moments(moments: Floats, columns: Longs) -> ColumnValues:
    """The features at `columns` of a panel, by their moments; those of the bias first.

    Every row has the bias: how often that came says how many rows there were.
    """
    counts = moments[:, POSITIVE] + moments[:, NEGATIVE]
    rounds, counts, moments = max(float(counts[0]), 1.0), counts[1:], moments[1:]
    came = counts > 0.0
    counts, moments = counts[came], moments[came]
    deviations = np.sqrt(moments[:, SPREAD] / counts)
    return ColumnValues(columns[came], moments[:, MEAN], deviations, counts / rounds)


def effects_of(scores: Scores, columns: ColumnValues, n_features: int) -> Effects:
    """The effects on `scores`, as it is a function of rows."""
    low, high = columns.ends()
    usual = np.flatnonzero(columns.shares > 0.5)
    if usual.size > TYPICAL:
        usual = usual[:0]
    at_once = ENTRIES // (usual.size + 1)
    found = [
        _scored(scores, columns, usual, high, part)
        - _scored(scores, columns, usual, low, part)
        for part in np.split(np.arange(low.size), range(at_once, low.size, at_once))
    ]
    every = (np.concatenate(found).T, low, high)
    values, low, high = (spread_out(x, columns.numbers, n_features) for x in every)
    return Effects(values, low, high)


def effects_of_one(weights: Floats) -> Effects:
    """Where nothing but weights is known: what 1 of a feature adds, rather than 0."""
    n = weights.shape[-1]
    return Effects(weights, np.zeros(n), np.ones(n))


def _scored(
    scores: Scores, columns: ColumnValues, usual: Longs, values: Floats, part: Longs
) -> Floats:
    """The scores of a row a feature: the usual ones typical, this one at its value."""
    n = part.size
    places = np.column_stack([np.tile(usual, (n, 1)), part])
    numbers = np.column_stack([np.tile(columns.means[usual], (n, 1)), values[part]])
    # A feature that is usual stands in its row once, at its own value.
    kept = np.column_stack([usual != part[:, None], np.ones(n, bool)])
    starts = np.concatenate([[0], np.cumsum(kept.sum(axis=1))]).astype(np.int64)
    at = columns.numbers[places[kept]].astype(np.int32)
    return scores(Sparse(starts, at, numbers[kept]), n)
