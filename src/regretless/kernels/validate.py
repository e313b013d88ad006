"""Frozen hypotheses on fresh rows: eight at a time, one pass over the row.

The weights of one feature for all eight lie side by side, on one cache line.
"""

from __future__ import annotations

from typing import Any

from ..parts.rows import begin, column, end, entry
from .compiled import kernel

__all__ = ["LANES", "validate_rows"]

LANES = 8


def validate_rows(mark: str) -> Any:
    """Build ``validate_rows(rows, targets, lanes, shift, wrong)``.

    ``lanes[j, k]`` is weight j of hypothesis k, and its score is that dot product plus
    ``shift[k]``. ``wrong[i, k]`` becomes whether it errs on row i; a tie is an error.
    """

    @kernel(mark)
    def validate_rows(
        rows: Any, targets: Any, lanes: Any, shift: Any, wrong: Any
    ) -> None:
        for i in range(targets.size):
            y = targets[i]
            lo = begin(rows, i)
            hi = end(rows, i)
            a, b, c, d = shift[0], shift[1], shift[2], shift[3]
            e, f, g, h = shift[4], shift[5], shift[6], shift[7]
            for k in range(lo, hi):
                j = column(rows, k, lo, hi)
                v = entry(rows, k, hi)
                a += lanes[j, 0] * v
                b += lanes[j, 1] * v
                c += lanes[j, 2] * v
                d += lanes[j, 3] * v
                e += lanes[j, 4] * v
                f += lanes[j, 5] * v
                g += lanes[j, 6] * v
                h += lanes[j, 7] * v
            wrong[i, 0] = y * a <= 0.0
            wrong[i, 1] = y * b <= 0.0
            wrong[i, 2] = y * c <= 0.0
            wrong[i, 3] = y * d <= 0.0
            wrong[i, 4] = y * e <= 0.0
            wrong[i, 5] = y * f <= 0.0
            wrong[i, 6] = y * g <= 0.0
            wrong[i, 7] = y * h <= 0.0

    return validate_rows
