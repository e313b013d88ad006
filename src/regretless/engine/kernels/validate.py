"""Frozen hypotheses on fresh rows: four at a time, while the row is in the cache.

The weights of one feature for all four lie side by side, on half a cache line.
"""

from __future__ import annotations

from typing import Any

from ...parts.rows import begin, column, end, entry
from .compiled import kernel

LANES = 4


@kernel
def validate_rows(
    rows: Any, targets: Any, lanes: Any, shift: float, wrong: Any, taken: int
) -> None:
    """Mark the rows on which every frozen hypothesis errs.

    ``lanes[b, j, k]`` is weight j of hypothesis 4b + k, and its score is that dot
    product plus ``shift``. ``wrong[i, 4b + k]`` becomes whether it errs on row i; a tie
    is an error. Blocks of four of which none of the first ``taken`` is part are left.
    """
    for i in range(targets.size):
        y = targets[i]
        lo = begin(rows, i)
        hi = end(rows, i)
        for block in range(0, taken, LANES):
            some = lanes[block // LANES]
            a = b = c = d = shift
            for k in range(lo, hi):
                j = column(rows, k, lo, hi)
                v = entry(rows, k, hi)
                a += some[j, 0] * v
                b += some[j, 1] * v
                c += some[j, 2] * v
                d += some[j, 3] * v
            wrong[i, block] = not y * a > 0.0  # nan is wrong
            wrong[i, block + 1] = not y * b > 0.0
            wrong[i, block + 2] = not y * c > 0.0
            wrong[i, block + 3] = not y * d > 0.0
