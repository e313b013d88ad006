"""The p at which a binomial variable is at most k with probability delta.

With F(p) = P(Bin(n, p) <= k) and b its last term, P(Bin(n, p) = k)::

    F = b T,   T = 1 + r_k + r_k r_{k-1} + ...,   r_i = i (1-p) / ((n-i+1) p)
    d/dp ln F = -(n-k) / ((1-p) T)

ln F is concave in p, so that Newton's method, after one step, comes down to the root
from above. b is computed by Loader's saddle-point expansion, in which nothing cancels:
n may be a billion. (scipy has this function too, with fewer digits where n is large and
k small, and takes longer to import than everything else that a short run does.)

References
----------
C. Loader, Fast and accurate computation of binomial probabilities, 2000.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

CLOSE = 1e-10  # a step that is a smaller share of p and 1 - p is the last
ROUNDING = 2e-16
BLOCK = 1 << 12
TINY = 1e-18  # of a sum: what is left out


@lru_cache(1 << 12)
def binomial_upper(n: int, k: int, delta: float) -> float:
    """The p with ``P(Bin(n, p) <= k) = delta``; 1 if k is n.

    Examples
    --------
    >>> from regretless.evidence.certify.binomial import binomial_upper
    >>> round(binomial_upper(1000, 50, 0.05), 6)
    0.062863
    """
    if k >= n:
        return 1.0
    if k == 0:
        return -math.expm1(math.log(delta) / n)
    p = (k + 1) / (n + 1)
    step = 1.0
    while abs(step) > CLOSE * min(p, 1.0 - p) + ROUNDING * p:
        tail = _tail(n, k, p)
        excess = _log_term(n, k, p) + math.log(tail) - math.log(delta)
        step = excess * (1.0 - p) * tail / (n - k)
        step = min(step, (1.0 - p) / 2.0)  # p stays below 1
        p += step
    return p


def _tail(n: int, k: int, p: float) -> float:
    """T: the terms 0 to k of the distribution, in units of the last."""
    odds = (1.0 - p) / p
    total = last = 1.0
    top = k
    while top > 0 and last > TINY * total:
        i = np.arange(top, max(top - BLOCK, 0), -1.0)
        terms = last * np.cumprod(i / (n + 1 - i) * odds)
        total += float(terms.sum())
        last = float(terms[-1])
        top -= BLOCK
    return total


def _log_term(n: int, k: int, p: float) -> float:
    """The logarithm of P(Bin(n, p) = k), for 0 < k < n."""
    rest = n - k
    return (
        _stirling_error(n)
        - _stirling_error(k)
        - _stirling_error(rest)
        - _deviance(k, n * p)
        - _deviance(rest, n * (1.0 - p))
        - 0.5 * math.log(2.0 * math.pi * k * (rest / n))
    )


def _stirling_error(n: int) -> float:
    """The logarithm of n!, less Stirling's formula for it."""
    if n < 16:
        stirling = (n + 0.5) * math.log(n) - n + 0.5 * math.log(2.0 * math.pi)
        return math.lgamma(n + 1.0) - stirling
    square = float(n) * n
    series = 1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square
    return (1 / 12 - (1 / 360 - series / square) / square) / n


def _deviance(count: int, mean: float) -> float:
    """``count ln(count/mean) + mean - count``, also where they are close."""
    gap = (count - mean) / mean
    return mean * ((1.0 + gap) * math.log1p(gap) - gap)
