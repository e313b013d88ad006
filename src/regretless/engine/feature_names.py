"""The names that numbered features have.

Names that are learned one by one are numbered in the order in which they first appear,
and are a tuple. Hashed features are numbered by their hash; their names, as far as they
were met, are a mapping from numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeAlias

import numpy as np

from ..parts.state import Floats

Names: TypeAlias = "tuple[Hashable, ...] | Mapping[int, Hashable]"
NamesOf: TypeAlias = "Callable[[], Names | None]"
"""What gives the names of now: they may grow, and only errors ask for them."""


def numbered(names: Names | None, n: int) -> Iterable[tuple[int, Hashable]]:
    """The numbers and names of `n` features; without names, a number is its own."""
    if names is None:
        return enumerate(range(n))
    return names.items() if isinstance(names, Mapping) else enumerate(names)


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
