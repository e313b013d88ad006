"""A sample of hashes: what has come how often, and whether rows come again.

The sample holds the rows with the smallest coins (:mod:`.rows`), with how often each
has come: every copy of a row is in it, or none is. So it tells how often rows have a
twin by nature, and :mod:`regretless.engine.kernels.twins` bets on more than that.
"""

from __future__ import annotations

import math

import numpy as np

from ...engine.kernels.compiled import entry
from ...engine.kernels.twins import (
    BEGAN,
    COIN,
    COMPARED,
    COUNT,
    ENTRIES,
    HASH,
    MET,
    NATURAL,
    ON,
    REPLAYED,
    ROW,
    SHARES,
    THEN,
    TOTAL,
    TWINS,
    WEALTH,
    meet_rows,
    refill,
)
from ...engine.storage import COUNTS, Range, Sized, Stored, keep
from ...parts.rows import Longs

KEPT = 2**12  # rows at least, once there are so many, and at most twice as many
SMALL = 2**11  # rows that a model keeps
HIGHEST = 2**63 - 1
LEAST = 2**8  # places in a table
COLUMNS = 6
DIFFERENT, SHARE, EVEN = 200, 0.1, 0.8
"""Rows have been multiplied where so many are different, such a share has copies, and
the variance of counts is below this part of what chance makes at least."""


class Sample(Stored):
    """Hashes of rows, and the bets on them.

    Parameters
    ----------
    apart : int
        How many rows apart twins are, at least, where rows come again.

    Attributes
    ----------
    limit : int
        Rows with a larger coin are not in it.
    """

    kept = keep(
        "_bets", limit=Range(0, HIGHEST), _whole=COUNTS, held=Sized("rows", COLUMNS)
    )

    def __init__(self, apart: int = 0) -> None:
        self.apart = apart
        self.limit = HIGHEST
        self._table = np.zeros((LEAST, COLUMNS), np.int64)
        self._whole = np.zeros(REPLAYED + 1, np.int64)
        self._bets = np.zeros(WEALTH + len(SHARES))

    def meet(self, found: Longs, key: int, first: int) -> None:
        """Compare rows with those so far, and remember them.

        Column `key` of `found` becomes the number of the first row of this content, -1
        where it was learned before this run, and -2 where a row is not in the sample.
        """
        at = 0
        while at < len(found):
            arguments = (
                found[at:],
                key,
                self.limit,
                first,
                self.apart,
                self._table,
                self._whole,
                self._bets,
            )
            at += entry(meet_rows, arguments, typed_by=())(*arguments)
            if 2 * self.entries >= len(self._table):
                self._make_room()

    @property
    def entries(self) -> int:
        """How many different rows it holds."""
        return int(self._whole[ENTRIES])

    @property
    def twins(self) -> float:
        """The share of rows that have a copy, as far as they are in the sample."""
        return float(self._whole[TWINS] / max(1, self._whole[TOTAL]))

    @property
    def copies(self) -> float:
        """How often a row has come, in the mean over different rows."""
        return float(self._whole[TOTAL] / max(1, self._whole[ENTRIES]))

    @property
    def multiplied(self) -> bool:
        """Whether rows have copies in numbers that are too even for chance.

        Where rows are drawn from whatever distribution, counts vary at least as those
        of a Poisson distribution do, of which zeros are not seen.
        """
        counts = self._table[self._table[:, HASH] != 0, COUNT]
        if counts.size < DIFFERENT or self.twins < SHARE:
            return False
        mean, rate = float(counts.mean()), float(counts.mean())
        for _ in range(50):  # rate / (1 - exp(-rate)) = mean
            rate = mean * -math.expm1(-rate)
        return float(counts.var()) < EVEN * mean * (1.0 + rate - mean)

    @property
    def natural(self) -> float:
        """How probable a twin of a fresh row was, at most, when the bets began."""
        return float(self._bets[NATURAL])

    @property
    def replay(self) -> tuple[int, int, int] | None:
        """The row at which rows began to come again, twins and rows compared since."""
        if not self._whole[REPLAYED]:
            return None
        since, met, compared = self._whole[[BEGAN, MET, COMPARED]].tolist()
        return since, met, compared

    def bet_anew(self) -> None:
        """End the bets that are on: the next ones begin at a row that comes now."""
        self._whole[ON] = 0

    def continued(self, kept: int | None = None) -> Sample:
        """For a run that starts from what was learned here; `kept` rows at most."""
        later = Sample(self.apart)
        entries = self.held
        entries[:, ROW:] = [-1, 0, 0]
        later.limit = self.limit
        later.held = entries
        if kept is not None and len(entries) > kept:
            later._keep(kept)
        return later

    def rows(self) -> Longs:
        """Number (0), coin and hash of every row in it, copies too, by their coins."""
        entries = self.held
        again = np.repeat(entries, entries[:, COUNT], axis=0)
        found = np.zeros((len(again), 3), np.int64)
        found[:, 1:] = again[:, [COIN, HASH]]
        return found

    def check_state(self) -> None:
        """Refuse bets that are none."""
        natural, then = self._bets[[NATURAL, THEN]].tolist()
        good = 0.0 < natural <= 1.0 and then > 0.0 and bool((self._bets >= 0.0).all())
        if self._whole[ON] and not good:
            raise ValueError("the bets on rows seen before are not bets")

    @property
    def held(self) -> Longs:
        """The rows in it, in the order of their coins; ValueError if they are none."""
        entries = self._table[self._table[:, HASH] != 0]
        return entries[np.lexsort((entries[:, HASH], entries[:, COIN]))]

    @held.setter
    def held(self, entries: Longs) -> None:
        good = (entries[:, :3] > 0).all() and (entries[:, ROW] >= -1).all()
        if not good or len(np.unique(entries[:, 0])) < len(entries):
            raise ValueError("these are not the hashes of rows and their counts")
        self._fill(entries)

    def _make_room(self) -> None:
        """Grow; or where it is large enough, keep the smallest coins only."""
        if self.entries < 2 * KEPT:
            self._fill(self._table[self._table[:, HASH] != 0])
        else:
            self._keep(KEPT)

    def _keep(self, kept: int) -> None:
        before = int(self._whole[TOTAL])
        entries = self._table[self._table[:, HASH] != 0]
        self.limit = int(np.partition(entries[:, COIN], kept - 1)[kept - 1])
        self._fill(entries[entries[:, COIN] <= self.limit])
        self._bets[THEN] *= self._whole[TOTAL] / before

    def _fill(self, entries: Longs) -> None:
        """Hold these entries, in a table with room for as many more."""
        size = LEAST
        while size < 4 * len(entries):
            size *= 4
        self._table = np.zeros((size, COLUMNS), np.int64)
        arguments = (np.ascontiguousarray(entries), self._table)
        entry(refill, arguments, typed_by=())(*arguments)
        counts = entries[:, COUNT]
        self._whole[ENTRIES] = len(entries)
        self._whole[TOTAL] = counts.sum()
        self._whole[TWINS] = counts[counts > 1].sum()
