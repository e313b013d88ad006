"""Which pairs (true, predicted) are most frequent, in constant memory.

Misra and Gries (1982): at most PAIRS of them are counted. Where there would be more,
the count of the (PAIRS + 1)-th largest is taken from all. A count is too small by at
most (all pairs that came) / PAIRS, and exact while no pair was dropped.
"""

from __future__ import annotations

import numpy as np

from ...engine.storage import COUNTS, Sized, Stored, keep
from ...parts.rows import Longs

PAIRS = 4_096
SHIFT = 32


class FrequentPairs(Stored):
    """Counts of the most frequent pairs of class numbers.

    Examples
    --------
    >>> import numpy as np
    >>> pairs = FrequentPairs()
    >>> pairs.feed(np.array([0, 0, 2]), np.array([1, 1, 0]))
    >>> pairs.most(2)
    [(0, 1, 2), (2, 0, 1)]
    """

    kept = keep(
        _keys=Sized("pairs", holds=COUNTS),
        _counts=Sized("pairs", holds=COUNTS),
        lost=COUNTS,
    )

    def __init__(self) -> None:
        self._keys = np.zeros(0, np.int64)
        self._counts = np.zeros(0, np.int64)
        self.lost = 0  # what a count may be too small by, at most

    def feed(self, first: Longs, second: Longs) -> None:
        """Count pairs."""
        keys = (first.astype(np.int64) << SHIFT) | second.astype(np.int64)
        if not keys.size:
            return
        new, counts = np.unique(keys, return_counts=True)
        every = np.concatenate([self._keys, new])
        self._keys, where = np.unique(every, return_inverse=True)
        both = np.concatenate([self._counts, counts])
        self._counts = np.zeros(self._keys.size, np.int64)
        np.add.at(self._counts, where, both)
        if self._keys.size > PAIRS:
            cut = int(np.partition(self._counts, -PAIRS - 1)[-PAIRS - 1])
            self.lost += cut
            kept = self._counts > cut
            self._keys, self._counts = self._keys[kept], self._counts[kept] - cut

    def numbers(self) -> Longs:
        """The first numbers of the pairs that are counted, and the second ones."""
        return np.stack([self._keys >> SHIFT, self._keys & (2**SHIFT - 1)])

    def most(self, n: int) -> list[tuple[int, int, int]]:
        """The `n` most frequent pairs, with their counts."""
        order = np.lexsort((self._keys, -self._counts))[:n]
        return [
            (key >> SHIFT, key & (2**SHIFT - 1), count)
            for key, count in zip(
                self._keys[order].tolist(), self._counts[order].tolist(), strict=True
            )
        ]
