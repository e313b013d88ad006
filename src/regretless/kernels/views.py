"""Write rows down as a view shows them."""

from __future__ import annotations

from typing import Any

from ..parts.rows import begin, end, entry, keep, look
from .compiled import kernel

__all__ = ["view_rows"]


def view_rows(mark: str) -> Any:
    """Build ``view_rows(rows, n, out)``: entry k of the first n rows goes to out[k]."""

    @kernel(mark)
    def view_rows(rows: Any, n: int, out: Any) -> None:
        for i in range(n):
            lo = begin(rows, i)
            hi = end(rows, i)
            look(rows, lo, hi)
            for k in range(lo, hi):
                out[k] = entry(rows, k, hi)
            keep(rows, lo, hi)

    return view_rows
