"""Intervals that learn the variance: quicker for rare and for nearly certain events.

Let g_t be a guess of D_t, made before its outcome, and c_t how far below it D_t can
fall. A bet 0 <= c < 1/c_t multiplies wealth by 1 + c (D_t - g_t), whose expectation is
at most exp(c (E D_t - g_t)). So exp(c (D_t - E D_t) - p_t) is not expected to exceed 1
at the price p_t = x - ln(1 + x), x = c (D_t - g_t); and neither is it at the price
c^2 w_t^2/8, for any c (Hoeffding). Each bet pays the former where c c_t <= 0.9, else
the latter. Where the guess is good, x - ln(1 + x), about x^2/2, is far below that.

The products over t are mixed over bets c = e^(j/2)/sqrt(rho), j = -16 .. 8, with
weights in proportion to c exp(-rho c^2/50).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..parts.state import Floats

LARGEST = 0.9  # c c_t up to which the variance is learned
POLISH = 3  # Newton steps
BLOCK = 2048


class Bets:
    """One direction: evidence, and how far the sum may be above that of its means.

    Parameters
    ----------
    gains : ndarray
        D_t - g_t, with the sign of the direction.
    fall : ndarray
        c_t, how far below 0 that can be.
    width : ndarray
        w_t.
    sums : ndarray
        Sums of D_t, with the sign of the direction, up to every round.
    rho : float
        The scale of the bets.
    """

    def __init__(
        self, gains: Floats, fall: Floats, width: Floats, sums: Floats, rho: float
    ) -> None:
        self.bets = np.exp(np.arange(-16, 9) / 2.0) / math.sqrt(rho)
        weights = self.bets * np.exp(-rho * self.bets**2 / 50.0)
        self.logs: Floats = np.log(weights / weights.sum())
        self.prices = np.empty((self.bets.size, gains.size))
        ranges = width * width / 8.0
        for k, bet in enumerate(self.bets.tolist()):
            price = _price(bet, fall, gains, ranges)
            self.prices[k] = np.cumsum(price)
        self.sums = sums

    def log_evidence(self) -> Floats:
        """The logarithm of the mixture: evidence that the mean has this direction."""
        found = np.empty(self.sums.size)
        for part in self._parts():
            found[part] = self._log_mixture(self.sums[part], self.prices[:, part])[0]
        return found

    def widths(self, delta: float) -> Floats:
        """How far sums may be above those of means, with probability 1 - delta."""
        found = np.empty(self.sums.size)
        for part in self._parts():
            found[part] = self._width(self.prices[:, part], delta)
        return found

    def last_width(self, delta: float, share: float) -> float:
        """The last of them, if all sums were `share` times what they are."""
        return float(self._width(share * self.prices[:, -1:], delta)[0])

    def _parts(self) -> Iterator[slice]:
        """Rounds in blocks that stay in the nearest cache."""
        for first in range(0, self.sums.size, BLOCK):
            yield slice(first, first + BLOCK)

    def _width(self, prices: Floats, delta: float) -> Floats:
        target = math.log(1.0 / delta)
        # The best single bet is too wide; Newton's steps on a convex function from
        # there approach the root from above, so that one may stop at any of them.
        one_bet = (target - self.logs)[:, None] + prices
        found: Floats = (one_bet / self.bets[:, None]).min(axis=0)
        for _ in range(POLISH):
            log, slope = self._log_mixture(found, prices)
            found = found - np.maximum(log - target, 0.0) / slope
        return np.where(prices[0] > 0.0, found, 0.0)

    def _log_mixture(self, sums: Floats, prices: Floats) -> tuple[Floats, Floats]:
        """The logarithm of the mixture at `sums`, and its slope."""
        logs = self.logs[:, None] + self.bets[:, None] * sums - prices
        top = logs.max(axis=0)
        parts = np.exp(logs - top)
        total = parts.sum(axis=0)
        return top + np.log(total), (self.bets @ parts) / total


def _price(bet: float, fall: Floats, gains: Floats, ranges: Floats) -> Floats:
    """What a bet pays in every round: c g - ln(1 + c g), or c^2 w^2/8."""
    learned = bet * fall <= LARGEST
    x = np.where(learned, bet * gains, 0.0)
    return np.where(learned, x - np.log1p(x), (bet * bet) * ranges)


def guesses_of_numbers(
    differences: Floats, least: Floats, most: Floats, lag: int
) -> Floats:
    """Guess D_t as where it stood in its range so far, from rounds `lag` before it."""
    middle, half = (least + most) / 2.0, (most - least) / 2.0
    above, sizes = np.cumsum(differences - middle), np.cumsum(half)
    past = np.zeros(differences.size)
    known = sizes[:-lag] > 0.0
    ratio = above[:-lag][known] / sizes[:-lag][known]
    past[lag:][known] = np.clip(ratio, -1.0, 1.0)
    return middle + past * half
