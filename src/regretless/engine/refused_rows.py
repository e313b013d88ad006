"""What is wrong with a row that a kernel refused, in words.

A kernel only says which row it is: it has no time to look for the reason.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from ..errors import BadRow
from ..parts.rows import Rows, begin, column, end, entry
from .feature_names import Names, NamesOf, name_of

LARGE_LABEL = 1e100  # of a refused row: what is wrong with it is its label
EVERYTHING = (-math.inf, math.inf)


def bad_row(
    rows: Rows,
    i: int,
    first: int,
    names: NamesOf | None,
    allowed: tuple[float, float] = EVERYTHING,
    advice: str = "",
    label: float = 0.0,
) -> BadRow:
    """The error of row `i` of a batch, whose first row has the number `first`."""
    known = None if names is None else names()
    return BadRow(first + i, problem_of(rows, i, known, allowed, advice, label))


def problem_of(
    rows: Rows,
    i: int,
    names: Names | None,
    allowed: tuple[float, float] = EVERYTHING,
    advice: str = "",
    label: float = 0.0,
) -> str:
    """Say what is wrong with row `i`, which a kernel refused."""
    lo, hi = begin(rows, i), end(rows, i)
    low, high = allowed
    for k in range(lo, hi):
        x = float(entry(rows, k, hi))
        j = int(column(rows, k, lo, hi))
        where = f"column {j}" if names is None else f"feature {name_of(names, j)!r}"
        if not math.isfinite(x):
            gap = math.isnan(x) and names is None
            hint = (
                ": fill it, or give a data frame, where nan is missing" if gap else ""
            )
            return f"{where}: {x} is not a finite number{hint}"
        if not low <= x <= high:
            return f"{where}: {x:g} is outside [{low:g}, {high:g}], {advice}"
    return too_large((float(entry(rows, k, hi)) for k in range(lo, hi)), label)


def too_large(values: Iterable[float], label: float = 0.0) -> str:
    """What to say of a row whose entries are all allowed."""
    if not sum(x * x for x in values) < math.inf:
        return "its numbers are so large that |x|^2 is not finite"
    if abs(label) >= LARGE_LABEL:
        return f"its label {label:g} is so large that its loss cannot be added up"
    return "the weights have overflowed before it: take a smaller step"
