"""Numbers for hashed columns, in the order in which they come: one index for a stream.

A name is hashed to one of ``2**bits`` columns, and a column gets its number when the
first row with it is read. So whatever knows something of features is as wide as what
has come, and not as wide as hashes may be. Names that share a column share its number,
and it is called by the first of them.

Where it must be known in advance how many features there may be, or where others must
number alike without having read the same rows, the columns themselves are the numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...engine.feature_names import MetNames, Names
from ...engine.hypotheses.met_features import MetFeatures
from ...engine.kernels.met_columns import NEW
from ...parts.rows import Ints, Longs, Sparse
from ..chunk import Array

WIDE = 30
"""Bits of a hash where none are asked for: names hardly ever share a column."""
MOST = 2**26
"""Names that may come then."""
NARROW = 18
"""Bits where the columns themselves are the numbers."""


class HashIndex:
    """From hashed columns to numbers, and to names.

    Threads may look up what has come while one of them enters what is new.

    Parameters
    ----------
    bits : int
        There are ``2**bits`` columns.
    first : int
        Features that are not hashed: they come before all that are.
    names : names or None
        Those of features that have come before.
    direct : bool
        Whether the columns are the numbers.

    Attributes
    ----------
    named : list of str
        The names of the hashed features, in the order in which they came.
    """

    def __init__(
        self,
        bits: int,
        first: int = 0,
        names: Names | None = None,
        *,
        direct: bool = False,
    ) -> None:
        self.bits, self.first = bits, first
        self.direct = direct or isinstance(names, Mapping)
        columns, named = _hashed(names, first)
        if columns.size and not 0 <= columns.min() <= columns.max() < 2**bits:
            raise ValueError("features beyond the last are named")
        self.met = MetFeatures(2**bits, columns)
        self.named = named

    @property
    def width(self) -> int:
        """How many features there are: so far, or at most."""
        return self.first + (2**self.bits if self.direct else self.met.count)

    @property
    def n_features(self) -> int | None:
        """How many there may be; None while they appear as we go."""
        return self.width if self.direct else None

    def fresh(self, slots: Array) -> Longs:
        """Where columns stand that have not come, each of them once."""
        found = self.met.look_up(np.ascontiguousarray(slots, np.int32))
        new = np.flatnonzero(found >= NEW)
        return new[np.unique(slots[new], return_index=True)[1]]

    def look_up(self, rows: Sparse) -> Sparse:
        """Rows with numbers for columns; what has not come has NEW + its column."""
        if self.direct:
            return rows
        return rows._replace(columns=self.met.look_up(rows.columns, self.first))

    def enter(self, rows: Sparse, names: dict[int, str]) -> Sparse:
        """The same, where all have numbers; those that are new are called by `names`.

        ``ValueError`` where there are too many.
        """
        if self.direct:
            self.numbers(np.array([*reversed(names)], np.int32), names)
            return rows
        columns = rows.columns
        new = np.flatnonzero(columns >= NEW)
        if new.size:
            columns[new] = self.numbers(columns[new] - NEW, names)
        return rows

    def numbers(self, slots: Ints, names: Mapping[int, str]) -> Ints:
        """The numbers of columns; those that have not come get the next ones."""
        found = self.met.numbers_of(slots)
        more = self.met.columns[len(self.named) :].tolist()
        self.named += [names[j] if j in names else str(j) for j in more]
        if self.bits == WIDE and self.met.count > MOST:
            raise ValueError(f"more than {MOST:,} names came: bound them, as by -b 24")
        return (slots if self.direct else found) + np.int32(self.first)

    def find(self, slots: Ints) -> Ints:
        """The numbers of columns; -1 for those that have not come."""
        found = slots if self.direct else self.met.look_up(slots)
        return np.where(found >= NEW, np.int32(-1), found + np.int32(self.first))

    def left_out(self, rows: Sparse) -> Sparse:
        """Rows of which all that has not come has the number behind the last."""
        if not self.direct:
            rows.columns[rows.columns >= NEW] = self.width
        return rows

    def return_to(self, count: int) -> None:
        """Forget all columns but the first `count`."""
        self.met.return_to(count)
        del self.named[count:]

    def names(self, before: Sequence[str] = ()) -> Names:
        """The names of all features, `before` being those that are not hashed."""
        columns = self.met.columns
        if not self.direct:
            return MetNames((*before, *self.named), columns.copy())
        places = (columns + np.int32(self.first)).tolist()
        return {**dict(enumerate(before)), **dict(zip(places, self.named, strict=True))}


def _hashed(names: Names | None, first: int) -> tuple[Longs, list[str]]:
    """The columns of hashed features that have names, and these."""
    if isinstance(names, MetNames):
        named = [str(name) for name in names[names.first :]]
        return names.columns.astype(np.int64), named
    if not isinstance(names, Mapping):
        return np.zeros(0, np.int64), []
    hashed = {j - first: str(name) for j, name in names.items() if j >= first}
    return np.array([*hashed], np.int64), [*hashed.values()]
