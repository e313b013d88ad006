"""At which rounds hypotheses are frozen: known before the rows are seen.

Position p means after p rounds: the hypothesis that predicts round p + 1.
"""

from __future__ import annotations

import abc
import math
from typing import Any

import numpy as np

from ..storage import checked_int, generator_from, generator_state

__all__ = ["NEVER", "Doubling", "Positions", "Preset", "Reservoir", "fractions"]

SHARES = (0.25, 0.375, 0.5, 0.5625, 0.625, 0.6875, 0.75, 0.8125)
FEW_SHARES = (0.5, 0.625, 0.75)  # where hypotheses are large
FIRST = 512  # the first position of a stream of unknown length
NEVER = 2**62


def fractions(length: int, count: int = len(SHARES)) -> list[int]:
    """Positions in a run of known length, for validation on what follows."""
    shares = SHARES if count == len(SHARES) else FEW_SHARES[-count:]
    return sorted({int(share * length) for share in shares})


class Positions(abc.ABC):
    """Positions in rising order, that can be stored between any two of them.

    Attributes
    ----------
    ahead : int
        The one that comes next; NEVER where none does.
    """

    ahead: int

    @abc.abstractmethod
    def advance(self) -> None:
        """Go on to the one after that."""

    def state_dict(self) -> dict[str, Any]:
        """What all positions to come depend on, as plain data."""
        return {"ahead": self.ahead}

    def load_state(self, stored: dict[str, Any]) -> None:
        """Stand where :meth:`state_dict` says."""
        self.ahead = checked_int(stored, "ahead", 0, NEVER)


class Preset(Positions):
    """These positions."""

    def __init__(self, positions: list[int]) -> None:
        self.positions = positions
        self.ahead = positions[0]

    def advance(self) -> None:
        """To the next in the list."""
        later = (position for position in self.positions if position > self.ahead)
        self.ahead = next(later, NEVER)


class Doubling(Positions):
    """Positions 512, 1024, 2048, ... of a run of unknown length."""

    def __init__(self) -> None:
        self.ahead = FIRST

    def advance(self) -> None:
        """Twice as far."""
        self.ahead *= 2


class Reservoir(Positions):
    """Positions at which to take the hypothesis so that the last taken is uniform.

    It is so whenever the run ends: 0 is taken first, then each later position t
    replaces the one held with probability 1/(t+1), drawn as jumps to the next
    replacement. A declared length would be no help: the run may end before or after.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.ahead = 0

    def advance(self) -> None:
        """Draw the next replacement."""
        # P(no replacement up to t) = (position + 1)/(t + 1)
        jump = math.ceil((self.ahead + 1) / (1.0 - self.rng.random())) - 1
        self.ahead = min(NEVER, max(self.ahead + 1, jump))

    def state_dict(self) -> dict[str, Any]:
        """The next one, and the generator that later ones are drawn from."""
        return {"ahead": self.ahead, "draws": generator_state(self.rng)}

    def load_state(self, stored: dict[str, Any]) -> None:
        """Stand where :meth:`state_dict` says."""
        super().load_state(stored)
        self.rng = generator_from(stored["draws"])
