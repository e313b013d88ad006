"""What new columns of Vowpal Wabbit text are called, a line each."""

from __future__ import annotations

from typing import Any

from ...parts.generic import compiled
from .compiled import kernel
from .murmur import name_end
from .words import byte

NEWLINE, STAR, CARET = 10, 42, 94


@kernel
def spell_names(text: Any, fresh: Any, count: int, nameless: Any, names: Any) -> int:
    """Write ``space^name`` of each new column, ``a*b`` of a product; how many bytes.

    Where there is no room for so many nothing more is written. A column is `nameless`
    where a feature of it has no name in the text.
    """
    k = 0
    for i in range(count):
        nameless[i] = False
        for j in range(1, fresh.shape[1], 2):
            space = fresh[i, j]
            name = fresh[i, j + 1]
            if name < 0:
                break
            if j > 1:
                k = put(names, k, STAR)
            if space >= 0:
                k = copy(text, space, name_end(text, space), names, k)
                k = put(names, k, CARET)
            end = name_end(text, name)
            nameless[i] |= end == name
            k = copy(text, name, end, names, k)
        k = put(names, k, NEWLINE)
    return k


@compiled
def put(names: Any, k: int, letter: int) -> int:
    """Write one letter at `k`, if there is room; where the next one goes."""
    if k < names.size:
        names[k] = letter
    return k + 1


@compiled
def copy(text: Any, begin: int, end: int, names: Any, k: int) -> int:
    """Write the letters from `begin` to `end`; where the next one goes."""
    for at in range(begin, end):
        k = put(names, k, byte(text, at))
    return k
