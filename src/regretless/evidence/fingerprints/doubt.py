"""Doubt that rows are fresh: bets that those which come now have come before."""

from __future__ import annotations

import numpy as np

from ...engine.storage import Stored, checked_array, checked_int

__all__ = ["Doubt"]

SHARES = (0.03, 0.1, 0.3, 0.9)  # of the rows that come, those that came before
CERTAIN = 1e6


class Doubt:
    """The bets since a row with a twin.

    Parameters
    ----------
    row : int
        That row.
    natural : float
        How probable a twin is for a fresh row, at most, when the doubt began.
    total : float
        How many rows the sample had then: the probability grows at most like it.
    """

    def __init__(self, row: int, natural: float, total: float) -> None:
        self.row = row
        self.natural = natural
        self.total = float(total)
        self.twins = 0
        self.compared = 0
        self.before: dict[int, int] = {}  # counts of the twins that were met
        self.wealth = [1.0] * len(SHARES)

    def bet(self, twin: bool, total: float) -> None:
        """Bet on one more row, when the sample has `total` rows."""
        natural = min(1.0, self.natural * max(1.0, total / self.total))
        odds = (1.0 - natural) / natural
        for i, share in enumerate(SHARES):
            self.wealth[i] *= 1.0 + share * odds if twin else 1.0 - share
        self.twins += twin
        self.compared += 1

    @property
    def certain(self) -> bool:
        """Whether these rows have come before."""
        return sum(self.wealth) >= CERTAIN * len(SHARES)

    @property
    def over(self) -> bool:
        """Whether nothing is left of it."""
        return sum(self.wealth) <= len(SHARES)

    def shrink(self, share: float, limit: int) -> None:
        """The sample has lost all but a `share` of its rows, those above `limit`."""
        self.total *= share
        self.before = {key: n for key, n in self.before.items() if key <= limit}

    def state_dict(self) -> Stored:
        """All of it, as plain data and arrays."""
        return {
            "row": self.row,
            "natural": self.natural,
            "total": self.total,
            "twins": self.twins,
            "compared": self.compared,
            "wealth": list(self.wealth),
            "hashes": np.array(list(self.before), np.int64),
            "counts": np.array(list(self.before.values()), np.int64),
        }

    @classmethod
    def from_state(cls, stored: Stored) -> Doubt:
        """What :meth:`state_dict` described."""
        row = checked_int(stored, "row", 0, 2**62)
        doubt = cls(row, float(stored["natural"]), float(stored["total"]))
        if not 0.0 < doubt.natural <= 1.0 or not doubt.total > 0.0:
            raise ValueError("the doubt about rows seen before is not one")
        doubt.compared = checked_int(stored, "compared", 0, 2**62)
        doubt.twins = checked_int(stored, "twins", 0, doubt.compared)
        hashes = checked_array(stored, "hashes", np.int64)
        counts = checked_array(stored, "counts", np.int64, hashes.shape)
        doubt.before = dict(zip(hashes.tolist(), counts.tolist(), strict=True))
        wealth: list[float] = [float(each) for each in stored["wealth"]]
        if len(wealth) != len(SHARES):
            raise ValueError("the doubt about rows seen before has other bets")
        doubt.wealth = wealth
        return doubt
