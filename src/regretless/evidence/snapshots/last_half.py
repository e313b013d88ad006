"""The mean of about the last half of the hypotheses, at any time.

With S_p the sum of the first p hypotheses, the mean of those of rounds h + 1 to p is
(S_p - S_h)/(p - h). Sums are kept at the last few positions of a grid, so that some h
is near p/2 whenever one asks; where the length is known, it is there to the row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...engine.players.player import Averaging
from ...engine.storage import COUNTS, Many, Range, Stored, keep
from ...parts.state import Floats
from .hypotheses import any_weights, refuse_wide

START = {"number": Range(1, 2**62), "position": COUNTS, "total": any_weights}
KEPT = 4  # positions: the oldest lies before half of what there is


class HalfStart(NamedTuple):
    """The sum of all hypotheses before a position, the `number`-th of such sums."""

    number: int
    position: int
    total: Floats


BEGIN = HalfStart(1, 0, np.zeros(0))


class HalfSums(Stored):
    """Where a last half may begin.

    Parameters
    ----------
    player : player
        Which keeps the sum of its hypotheses.
    """

    kept = keep(starts=Many(lambda: BEGIN, START, KEPT))

    def __init__(self, player: Averaging) -> None:
        self.player = player
        self.starts: list[HalfStart] = []

    def check_state(self) -> None:
        """Sums are of the player's weights."""
        for one in self.starts:
            refuse_wide(self.player, one.total)

    def mark(self, position: int) -> None:
        """A half may begin here; the oldest beginning makes room."""
        number = 1 + (self.starts[-1] if self.starts else BEGIN).number
        start = HalfStart(number, position, self.player.summed())
        self.starts = [*self.starts[1 - KEPT :], start]

    def start(self, rounds: int) -> HalfStart:
        """The beginning of the last half of so many rounds."""
        before = [one for one in (BEGIN, *self.starts) if one.position < rounds]
        return min(before, key=lambda one: abs(2 * one.position - rounds))

    def mean(self, rounds: int) -> tuple[int, Floats]:
        """Where the last half begins, and its mean, the bias first."""
        start = self.start(rounds)
        total = _since(self.player.summed(), start.total)
        return start.position, self.player.unscaled(total / (rounds - start.position))


def _since(total: Floats, before: Floats) -> Floats:
    """A sum of hypotheses without what it was before.

    Of classes: the last row is of the rest, which every later class was then.
    """
    if before.ndim == 2:
        was = np.minimum(np.arange(len(total)), len(before) - 1)
        total[:, : before.shape[1]] -= before[was]
    elif before.size:
        before = before[: total.size]
        total[: before.size] -= before
    return total
