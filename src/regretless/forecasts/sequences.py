"""Bounds on a sum of differences that hold at all times at once, and evidence.

Let S be the sum of differences D_t less their conditional means, and let the range of
D_t, known before its outcome, have width w_t. By Hoeffding's lemma exp(c S - c^2 V/2)
with V = sum (w_t/2)^2 is not expected to grow, for every c. A normal mixture over c
with variance 1/rho makes that sqrt(rho/(V + rho)) exp(S^2/(2 (V + rho))), so with
probability 1 - delta, for all n at once (Ville)::

    |S| <= sqrt((V + rho)(ln(1 + V/rho) + 2 ln(1/delta)))

The half of the mixture with c > 0 is an e-process against "the mean is at most 0".
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import log_ndtr

from ..parts.state import Floats

LN2 = math.log(2.0)


def boundary(V: Floats, rho: float, delta: float) -> Floats:
    """How far S may be from 0, at all times at once, with probability 1 - delta.

    Where V = 0 nothing has been at stake, and S is exactly 0.
    """
    wide = np.sqrt((V + rho) * (np.log1p(V / rho) + 2.0 * math.log(1.0 / delta)))
    return np.where(V > 0.0, wide, 0.0)


def log_evidence(S: Floats, V: Floats, rho: float) -> Floats:
    """The logarithm of the e-process against "the conditional means are at most 0".

    ``2 sqrt(rho/(V + rho)) exp(z^2/2) Phi(z)`` with z = S/sqrt(V + rho). The e-values
    of both directions average to the mixture that :func:`boundary` inverts.
    """
    z = S / np.sqrt(V + rho)
    return LN2 - 0.5 * np.log1p(V / rho) + 0.5 * z * z + log_ndtr(z)


def adjusted(log_e: Floats) -> Floats:
    """An e-value, at any stopping time, from the largest one so far (as logarithms).

    The largest e-value m so far exceeds x with probability at most 1/x, whatever else
    is known when one stops; so (m - 1 - ln m)/(ln m)^2, whose integral over x^-2 from 1
    is one, is an e-value. It is what is left where outcomes come late: the e-process
    knows only a part of what the one who stops knows.
    """
    top = np.maximum(np.maximum.accumulate(log_e), 1e-6)
    # (m - 1 - ln m) in logarithms: ln m + ln(1 - (1 + ln m)/m)
    kept = -np.expm1(np.log1p(top) - top)
    return top + np.log(kept) - 2.0 * np.log(top)
