"""Have these rows been learned before? A sample of hashes, and a test.

The sample holds the smallest hashes of all rows that were hashed (see
:mod:`.schedule`), with how often each has come: every copy of a row is in it, or none
is. So it tells how often rows have a twin by nature. With D of the t rows in the sample
having a twin in it, a fresh row of the same source has one with probability at most ::

    p = (D + 4 sqrt(min(2D, t)) + 9) / t

(up to a small chance: the share of rows with a twin estimates it, by Good and Turing),
and later, after t' rows, with at most p t'/t, because it grows ever more slowly.

From each row with a twin on we bet that the rows come again ::

    wealth *= 1 + f (1 - p)/p   with a twin,   1 - f   without one

for a few f at once. While rows are fresh the wealth is not expected to grow: it exceeds
10^6 with probability 10^-6. Where it falls to 1, the doubt is over. A row that had a
twin in this doubt counts no more: one row that comes all the time is no replay.
"""

from __future__ import annotations

import copy
import math
from typing import NamedTuple

import numpy as np

from ...engine.storage import Stored, checked_array, checked_int
from ...parts.notebook_html import as_text
from ...parts.rows import Dense, Longs, Sparse
from ...parts.state import Floats
from .doubt import Doubt
from .hashes import row_hashes
from .schedule import chosen

__all__ = ["Fingerprints", "Replay"]

KEPT = 2048  # hashes at least, and at most twice as many
HIGHEST = 2**63 - 1
MOST = 255  # a count in a file is one byte


class Replay(NamedTuple):
    """Rows came that had been learned before.

    Attributes
    ----------
    since : int
        The round at which they began to come, counted from 1.
    twins, compared : int
        How many of the sampled rows since then had been learned before, when that was
        certain.
    earlier : bool
        Whether the run started from a model that had learned rows.
    """

    since: int
    twins: int
    compared: int
    earlier: bool

    def __str__(self) -> str:
        """The reason why nothing is certified, in one line."""
        who = ", here or by the model that the run started from" * self.earlier
        return (
            f"Nothing is certified: rows came again from about round {self.since:,} on "
            f"({self.twins:,} of {self.compared:,} compared had been learned before"
            f"{who}), and rows seen before certify nothing."
        )

    _repr_html_ = as_text


