"""What a model goes by: its largest weights by name; who carries a score."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..engine.hypotheses.feature_effects import Effects
from ..engine.hypotheses.panel_members import plainly
from ..evidence.judged_run import JudgedRun
from ..models import Model
from ..parts.reprs import shown
from ..parts.rows import Longs
from ..parts.state import Floats

TOP = 20
FEW = 8  # of many classes, features of each
MOST = 12  # classes beyond which there is one chart too many
NOTE = "From a low value of the feature to a high one, all others typical."


class Bars(NamedTuple):
    """Numbers by name, largest first."""

    title: str
    unit: str
    kind: str  # of what the names are
    names: list[str]
    values: list[float]
    note: str = ""


def bars_of(run: JudgedRun, given: Model | None) -> list[Bars]:
    """The bars worth showing; raise ``ValueError`` where there are none."""
    if run.ledger.plays == "experts":
        return _experts(run)
    if run.ledger.mistakes is None and run.weights.size == 1:
        raise ValueError("the mean game has one number, and it is in the run's facts")
    model: Model = run.model("last") if given is None else given
    if not model.hypothesis.weighs:  # of weights on the way, the last
        model = run.model("last")
    hypothesis = model.hypothesis
    if not hypothesis.weighs:
        raise ValueError(f"a {hypothesis.noun} has no weights of features")
    if model.many:
        return _classes(model)
    if hypothesis.members(None, 0):
        return [_effects(model, model.effects()), _members(model)]
    if hypothesis.effect_of == "typical row":
        return [_effects(model, model.effects())]
    return [_weights(model)]


def _weights(model: Model) -> Bars:
    weights = model.weights
    order = _largest(weights)
    names = [model.feature(j) for j in order]
    note = ""
    if model.classes is not None:
        negative, positive = model.classes
        note = f"A weight above zero says {positive}, one below says {negative}."
    found = int(np.count_nonzero(weights))
    return Bars(
        f"The {len(order)} largest of {found:,} weights",
        "weight",
        "feature",
        names,
        weights[order].tolist(),
        note,
    )


def _classes(model: Model) -> list[Bars]:
    """What each class goes by."""
    classes = model.classes or ()
    if len(classes) > MOST:
        raise ValueError(
            f"there are {len(classes):,} classes, with weights of their own"
        )
    if model.hypothesis.effect_of == "typical row":
        effects = model.effects()
        return [
            _effects(model, effects._replace(values=row), FEW, label)
            for label, row in zip(classes, effects.values, strict=True)
        ]
    return [
        _of_class(model, label, row)
        for label, row in zip(classes, model.weights, strict=True)
    ]


def _of_class(model: Model, label: object, weights: Floats) -> Bars:
    order = _largest(weights, FEW)
    return Bars(
        f"The {len(order)} largest weights of {label}",
        "weight",
        "feature",
        [model.feature(j) for j in order],
        weights[order].tolist(),
        f"Above zero says {label}, below says another class.",
    )


def _effects(
    model: Model, effects: Effects, top: int = TOP, label: object = None
) -> Bars:
    """What each feature does to the score of a typical row; of one class, if many."""
    values, low, high, unit = effects
    order = _largest(values, top)
    ends = zip(low[order].tolist(), high[order].tolist(), strict=True)
    what, note = "prediction", NOTE
    if unit != "amount":
        what, pair = "score", model.classes or (-1, 1)
        if model.many:
            what, pair = f"score of {label}", ("the rest", label)
        negative, positive = pair
        note += f" Above zero says {positive}, below says {negative}."
    return Bars(
        f"The {len(order)} features that move the {what} most",
        f"change of the {unit}",
        "feature",
        [
            f"{model.feature(j)} ({shown(a)} to {shown(b)})"
            for j, (a, b) in zip(order, ends, strict=True)
        ],
        values[order].tolist(),
        note,
    )


def _members(model: Model) -> Bars:
    members = model.hypothesis.members(None, 0)
    shares = {plainly(name): share for name, *_, share in members}
    order = sorted(shares, key=lambda name: -shares[name])
    return Bars(
        "Who carries the panel's score",
        "largest possible share of the score",
        "member",
        order,
        [shares[name] for name in order],
        "Members are learners, and trees where there are any; a stack weighs them.",
    )


def _experts(run: JudgedRun) -> list[Bars]:
    """How much each expert counts, and what it lost."""
    ledger = run.ledger
    assert ledger.plays == "experts"
    names = [str(k) for k in range(ledger.n_experts)]
    if run.names is not None:
        names = [str(name) for name in run.names]
    heavy = _largest(run.weights)
    losses = np.where(
        ledger.waking_rounds > 0, ledger.expert_losses, np.inf
    ) / np.maximum(ledger.waking_rounds, 1.0)
    low = np.argsort(losses, kind="stable")[:TOP]
    low = low[np.isfinite(losses[low])]
    return [
        Bars(
            "Whom to believe now",
            "weight in the coming round",
            "expert",
            [names[k] for k in heavy],
            run.weights[heavy].tolist(),
            "Weights add up to one.",
        ),
        Bars(
            "What the experts lost",
            "loss a round, while awake",
            "expert",
            [names[k] for k in low],
            losses[low].tolist(),
            f"The learner itself lost {ledger.loss / ledger.rounds:.4g} a round.",
        ),
    ]


def _largest(numbers: Floats, top: int = TOP) -> Longs:
    order = np.argsort(-np.abs(numbers), kind="stable")[:top]
    return order[numbers[order] != 0.0]
