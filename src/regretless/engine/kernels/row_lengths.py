"""|x| of some rows, without some columns."""

from __future__ import annotations

import math
from typing import Any

from ...parts.rows import begin, column, end, entry
from .compiled import kernel


@kernel
def row_lengths(rows: Any, chosen: Any, left_out: Any, lengths: Any) -> None:
    """Write |x| of the rows ``chosen``, the columns ``left_out`` not counted."""
    for i in range(chosen.size):
        lo, hi = begin(rows, chosen[i]), end(rows, chosen[i])
        total = 0.0
        for k in range(lo, hi):
            v = entry(rows, k, hi)
            j = column(rows, k, lo, hi)
            for other in left_out:
                if j == other:
                    v = 0.0
            total += v * v
        lengths[i] = math.sqrt(total)
