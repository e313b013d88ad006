"""Is the stream exchangeable? Certificates speak about the future only if it is.

A conformal test martingale turns each value (a label, |x|, the loss of a frozen model)
into its rank among all values so far and bets that ranks are not uniform
(:mod:`regretless.engine.kernels.rank_bets`). On exchangeable data its wealth ever
exceeds 1/alpha with probability at most alpha.

Never test the progressive losses of a learner: they fall because it learns, so the test
would fire on iid data.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ..engine.kernels.compiled import entry
from ..engine.kernels.rank_bets import (
    BLOCKS,
    FIRST,
    LOOK,
    STARTS,
    bet_on_ranks,
    cells_of,
    thresholds,
)
from ..engine.storage import COUNTS, Range, Stored, keep
from ..parts.rows import Longs
from ..parts.state import Floats

BINS = 4096  # values are compared by the first 12 bits of their order
LEVELS = thresholds()
CELLS = cells_of(LEVELS)


class Exchangeability(Stored):
    """Evidence against exchangeability of a stream of numbers, in constant memory.

    Parameters
    ----------
    seed : int
        Of the coins that break ties.
    flags : bool
        Whether the values are 0 and 1 alone: that is faster.

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

    kept = keep(
        "_wealth",
        _seed=Range(0, 2**31),
        **dict.fromkeys(("_tree", "_counts", "_starts", "_course", "_clock"), COUNTS),
    )

    def __init__(self, seed: int = 0, *, flags: bool = False) -> None:
        self._flags = flags
        self._seed = seed + 1
        self._tree = np.zeros((2 if flags else BINS) + 1, np.int64)
        self._counts = np.zeros((STARTS + 1, LEVELS.size + 1), np.int64)
        self._starts = np.zeros(STARTS, np.int64)
        self._course = np.zeros(BLOCKS, np.int64)
        self._clock = np.array([0, 1, FIRST, LOOK, 1], np.int64)
        self._wealth = np.zeros(4)

    def check_state(self) -> None:
        """The counts fit together: kernels look at no bounds."""
        rounds, starts, _, _, size = self._clock.tolist()
        begun, last = self._starts[:starts], len(self._tree) - 1
        if (
            not 1 <= starts <= STARTS
            or not rounds <= BLOCKS * size <= 2**62
            or self._tree[last & -last] != rounds
            or self._counts[0].sum() != rounds
            or (np.diff(begun) <= 0).any()
            or begun[-1] > rounds
        ):
            raise ValueError("the test of change has counts that do not fit")

    def feed(self, values: npt.ArrayLike) -> None:
        """Bet on some more values, in their order."""
        arguments = (
            self._ranks(values),
            self._seed,
            self._tree,
            LEVELS,
            CELLS,
            self._counts,
            self._starts,
            self._course,
            self._clock,
            self._wealth,
        )
        entry(bet_on_ranks, arguments, typed_by=())(*arguments)

    def _ranks(self, values: npt.ArrayLike) -> Longs:
        """The values on the fixed scale of the tree."""
        if self._flags:
            return (np.asarray(values).reshape(-1) > 0).astype(np.int64)
        numbers = np.asarray(values, np.float64).reshape(-1)
        bad = ~np.isfinite(numbers)
        if bad.any():
            raise ValueError(f"{numbers[bad][0]} is not a finite number")
        return _bins(numbers)

    @property
    def rounds(self) -> int:
        """How many values have come."""
        return int(self._clock[0])

    @property
    def ones(self) -> tuple[int, int]:
        """How many values were the largest one of two, and how many there are."""
        return self.rounds - int(self._tree[1]), self.rounds

    @property
    def log_evidence(self) -> float:
        """The logarithm of the largest wealth so far."""
        return float(self._wealth[1])

    @property
    def evidence(self) -> float:
        """The largest wealth so far: at least 1/alpha is an alarm at level alpha."""
        return math.exp(min(self.log_evidence, 700.0))

    @property
    def round(self) -> int:
        """When the wealth was largest."""
        return int(self._wealth[2])

    @property
    def since(self) -> int:
        """From about which round on values seem to be others, by that time."""
        return int(self._wealth[3])

    @property
    def turns(self) -> int:
        """How often values turned from clearly larger to smaller, or back.

        Counted in blocks of rows whose ranks are three standard deviations, or more,
        away from those of all rows. A change that stays turns once.
        """
        rows, size = self.rounds, int(self._clock[4])
        whole = min(BLOCKS, rows // size)
        wide = max(1, -(-100 // size))  # blocks together have 100 rows or more
        groups = whole // wide
        ones = self._course[: groups * wide].reshape(groups, wide).sum(axis=1)
        if not groups:
            return 0
        away = (ones - ones.mean()) / math.sqrt(0.25 * wide * size)
        signs = np.sign(away[np.abs(away) >= 3.0])
        return int(np.count_nonzero(np.diff(signs)))


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
