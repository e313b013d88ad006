"""Dual coordinate descent: min_u sum_t loss(u.x_t - c, y_t) + (strength/2)|u - o|^2.

One number a_t a row, weights w = o - (1/strength) sum_t a_t x_t; the center o is 0
unless someone moves it. Each visit to a row makes the best of its a_t. Every value of a
gives a lower bound, w gives an upper one, and they meet. Rows in memory are visited in
random order, and rows that are stuck at an end of their range are left out for a while.
A stream comes in large blocks that begin and end elsewhere in every pass, in random
order within each: the same order every time would need a hundred times as many passes.

References
----------
Hsieh, Chang, Lin, Keerthi, Sundararajan (2008), the method of LIBLINEAR.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...engine.kernels.compiled import entry
from ...engine.kernels.descent import descend_rows, gather_rows, weigh_rows
from ...parts.part_types import Loss
from ...parts.rows import Longs
from ...parts.state import Floats
from .passes import Passes, RowBlock

VISITS = 20_000_000  # of rows, where there are few
MAX_PASSES = 1_000
MAX_SHORT_PASSES = 20_000
VERY_STRONG = 1e9
AGAIN = 2  # measure after 1, 2, 4, 8, ... passes, whatever the estimate says


@dataclass(frozen=True)
class Weighed:
    """What the present weights and dual numbers are worth.

    ``dual`` is -sum_t (conjugate(a_t) + c a_t); ``stretched`` is the loss at a multiple
    of the weights, that of length `radius` where one was given.
    """

    strength: float
    loss: float
    stretched: float
    dual: float
    norm: float
    """|w|"""
    reach: float
    """|w - o|"""
    lean: float
    """o.v, with v = sum_t a_t x_t"""

    @property
    def pull(self) -> float:
        """|v|: how hard the rows pull, all together."""
        return self.strength * self.reach

    @property
    def objective(self) -> float:
        """The penalized objective at w."""
        return self.loss + 0.5 * self.strength * self.reach * self.reach

    @property
    def lower_bound(self) -> float:
        """The dual value, below every penalized objective."""
        return self.dual + self.lean - 0.5 * self.strength * self.reach * self.reach

    @property
    def gap(self) -> float:
        """Between the two."""
        return self.objective - self.lower_bound


def passes_allowed(given: int | None, n_rows: int) -> int:
    """The given limit, else 1,000, or more where rows are few."""
    if given is not None:
        return given
    return max(MAX_PASSES, min(MAX_SHORT_PASSES, VISITS // n_rows))


Goal = Callable[[Weighed], float]
Stop = Callable[[Weighed], bool]


class Descent:
    """Weights and dual numbers in the middle of a solve; they warm up the next one.

    Parameters
    ----------
    passes : Passes
        The data.
    loss : a loss
        With a conjugate and a dual step.
    threshold : float
        c, subtracted from u.x.
    radius : float or None
        The length of the weights at which ``stretched`` is weighed.
    seed : int
        Of the order in which rows are visited.
    """

    def __init__(
        self,
        passes: Passes,
        loss: Loss,
        *,
        threshold: float = 0.0,
        radius: float | None = None,
        seed: int = 0,
    ) -> None:
        self.passes = passes
        self.loss = loss
        self.threshold = float(threshold)
        self.radius = radius
        self.weights: Floats = np.zeros(passes.n_weights)
        self.center: Floats = np.zeros(passes.n_weights)
        self.duals: Floats = np.zeros(passes.n_rows)
        self.strength = 1.0
        self.made = 0  # passes over the data
        self._random = np.random.default_rng(seed)
        self._order = np.arange(passes.n_rows if passes.whole is not None else 0)
        self._active = self._order.size
        self._bar = math.inf

    def solve(
        self, strength: float, goal: Goal, *, most: int, stop: Stop | None = None
    ) -> Weighed:
        """Descend until the gap is at most ``goal(weighed)``, or ``stop(weighed)``.

        At most `most` passes more. The gap is estimated while descending and measured
        when the estimate is good enough, and now and then.
        """
        self._set(strength)
        last = self.made + most
        wanted = 0.0
        doubt = 1.0
        rounds = 0
        measured = 1
        while True:
            rounds += 1
            met = self.descend()
            hopeful = doubt * met <= wanted
            if not hopeful and rounds < measured and self.made < last:
                continue
            if hopeful:
                self._rebuild()
            measured = AGAIN * rounds
            weighed = self.weigh()
            wanted = goal(weighed)
            enough = stop is not None and stop(weighed)
            if enough or weighed.gap <= wanted or self.made >= last:
                return weighed
            doubt = max(0.5, weighed.gap / met) if met > 0.0 else 1.0

    def weigh(self) -> Weighed:
        """Measure both sides, and choose anew which rows to visit."""
        self.made += 1
        norm = float(np.linalg.norm(self.weights))
        stretch = 1.0
        if self.radius is not None and norm > 0.0:
            stretch = self.radius / norm
        sums = np.zeros(3)
        for block in self.passes.blocks():
            arguments = (
                self.loss,
                block.rows,
                block.targets,
                block.squares,
                (self.threshold, self.strength, self._bar),
                stretch,
                self.weights,
                self._duals(block),
                self._order_of(block),
            )
            self._active, *values = entry(weigh_rows, arguments)(*arguments)
            sums += values
        loss, stretched, dual = sums.tolist()
        way = self.center - self.weights
        reach = float(np.linalg.norm(way))
        lean = self.strength * float(way @ self.center)
        return Weighed(self.strength, loss, stretched, dual, norm, reach, lean)

    def recenter(self, center: Floats | None = None) -> None:
        """Move the center to the present weights, or where it is said."""
        way = self.weights - self.center
        self.center = self.weights.copy() if center is None else center
        self.weights = self.center + way

    def pull(self) -> float:
        """About ``|sum_t slope_t x_t|`` at u = 0: a step against so strong a penalty.

        The weights and dual numbers are those of that step afterwards.
        """
        self._set(VERY_STRONG * self.passes.n_rows * (1.0 + self.passes.longest**2))
        self.descend()
        return self.strength * float(np.linalg.norm(self.weights))

    def _set(self, strength: float) -> None:
        """Change the strength; the dual numbers stay, so the weights scale."""
        self.weights -= self.center
        self.weights *= self.strength / strength
        self.weights += self.center
        self.strength = float(strength)
        self._bar = math.inf
        self._active = self._order.size

    def descend(self) -> float:
        """One pass; return the gap that was met on the way."""
        self.made += 1
        gap = 0.0
        largest = 0.0
        for block in self.passes.blocks(self._random):
            order = self._order_of(block)
            count = self._active if self.passes.whole is not None else order.size
            self._random.shuffle(order[:count])
            arguments = (
                self.loss,
                block.rows,
                block.targets,
                block.squares,
                (self.threshold, self.strength, self._bar),
                self.weights,
                self._duals(block),
                order,
                count,
            )
            self._active, move, met = entry(descend_rows, arguments)(*arguments)
            gap += met
            largest = max(largest, move)
        self._bar = largest if largest > 0.0 else math.inf
        return gap

    def gathered(self) -> Floats:
        """sum_t a_t x_t, so that no rounding of the way there is left in it."""
        self.made += 1
        total: Floats = np.zeros(self.weights.size)
        for block in self.passes.blocks():
            arguments = (block.rows, self._duals(block), total)
            entry(gather_rows, arguments)(*arguments)
        return total

    def _rebuild(self) -> None:
        """The weights from the dual numbers."""
        self.weights[:] = self.gathered()
        self.weights *= -1.0 / self.strength
        self.weights += self.center

    def _duals(self, block: RowBlock) -> Floats:
        return self.duals[block.first : block.first + block.targets.size]

    def _order_of(self, block: RowBlock) -> Longs:
        """Which rows to visit: of a stream, all of them."""
        if self.passes.whole is not None:
            return self._order
        return np.arange(block.targets.size)
