"""The walk of a sum of differences around that of its means, bounded on both sides.

With a lag, rounds fall into that many interleaved sequences. Each has its own bound and
its own share of delta; the bounds add up.
"""

from __future__ import annotations

import abc
import math
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..parts.state import Floats
from .bernstein import Bets
from .sequences import adjusted, boundary, log_evidence

__all__ = ["Ranges", "Rounds", "Variances"]

NEVER = 1e12  # more rounds than that is never


class Rounds(NamedTuple):
    """Differences, where each can lie, and which round of all it is."""

    differences: Floats
    least: Floats
    most: Floats
    rows: Any
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


class _Walk(abc.ABC):
    """What is asked of a walk, however it is bounded."""

    def __init__(self, rounds: Rounds, rho: float) -> None:
        self.rounds = rounds
        self.lag = rounds.lag
        self.rho = rho / rounds.lag

    @abc.abstractmethod
    def above(self, delta: float, share: float = 1.0) -> Any:
        """How far the sum may be above that of its means.

        In every round; or, with `share`, in the last one if all sums were that many
        times what they are. This and :meth:`below` together fail with probability
        delta at most.
        """

    @abc.abstractmethod
    def below(self, delta: float, share: float = 1.0) -> Any:
        """How far below."""

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
        side = self.above if total > 0.0 else self.below

        def decided(rounds: float) -> bool:
            share = rounds / n
            return abs(total) * share > float(np.sum(side(delta, share)))

        if float(np.atleast_1d(side(delta))[-1]) < abs(total):
            return 0.0
        if not decided(n + NEVER):
            return math.inf
        low, high = float(n), n + NEVER
        while high - low > 0.5:
            middle = 0.5 * (low + high)
            low, high = (low, middle) if decided(middle) else (middle, high)
        return high - n


class Ranges(_Walk):
    """Bounded by the normal mixture, from ranges alone; alike on both sides."""

    @cached_property
    def spreads(self) -> list[Floats]:
        """V of each sequence."""
        v = self.rounds.variances
        return [np.cumsum(self.rounds.own(k, v)) for k in range(self.lag)]

    def above(self, delta: float, share: float = 1.0) -> Any:
        """How far the sum may be above that of its means."""
        part = delta / self.lag
        spreads = self.spreads
        if share != 1.0:
            spreads = [share * spread[-1:] for spread in spreads]
        return np.sum([boundary(spread, self.rho, part) for spread in spreads], axis=0)

    below = above

    def each_log_evidence(self, sign: float) -> list[Floats]:
        """Evidence that means have this sign, from each sequence."""
        found: list[Floats] = []
        for k, spread in enumerate(self.spreads):
            sums = np.cumsum(self.rounds.own(k, self.rounds.differences))
            found.append(log_evidence(sign * sums, spread, self.rho))
        return found


class Variances(_Walk):
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

    def above(self, delta: float, share: float = 1.0) -> Any:
        """How far the sum may be above that of its means."""
        return self._width(1.0, delta, share)

    def below(self, delta: float, share: float = 1.0) -> Any:
        """How far below."""
        return self._width(-1.0, delta, share)

    def each_log_evidence(self, sign: float) -> list[Floats]:
        """Evidence that means have this sign, from each sequence."""
        return [bets.log_evidence() for bets in self.bets[sign]]

    def _width(self, sign: float, delta: float, share: float) -> Any:
        part = delta / 2.0 / self.lag
        return np.sum([bets.width(part, share) for bets in self.bets[sign]], axis=0)
