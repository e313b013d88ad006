"""The best u in a ball: min over |u| <= radius of sum_t loss(u.x_t, y_t).

The penalized problem of the right strength has its u on the sphere. That strength is
found by a secant method on |u|, each solve warmed up by the one before. For any dual
numbers a, with v = sum_t a_t x_t, weak duality gives::

    min_{|u| <= B} sum_t phi_t(u.x_t - c)  >=  -sum_t (phi_t*(a_t) + c a_t) - B|v|

which is the penalized bound at its best strength, |v|/B. Where the free minimum lies
inside, |v| must go to 0. It does with the strength, but slowly; so there the center of
the penalty follows the weights instead (the proximal point method).
"""

from __future__ import annotations

import math

import numpy as np

from ...data import Source
from ...parts.part_types import Loss
from ...parts.state import Floats
from .descent import Descent, Weighed, passes_allowed
from .passes import Passes
from .regularized import NOTHING, positive, prepared
from .solution import Hindsight

STAGES = 100  # strengths tried, at most
STAGE_PASSES = 100
PATIENCE = 3  # solves inside the ball before it is taken for a free minimum
SHORT, LONG = math.log(2.0), math.log(10.0)  # how far ln strength moves
TINY = 1e-300


def in_ball(
    source: Source,
    loss: Loss,
    radius: float,
    *,
    tolerance: float = 1e-3,
    bias: bool = False,
    threshold: float = 0.0,
    max_passes: int | None = None,
    seed: int = 0,
) -> Hindsight:
    """Minimize ``sum_t loss(u.x_t - threshold, y_t)`` over ``|u| <= radius``.

    Parameters
    ----------
    source : Source
        The data, which must be readable again.
    loss : a loss
        Convex, with a conjugate and a dual step.
    radius : float
        Of the ball, positive. The bias counts in |u|.
    tolerance, bias, threshold, max_passes, seed
        As in :func:`penalized`.

    Returns
    -------
    Hindsight
        The weights, inside the ball, and the proof; ``strength`` is that of the last
        penalized problem.

    Examples
    --------
    >>> from regretless import Squared
    >>> from regretless.evidence.hindsight import in_ball
    >>> from regretless.data import open_source
    >>> rows = open_source([[1.0], [2.0]], [1.0, 2.0], binary=False)
    >>> in_ball(rows, Squared(), 0.5, tolerance=1e-9).u.round(4)
    array([0.5])
    """
    positive("radius", radius)
    positive("tolerance", tolerance)
    passes = Passes(source, bias=bias)
    loss = prepared(loss, passes)
    descent = Descent(passes, loss, threshold=threshold, radius=radius, seed=seed)
    search = _Search(descent, radius, tolerance)
    search.run(passes_allowed(max_passes, passes.n_rows))
    u, bias_weight = passes.split(search.u)
    return Hindsight(
        u=u,
        bias=bias_weight,
        loss=search.loss,
        objective=search.loss,
        lower_bound=min(search.lower_bound, search.loss),
        problem=f"min sum {loss} over |u| <= {radius:g}, {passes.shape}",
        passes=descent.made,
        strength=descent.strength,
    )


class _Search:
    """The search for the right strength, and the best found on the way."""

    def __init__(self, descent: Descent, radius: float, tolerance: float) -> None:
        self.descent = descent
        self.radius = radius
        self.tolerance = tolerance
        start = descent.weigh()  # at u = 0 and a = 0
        self.u: Floats = descent.weights.copy()
        self.loss = start.loss
        self.lower_bound = start.dual
        self.nothing = NOTHING * abs(start.loss)
        # Convexity: the right strength times radius^2 is at most loss(0) - loss(u).
        self.largest = (start.loss - start.dual) / (radius * radius)

    @property
    def done(self) -> bool:
        """Whether the best u is proved to be good enough."""
        gap = self.loss - self.lower_bound
        return gap <= max(self.tolerance * abs(self.loss), self.nothing)

    def run(self, max_passes: int) -> None:
        """Solve penalized problems until one of them has the right strength."""
        if not self.largest > 0.0:
            return
        aim = math.log(self.radius)
        # Weak penalties are slow: come from above.
        at = math.log(max(0.1 * self.largest, self.descent.passes.longest**2))
        ends: dict[bool, tuple[float, float]] = {}  # (ln strength, ln |u|), by |u| > B
        inside = 0  # solves in a row that ended inside
        for _ in range(STAGES):
            weighed = self._solve(at, max_passes)
            if self._over(max_passes):
                return
            length = math.log(max(weighed.norm, TINY))
            outside = length > aim
            ends[outside] = (at, length)
            inside = 0 if outside else inside + 1
            if len(ends) == 2:
                at = _between(ends[False], ends[True], aim)
                continue
            if inside == PATIENCE and self._follow(at, max_passes):
                return
            # |u| falls at most like 1/strength: this may be too little, never too much.
            at += math.copysign(min(max(abs(length - aim), SHORT), LONG), length - aim)

    def _solve(self, at: float, max_passes: int) -> Weighed:
        left = max_passes - self.descent.made
        most = max(left // 4, min(left, STAGE_PASSES))
        return self.descent.solve(math.exp(at), self._goal, most=most, stop=self._note)

    def _over(self, max_passes: int) -> bool:
        return self.done or self.descent.made >= max_passes

    def _follow(self, at: float, max_passes: int) -> bool:
        """Let the center follow the weights, as long as they stay in the ball."""
        descent = self.descent
        while True:
            at -= SHORT
            descent.recenter()
            weighed = self._solve(at, max_passes)
            if self._over(max_passes):
                return True
            if weighed.norm > self.radius:
                descent.recenter(np.zeros_like(descent.center))
                return False

    def _goal(self, weighed: Weighed) -> float:
        """A gap so small that the rest is the strength's fault."""
        smallest = min(abs(weighed.loss), abs(weighed.stretched))
        return max(0.3 * self.tolerance * smallest, self.nothing)

    def _note(self, weighed: Weighed) -> bool:
        """Keep the best on both sides; stop if that is enough."""
        bound = weighed.dual - self.radius * weighed.pull
        self.lower_bound = max(self.lower_bound, bound)
        scales = [(math.inf, 0.0)]
        if weighed.norm > 0.0:
            scales.append((weighed.stretched, self.radius / weighed.norm))
        if weighed.norm <= self.radius:
            scales.append((weighed.loss, 1.0))
        loss, scale = min(scales)
        if loss < self.loss:
            self.loss = loss
            self.u = scale * self.descent.weights
        return self.done


def _between(a: tuple[float, float], b: tuple[float, float], aim: float) -> float:
    """The ln strength where a line through both points meets the aim, well inside."""
    rise = b[1] - a[1]
    share = (aim - a[1]) / rise if rise != 0.0 else 0.5
    return a[0] + min(max(share, 0.1), 0.9) * (b[0] - a[0])
