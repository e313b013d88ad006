"""Rows that an estimator seals: it never learns them, and they judge what predicts.

Coins that belong to what rows say choose them, as in ``play(seal=)``, so however rows
are cut into calls the same ones are sealed, and copies of a row together. Once ``MOST``
rows are sealed, all that come later are learned: how many there are depends on the
coins alone, and memory is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ...data.chunk import Mask
from ...data.sealed_rows import MOST, Seal
from ...evidence.claims.sealed import Sealed, SealedPart
from ...parts.rows import Longs
from .rows import Given


class Split(NamedTuple):
    """The rows of one call: which are sealed, and the others."""

    rows: Given
    reserved: Mask
    others: Given


class SealedRows:
    """The sealed rows of all calls so far.

    Parameters
    ----------
    share : float or str
        Of the rows that are sealed, such as 0.05 or "5%".
    seed : int
        Of the coins.

    Attributes
    ----------
    came, count : int
        How many rows have come, and how many of them are sealed.
    judge : Sealed
        What makes a certificate of them.
    """

    def __init__(self, share: float | str, seed: int) -> None:
        self.seal = Seal(share, seed)
        self.came = 0
        self.count = 0
        self.judge = Sealed(self._judged, scores=False, seed=seed)
        self._parts: list[Given] = []

    def split(self, rows: Given) -> Split:
        """Tell which of the next rows are sealed."""
        rows = rows.counted()
        keys = rows.keys
        reserved = self.seal.reserved(keys)
        room = self.count + np.cumsum(reserved) <= MOST
        reserved &= room | np.isin(keys, self._keys())
        return Split(rows, reserved, rows.some(np.flatnonzero(~reserved)))

    def _keys(self) -> Longs:
        """The contents of the rows that are sealed: copies of them are, too."""
        found = [part.keys for part in self._parts]
        return np.concatenate([np.zeros(0, np.int64), *found])

    def set_aside(self, rows: Given) -> Given:
        """Seal some of all rows there are, and give the others.

        Raises
        ------
        ValueError
            Where none is left.
        """
        split = self.split(rows)
        if not split.others.labels.size:
            raise ValueError("every row was sealed: there is nothing to learn from")
        self.take(split, split.others.labels.size)
        return split.others

    def take(self, split: Split, learned: int) -> None:
        """Keep the sealed rows of a call in which so many others were learned.

        Where a bad row ended it, the rows after that have not come.
        """
        others = np.flatnonzero(~split.reserved)
        came = int(others[learned]) if learned < others.size else split.reserved.size
        sealed = np.flatnonzero(split.reserved[:came])
        self.came += came
        self.count += sealed.size
        if sealed.size:
            self._parts.append(split.rows.some(sealed)._replace(weights=None))

    def _judged(self, model: Any) -> Iterator[SealedPart]:
        """Which of them a model predicts wrongly; of amounts, what it predicts."""
        for part in self._parts:
            units, said = part.keys.tolist(), np.asarray(model.predict(part.matrix))
            if model.classes is None:
                yield SealedPart.of(said, part.labels.tolist(), None, units)
                continue
            wrong = said != part.labels
            yield SealedPart(np.ones(part.n, np.bool_), wrong, units)
