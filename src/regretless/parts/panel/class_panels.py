"""Panels of many classes over the same views: what they share, and what is of each.

The views of a row do not ask for labels, so means and spreads are kept once. Each class
has a lane: its counts for naive Bayes, its members, its stack, its statistics. What the
lanes know of a feature lies side by side, lane after lane; so lane k of an array is the
array from its k-th record on, with features that many records apart.
"""

from __future__ import annotations

from typing import NamedTuple

from ..rows import Longs
from ..state import Floats
from .state import Reals

COUNTS = 2  # columns of counts: rows that had the feature, with label -1 and with +1


class ClassPanels(NamedTuple):
    """All lanes; ``counts`` and ``rows`` are two views of the same memory.

    ``moments`` are those of a panel, of which only the sum of the two counts matters.
    ``exact`` (lines as of a tile's, lane after lane), ``margins``, ``inputs``,
    ``scores``, ``ranks``, ``odds`` and ``shortlist`` are room for one row.
    """

    moments: Floats  # [feature, MOMENTS]
    counts: Floats  # [feature * lane, COUNTS and more]
    rows: Reals  # [feature * lane, more and 2 lanes]
    curves: Reals  # [feature * lane * slots, ...]
    stack: Floats  # [lane, width]
    covariance: Floats  # [lane, D, width]
    numbers: Floats  # [lane, NUMBERS]
    exact: Floats  # [EXACT, lane * entries]
    margins: Floats  # [lane, members]
    inputs: Floats  # [lane, width]
    scores: Floats  # [lane]
    statistic_counts: Longs  # [lane, ...]: with the next two, statistics of the lanes
    statistic_sums: Floats  # [lane, ...]
    statistic_curves: Floats  # [lane, ...]
    lanes: Longs  # [lane]: 0, 1, 2, ...
    ranker: Reals  # [feature * lane]: see ``panel.shortlist``
    ranks: Reals  # [lane]
    odds: Floats  # [2, lane]
    shortlist: Longs  # [LISTED + 2]: who plays a row, in order; the rest; the label
    listing: Floats  # [LISTING]
