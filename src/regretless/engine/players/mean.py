"""The mean game in the middle: the leader's mean, and the statistics."""

from __future__ import annotations

import math
import time
from typing import SupportsFloat

import numpy as np

from ...errors import BadRow
from ...parts.leader import MEAN, SIZE, SUMS, Y_HIGHEST, Y_LOWEST, Leader
from ...parts.observers import ROUNDS, TraceArrays, new_statistics, traced
from ...parts.state import Floats
from ..ledger import checked_statistics
from ..mean_ledger import MeanLedger, read_mean_statistics
from ..shared_game import SharedGame
from ..storage import SIZES, keep


class MeanPlayer(SharedGame):
    """The mutable middle of a run of the mean game."""

    constant = ("leader",)
    changing = ("numbers", "statistics", "seconds")
    kept = keep("numbers", statistics=checked_statistics, seconds=SIZES)

    def __init__(self, leader: Leader) -> None:
        self.leader = leader
        self.numbers = np.zeros(SIZE)
        self.numbers[MEAN] = leader.first
        self.statistics = new_statistics(SUMS, Y_LOWEST, Y_HIGHEST)
        self.seconds = 0.0  # spent in the kernel
        self._start()

    @property
    def rounds(self) -> int:
        """Numbers seen so far."""
        return int(self.statistics.counts[ROUNDS])

    @property
    def mean(self) -> float:
        """The present prediction."""
        return float(self.numbers[MEAN])

    def weights(self) -> Floats:
        """The present prediction, alone."""
        return np.array([self.mean])

    def play(
        self, values: Floats, *, trace: TraceArrays | None = None, names: object = None
    ) -> None:
        """See some numbers in order; raise :class:`BadRow` at one that is refused."""
        from ..kernels.compiled import entry
        from ..kernels.mean import play_numbers

        first, observer = self.rounds, traced(self.statistics, trace)
        arguments = (self.leader, self.numbers, observer, values)
        kernel = entry(play_numbers, arguments)
        began = time.perf_counter()
        played = kernel(*arguments)
        self.seconds += time.perf_counter() - began
        if played < values.size:
            raise BadRow(first + played, self._problem(float(values[played])))

    def play_one(self, y: SupportsFloat) -> None:
        """See one number."""
        with self.lock:
            self.play(np.array([as_number(y, self.rounds)]))

    def ledger(self) -> MeanLedger:
        """What has been met and paid so far."""
        with self.lock:
            return read_mean_statistics(self.statistics, self.mean)

    def _problem(self, y: float) -> str:
        if not math.isfinite(y):
            return f"{y} is not a finite number"
        return f"{y:g} is outside [{self.leader.low:g}, {self.leader.high:g}]"


def as_number(y: SupportsFloat | str, row: int) -> float:
    """One entry of a stream."""
    try:
        return float(y)
    except (TypeError, ValueError):
        raise BadRow(row, f"{y!r:.40} is not a number") from None
