"""The walk of a sum of differences around that of its means, bounded on both sides.

With a lag, rounds fall into that many interleaved sequences. Each has its own bound and
its own share of delta; the bounds add up.
"""

from __future__ import annotations

import abc
import math
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..data.chunk import Array
from ..parts.state import Floats
from .bernstein import Bets
from .sequences import adjusted, boundary, log_evidence

NEVER = 1e12  # more rounds than that is never


class Rounds(NamedTuple):
    """Differences, where each can lie, and which round of all it is."""

    differences: Floats
    least: Floats
    most: Floats
    rows: Array
    lag: int

    @property
    def variances(self) -> Floats:
        """The largest variance that each range allows."""
        return ((self.most - self.least) / 2.0) ** 2

    def own(self, k: int, values: Floats) -> Floats:
        """`values` in the rounds of sequence `k`, and 0 in the others."""
        if self.lag == 1:
            return values
        return np.where(self.rows % self.lag == k, values, 0.0)


class Walk(abc.ABC):
    """What is asked of a walk, however it is bounded."""

    def __init__(self, rounds: Rounds, rho: float) -> None:
        self.rounds = rounds
        self.lag = rounds.lag
        self.rho = rho / rounds.lag

    @abc.abstractmethod
    def widths(self, sign: float, delta: float) -> Floats:
        """How far sums may be above (sign +1) or below (-1) those of their means.

        In every round; both sides together fail with probability delta at most.
        """

    @abc.abstractmethod
    def last_width(self, sign: float, delta: float, share: float) -> float:
        """The last of them, if all sums were `share` times what they are."""

    @abc.abstractmethod
    def each_log_evidence(self, sign: float) -> list[Floats]:
        """Evidence that means have this sign, from each sequence."""

    def log_evidence(self, sign: float) -> Floats:
        """Evidence that means have this sign."""
        logs = self.each_log_evidence(sign)
        if self.lag == 1:
            return logs[0]
        each = np.stack([adjusted(log) for log in logs])
        return np.logaddexp.reduce(each, axis=0) - math.log(self.lag)

    def more(self, delta: float) -> float:
        """The rounds still needed if differences and variances go on as on average."""
        n = self.rounds.differences.size
        total = float(self.rounds.differences.sum())
        sign = 1.0 if total > 0.0 else -1.0

        def decided(rounds: float) -> bool:
            share = rounds / n
            return abs(total) * share > self.last_width(sign, delta, share)

        if decided(n):
            return 0.0
        if not decided(n + NEVER):
            return math.inf
        low, high = float(n), n + NEVER
        while high - low > 0.5:
            middle = 0.5 * (low + high)
            low, high = (low, middle) if decided(middle) else (middle, high)
        return high - n


class Ranges(Walk):
    """Bounded by the normal mixture, from ranges alone; alike on both sides."""

    @cached_property
    def spreads(self) -> list[Floats]:
        """V of each sequence."""
        v = self.rounds.variances
        return [np.cumsum(self.rounds.own(k, v)) for k in range(self.lag)]

    def widths(self, sign: float, delta: float) -> Floats:
        """How far sums may be from those of their means."""
        part = delta / self.lag
        bounds = [boundary(spread, self.rho, part) for spread in self.spreads]
        return np.sum(bounds, axis=0)

    def last_width(self, sign: float, delta: float, share: float) -> float:
        """The last of them, if all sums were `share` times what they are."""
        part = delta / self.lag
        ends = [share * spread[-1] for spread in self.spreads]
        return sum(float(boundary(end, self.rho, part)) for end in ends)

    def each_log_evidence(self, sign: float) -> list[Floats]:
        """Evidence that means have this sign, from each sequence."""
        found: list[Floats] = []
        for k, spread in enumerate(self.spreads):
            sums = np.cumsum(self.rounds.own(k, self.rounds.differences))
            found.append(log_evidence(sign * sums, spread, self.rho))
        return found


class Variances(Walk):
    """Bounded by bets that learn the variance, half of delta on each side."""

    def __init__(self, rounds: Rounds, guesses: Floats, rho: float) -> None:
        super().__init__(rounds, rho)
        falls = {1.0: guesses - rounds.least, -1.0: rounds.most - guesses}
        self.bets = {
            sign: [
                Bets(
                    rounds.own(k, sign * (rounds.differences - guesses)),
                    rounds.own(k, falls[sign]),
                    rounds.own(k, rounds.most - rounds.least),
                    sign * np.cumsum(rounds.own(k, rounds.differences)),
                    self.rho,
                )
                for k in range(self.lag)
            ]
            for sign in (1.0, -1.0)
        }

    def widths(self, sign: float, delta: float) -> Floats:
        """How far sums may be from those of their means, on one side."""
        part = delta / 2.0 / self.lag
        return np.sum([bets.widths(part) for bets in self.bets[sign]], axis=0)

    def last_width(self, sign: float, delta: float, share: float) -> float:
        """The last of them, if all sums were `share` times what they are."""
        part = delta / 2.0 / self.lag
        return sum(bets.last_width(part, share) for bets in self.bets[sign])

    def each_log_evidence(self, sign: float) -> list[Floats]:
        """Evidence that means have this sign, from each sequence."""
        return [bets.log_evidence() for bets in self.bets[sign]]
