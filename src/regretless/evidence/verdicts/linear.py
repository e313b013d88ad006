"""Comparators for linear learners, and the facts that theorems are evaluated on.

Which comparator is the interesting one depends on the class that the learner competes
with: the ball it is projected onto, the simplex it lives on, the penalty it pays. The
Perceptrons compete with every u at once, so their theorems get a path of SVMs, and each
takes the u that makes it tightest (Cesa-Bianchi's oracle bound). A free learner's least
loss need not be attained, so its hindsight is the best u in a stated, large ball. Where
a learner sees rows through a view, u is given the same rows to see.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

import numpy as np

from ...engine.feature_names import numbered
from ...parts.domains import Ball, Box, Everywhere, Simplex
from ...parts.geometries import (
    Entropy,
    FullMatrix,
    PNorm,
    SignedEntropy,
    SimplexEntropy,
)
from ...parts.losses import Hinge, Squared
from ...parts.penalties import strength
from ...parts.prediction_rules import Clipped
from ...parts.state import Floats
from ...parts.steps import Constant
from ...parts.triggers import OnMistake
from ..hindsight import (
    ComparatorLedger,
    Hindsight,
    compare_along,
    compare_with,
    in_ball,
    max_margin_on_simplex,
    on_simplex,
    penalized,
    ridge,
    svm_path,
)
from ..hindsight.remembered import Remembered
from ..theorems.facts import Facts
from .lifted_rows import lifted
from .regret import Regret
from .seen_rows import seen_by
from .task_types import Kind

__all__ = [
    "KIND",
    "given",
    "linear_alone",
    "linear_facts",
    "linear_hindsight",
    "linear_regret",
]

RADII = (1.0, 2.0, 3.0, 4.0, 8.0)  # |u|_1 of the comparators tried for Winnow
WIDE = 10.0  # a free learner is compared with |u| up to this many times |w|
CANDIDATE = 1e-2  # the gap of a comparator that only has to be a good one
PASSES = 300


def linear_alone(run: Any) -> list[Facts]:
    """The run without a comparator: what the ledger alone can tell."""
    player = run.learner.player(run.weights.size)
    size = player.state.primal.size
    return [Facts(run.ledger, player.parts, size, run.learner)]


def linear_facts(run: Any, u: Any = None) -> list[Facts]:
    """The run with every comparator worth trying; with `u` alone if it is given."""
    game = run.replayable("a theorem about a comparator")
    game = replace(game, source=Remembered(game.source))
    run = replace(run, game=game)
    player = game.learner.player(run.weights.size)
    base = linear_alone(run)[0]
    if run.learner.lifts_rows and u is not None:
        base = replace(base, lifted=lifted(game.source, run.rounds))
    if u is not None:
        candidates: list[tuple[Floats, float, str]] = [(*given(run, u), "")]
    else:
        candidates = _candidates(run, player.parts)
    return [
        replace(base, comparison=_compare(run, weights, bias), problem=problem)
        for weights, bias, problem in candidates
    ]


def linear_hindsight(run: Any, *, tolerance: float = 1e-3) -> Hindsight:
    """The best comparator of the class that the learner competes with."""
    learner = run.learner
    source = seen_by(learner, run.replayable("hindsight").source)
    parts = learner.player(run.weights.size).parts
    options: dict[str, Any] = {"tolerance": tolerance, "bias": learner.bias}
    if learner.comparator == "ridge":
        return _ridge(source, parts.geometry, options)
    return _best_of_class(run, source, parts, options)


def _best_of_class(
    run: Any, source: Any, parts: Any, options: dict[str, Any]
) -> Hindsight:
    """The best u where the learner lives, or in a wide ball."""
    geometry, domain = parts.geometry, parts.domain
    if isinstance(geometry, Entropy):
        options["threshold"] = parts.threshold
        found = [on_simplex(source, parts.loss, radius, **options) for radius in RADII]
        return min(found, key=lambda one: one.loss)
    if isinstance(geometry, SimplexEntropy | SignedEntropy):
        signed = isinstance(geometry, SignedEntropy)
        return on_simplex(source, parts.loss, geometry.radius, signed=signed, **options)
    if isinstance(domain, Simplex):
        return on_simplex(source, parts.loss, domain.radius, **options)
    if isinstance(domain, Ball):
        return in_ball(source, parts.loss, domain.radius, **options)
    if not isinstance(domain, Everywhere):
        raise ValueError(
            f"the best u in a {type(domain).__name__} is not solved for: give u="
        )
    sigma = strength(parts.penalty)
    if sigma > 0.0:
        return penalized(source, parts.loss, sigma * run.rounds, **options)
    reach = WIDE * max(run.ledger.weight_norm, 1.0)
    return in_ball(source, parts.loss, reach, **options)


def linear_regret(run: Any, u: Any = None, *, tolerance: float = 1e-3) -> Regret:
    """The regret against `u`, or against the best in hindsight, as an interval."""
    if u is not None:
        facts = linear_facts(run, u)[0]
        return Regret(facts.regret, facts.regret, f"u, with {facts.describe()}")
    best = linear_hindsight(run, tolerance=tolerance)
    low = run.ledger.loss - _compare(run, best.u, best.bias).objective
    if (
        run.learner.comparator == "ridge"
    ):  # the u of a penalty that the learner never pays
        return Regret(low, low, f"the u of {best.problem}")
    if isinstance(run.learner.composition(2).geometry, Entropy):
        # Other radii were not tried; losses are >= 0.
        tried = ", ".join(f"{radius:g}" for radius in RADII)
        return Regret(low, run.ledger.loss, f"the best found with |u|_1 in {tried}")
    return Regret(low, low + best.gap, best.problem)


def _candidates(run: Any, parts: Any) -> list[tuple[Floats, float, str]]:
    """Comparators worth trying, each with the problem it solves."""
    learner = run.learner
    source = seen_by(learner, run.replayable("hindsight").source)
    options: dict[str, Any] = {"tolerance": CANDIDATE, "bias": learner.bias}
    tried = learner.comparator
    if tried in ("ridge", "within reach"):
        return _within_reach(run, source, parts, options)
    if tried in ("margin", "signed margin"):
        signed = tried == "signed margin"
        found: list[Any] = [
            max_margin_on_simplex(source, signed=signed, bias=learner.bias)
        ]
    elif isinstance(parts.geometry, Entropy):
        options |= {"threshold": parts.threshold, "max_passes": PASSES}
        found = [on_simplex(source, parts.loss, radius, **options) for radius in RADII]
    elif _counts_mistakes(tried, parts):
        found = _svms(run, source, options)
    elif strength(parts.penalty) == 0.0 and isinstance(parts.domain, Everywhere):
        pull = 1.0 / parts.step.eta if isinstance(parts.step, Constant) else 1.0
        if isinstance(parts.geometry, SimplexEntropy | SignedEntropy):
            found = [linear_hindsight(run, tolerance=CANDIDATE)]
        else:
            found = [penalized(source, parts.loss, pull, **options)]
    elif isinstance(parts.domain, Box):
        return _in_box(run, source, parts, options)
    else:
        found = [linear_hindsight(run, tolerance=CANDIDATE)]
    made = [(one.u, one.bias, one.problem) for one in found]
    if tried == "disjunctions":  # one is worth a try as well
        made += [
            (np.rint(u), float(np.rint(bias)), f"{problem}, rounded")
            for u, bias, problem in made
        ]
    return made


def _ridge(source: Any, geometry: Any, options: dict[str, Any]) -> Hindsight:
    """The u that the bound of a matrix geometry is tightest for."""
    if isinstance(geometry, FullMatrix):
        return ridge(source, geometry.strength, bias=options["bias"])
    return penalized(source, Squared(), 2.0 * geometry.strength, **options)


def _within_reach(
    run: Any, source: Any, parts: Any, options: dict[str, Any]
) -> list[tuple[Floats, float, str]]:
    """The u of ridge regression; where scores are clipped, cut down to within reach."""
    if not isinstance(parts.foresight, Clipped):
        one = _ridge(source, parts.geometry, options)
        return [(one.u, one.bias, one.problem)]
    pull = parts.geometry.strength / parts.step.eta
    one = penalized(source, parts.loss, pull, **options)
    farthest = _compare(run, one.u, one.bias).max_score
    share = min(1.0, parts.foresight.reach * (1.0 - 1e-12) / max(farthest, 1e-300))
    return [(one.u * share, one.bias * share, f"{one.problem}, times {share:.4g}")]


def _in_box(
    run: Any, source: Any, parts: Any, options: dict[str, Any]
) -> list[tuple[Floats, float, str]]:
    """The best u of the ball inside a box, and that of the ball around it, cut."""
    low, high = parts.domain.low, parts.domain.high
    around = max(-low, high) * math.sqrt(run.weights.size + run.learner.bias)
    made: list[tuple[Floats, float, str]] = []
    for radius in (min(-low, high), around):
        if 0.0 < radius < math.inf:
            one = in_ball(source, parts.loss, radius, **options)
            u, bias = np.clip(one.u, low, high), min(max(one.bias, low), high)
            made.append((u, bias, f"{one.problem}, cut to the box"))
    return made


def _counts_mistakes(tried: str, parts: Any) -> bool:
    """Whether its theorems are about mistakes, against every u at once."""
    if tried == "machines":
        return isinstance(parts.loss, Hinge)
    return isinstance(parts.trigger, OnMistake) or isinstance(parts.geometry, PNorm)


def _svms(run: Any, source: Any, options: dict[str, Any]) -> list[Any]:
    """A path of SVMs; down to nearly the largest margin, where there is one."""
    found: list[Any] = list(svm_path(source, **options))
    if found[-1].loss < 0.05 * run.rounds:
        least = found[-1].strength
        found += [
            penalized(source, Hinge(), least * share, max_passes=PASSES, **options)
            for share in (1e-1, 1e-2, 1e-3)
        ]
    return found


def _compare(run: Any, weights: Floats, bias: float) -> ComparatorLedger:
    """What u pays on the rounds that were played; the learner is played beside it."""
    game = run.replayable("a comparator")
    learner = game.learner
    make: Callable[[int | None], Any] = partial(learner.player, seen=True)
    found = compare_with(seen_by(learner, game.source), make, weights, bias)
    ledger = run.ledger
    if (found.rounds, found.updates) != (ledger.rounds, ledger.updates):
        raise ValueError(
            f"the data have changed since they were played: {found.rounds:,} rounds "
            f"with {found.updates:,} updates now, {ledger.rounds:,} with "
            f"{ledger.updates:,} then"
        )
    return found


def _by_name(run: Any, u: Mapping[Any, Any]) -> Floats:
    weights = np.zeros(run.weights.size)
    known = {name: j for j, name in numbered(run.names, weights.size)}
    for name, weight in u.items():
        if name not in known:
            raise ValueError(f"u names {name!r}, which is no feature of this run")
        weights[known[name]] = float(weight)
    return weights


def given(run: Any, u: Any) -> tuple[Floats, float]:
    """A user's u: one weight a feature (one more in front for the bias), or by name."""
    size = run.weights.size
    if isinstance(u, Mapping):
        return _by_name(run, cast("Mapping[Any, Any]", u)), 0.0
    try:
        weights = np.asarray(u, np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"u must be {size} numbers, not {u!r:.40}") from None
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


