"""The best u on the simplex or in the L1 ball, for any convex loss.

The minimum of sum_t phi_t(u.x_t - c) over K = {u >= 0, sum u = r} or {|u|_1 <= r} is a
saddle point of sum_t (a_t (u.x_t - c) - phi_t*(a_t)). All a_t step up, then u steps
down, again and again; the averages of both converge, and the walk begins anew from them
whenever the gap has halved. For any a, with g = sum_t a_t x_t, weak duality gives::

    min_K  >=  -sum_t (phi_t*(a_t) + c a_t) + r min_j g_j        (- r max_j |g_j|)

With a_t = slope_t(u) this is the Frank-Wolfe gap, which needs no conjugate but goes to
zero for smooth losses only.

References
----------
Chambolle, Pock (2011); Pock, Chambolle (2011) for the steps; Applegate et al. (2021)
for beginning anew.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...data import Source
from ...engine.kernels.compiled import entry
from ...engine.kernels.saddle import ascend_rows, price_rows, size_rows
from ...parts.conjugates import Sloped, solvable
from ...parts.part_types import Loss
from ...parts.state import Floats
from .convexity import checked_loss
from .descent import passes_allowed
from .passes import Passes
from .projection import onto_l1_ball, onto_simplex
from .regularized import NOTHING, positive
from .solution import Hindsight

STRIDE = 8  # steps between two measurements
ENOUGH = 0.5  # begin anew when the gap has shrunk by this
LONGEST = 0.4  # ... or when the present walk is that much of all steps


def on_simplex(
    source: Source,
    loss: Loss,
    radius: float = 1.0,
    *,
    signed: bool = False,
    tolerance: float = 1e-3,
    bias: bool = False,
    threshold: float = 0.0,
    max_passes: int | None = None,
) -> Hindsight:
    """Minimize ``sum_t loss(u.x_t - threshold, y_t)`` on a simplex or in an L1 ball.

    Parameters
    ----------
    source : Source
        The data, which must be readable again.
    loss : a loss
        Convex. Without a conjugate it should be smooth, or the gap stays open.
    radius : float
        The sum of the weights (the largest sum of their sizes, where signed).
    signed : bool
        Whether weights may be negative: |u|_1 <= radius instead of u >= 0,
        sum u = radius.
    tolerance : float
        The relative gap to reach.
    bias : bool
        Whether every row has one more feature, always 1. Its weight is one of the
        simplex's.
    threshold : float
        Subtracted from u.x to make the score.
    max_passes : int or None
        After so many passes the answer is what it is; its gap says so.

    Returns
    -------
    Hindsight
        The weights, in the set, and the proof.

    Examples
    --------
    >>> from regretless import Absolute
    >>> from regretless.evidence.hindsight import on_simplex
    >>> from regretless.data import open_source
    >>> rows = open_source([[1.0, 0.0], [0.0, 1.0]], [0.3, 0.7], binary=False)
    >>> on_simplex(rows, Absolute()).u.round(2)
    array([0.3, 0.7])
    """
    positive("radius", radius)
    positive("tolerance", tolerance)
    passes = Passes(source, bias=bias)
    loss = checked_loss(loss, passes.lowest, passes.highest)
    walk = _SaddleWalk(
        passes, loss if solvable(loss) else Sloped(loss), radius, signed, threshold
    )
    walk.run(tolerance, passes_allowed(max_passes, passes.n_rows))
    u, bias_weight = passes.split(walk.best)
    where = f"|u|_1 <= {radius:g}" if signed else f"u >= 0, sum u = {radius:g}"
    return Hindsight(
        u=u,
        bias=bias_weight,
        loss=walk.loss,
        objective=walk.loss,
        lower_bound=min(walk.lower_bound, walk.loss),
        problem=f"min sum {loss} over {where}, {passes.shape}",
        passes=walk.made,
    )


class _Point(NamedTuple):
    """Weights, dual numbers, sum_t a_t x_t, and what they are worth together."""

    u: Floats
    duals: Floats
    gradient: Floats
    gap: float


class _SaddleWalk:
    """The walk to the saddle point, and the best seen on both sides."""

    def __init__(
        self,
        passes: Passes,
        loss: Loss | Sloped,
        radius: float,
        signed: bool,
        threshold: float,
    ) -> None:
        self.passes = passes
        self.data_loss = loss
        self.radius = radius
        self.signed = signed
        self.threshold = float(threshold)
        self.made = 0
        self.best: Floats = np.zeros(passes.n_weights)
        self.loss = math.inf
        self.lower_bound = -math.inf
        self.columns = self._column_sizes()
        self.weight = math.sqrt(passes.n_rows) / radius  # a guess, mended on the way
        self.length = 1.0  # of a step: 1 is always short enough
        self.steps = 0

    def run(self, tolerance: float, max_passes: int) -> None:
        """Walk until the gap is closed, or the passes are used up."""
        d = self.passes.n_weights
        u = np.full(d, 0.0 if self.signed else self.radius / d)
        point = self._price(u, np.zeros(self.passes.n_rows), np.zeros(d))
        nothing = NOTHING * abs(self.loss)

        def over() -> bool:
            gap = self.loss - self.lower_bound
            enough = gap <= max(tolerance * abs(self.loss), nothing)
            return enough or self.made >= max_passes

        while not over():
            begun = point
            leg = _Leg(begun)
            while not over():
                for _ in range(STRIDE):
                    self._step(leg)
                point = min(
                    self._price(self._inside(leg.mean_u), *leg.mean_rest),
                    self._price(leg.u, leg.duals, leg.gradient),
                    key=lambda point: point.gap,
                )
                if point.gap <= ENOUGH * begun.gap or leg.steps >= LONGEST * self.steps:
                    break
            self._balance(begun, point)

    def _step(self, leg: _Leg) -> None:
        """Weights down, then dual numbers up at where the weights are heading."""
        costs = self.weight * self.columns
        pace = self.length / costs
        project = onto_l1_ball if self.signed else onto_simplex
        u = project(leg.u - pace * leg.gradient, pace, self.radius)
        leg.total += self.length
        share = self.length / leg.total
        gradient, moved = self._ascend(2.0 * u - leg.u, leg, share)
        way = u - leg.u
        # How long a step could have been: Applegate et al. (2021), section 3.1.
        movement = 0.5 * (float(costs @ (way * way)) + moved / self.weight)
        clash = abs(float((gradient - leg.gradient) @ way))
        leg.u = u
        leg.gradient = gradient
        leg.mean_u += share * (u - leg.mean_u)
        leg.mean_gradient += share * (gradient - leg.mean_gradient)
        leg.steps += 1
        self.steps += 1
        k = self.steps + 1.0
        limit = movement / clash if clash > 0.0 else math.inf
        self.length = min((1.0 - k**-0.3) * limit, (1.0 + k**-0.6) * self.length)
        self.length = max(self.length, 1.0)

    def _ascend(self, u: Floats, leg: _Leg, share: float) -> tuple[Floats, float]:
        """A step of all dual numbers at `u`: sum_t a_t x_t, and how far they moved."""
        self.made += 1
        gradient = np.zeros_like(u)
        moved = 0.0
        for block in self.passes.blocks():
            here = slice(block.first, block.first + block.targets.size)
            arguments = (
                self.data_loss,
                block.rows,
                block.targets,
                (self.threshold, self.weight * self.length, share),
                u,
                leg.duals[here],
                leg.mean_duals[here],
                gradient,
            )
            moved += entry(ascend_rows, arguments)(*arguments)
        return gradient, moved

    def _price(self, u: Floats, duals: Floats, gradient: Floats) -> _Point:
        """Measure a point, by its dual numbers and by the slopes at u."""
        self.made += 1
        sums = np.zeros(3)
        slopes = np.zeros_like(u)
        for block in self.passes.blocks():
            arguments = (
                self.data_loss,
                block.rows,
                block.targets,
                self.threshold,
                u,
                duals[block.first : block.first + block.targets.size],
                slopes,
            )
            sums += entry(price_rows, arguments)(*arguments)
        loss, dual, tangent = sums.tolist()
        bound = max(dual + self._lowest(gradient), tangent + self._lowest(slopes))
        if loss < self.loss:
            self.loss, self.best = loss, u.copy()
        self.lower_bound = max(self.lower_bound, bound)
        return _Point(u, duals, gradient, loss - bound)

    def _lowest(self, gradient: Floats) -> float:
        """The minimum of gradient.u over the set."""
        if self.signed:
            return -self.radius * float(np.abs(gradient).max())
        return self.radius * float(gradient.min())

    def _inside(self, u: Floats) -> Floats:
        """An average of points of the set, without its rounding."""
        size = float(np.abs(u).sum())
        if self.signed:
            return u * min(1.0, self.radius / size) if size > 0.0 else u.copy()
        return np.maximum(u, 0.0) * (self.radius / size)

    def _column_sizes(self) -> Floats:
        """Sums of |x| by column; a column of zeros counts as the smallest other."""
        self.made += 1
        sizes = np.zeros(self.passes.n_weights)
        for block in self.passes.blocks():
            arguments = (block.rows, int(block.targets.size), sizes)
            entry(size_rows, arguments)(*arguments)
        smallest = float(sizes[sizes > 0.0].min(initial=1.0))
        return np.maximum(sizes, smallest)

    def _balance(self, old: _Point, new: _Point) -> None:
        """Weigh both sides by how far they went, halfway (Applegate et al.)."""
        far_u = math.sqrt(float(self.columns @ (new.u - old.u) ** 2))
        size = float(self.columns.sum()) / self.passes.n_rows  # of a row, on average
        far_a = math.sqrt(size) * float(np.linalg.norm(new.duals - old.duals))
        if far_u > 0.0 and far_a > 0.0:
            self.weight = math.sqrt(self.weight * far_a / far_u)


class _Leg:
    """The walk since it last began anew, with its averages."""

    def __init__(self, start: _Point) -> None:
        self.u = start.u.copy()
        self.duals = start.duals.copy()
        self.gradient = start.gradient.copy()
        self.mean_u = np.zeros_like(self.u)
        self.mean_duals = np.zeros_like(self.duals)
        self.mean_gradient = np.zeros_like(self.gradient)
        self.total = 0.0
        self.steps = 0

    @property
    def mean_rest(self) -> tuple[Floats, Floats]:
        """The averages of the dual numbers and of sum_t a_t x_t."""
        return self.mean_duals, self.mean_gradient
