"""Bounds for one number of rounds that is fixed in advance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from ...parts.state import Floats
from .binomial import binomial_upper
from .checks import checked_delta, checked_sums


def hoeffding(n: npt.ArrayLike, S: npt.ArrayLike, delta: float = 0.05) -> Any:
    """``S/n + sqrt(ln(1/delta)/(2n))``, the bound of the lectures (Hoeffding-Azuma).

    Valid for a learner that changes; for one n, fixed before the data.

    Parameters
    ----------
    n : int or array
        Rounds.
    S : float or array
        The sum of their losses, each in [0, 1].
    delta : float
        The probability of being wrong.

    Returns
    -------
    float or ndarray
        An upper bound on mubar, at most 1.

    Examples
    --------
    >>> from regretless import certify
    >>> round(certify.hoeffding(1000, 50), 6)
    0.088702
    """
    rounds, sums = checked_sums(n, S)
    slack = np.sqrt(math.log(1.0 / checked_delta(delta)) / (2.0 * rounds))
    return _plain(np.minimum(sums / rounds + slack, 1.0))


def clopper_pearson(n: npt.ArrayLike, S: npt.ArrayLike, delta: float = 0.05) -> Any:
    """The exact binomial bound: the p that gives S or fewer errors probability delta.

    Valid ONLY for one fixed hypothesis on n fresh iid rounds, n fixed in advance, with
    losses 0 or 1. For K hypotheses at once take delta/K each. On the progressive losses
    of a learner that changes it is not a bound.

    Parameters
    ----------
    n : int or array
        Rounds.
    S : int or array
        Errors.
    delta : float
        The probability of being wrong.

    Returns
    -------
    float or ndarray
        An upper bound on the error of the hypothesis.

    Examples
    --------
    >>> from regretless import certify
    >>> round(certify.clopper_pearson(1000, 50), 6)
    0.062863
    """
    rounds, errors = checked_sums(n, S)
    if not (errors == np.floor(errors)).all():
        raise ValueError("S must count errors: Clopper-Pearson is for losses 0 and 1")
    delta = checked_delta(delta)
    counts = zip(rounds.flat, errors.flat, strict=True)
    found = [binomial_upper(int(n), int(k), delta) for n, k in counts]
    return _plain(np.reshape(found, rounds.shape))


def _plain(values: Floats) -> Any:
    """A float where a float went in."""
    return float(values) if np.ndim(values) == 0 else values
