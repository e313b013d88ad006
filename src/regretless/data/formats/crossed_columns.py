"""Products of columns of which one is of words or text: hashed features, by row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from ...engine.kernels.categories import BASIS
from ...engine.kernels.compiled import entry
from ...engine.kernels.crossed import Field, Products, cross
from ...parts.rows import Longs, Sparse
from ...parts.state import Floats
from ..chunk import Array
from ..encoding.hashed_text import as_bytes
from ..encoding.products import LARGEST, MOST, TOO_LARGE, TOO_MANY
from ..row_errors import Faults
from .table_columns import TableColumns


def of_words(name: str, offsets: Longs, letters: Array) -> Field:
    """A column of words."""
    rows = np.arange(offsets.size, dtype=np.int64)
    prefix = np.frombuffer(f"{name}=".encode(), np.uint8)
    offsets = np.ascontiguousarray(offsets, np.int64)
    return Field(rows, rows, prefix, offsets, letters, np.ones(rows.size))


def of_bags(name: str, bags: Sequence[Mapping[str, float]]) -> Field:
    """A column of which each row has many words: how often each occurs."""
    starts = np.cumsum([0, *map(len, bags)])
    values = np.array([count for bag in bags for count in bag.values()], float)
    offsets, letters = as_bytes([word for bag in bags for word in bag])
    prefix = np.frombuffer(f"{name}=".encode(), np.uint8)
    return Field(starts, np.arange(values.size), prefix, offsets, letters, values)


def of_numbers(names: Sequence[str], table: Floats) -> Field:
    """Columns of numbers that belong to one field, which are called so."""
    n, width = table.shape
    starts = np.arange(n + 1, dtype=np.int64) * width
    which = np.tile(np.arange(width, dtype=np.int64), n)
    return Field(starts, which, np.empty(0, np.uint8), *as_bytes(names), table.ravel())


def cross_columns(table: TableColumns, field_of: Callable[[str], Field]) -> Sparse:
    """The products of all groups of columns."""
    layout, faults, n = table.layout, table.faults, table.faults.good.size
    counts = np.zeros(n, np.int64)
    found: list[Products] = []
    fields: dict[str, Field] = {}
    for group in layout.crossed:
        fields |= {name: field_of(name) for name in group if name not in fields}
        chosen = [fields[name] for name in group]
        steps = [_nothing(n)]
        for k, field in enumerate(chosen):
            more = np.diff(steps[-1].starts) * np.diff(field.starts[: n + 1])
            faults.add(counts + more > MOST, lambda _: TOO_MANY)
            step = 0 if k == 0 else 2 if group[k] == group[k - 1] else 1
            mask = 2**layout.bits - 1 if k + 1 == len(group) else -1
            steps.append(_crossed(steps[-1], field, faults.good, step, mask, more))
        last = steps[-1]
        counts += np.diff(last.starts)
        _check(steps, chosen, faults)
        table.call(last.hashes, partial(_names, steps, chosen))
        found.append(last)
    rows = [np.repeat(np.arange(n), np.diff(one.starts)) for one in found]
    order = np.argsort(np.concatenate(rows), kind="stable")
    return Sparse(
        np.sum([one.starts for one in found], axis=0),
        np.concatenate([one.hashes for one in found]).astype(np.int32)[order],
        np.concatenate([one.values for one in found])[order],
    )


def _nothing(n: int) -> Products:
    """What the first field is multiplied by."""
    rows = np.arange(n + 1, dtype=np.int64)
    return Products(rows, np.full(n, BASIS), np.ones(n), rows[:n], rows[:n])


def _crossed(
    some: Products, field: Field, good: Array, step: int, mask: int, more: Longs
) -> Products:
    """The products of these and the features of one more field."""
    size = int(more[good].sum())
    long, n = np.int64, good.size
    found = Products(
        np.empty(n + 1, long),
        np.empty(size, np.uint64),
        np.empty(size),
        np.empty(size, long),
        np.empty(size, long),
    )
    arguments = some, field, good, step, mask, found
    k = entry(cross, arguments)(*arguments)
    return Products(found.starts, *(each[:k] for each in found[1:]))


def _check(steps: list[Products], fields: list[Field], faults: Faults) -> None:
    """Find rows with a product that is too large; it is 0 from now on."""
    last = steps[-1]
    bad = ~(np.abs(last.values) <= LARGEST)
    if not bad.any():
        return
    where = np.searchsorted(last.starts, np.flatnonzero(bad), "right") - 1
    firsts = dict(zip(where[::-1].tolist(), np.flatnonzero(bad)[::-1], strict=True))
    rows = np.zeros(faults.good.size, np.bool_)
    rows[where] = True

    def say(i: int) -> str:
        k = firsts[i]
        return TOO_LARGE.format(_name(steps, fields, k), last.values[k])

    faults.add(rows, say)
    last.values[bad] = 0.0


def _names(steps: list[Products], fields: list[Field], chosen: Longs) -> list[str]:
    """What these products are called."""
    return [_name(steps, fields, k) for k in chosen.tolist()]


def _name(steps: list[Products], fields: list[Field], k: int) -> str:
    """What the product number `k` of the last step is called."""
    names: list[str] = []
    for some, field in zip(reversed(steps[1:]), reversed(fields), strict=True):
        which = field.which[some.last[k]]
        letters = field.letters[field.offsets[which] : field.offsets[which + 1]]
        names.append((field.prefix.tobytes() + letters.tobytes()).decode())
        k = some.before[k]
    return "*".join(reversed(names))
