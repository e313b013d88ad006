"""At which rounds hypotheses are frozen: known before the rows are seen.

Position p means after p rounds: the hypothesis that predicts round p + 1.
"""

from __future__ import annotations

import abc
import math

import numpy as np

from ...engine.storage import Range, Stored, keep

SHARES = (0.25, 0.5, 0.75, 0.9)
RATIO = 1.35
NEVER = 2**62


def fractions(length: int) -> list[int]:
    """Positions in a run of known length, for validation on what follows."""
    return sorted({int(share * length) for share in SHARES})


class Positions(Stored, abc.ABC):
    """Positions in rising order, that can be stored between any two of them.

    Attributes
    ----------
    ahead : int
        The one that comes next; NEVER where none does.
    """

    kept = keep(ahead=Range(0, NEVER))

    ahead: int

    @abc.abstractmethod
    def advance(self) -> None:
        """Go on to the one after that."""


class Sorted(Positions):
    """These positions."""

    def __init__(self, positions: list[int]) -> None:
        self.positions = positions
        self.ahead = positions[0]

    def advance(self) -> None:
        """To the next in the list."""
        later = (position for position in self.positions if position > self.ahead)
        self.ahead = next(later, NEVER)


class Grid(Positions):
    """Positions 1, 2, 3, 5, ..., each 1.35 times the one before, of any length."""

    def __init__(self) -> None:
        self.ahead = 1

    def advance(self) -> None:
        """A third further, and one row at least."""
        self.ahead = math.ceil(self.ahead * RATIO)


class Known(Grid):
    """Positions at .25, .5, .75 and .9 of a length; on a grid where it goes beyond."""

    def __init__(self, length: int) -> None:
        self.length = length
        self.positions = fractions(length)
        self.ahead = self.positions[0]

    def advance(self) -> None:
        """To the next share, or beyond the declared end."""
        later = [position for position in self.positions if position > self.ahead]
        if later:
            self.ahead = later[0]
        else:
            self.ahead = math.ceil(max(self.ahead, self.length) * RATIO)


class Reservoir(Positions):
    """Positions at which to take the hypothesis so that the last taken is uniform.

    It is so whenever the run ends: 0 is taken first, then each later position t
    replaces the one held with probability 1/(t+1), drawn as jumps to the next
    replacement. A declared length would be no help: the run may end before or after.
    """

    kept = keep("rng")

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.ahead = 0

    def advance(self) -> None:
        """Draw the next replacement."""
        # P(no replacement up to t) = (position + 1)/(t + 1)
        jump = math.ceil((self.ahead + 1) / (1.0 - self.rng.random())) - 1
        self.ahead = min(NEVER, max(self.ahead + 1, jump))
