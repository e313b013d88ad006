"""Rows that an estimator seals: it never learns them, and they judge what predicts.

Coins that belong to what rows say choose them, as in ``play(seal=)``, so however rows
are cut into calls the same ones are sealed, and copies of a row together. Once ``MOST``
rows are sealed, all that come later are learned: how many there are depends on the
coins alone, and memory is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ...data.chunk import Mask
from ...data.sealed_rows import MOST, Seal
from ...evidence.claims.sealed import Sealed, SealedPart
from .rows import Given

if TYPE_CHECKING:
    from ...models import Model


class SealedRows(Seal):
    """The coins, and the sealed rows of all calls so far.

    Parameters
    ----------
    share : float or str
        Of the rows that are sealed, such as 0.05 or "5%".
    seed : int
        Of the coins.

    Attributes
    ----------
    judge : Sealed
        What makes a certificate of them.
    """

    def __init__(self, share: float | str, seed: int) -> None:
        super().__init__(share, seed)
        self.judge = Sealed(self._scored, seed=seed)
        self._parts: list[Given] = []

    def chosen(self, rows: Given) -> Mask:
        """Which of the next rows are sealed: there is room, or a copy of them is."""
        keys = rows.keys
        sealed = self.reserved(keys)
        kept = [np.zeros(0, np.int64), *(part.keys for part in self._parts)]
        known = np.concatenate(kept)
        room = known.size + np.cumsum(sealed) <= MOST
        return sealed & (room | np.isin(keys, known))

    def keep(self, rows: Given, sealed: Mask, learned: int) -> None:
        """Keep the sealed rows of a call in which so many others were learned.

        Where a bad row ended it, the rows after that have not come.
        """
        others = np.flatnonzero(~sealed)
        came = int(others[learned]) if learned < others.size else sealed.size
        found = np.flatnonzero(sealed[:came])
        if found.size:
            self._parts.append(rows.some(found)._replace(weights=None))

    def set_aside(self, rows: Given) -> Given:
        """Seal some of all rows there are, and give the others.

        Raises
        ------
        ValueError
            Where none is left.
        """
        sealed = self.chosen(rows)
        if sealed.all():
            raise ValueError("every row was sealed: there is nothing to learn from")
        self.keep(rows, sealed, rows.n)
        return rows.some(np.flatnonzero(~sealed))

    def _scored(self, model: Model) -> Iterator[SealedPart]:
        """How a model scores them."""
        for part in self._parts:
            scores, labels = model.scores(part.matrix), part.labels.tolist()
            yield SealedPart.of(scores, labels, model.classes, part.keys.tolist())
