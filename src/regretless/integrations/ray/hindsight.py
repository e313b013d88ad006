"""The best u in hindsight over all shards, with the gap that proves it.

    minimize  sum_t loss(u.x_t - c, y_t) + (strength/2)|u|^2

One number a_t a row, which stays with its shard, and w = -(1/strength) sum_t a_t x_t,
which all share. In every round each of the K shards runs dual coordinate descent on its
own rows, from w, as if the penalty were only strength/K; all the changes are added. The
weaker penalty makes the changes shorter by just so much that their sum never overshoots
(the dual value rises in every round). Half as many is mostly enough and twice as fast,
so it begins with K/2 and takes K from the first round on that went too far. Both sides
of the gap are sums over shards, so it is exact whatever the descent has reached: with
v = sum_t a_t x_t ::

    sum_t loss(w.x_t - c, y_t) + (strength/2)|w|^2            is at least the minimum
    -sum_t (loss*(a_t) + c a_t) - |v|^2/(2 strength)          is at most the minimum

References
----------
Jaggi et al. (2014); Ma, Smith, Jaggi, Jordan, Richtarik, Takac (2015), CoCoA+.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from ...evidence.hindsight import Hindsight
from ...evidence.hindsight.descent import Descent
from ...evidence.hindsight.passes import Passes
from ...evidence.hindsight.regularized import positive, prepared
from ...parts.state import Floats
from ...runs.replayable_game import PlayedSource
from .job_spec import JobSpec
from .task_pool import Ref, TaskPool
from .work import Report, opened, reporting

LOCAL = 10  # passes over a shard between two synchronizations
MOST = 200  # synchronizations


class Sides(NamedTuple):
    """What a shard adds to both sides of the gap, at the w and a it began with.

    Attributes
    ----------
    loss : float
        The sum of the losses of w.
    dual : float
        -sum_t (loss*(a_t) + c a_t).
    rows : int
        How many rows it has.
    passes : int
        How often it was read.
    """

    loss: float
    dual: float
    rows: int
    passes: int


@partial(reporting, returns=3)
def descend_shard(
    terms: JobSpec,
    report: Report,
    weights: Floats,
    duals: Floats | None,
    problem: tuple[float, float, int],
) -> tuple[Sides, Floats, Floats]:
    """One round of a shard: both sides where it begins, then the descent.

    Returns the sides, the new dual numbers, and the new sum_t a_t x_t of the shard.
    """
    strength, share, seed = problem
    source = opened(terms, report.shard)
    width = terms.n_features or 0
    played = PlayedSource(source, None, None, width, report.rounds, report.refused)
    learner = terms.learner
    passes = Passes(played, bias=learner.bias)
    parts = learner.composition(passes.n_weights)
    loss = prepared(parts.loss, passes)
    descent = Descent(passes, loss, threshold=parts.threshold, seed=seed)
    descent.strength = strength / share
    descent.weights = weights.copy()
    if duals is not None:
        descent.duals = duals.copy()
    weighed = descent.weigh()
    for _ in range(LOCAL):
        descent.descend()
    sides = Sides(weighed.loss, weighed.dual, passes.n_rows, descent.made + 1)
    return sides, descent.duals, descent.gathered()


def best_in_hindsight(
    pool: TaskPool,
    terms: JobSpec,
    reports: Sequence[Report],
    strength: float,
    *,
    tolerance: float = 1e-3,
    most: int = MOST,
) -> Hindsight:
    """Solve over the rows that were played.

    Parameters
    ----------
    pool : TaskPool
        Who works.
    terms : Terms
        How shards are read; the number of features is known.
    reports : sequence of Report
        The shards, and which of their rows were played.
    strength : float
        Of the penalty.
    tolerance : float
        The relative gap to reach.
    most : int
        After so many synchronizations the answer is what it is; its gap says so.
    """
    positive("strength", strength)
    positive("tolerance", tolerance)
    solving = _Solving(pool, terms, [one for one in reports if one.rounds], strength)
    for number in range(most):
        if solving.round(number) <= tolerance * abs(solving.objective):
            break
    return solving.answer()


class _Solving:
    """Weights and dual numbers between two rounds."""

    def __init__(
        self,
        pool: TaskPool,
        terms: JobSpec,
        reports: list[Report],
        strength: float,
    ) -> None:
        self.pool = pool
        self.terms = terms
        self.reports = reports
        self.strength = float(strength)
        self.bias = int(terms.learner.bias)
        self.weights: Floats = np.zeros((terms.n_features or 0) + self.bias)
        self.duals: list[Ref] = [None] * len(reports)
        self.best = self.weights
        self.objective = self.loss = np.inf
        self.lower_bound = -np.inf
        self.rows = self.passes = 0
        self.share = max(1.0, 0.5 * len(reports))
        self._held: tuple[float, Floats, list[Ref]] | None = None
        self._loss = terms.learner.composition(2).loss
        self._task = pool.task(descend_shard, returns=3)
        self._terms = pool.ray.put(terms)

    def round(self, number: int) -> float:
        """One synchronization; the gap that has been proved by now."""
        weights = self.pool.ray.put(self.weights)
        calls = [
            partial(
                self._task.remote,
                self._terms,
                report,
                weights,
                self.duals[k],
                (self.strength, self.share, number * len(self.reports) + k),
            )
            for k, report in enumerate(self.reports)
        ]
        ended = sorted(self.pool.outcomes(calls), key=lambda outcome: outcome.number)
        dual = self._weigh([outcome.first for outcome in ended])
        if self._held is not None and dual < self._held[0]:
            # Too long a step, taken together: back, and shorter ones from now on.
            _, self.weights, self.duals = self._held
            self.share = float(len(self.reports))
            return self.objective - self.lower_bound
        self._held = (dual, self.weights, self.duals)
        self.duals = [outcome.others[0] for outcome in ended]
        total: Floats = np.zeros(self.weights.size)
        for outcome in ended:
            total += self.pool.ray.get(outcome.others[1])
        self.weights = -total / self.strength
        return self.objective - self.lower_bound

    def answer(self) -> Hindsight:
        """The best weights that were weighed."""
        rows, width = self.rows, self.terms.n_features
        shape = f"{rows:,} rows x {width:,} features" + " and a bias" * self.bias
        return Hindsight(
            u=self.best[self.bias :].copy(),
            bias=float(self.best[0]) if self.bias else 0.0,
            loss=self.loss,
            objective=self.objective,
            lower_bound=min(self.lower_bound, self.objective),
            problem=(
                f"min sum {self._loss} + "
                f"({self.strength:g}/2)|u|^2 over {shape}, {len(self.reports)} shards"
            ),
            passes=self.passes,
            strength=self.strength,
        )

    def _weigh(self, sides: list[Sides]) -> float:
        """Both sides at the weights that the round began with; the dual one."""
        penalty = 0.5 * self.strength * float(self.weights @ self.weights)
        loss = sum(side.loss for side in sides)
        dual = sum(side.dual for side in sides) - penalty
        self.lower_bound = max(self.lower_bound, dual)
        if loss + penalty < self.objective:
            self.objective, self.loss, self.best = loss + penalty, loss, self.weights
        self.rows = sum(side.rows for side in sides)
        self.passes += max(side.passes for side in sides)
        return dual
