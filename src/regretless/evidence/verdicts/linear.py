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
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ...data import Source
from ...engine.feature_names import numbered
from ...engine.ledger import Ledger
from ...parts.domains import Ball, Box, Everywhere, Simplex
from ...parts.geometries import (
    DiagonalMatrix,
    Entropy,
    FullMatrix,
    PNorm,
    SignedEntropy,
    SimplexEntropy,
)
from ...parts.losses import Hinge, Squared
from ...parts.part_types import Loss
from ...parts.penalties import strength
from ...parts.prediction_rules import Clipped
from ...parts.state import Floats
from ...parts.steps import Constant
from ...parts.triggers import OnMistake
from ..hindsight import (
    ComparatorLedger,
    Hindsight,
    Margin,
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
from ..played_run import LinearRun
from ..theorems.facts import Facts
from .lifted_rows import lifted
from .regret import Regret
from .seen_rows import seen_by
from .task_types import Kind

RADII = (1.0, 2.0, 3.0, 4.0, 8.0)  # |u|_1 of the comparators tried for Winnow
WIDE = 10.0  # a free learner is compared with |u| up to this many times |w|
CANDIDATE = 1e-2  # the gap of a comparator that only has to be a good one
PASSES = 300

Given: TypeAlias = "npt.ArrayLike | Mapping[Hashable, float]"
"""A user's u: numbers, or numbers by name."""


class _Candidate(NamedTuple):
    """A comparator: its weights, that of its bias, and what it was solved for."""

    u: Floats
    bias: float
    problem: str

    @classmethod
    def of(cls, found: Hindsight | Margin) -> _Candidate:
        """What a solver has found."""
        return cls(found.u, found.bias, found.problem)


def linear_alone(run: LinearRun) -> list[Facts]:
    """The run without a comparator: what the ledger alone can tell."""
    player = run.learner.player(run.weights.size)
    size = player.state.primal.size
    return [Facts(run.ledger, player.parts, size, run.learner)]


def linear_facts(run: LinearRun, u: Given | None = None) -> list[Facts]:
    """The run with every comparator worth trying; with `u` alone if it is given."""
    source = Remembered(run.replayable("a theorem about a comparator").source)
    base = linear_alone(run)[0]
    problems = _Problems(run, source, CANDIDATE)
    if u is None:
        candidates = problems.candidates()
    else:
        candidates = [_Candidate(*given(run, u), "")]
        if run.learner.lifts_rows:
            base = replace(base, lifted=lifted(source, run.rounds))
    return [
        replace(base, comparison=problems.compare(one), problem=one.problem)
        for one in candidates
    ]


def linear_hindsight(run: LinearRun, *, tolerance: float = 1e-3) -> Hindsight:
    """The best comparator of the class that the learner competes with."""
    return _Problems(run, run.replayable("hindsight").source, tolerance).best()


def linear_regret(
    run: LinearRun, u: Given | None = None, *, tolerance: float = 1e-3
) -> Regret:
    """The regret against `u`, or against the best in hindsight, as an interval."""
    if u is not None:
        facts = linear_facts(run, u)[0]
        return Regret(facts.regret, facts.regret, f"u, with {facts.describe()}")
    problems = _Problems(run, run.replayable("hindsight").source, tolerance)
    best = problems.best()
    low = run.ledger.loss - problems.compare(_Candidate.of(best)).objective
    if run.learner.comparator == "ridge":
        # The u of a penalty that the learner never pays.
        return Regret(low, low, f"the u of {best.problem}")
    if isinstance(problems.parts.geometry, Entropy):
        # Other radii were not tried; losses are >= 0.
        tried = ", ".join(f"{radius:g}" for radius in RADII)
        return Regret(low, run.ledger.loss, f"the best found with |u|_1 in {tried}")
    return Regret(low, low + best.gap, best.problem)


class _Problems:
    """What may be solved for a comparator of one run, each to the same tolerance.

    `source` are its rows, which comparators get to see as the learner did.
    """

    def __init__(self, run: LinearRun, source: Source, tolerance: float) -> None:
        self.run = run
        self.learner = run.learner
        self.source = seen_by(run.learner, source)
        self.parts = run.learner.player(run.weights.size).parts
        self.tolerance = tolerance

    def best(self) -> Hindsight:
        """The best u of the class that the learner competes with."""
        geometry, domain = self.parts.geometry, self.parts.domain
        if self.learner.comparator == "ridge":
            return self._ridge()
        if isinstance(geometry, Entropy):
            return min(self._disjunctions(None), key=lambda one: one.loss)
        for part in (geometry, domain):
            if isinstance(part, SimplexEntropy | SignedEntropy | Simplex):
                signed = isinstance(part, SignedEntropy)
                return self._solved(on_simplex, part.radius, signed=signed)
        if isinstance(domain, Ball):
            return self._solved(in_ball, domain.radius)
        if not isinstance(domain, Everywhere):
            raise ValueError(
                f"the best u in a {type(domain).__name__} is not solved for: give u="
            )
        sigma = strength(self.parts.penalty)
        if sigma > 0.0:
            return self._solved(penalized, sigma * self.run.rounds)
        reach = WIDE * max(self.run.ledger.weight_norm, 1.0)
        return self._solved(in_ball, reach)

    def candidates(self) -> list[_Candidate]:
        """Comparators worth trying, each with the problem it solves."""
        parts, tried = self.parts, self.learner.comparator
        free = strength(parts.penalty) == 0.0 and isinstance(parts.domain, Everywhere)
        shares = isinstance(parts.geometry, SimplexEntropy | SignedEntropy)
        found: Sequence[Hindsight | Margin]
        if tried in ("ridge", "within reach"):
            return [self._within_reach()]
        if tried in ("margin", "signed margin"):
            signed = tried == "signed margin"
            margin = max_margin_on_simplex(
                self.source, signed=signed, bias=self.learner.bias
            )
            found = [margin]
        elif isinstance(parts.geometry, Entropy):
            found = self._disjunctions(PASSES)
        elif self._counts_mistakes():
            found = self._svms()
        elif free and not shares:
            step = parts.step
            pull = 1.0 / step.eta if isinstance(step, Constant) else 1.0
            found = [self._solved(penalized, pull)]
        elif isinstance(parts.domain, Box):
            return self._in_box(parts.domain)
        else:
            found = [self.best()]
        made = [_Candidate.of(one) for one in found]
        if tried == "disjunctions":  # one is worth a try as well
            made += [
                _Candidate(np.rint(u), float(np.rint(bias)), f"{problem}, rounded")
                for u, bias, problem in made
            ]
        return made

    def compare(self, candidate: _Candidate) -> ComparatorLedger:
        """What u pays on the rounds that were played; the learner plays beside it."""
        make = partial(self.learner.player, seen=True)
        found = compare_with(self.source, make, candidate.u, candidate.bias)
        ledger = self.run.ledger
        if (found.rounds, found.updates) != (ledger.rounds, ledger.updates):
            raise ValueError(
                f"the data have changed since they were played: {found.rounds:,} "
                f"rounds with {found.updates:,} updates now, {ledger.rounds:,} with "
                f"{ledger.updates:,} then"
            )
        return found

    def _solved(
        self,
        solver: Callable[..., Hindsight],
        size: float,
        loss: Loss | None = None,
        **options: object,
    ) -> Hindsight:
        """The u that `solver` finds, for a penalty or a set of this size."""
        options |= {"tolerance": self.tolerance, "bias": self.learner.bias}
        return solver(self.source, loss or self.parts.loss, size, **options)

    def _disjunctions(self, passes: int | None) -> list[Hindsight]:
        """The best u of several sizes |u|_1, as Winnow competes with."""
        threshold = self.parts.threshold
        return [
            self._solved(on_simplex, radius, threshold=threshold, max_passes=passes)
            for radius in RADII
        ]

    def _ridge(self) -> Hindsight:
        """The u that the bound of a matrix geometry is tightest for."""
        strength = self._matrix.strength
        if isinstance(self._matrix, FullMatrix):
            return ridge(self.source, strength, bias=self.learner.bias)
        return self._solved(penalized, 2.0 * strength, Squared())

    @property
    def _matrix(self) -> FullMatrix | DiagonalMatrix:
        assert isinstance(self.parts.geometry, FullMatrix | DiagonalMatrix)
        return self.parts.geometry

    def _within_reach(self) -> _Candidate:
        """The u of ridge regression; where scores are clipped, cut to within reach."""
        parts = self.parts
        if not isinstance(parts.prediction_rule, Clipped):
            return _Candidate.of(self._ridge())
        assert isinstance(parts.step, Constant)
        pull = self._matrix.strength / parts.step.eta
        one = self._solved(penalized, pull)
        farthest = self.compare(_Candidate.of(one)).max_score
        share = min(
            1.0, parts.prediction_rule.reach * (1.0 - 1e-12) / max(farthest, 1e-300)
        )
        problem = f"{one.problem}, times {share:.4g}"
        return _Candidate(one.u * share, one.bias * share, problem)

    def _in_box(self, box: Box) -> list[_Candidate]:
        """The best u of the ball inside a box, and that of the ball around it, cut."""
        low, high = box.low, box.high
        size = self.run.weights.size + self.learner.bias
        made: list[_Candidate] = []
        for radius in (min(-low, high), max(-low, high) * math.sqrt(size)):
            if 0.0 < radius < math.inf:
                one = self._solved(in_ball, radius)
                u, bias = np.clip(one.u, low, high), min(max(one.bias, low), high)
                made.append(_Candidate(u, bias, f"{one.problem}, cut to the box"))
        return made

    def _counts_mistakes(self) -> bool:
        """Whether its theorems are about mistakes, against every u at once."""
        parts = self.parts
        if self.learner.comparator == "machines":
            return isinstance(parts.loss, Hinge)
        return isinstance(parts.trigger, OnMistake) or isinstance(parts.geometry, PNorm)

    def _svms(self) -> list[Hindsight]:
        """A path of SVMs; down to nearly the largest margin, where there is one."""
        found = list(
            svm_path(self.source, tolerance=self.tolerance, bias=self.learner.bias)
        )
        if found[-1].loss < 0.05 * self.run.rounds:
            least = found[-1].strength
            found += [
                self._solved(penalized, least * share, Hinge(), max_passes=PASSES)
                for share in (1e-1, 1e-2, 1e-3)
            ]
        return found


def _by_name(run: LinearRun, u: Mapping[Hashable, float]) -> Floats:
    weights = np.zeros(run.weights.size)
    known = {name: j for j, name in numbered(run.names, weights.size)}
    for name, weight in u.items():
        if name not in known:
            raise ValueError(f"u names {name!r}, which is no feature of this run")
        weights[known[name]] = float(weight)
    return weights


def given(run: LinearRun, u: Given) -> tuple[Floats, float]:
    """A user's u: one weight a feature (one more in front for the bias), or by name."""
    size = run.weights.size
    if isinstance(u, Mapping):
        return _by_name(run, u), 0.0
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


def linear_along(run: LinearRun, facts: Facts, stops: Sequence[int]) -> Iterator[Facts]:
    """The facts of the learner and of u, played side by side, at every stop."""
    for ledger, comparison in _beside(run, facts.u, stops):
        yield replace(facts, ledger=ledger, comparison=comparison)


def linear_regret_along(
    run: LinearRun, facts: Facts | None, stops: Sequence[int]
) -> tuple[str, Floats]:
    """The regret against the best in hindsight, found roughly: it is to be drawn."""
    best = linear_hindsight(run, tolerance=CANDIDATE)
    u = np.concatenate([[best.bias], best.u]) if run.learner.bias else best.u
    steps = _beside(run, u, stops)
    return best.problem, np.array([one.loss - other.objective for one, other in steps])


def _beside(
    run: LinearRun, u: Floats, stops: Sequence[int]
) -> Iterator[tuple[Ledger, ComparatorLedger]]:
    """The statistics of the learner and of u, at every stop."""
    learner = run.learner
    bias = int(learner.bias)
    return compare_along(
        seen_by(learner, run.replayable("how the regret grew").source),
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