def linear_along(run: Any, facts: Facts, stops: Sequence[int]) -> Iterator[Facts]:
    """The facts of the learner and of u, played side by side, at every stop."""
    for ledger, comparison in _beside(run, facts.u, stops):
        yield replace(facts, ledger=ledger, comparison=comparison)


def linear_regret_along(
    run: Any, facts: Facts | None, stops: Sequence[int]
) -> tuple[str, Floats]:
    """The regret against the best in hindsight, found roughly: it is to be drawn."""
    best = linear_hindsight(run, tolerance=CANDIDATE)
    u = np.concatenate([[best.bias], best.u]) if run.learner.bias else best.u
    steps = _beside(run, u, stops)
    return best.problem, np.array([one.loss - other.objective for one, other in steps])


def _beside(run: Any, u: Floats, stops: Sequence[int]) -> Iterator[tuple[Any, Any]]:
    """The statistics of the learner and of u, at every stop."""
    learner = run.game.learner
    bias = int(learner.bias)
    return compare_along(
        seen_by(learner, run.game.source),
        partial(learner.player, seen=True),
        u[bias:],
        float(u[0]) if bias else 0.0,
        stops,
    )


KIND = Kind(
    linear_facts,
    linear_hindsight,
    linear_regret,
    alone=linear_alone,
    along=linear_along,
    regret_along=linear_regret_along,
)
