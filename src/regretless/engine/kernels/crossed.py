"""Products of the features of fields, row by row: their hashes and values.

The name of a product is the names of its features with ``*`` between them, and it is
hashed as every name is (``kernels.categories``): the hash goes on where that of the
features before it ended.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .categories import PRIME, fnv, mixed
from .compiled import kernel

STAR = np.uint64(42)


class Field(NamedTuple):
    """The features of one field: those of row i from ``starts[i]`` on.

    Feature j has the name number ``which[j]``: `prefix`, and the letters from
    ``offsets[which[j]]`` to the next offset.
    """

    starts: Any
    which: Any
    prefix: Any
    offsets: Any
    letters: Any
    values: Any


class Products(NamedTuple):
    """Products so far: those of row i from ``starts[i]`` on.

    Their hashes, before the last mixing or after it, and values; which feature of the
    last field each has, and which product it was before.
    """

    starts: Any
    hashes: Any
    values: Any
    last: Any
    before: Any


@kernel
def cross(
    some: Products, field: Field, good: Any, step: int, mask: int, found: Products
) -> int:
    """Multiply by the features of one more field; how many products there are.

    Rows that are not `good` have none. The `step` is 0 for the first field, 2 for one
    that is also the field before, of which each pair is taken once, and else 1. With
    the last field the hashes are mixed, and cut to the `mask`; before that it is -1.
    """
    k = 0
    for i in range(good.size):
        found.starts[i] = k
        for p in range(some.starts[i], some.starts[i + 1] if good[i] else 0):
            state = some.hashes[p]
            if step > 0:
                state = (state ^ STAR) * PRIME
            state = fnv(state, field.prefix, 0, field.prefix.size)
            first = some.last[p] if step == 2 else field.starts[i]
            for j in range(first, field.starts[i + 1]):
                value = some.values[p] * field.values[j]
                if value == 0.0:
                    continue
                name = field.which[j]
                hashed = fnv(
                    state, field.letters, field.offsets[name], field.offsets[name + 1]
                )
                if mask >= 0:
                    hashed = mixed(hashed) & np.uint64(mask)
                found.hashes[k] = hashed
                found.values[k] = value
                found.last[k] = j
                found.before[k] = p
                k += 1
    found.starts[good.size] = k
    return k
