"""A limit on the work of a hindsight that was not asked for.

Work is counted, not timed, so that the same data give the same receipts on every
machine: so much for each entry and each row that is read, and for each weight that a
pass over all of them touches. The prices are nanoseconds of an ordinary core.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

ENTRY, ROW, WEIGHT = 5.0, 50.0, 10.0
_left: ContextVar[float | None] = ContextVar("left", default=None)


class OverBudget(RuntimeError):  # noqa: N818 - nothing is wrong
    """It would take longer than it may."""


@contextmanager
def budget(seconds: float) -> Generator[None]:
    """Raise :class:`OverBudget` where what is solved inside takes longer than this."""
    token = _left.set(seconds * 1e9)
    try:
        yield
    finally:
        _left.reset(token)


def spend(entries: int, rows: int, weights: int) -> None:
    """Count one pass over so many entries in so many rows, with so many weights."""
    left = _left.get()
    if left is not None:
        _left.set(left - _price(entries, rows, weights))
        expect(0, 0, 0)


def expect(entries: int, rows: int, weights: int) -> None:
    """Raise :class:`OverBudget` if such a pass is more than what is left."""
    left = _left.get()
    if left is not None and _price(entries, rows, weights) > left:
        raise OverBudget("it would take more than it may")


def _price(entries: int, rows: int, weights: int) -> float:
    return ENTRY * entries + ROW * rows + WEIGHT * weights
