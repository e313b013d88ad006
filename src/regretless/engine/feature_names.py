"""The names that numbered features have.

Features that have names are numbered in the order in which they first appear, and their
names are a tuple. Where names are hashed, several may share a column of the hash: the
first of them names it, and the columns are kept beside the names. A mapping from
numbers to names has those that are known of features that are numbered otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Self, TypeAlias

import numpy as np

from ..parts.state import Floats

if TYPE_CHECKING:
    from ..parts.rows import Ints


class MetNames(tuple[Hashable, ...]):
    """The names of features of which the last are hashed.

    Attributes
    ----------
    columns : ndarray of int32
        The columns that the hashed ones have, in the order of their numbers.
    """

    columns: Ints

    def __new__(cls, names: Iterable[Hashable], columns: Ints) -> Self:
        """The names, and the columns of the last ones."""
        found = super().__new__(cls, names)
        found.columns = columns
        if columns.size > len(found):
            raise ValueError("there are more columns than names")
        return found

    def __getnewargs__(self) -> tuple[tuple[Hashable, ...], Ints]:
        """What a copy is made of."""
        return tuple(self), self.columns

    @property
    def first(self) -> int:
        """How many features are not hashed; they come before the others."""
        return len(self) - self.columns.size

    @property
    def keys(self) -> list[Hashable]:
        """What tells features apart in other files: a name, or the column of a hash."""
        return [*self[: self.first], *self.columns.tolist()]

    def cut(self, n: int) -> Self:
        """The first `n` of them."""
        return type(self)(self[:n], self.columns[: max(0, n - self.first)])


Names: TypeAlias = "tuple[Hashable, ...] | Mapping[int, Hashable]"
NamesOf: TypeAlias = "Callable[[], Names | None]"
"""What gives the names of now: they may grow, and only errors ask for them."""


def numbered(names: Names | None, n: int) -> Iterable[tuple[int, Hashable]]:
    """The numbers and names of `n` features; without names, a number is its own."""
    if names is None:
        return enumerate(range(n))
    return names.items() if isinstance(names, Mapping) else enumerate(names)


def cut(names: Names, n: int) -> Names:
    """The names of the first `n` features."""
    if isinstance(names, Mapping):
        return {j: name for j, name in names.items() if j < n}
    return names.cut(n) if isinstance(names, MetNames) else names[:n]


def name_of(names: Names | None, j: int) -> Hashable:
    """The name of feature `j`, or its number where it has none."""
    if names is None:
        return j
    if isinstance(names, Mapping):
        return names.get(j, j)
    return names[j] if j < len(names) else j


def weights_by_name(names: Names | None, weights: Floats) -> dict[Hashable, float]:
    """Every named weight by its name, and those of hashed features that are not zero.

    There are fewer names than weights where more were declared than appeared.
    """
    if not isinstance(names, Mapping):
        known = range(weights.size) if names is None else names
        return dict(zip(known, weights.tolist(), strict=False))
    moved = np.flatnonzero(weights)
    return {
        name_of(names, j): weight
        for j, weight in zip(moved.tolist(), weights[moved].tolist(), strict=True)
    }
