"""Columns of a table to sparse rows: numbers, words, texts and products of fields."""

from __future__ import annotations

from typing import Any

from .compiled import kernel
from .merge import fold


@kernel
def weave(
    numbers: Any,
    wide: int,
    slots: Any,
    texts: Any,
    bags: Any,
    presence: bool,
    products: Any,
    found: Any,
    seen: Any,
) -> int:
    """Write the columns of a table as sparse rows; how many entries there are.

    A row gets its numbers that are not 0, then a 1 for each of its words, and for each
    entry of `bags` from ``texts[i]`` to ``texts[i + 1]``; then those of its `products`,
    which are rows of their own. What shares a column adds up; with `presence` a column
    is 1 however many words there are.
    """
    starts, columns, values = found
    k = 0
    words = slots.size // max(1, starts.size - 1)
    for i in range(starts.size - 1):
        for j in range(wide):
            v = numbers[i * wide + j]
            columns[k] = j
            values[k] = v
            k += v != 0.0
        begin = k
        for w in range(words):
            columns[k] = wide + slots[i * words + w]
            values[k] = 1.0
            k += 1
        for w in range(texts[i], texts[i + 1]):
            columns[k] = wide + bags[w]
            values[k] = 1.0
            k += 1
        k = fold(columns, values, begin, k, seen)
        if presence:
            for w in range(begin, k):
                values[w] = 1.0
        last = products.starts[i + 1]
        if last > products.starts[i]:
            for w in range(products.starts[i], last):
                columns[k] = wide + products.columns[w]
                values[k] = products.values[w]
                k += 1
            k = fold(columns, values, begin, k, seen)
        starts[i + 1] = k
    return k
