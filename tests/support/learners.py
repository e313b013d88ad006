"""The one list of learners that every law is checked on, each beside its naive twin.

A twin is the class of the same name in a ``naive*.py``, made with the number of
features and the parameters of its own that the learner has too. A learner that is not
listed here is put through all laws at its defaults, or as ``cases`` of its twin says.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import naive
import naive_adaptive as adaptive
import naive_second_order as second
import regretless as rg
from regretless.algorithms.discovery import all_learners
from regretless.algorithms.learners import LinearLearner

SQRT2 = math.sqrt(2)


@dataclasses.dataclass(frozen=True)
class Case:
    """A learner, and what makes its naive twin where names do not say it."""

    learner: LinearLearner
    make: Callable[[int], naive.Algorithm] | None = None

    def twin(self, d: int) -> naive.Algorithm:
        """The naive twin, for this many features."""
        return twin_of(self.learner, d) if self.make is None else self.make(d)

    @property
    def binary(self) -> bool:
        return self.learner.composition(2).loss.task == "binary"

    @property
    def low(self) -> float:
        """The least entry that it accepts."""
        return self.learner.composition(2).low

    @property
    def high(self) -> float:
        """The largest entry that it accepts."""
        return self.learner.composition(2).high

    @property
    def additive(self) -> bool:
        """Whether small whole numbers are learned from without any rounding."""
        return isinstance(self.learner, rg.Perceptron)


def twin_of(learner: LinearLearner, d: int) -> naive.Algorithm:
    """The twin of a learner, made of the parameters that both have."""
    kind = twin_class(type(learner).__name__)
    given = {
        name: part(value) if hasattr(value, "_fields") else value
        for name, value in vars(learner).items()
        if name in inspect.signature(kind).parameters
    }
    return kind(d, **given)


def twin_class(name: str) -> Any:
    """The naive algorithm of this name."""
    for path in Path(__file__).parent.glob("naive*.py"):
        importlib.import_module(path.stem)
    found = [kind for kind in _below(naive.Algorithm) if kind.__name__ == name]
    assert found, f"{name} needs a slow version: a class of this name in a naive*.py"
    return found[0]


def _below(kind: type) -> Iterator[type]:
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)


def part(of: Any) -> tuple[str, tuple[float, ...]]:
    """A part of the package as the naive code names it."""
    return type(of).__name__, tuple(of)


def ogd(loss: Any, step: Any, domain: Any = None) -> Case:
    """OGD with these parts, and its twin."""
    project: Any = naive.everywhere
    if isinstance(domain, rg.Ball):
        project = naive.ball(domain.radius)
    elif isinstance(domain, rg.Box):
        project = naive.box(domain.low, domain.high)
    elif isinstance(domain, rg.Simplex):
        project = naive.simplex(domain.radius)
    return Case(
        rg.OGD(loss, step, domain=domain),
        lambda d: naive.OGD(d, part(loss), part(step), project),
    )


def eg(loss: Any, step: Any, radius: float = 1.0, signed: bool = False) -> Case:
    """EG with these parts, and its twin."""
    kind = naive.SignedEG if signed else naive.EG
    return Case(
        rg.EG(loss, step, radius, signed),
        lambda d: kind(d, part(loss), part(step), radius),
    )


def adagrad(loss: Any, **more: Any) -> Case:
    """AdaGrad with these parts, and its twin."""
    learner = rg.AdaGrad(loss, **more)
    parts = learner.composition(2)
    box = (parts.domain.low, parts.domain.high) if more.get("radius") else None
    return Case(
        learner,
        lambda d: adaptive.AdaGrad(
            d, part(loss), parts.geometry.eta, box, learner.implicit, learner.scale
        ),
    )


def ftrl(loss: Any, *parameters: float, **more: Any) -> Case:
    """FTRL-Proximal with these parameters, and its twin."""
    return Case(
        rg.FTRLProximal(*parameters, loss=loss, **more),
        lambda d: adaptive.FTRLProximal(d, part(loss), *parameters, **more),
    )


def coin(loss: Any, **more: Any) -> Case:
    """A bettor, and its twin."""
    learner = rg.CoinBetting(loss, **more)
    kind: Any = adaptive.CoinBetting
    scale = learner.scale
    if learner.per_coordinate:
        kind, scale = adaptive.CoordinateBetting, scale or "max"
    largest = loss.lipschitz * learner.max_norm
    return Case(learner, lambda d: kind(d, part(loss), largest, learner.eps, scale))


def passive_aggressive(*parameters: Any, **more: Any) -> Case:
    """A passive-aggressive learner, and its twin."""
    return Case(
        rg.PassiveAggressive(*parameters, **more),
        lambda d: adaptive.PassiveAggressive(d, *parameters, **more),
    )


CASES = [
    Case(rg.Perceptron()),
    Case(rg.PNormPerceptron()),
    Case(rg.PNormPerceptron(p=3.5)),
    Case(rg.Winnow()),
    Case(rg.Winnow(0.4, 2.0)),
    Case(rg.NormalizedWinnow(0.3)),
    Case(rg.BalancedWinnow(0.3)),
    Case(rg.Pegasos(0.1)),
    ogd(rg.Hinge(), rg.Constant(0.5)),
    ogd(rg.Logistic(), rg.InverseSqrt(SQRT2), rg.Ball(1.0)),
    ogd(rg.Absolute(), rg.Adaptive(2 * SQRT2), rg.Ball(2.0)),
    ogd(rg.Squared(), rg.InverseTime(2.0), rg.Box(-0.5, 1.5)),
    ogd(rg.Pinball(0.3), rg.Adaptive(1.0), rg.Simplex(1.0)),
    eg(rg.Hinge(), rg.Constant(0.5)),
    eg(rg.Squared(), rg.InverseSqrt(0.2), radius=2.0),
    eg(rg.Logistic(), rg.Adaptive(1.0), radius=3.0, signed=True),
    adagrad(rg.Hinge()),
    adagrad(rg.Absolute(), radius=0.7, implicit=True),
    ftrl(rg.Logistic(), 0.5, 1.0, 0.4, 0.1),
    ftrl(rg.Hinge(), 0.8 * SQRT2, 0.0, 0.0, 0.0, radius=0.8),
    coin(rg.Logistic(), max_norm=4.0),
    passive_aggressive(),
    passive_aggressive(0.3),
    passive_aggressive(0.5, squared=True),
    passive_aggressive(0.5, epsilon=0.2),
    Case(rg.AROW(0.7)),
    Case(rg.UnnormalizedEG(rg.Logistic(), rg.Constant(0.1))),
]

# Learners that divide by running scales: what predicts is not linear in a row.
SCALED_CASES = [
    adagrad(rg.Logistic(), implicit=True, scale="rms"),
    ftrl(rg.Hinge(), 1.0, 0.5, 0.2, 0.0, scale="max"),
    coin(rg.Hinge(), eps=2.0, per_coordinate=True),
]

# Learners that say something else than the score of their weights.
FORESEEN_CASES = [
    Case(rg.VAW(0.5), lambda d: second.VAW(d, 0.5)),
    Case(rg.SecondOrderPerceptron(2.0)),
    Case(
        rg.ONS(rg.Logistic(), 2.0, 3.0),
        lambda d: second.ONS(d, ("Logistic", ()), 2.0, 1 / 32, 3.0),
    ),
]

# The parts that the cases above leave out, one at a time. Every loss:
LOSS_CASES = [
    ogd(rg.ZeroOne(), rg.Constant(0.1)),
    ogd(rg.Hinge(margin=0.5, gain=2.0), rg.Constant(0.1)),
    ogd(rg.SquaredHinge(0.7), rg.Constant(0.1)),
    ogd(rg.Logistic(), rg.Constant(0.1)),
    ogd(rg.Squared(), rg.Constant(0.1)),
    ogd(rg.Absolute(), rg.Constant(0.1)),
    ogd(rg.Pinball(0.8), rg.Constant(0.1)),
    ogd(rg.Huber(0.6), rg.Constant(0.1)),
    ogd(rg.Exponential(), rg.Constant(0.01), rg.Ball(1.0)),
]

# ... implicit updates with every loss that has them,
IMPLICIT_CASES = [
    adagrad(loss, eta=0.7, implicit=True)
    for loss in (
        rg.Hinge(margin=0.5, gain=2.0),
        rg.SquaredHinge(),
        rg.Logistic(),
        rg.Squared(),
        rg.Absolute(),
        rg.EpsilonInsensitive(0.2),
        rg.Pinball(0.3),
        rg.Huber(0.5),
    )
]

# ... and every step in every domain.
STEP_CASES = [
    ogd(rg.Hinge(), step, domain)
    for step in (
        rg.Constant(0.3),
        rg.InverseSqrt(0.5),
        rg.InverseTime(0.7),
        rg.Adaptive(0.9),
    )
    for domain in (None, rg.Ball(0.8), rg.Box(-0.4, 0.6), rg.Simplex(1.3))
]


def _not_listed() -> Iterator[Case]:
    """Those of learners that the lists above do not have."""
    listed = {type(case.learner) for case in CASES + FORESEEN_CASES}
    for kind in all_learners():
        if issubclass(kind, LinearLearner) and kind not in listed:
            cases = getattr(twin_class(kind.__name__), "cases", None) or [kind()]
            yield from map(Case, cases)


for _case in _not_listed():
    _parts = _case.learner.composition(2)
    if not isinstance(_parts.prediction_rule, rg.AsItStands):
        FORESEEN_CASES.append(_case)
    elif not isinstance(_parts.view, rg.AsIs):
        SCALED_CASES.append(_case)
    else:
        CASES.append(_case)


def label(case: Case) -> str:
    """What pytest prints."""
    return repr(case.learner)