class Fingerprints:
    """A sample of the rows that a learner has learned, and whether rows came again.

    Examples
    --------
    >>> import numpy as np
    >>> from regretless.evidence.fingerprints import Fingerprints
    >>> from regretless.parts.rows import Dense
    >>> X = np.random.default_rng(0).normal(size=(300, 4))
    >>> seen = Fingerprints()
    >>> seen.feed(Dense(X.reshape(-1), 4), np.ones(300))
    >>> seen.replay is None
    True
    >>> seen.feed(Dense(X[::-1].reshape(-1), 4), np.ones(300))
    >>> seen.replay.since
    301
    """

    def __init__(self) -> None:
        self.rows = 0  # learned in this run
        self.earlier = 0  # learned before it, by the model that it started from
        self.replay: Replay | None = None
        self._counts: dict[int, int] = {}
        self._limit = HIGHEST  # larger hashes are not kept
        self._total = 0  # rows in the sample, with their copies
        self._twins = 0  # those of them that have a copy
        self._doubt: Doubt | None = None

    def feed(self, rows: Dense | Sparse, targets: Floats) -> None:
        """Compare rows with those learned so far, and remember them."""
        first = self.rows
        self.rows += targets.size
        ranges = [
            (begin - first, end - first) for begin, end in chosen(first, self.rows)
        ]
        if not ranges:
            return
        numbers = np.concatenate([np.arange(*each) for each in ranges])
        hashes = row_hashes(_picked(rows, numbers), targets[numbers])
        inside = hashes <= self._limit
        self._take(hashes[inside], first + numbers[inside])

    def _take(self, found: Longs, numbers: Longs) -> None:
        """Compare and remember the hashes of rows with these numbers."""
        at = 0
        while at < found.size:
            # As many as there is room for: how rows are cut into batches is the same.
            end = at + 2 * KEPT + 1 - len(self._counts)
            small = np.flatnonzero(found[at:end] <= self._limit) + at
            kept = found[small].tolist()
            fresh = dict.fromkeys(kept, 1)
            usual = (
                len(fresh) == len(kept)
                and self._doubt is None
                and self._counts.keys().isdisjoint(fresh)
            )
            if usual:
                self._counts.update(fresh)
                self._total += len(kept)
            else:
                for one, row in zip(kept, numbers[small].tolist(), strict=True):
                    self._meet(one, row)
            if len(self._counts) > 2 * KEPT:
                self._drop()
            at = end

    def continued(self) -> Fingerprints:
        """For a run that starts from what was learned here."""
        later = Fingerprints()
        later.earlier = self.earlier + self.rows
        later._counts = self._counts.copy()
        later._limit = self._limit
        later._total, later._twins = self._total, self._twins
        return later

    def join(self, later: Fingerprints) -> None:
        """Take in the sample of rows that came after these, and met none of them."""
        first = self.rows
        self.rows += later.rows
        if not first:
            self.__dict__.update(later.copy().__dict__)
            return
        if self.replay is None and later.replay is not None:
            self.replay = later.replay._replace(since=first + later.replay.since)
        self._keep_up_to(min(self._limit, later._limit))
        hashes = np.array(sorted(later._counts), np.int64)
        copies = [later._counts[each] for each in hashes.tolist()]
        found = np.repeat(hashes, copies)
        found = found[found <= self._limit]
        self._take(found, np.full(found.size, first))

    def copy(self) -> Fingerprints:
        """As it is now."""
        other = Fingerprints()
        other.__dict__.update(self.__dict__)
        other._counts = self._counts.copy()
        other._doubt = copy.deepcopy(self._doubt)
        return other

    def state_dict(self) -> Stored:
        """All of it, as plain data and arrays."""
        numbers = np.array(sorted(self._counts), np.int64)
        counts = [min(self._counts[number], MOST) for number in numbers.tolist()]
        return {
            "rows": self.rows,
            "earlier": self.earlier,
            "limit": self._limit,
            "hashes": numbers,
            "counts": np.array(counts, np.uint8),
            "replay": None if self.replay is None else list(self.replay),
            "doubt": None if self._doubt is None else self._doubt.state_dict(),
        }

    def load_state(self, stored: Stored) -> None:
        """Restore from :meth:`state_dict`; raise ``ValueError`` if it is invalid."""
        hashes = checked_array(stored, "hashes", np.int64)
        counts = checked_array(stored, "counts", np.uint8, hashes.shape)
        if hashes.size and (hashes.min() < 0 or counts.min() < 1):
            raise ValueError("these are not the hashes of rows and their counts")
        self.rows = checked_int(stored, "rows", 0, 2**62)
        self.earlier = checked_int(stored, "earlier", 0, 2**62)
        self._limit = checked_int(stored, "limit", 0, HIGHEST)
        self._counts = dict(zip(hashes.tolist(), counts.tolist(), strict=True))
        self._sum()
        replay, doubt = stored["replay"], stored["doubt"]
        self.replay = None if replay is None else Replay(*replay)
        self._doubt = None if doubt is None else Doubt.from_state(doubt)

    def _meet(self, one: int, row: int) -> None:
        """Ask of one row whether it has a twin, and what that says."""
        known = self._counts.get(one, 0)
        doubt = self._doubt
        if self.replay is not None:  # from here on copies say nothing about nature
            if not known:
                self._add(one)
            return
        if doubt is None:
            if not known:
                self._add(one)
                return
            doubt = self._doubt = Doubt(row, self._natural(), self._total)
        if one not in doubt.before:
            doubt.bet(bool(known), self._total)
            if known:
                doubt.before[one] = known
        self._add(one)
        if doubt.certain:
            self.replay = Replay(
                doubt.row + 1, doubt.twins, doubt.compared, self.earlier > 0
            )
            self._counts.update(doubt.before)  # these copies are not natural
            self._sum()
            self._doubt = None
        elif doubt.over:
            self._doubt = None

    def _natural(self) -> float:
        """How probable a twin is for a fresh row, at most."""
        twins, total = self._twins, self._total
        found = twins + 4.0 * math.sqrt(min(2 * twins, total)) + 9.0
        return min(1.0, found / max(total, 1))

    def _add(self, one: int) -> None:
        count = self._counts[one] = self._counts.get(one, 0) + 1
        self._total += 1
        self._twins += min(count - 1, 1) + (count == 2)

    def _sum(self) -> None:
        """Count the rows of the sample again."""
        counts = self._counts.values()
        self._total = sum(counts)
        self._twins = sum(count for count in counts if count > 1)

    def _drop(self) -> None:
        """Keep the smallest hashes only."""
        self._keep_up_to(sorted(self._counts)[KEPT - 1])

    def _keep_up_to(self, limit: int) -> None:
        """Drop the hashes above `limit`, now and later."""
        before, self._limit = self._total, limit
        kept = {one: count for one, count in self._counts.items() if one <= limit}
        if len(kept) == len(self._counts):
            return
        self._counts = kept
        self._sum()
        if self._doubt is not None:
            self._doubt.shrink(self._total / before, self._limit)


def _picked(rows: Dense | Sparse, numbers: Longs) -> Dense | Sparse:
    """The rows with these numbers, as a batch of their own."""
    if isinstance(rows, Dense):
        table = rows.values.reshape(-1, rows.width)
        return Dense(table[numbers].reshape(-1), rows.width)
    first = rows.starts[numbers]
    sizes = rows.starts[numbers + 1] - first
    starts: Longs = np.concatenate([[0], sizes.cumsum()])
    shift: Longs = np.repeat(first - starts[:-1], sizes)
    entries = shift + np.arange(shift.size)
    return Sparse(starts, rows.columns[entries], rows.values[entries])
