"""Comparators for linear learners, and the theorems evaluated with them.

Which comparator is the interesting one depends on the class that the learner competes
with: the ball it is projected onto, the simplex it lives on, the penalty it pays. The
Perceptrons compete with every u at once, so they get a path of SVMs, and each theorem
takes the u that makes it tightest (Cesa-Bianchi's oracle bound).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from ..hindsight import (
    Comparison,
    Hindsight,
    compare_with,
    in_ball,
    max_margin_on_simplex,
    on_simplex,
    penalized,
    svm_path,
)
from ..learners import BalancedWinnow, NormalizedWinnow, PNormPerceptron, Winnow
from ..learners import Perceptron as PerceptronLearner
from ..parts.domains import Ball, Everywhere, Simplex
from ..parts.geometries import SignedEntropy, SimplexEntropy
from ..parts.penalties import strength
from ..parts.state import Floats
from ..parts.steps import Constant
from ..theory.facts import Facts
from .regret import Regret

__all__ = ["given", "linear_facts", "linear_hindsight", "linear_regret"]

RADII = (
    1.0,
    2.0,
    3.0,
    4.0,
    6.0,
    8.0,
    12.0,
    16.0,
)  # |u|_1 of the comparators tried for Winnow


def linear_facts(run: Any, u: Any = None, *, tolerance: float = 1e-3) -> list[Facts]:
    """The run with every comparator worth trying; with `u` alone if it is given."""
    game = run.replayable("a theorem about a comparator")
    player = game.learner.player(run.weights.size)
    base = Facts(run.ledger, player.parts, player.state.primal.size)
    if u is not None:
        candidates: list[tuple[Floats, float, str]] = [(*given(run, u), "")]
    else:
        candidates = [
            (one.u, one.bias, one.problem) for one in _solutions(run, tolerance)
        ]
        if isinstance(run.learner, Winnow):  # a disjunction is worth a try as well
            candidates += [
                (np.rint(u), float(np.rint(bias)), f"{problem}, rounded")
                for u, bias, problem in candidates
            ]
    return [
        replace(base, comparison=_compare(game, weights, bias), problem=problem)
        for weights, bias, problem in candidates
    ]


def linear_hindsight(run: Any, *, tolerance: float = 1e-3) -> Hindsight:
    """The best comparator of the class that the learner competes with."""
    learner = run.learner
    if isinstance(learner, PerceptronLearner | PNormPerceptron):
        path = svm_path(_source(run), bias=learner.bias, tolerance=tolerance)
        return min(path, key=lambda one: _root(run, one))
    if isinstance(learner, Winnow | NormalizedWinnow | BalancedWinnow):
        return min(_winnow_solutions(run, tolerance), key=lambda one: one.loss)
    return _solve(run, tolerance)


def linear_regret(run: Any, u: Any = None) -> Regret:
    """The regret against `u`, or against the best in hindsight, as an interval."""
    if u is not None:
        facts = linear_facts(run, u)[0]
        return Regret(facts.regret, facts.regret, f"u, with {facts.describe()}")
    best = linear_hindsight(run)
    comparison = _compare(run.replayable("regret"), best.u, best.bias)
    low = run.ledger.loss - comparison.objective
    if isinstance(run.learner, PerceptronLearner | PNormPerceptron | Winnow):
        return Regret(low, low, best.problem)
    return Regret(low, low + _open_gap(best), best.problem)


def _open_gap(best: Hindsight) -> float:
    """By how much a comparator could still be better; 0 where it is not the class's.

    A free learner competes with all of space, where a minimum need not exist: its
    comparator is that of a penalized problem, and is taken as it is.
    """
    return 0.0 if "|u|^2" in best.problem and best.strength == 0.0 else best.gap


def _solve(run: Any, tolerance: float) -> Hindsight:
    """One convex problem, told from the learner's parts."""
    source = _source(run)
    parts = run.learner.player(run.weights.size).parts
    bias = run.learner.bias
    geometry, domain = parts.geometry, parts.domain
    if isinstance(geometry, SimplexEntropy | SignedEntropy):
        return on_simplex(
            source,
            parts.loss,
            geometry.radius,
            signed=isinstance(geometry, SignedEntropy),
            tolerance=tolerance,
            bias=bias,
        )
    if isinstance(domain, Ball):
        return in_ball(
            source, parts.loss, domain.radius, tolerance=tolerance, bias=bias
        )
    if isinstance(domain, Simplex):
        return on_simplex(
            source, parts.loss, domain.radius, tolerance=tolerance, bias=bias
        )
    if not isinstance(domain, Everywhere):
        raise ValueError(
            f"the best u in a {type(domain).__name__} is not solved for: give u="
        )
    sigma = strength(parts.penalty)
    if sigma > 0.0:
        force = sigma * run.rounds
    elif isinstance(parts.step, Constant):
        force = 1.0 / parts.step.eta
    else:
        force = 1.0
    return penalized(source, parts.loss, force, tolerance=tolerance, bias=bias)


def _solutions(run: Any, tolerance: float) -> Iterable[Any]:
    """All comparators worth trying: one, or a path of them."""
    learner = run.learner
    if isinstance(learner, PerceptronLearner | PNormPerceptron):
        return svm_path(_source(run), bias=learner.bias, tolerance=tolerance)
    if isinstance(learner, NormalizedWinnow | BalancedWinnow):
        signed = isinstance(learner, BalancedWinnow)
        return [max_margin_on_simplex(_source(run), signed=signed, bias=learner.bias)]
    if isinstance(learner, Winnow):
        return _winnow_solutions(run, tolerance)
    return [_solve(run, tolerance)]


def _winnow_solutions(run: Any, tolerance: float) -> list[Hindsight]:
    learner = run.learner
    parts = learner.player(run.weights.size).parts
    signed = isinstance(learner, BalancedWinnow)
    radii = RADII if isinstance(learner, Winnow) else (1.0,)
    return [
        on_simplex(
            _source(run),
            parts.loss,
            radius,
            signed=signed,
            tolerance=tolerance,
            bias=learner.bias,
            threshold=parts.threshold,
        )
        for radius in radii
    ]


def _root(run: Any, one: Hindsight) -> float:
    """The Perceptron's root bound at a point of the path."""
    b = run.ledger.max_norm * one.norm
    return one.loss + b * b / 2 + b * float(np.sqrt(b * b / 4 + one.loss))


def _source(run: Any) -> Any:
    return run.replayable("hindsight").source


def _compare(game: Any, weights: Floats, bias: float) -> Comparison:
    make: Callable[[int | None], Any] = game.learner.player
    return compare_with(game.source, make, weights, bias)


def given(run: Any, u: Any) -> tuple[Floats, float]:
    """A user's u: one weight a feature, or one more in front for the bias."""
    weights = np.asarray(u, np.float64)
    size = run.weights.size
    allowed = {size, size + 1} if run.learner.bias else {size}
    if weights.ndim != 1 or weights.size not in allowed:
        raise ValueError(
            f"u must be {size} numbers, one a feature; it has shape {weights.shape}"
        )
    bad = ~np.isfinite(weights)
    if bad.any():
        j = int(np.argmax(bad))
        raise ValueError(f"u[{j}] = {weights[j]} is not a finite number")
    if weights.size > size:
        return weights[1:], float(weights[0])
    return weights, 0.0
