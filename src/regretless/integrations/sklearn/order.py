"""The order in which ``fit`` learns its rows; a warning where labels come sorted."""

from __future__ import annotations

import numbers
import warnings
from typing import Any, NamedTuple

import numpy as np

from ...data.chunk import Array
from ...parts.rows import Longs
from .library import check_random_state

FEW = 0.1  # blocks of equal labels, of those that a random order would make
ENOUGH = 14.0  # blocks for each label: exp(-.67 * 14) is below 1 in 10,000


class Order(NamedTuple):
    """How the rows of a ``fit`` were shuffled; those that came later were not.

    Attributes
    ----------
    seed : int
        What the order depends on.
    rows : int
        How many rows the fit learned in each pass.
    """

    seed: int
    rows: int

    def of(self, n: int) -> Longs:
        """The numbers of the first `n` rows, in the order in which they were learned.

        Examples
        --------
        >>> from regretless.integrations.sklearn.order import Order
        >>> Order(seed=0, rows=4).of(6).tolist()
        [2, 0, 1, 3, 4, 5]
        """
        found = np.arange(n)
        if n >= self.rows:
            found[: self.rows] = np.random.default_rng(self.seed).permutation(self.rows)
        return found


def seed_of(random_state: Any) -> int:
    """The seed of a fit: the number itself, or one that is drawn.

    Parameters
    ----------
    random_state : int, RandomState, Generator or None
        The parameter of an estimator.

    Raises
    ------
    ValueError
        Where it is something else.
    """
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    dice = check_random_state(random_state)
    if isinstance(random_state, numbers.Integral):
        return int(random_state)
    return int(dice.randint(2**31 - 1))


def sorted_by_label(labels: Array) -> bool:
    """Whether rows come in far longer blocks of equal labels than by chance.

    In a random order, a label that m of n rows have makes R blocks. R is hypergeometric
    with mean m (n - m + 1) / n, so P(R <= E[R] / 10) <= exp(-.67 E[R]). The sum over K
    labels is below a tenth of its mean E with probability exp(-.67 E / K) at most, by
    Hoelder's inequality. With E / K >= 14 that is less than once in 10,000 orders.

    Examples
    --------
    >>> import numpy as np
    >>> from regretless.integrations.sklearn.order import sorted_by_label
    >>> labels = np.arange(60) % 2
    >>> sorted_by_label(labels), sorted_by_label(np.sort(labels))
    (False, True)
    """
    counts = np.unique(labels, return_counts=True)[1]
    n = labels.size
    expected = float(np.sum(counts * (n - counts + 1.0) / max(n, 1)))
    blocks = 1 + int(np.count_nonzero(labels[1:] != labels[:-1]))
    enough = counts.size > 1 and expected >= ENOUGH * counts.size
    return enough and blocks <= FEW * expected


def warn_if_sorted(labels: Array) -> None:
    """Warn where rows come sorted by label, in the order in which they are learned."""
    if sorted_by_label(labels):
        warnings.warn(
            "rows come sorted by label, and shuffle=False learns them in this order: "
            "the labels that come last are predicted far too often. Take shuffle=True",
            UserWarning,
            stacklevel=3,
        )
