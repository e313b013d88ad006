"""Write rows down as a view shows them."""

from __future__ import annotations

from typing import Any

from ...parts.rows import begin, end, entry, keep, look
from .compiled import kernel


@kernel
def view_rows(rows: Any, n: int, out: Any) -> None:
    """Write entry k of the first n rows to out[k]."""
    for i in range(n):
        lo = begin(rows, i)
        hi = end(rows, i)
        look(rows, lo, hi)
        for k in range(lo, hi):
            out[k] = entry(rows, k, hi)
        keep(rows, lo, hi)
