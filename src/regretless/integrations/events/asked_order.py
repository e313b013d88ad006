"""Predictions in the order in which they were asked, whenever their labels come.

What is answered early may differ from what is answered late. So a certificate counts
predictions in the order of asking, up to the first one whose label has not come.
"""

from __future__ import annotations

import numpy as np

from ...evidence.claims.guard import Counted
from ...evidence.snapshots.error_course import ErrorCourse

BLOCK = 256  # predictions that wait to be counted


class AskedOrder:
    """Which predictions were wrong, as far as all before them are known.

    Examples
    --------
    >>> from regretless.integrations.events.asked_order import AskedOrder
    >>> order = AskedOrder()
    >>> for i, wrong in [(1, True), (0, False), (3, True)]:
    ...     order.answer(i, wrong)
    >>> order.counted().rows, order.counted().errors  # 2 has no label yet
    (2, 1)
    """

    def __init__(self) -> None:
        self._next = 0
        self._known: dict[int, bool] = {}
        self._waiting: list[bool] = []
        self._errors = 0
        self._course = ErrorCourse()

    def answer(self, i: int, wrong: bool) -> None:
        """The label of event number `i` has come."""
        self._known[i] = wrong
        while self._next in self._known:
            self._waiting.append(self._known.pop(self._next))
            self._next += 1
        if len(self._waiting) >= BLOCK:
            self._count()

    def counted(self) -> Counted:
        """The predictions whose labels, and those of all before them, have come."""
        self._count()
        last, wrong = self._course.last()
        rows = self._course.rounds
        return Counted(rows, self._errors, last=last, last_errors=wrong)

    def _count(self) -> None:
        self._errors += sum(self._waiting)
        self._course.feed(np.array(self._waiting, np.bool_))
        self._waiting.clear()
