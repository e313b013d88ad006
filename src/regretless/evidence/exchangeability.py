"""Is the stream exchangeable? Certificates speak about the future only if it is.

A conformal test martingale turns each value (a label, |x|, the loss of a frozen model)
into its rank among all values so far and bets that ranks are not uniform. On
exchangeable data its wealth ever exceeds 1/alpha with probability at most alpha.

Never test the progressive losses of a learner: they fall because it learns, so the test
would fire on iid data.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ..engine.kernels.compiled import entry
from ..engine.kernels.jumper import jump
from ..engine.storage import (
    Stored,
    checked_array,
    checked_int,
    generator_from,
    generator_state,
)
from ..parts.rows import Longs
from ..parts.state import Floats

__all__ = ["Exchangeability"]

BINS = 4096  # values are compared by the first 12 bits of their order


class Exchangeability:
    """Evidence against exchangeability of a stream of numbers, in constant memory.

    Parameters
    ----------
    seed : int
        Of the coins that break ties.

    Examples
    --------
    >>> import numpy as np
    >>> from regretless.evidence.exchangeability import Exchangeability
    >>> rng = np.random.default_rng(0)
    >>> fair, sorted_ = Exchangeability(), Exchangeability()
    >>> fair.feed(rng.random(2000))
    >>> sorted_.feed(np.sort(rng.random(2000)))
    >>> fair.evidence < 20 < sorted_.evidence
    True
    """

    def __init__(self, seed: int = 0) -> None:
        self.rounds = 0
        self._rng = np.random.default_rng(seed)
        self._tree = np.zeros(BINS + 1, np.int64)
        self._wealth = np.array([1.0 / 3.0] * 3 + [0.0, 0.0, 0.0])

    def feed(self, values: npt.ArrayLike) -> None:
        """Bet on some more values, in their order."""
        numbers = np.ascontiguousarray(values, np.float64).reshape(-1)
        bad = ~np.isfinite(numbers)
        if bad.any():
            raise ValueError(f"{numbers[bad][0]} is not a finite number")
        arguments = (
            _bins(numbers),
            self._rng.random(numbers.size),
            self._tree,
            self._wealth,
            self.rounds,
        )
        entry(jump, arguments)(*arguments)
        self.rounds += numbers.size

    def state_dict(self) -> Stored:
        """All that later bets depend on, as plain data and arrays (its own)."""
        return {
            "rounds": self.rounds,
            "coins": generator_state(self._rng),
            "tree": self._tree,
            "wealth": self._wealth,
        }

    def load_state(self, stored: Stored) -> None:
        """Restore from :meth:`state_dict`; its arrays are taken over."""
        self.rounds = checked_int(stored, "rounds", 0, 2**62)
        self._rng = generator_from(stored["coins"])
        self._tree = checked_array(stored, "tree", np.int64, self._tree.shape)
        self._wealth = checked_array(stored, "wealth", shape=self._wealth.shape)

    @property
    def log_evidence(self) -> float:
        """The logarithm of the largest wealth so far."""
        return float(self._wealth[4])

    @property
    def evidence(self) -> float:
        """The largest wealth so far: at least 1/alpha is an alarm at level alpha."""
        return math.exp(min(self.log_evidence, 700.0))

    @property
    def round(self) -> int:
        """When the wealth was largest."""
        return int(self._wealth[5])


def _bins(numbers: Floats) -> Longs:
    """A coarse rank on a fixed scale: sign, exponent and first bits of the mantissa.

    The order of nonnegative floats is that of their bits. Subnormal, tiny and huge
    numbers share the outermost bins: binary exponents from -32 to 31 are told apart.
    """
    mantissa, exponent = np.frexp(np.abs(numbers))
    fine = np.floor((mantissa - 0.5) * 64.0).astype(np.int64)
    size = np.clip((exponent + 32) * 32 + fine + 1, 1, 2047)
    size = np.where(numbers == 0.0, 0, size)
    return np.where(numbers < 0.0, 2047 - size, 2048 + size).astype(np.int64)
