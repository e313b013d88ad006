"""Bad input to a bound, refused in one line."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ...parts.state import Floats


def checked_delta(delta: float) -> float:
    """`delta`, strictly between 0 and 1."""
    if not 0.0 < delta < 1.0:
        raise ValueError(f"delta={delta!r} must be strictly between 0 and 1")
    return float(delta)


def checked_guess(n_opt: float) -> float:
    """A guess of the number of rounds."""
    if not 0.0 < n_opt < math.inf:
        raise ValueError(f"n_opt={n_opt!r} must be a positive number of rounds")
    return float(n_opt)


def checked_sums(n: npt.ArrayLike, total: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Numbers of rounds and sums of losses in [0, 1], broadcast together."""
    rounds, sums = np.broadcast_arrays(
        np.asarray(n, np.float64), np.asarray(total, np.float64)
    )
    if not ((rounds >= 1) & (rounds == np.floor(rounds)) & np.isfinite(rounds)).all():
        raise ValueError("n must count rounds, at least 1: zero rounds certify nothing")
    if not ((sums >= 0) & (sums <= rounds)).all():
        raise ValueError("S, the sum of n losses in [0, 1], must be between 0 and n")
    return rounds, sums


def checked_losses(losses: npt.ArrayLike) -> Floats:
    """Losses in [0, 1], at least one."""
    values = np.ascontiguousarray(losses, np.float64)
    if values.ndim != 1 or values.size == 0:
        raise ValueError("losses must be a row of at least one number")
    bad = ~((values >= 0.0) & (values <= 1.0))
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(f"losses[{row}] = {values[row]} is outside [0, 1]")
    return values
