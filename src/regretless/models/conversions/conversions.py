"""The conversions: last, mean, last-half, random, vote, validated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ...evidence.certify import IID
from ...evidence.certify.checks import checked_delta
from ...evidence.claims.change import change_of, evidence_of
from ...evidence.claims.fresh_rows import claims
from ...evidence.claims.randomized import (
    NOT_BY_AVERAGE,
    PRESET,
    SEEN,
    certificate_of,
    loss_certificate,
    vote_of,
)
from ...evidence.claims.validation import stopped, validated
from ...evidence.snapshots import Recorder
from ...parts.losses import Hinge
from ...parts.state import Floats
from ...parts.views import AsIs
from .. import LinearModel, Provenance
from .model_kinds import chosen_kind

__all__ = ["CONVERSIONS", "SEEN", "largest_loss", "model_of"]

BUDGET = 64 * 2**20  # bytes of hypotheses that a vote may keep
REFUSED = (
    "Nothing is certified about {}: the learner refused {:,} rows, which have no loss "
    'to count. model("validated") counts them as errors.'
)
NUMBERS = (
    "Nothing is certified about {}: it predicts numbers, and how much a round can cost "
    "is not known in advance."
)


def model_of(
    run: Any, kind: str | None, delta: float, recorder: Recorder | None
) -> Any:
    """The model that conversion `kind` makes of a run; None: the default."""
    checked_delta(delta)
    model = _converted(run, kind or chosen_kind(run.learner, recorder), delta, recorder)
    change = change_of(run, recorder)
    if change is not None:
        model = replace(model, certificate=None, why_not=str(change))
    elif kind is None and recorder is not None and "validated" in recorder.kinds:
        model = replace(model, **_beside(run, recorder, delta))
    return replace(model, provenance=Provenance.of(run), **claims(run, model))


def _beside(run: Any, recorder: Recorder, delta: float) -> dict[str, Any]:
    """What is certified beside a model that has learned every row."""
    try:
        return {"certificate": stopped(run, recorder, delta), "why_not": ""}
    except ValueError as problem:
        return {"why_not": f"Nothing is certified about it: {problem}."}


def _converted(run: Any, kind: str, delta: float, recorder: Recorder | None) -> Any:
    if kind not in CONVERSIONS:
        raise ValueError(f"model({kind!r}): choose among {', '.join(CONVERSIONS)}")
    if run.learner.whole:
        from .whole import regression_model_of, whole_model_of

        if run.learner.task == "real":
            return regression_model_of(run, kind, NUMBERS, recorder)
        return whole_model_of(run, kind, delta, recorder)
    if run.learner.task == "classes":
        from .multiclass import class_model_of

        return class_model_of(run, kind, delta, recorder)
    return CONVERSIONS[kind](run, delta, recorder)


def _linear(run: Any, weights: Floats, kind: str, about: str, **more: Any) -> Any:
    """A linear model from all weights, that of the bias first."""
    bias = int(run.learner.bias)
    weights = _fitted([weights], run.weights.size + bias)[0]
    return LinearModel(
        weights=weights[bias:],
        kind=kind,
        about=about,
        bias=float(weights[0]) if bias else 0.0,
        threshold=run.learner.player(run.weights.size).parts.threshold,
        names=run.names,
        classes=run.classes,
        **more,
    )


def _last(run: Any, delta: float, recorder: Recorder | None) -> Any:
    weights = np.r_[run.bias, run.weights] if run.learner.bias else run.weights
    why = _uncertified(run, "the last hypothesis")
    return _linear(run, weights, "last", "the last hypothesis", why_not=why)


def _uncertified(run: Any, about: str) -> str:
    """Why nothing is certified about a model that the online average is not about."""
    return (NUMBERS if run.mistakes is None else NOT_BY_AVERAGE).format(about)


def _mean(run: Any, delta: float, recorder: Any) -> Any:
    about = f"the mean of all {run.rounds:,} hypotheses"
    more = _by_convexity(run, delta, about, recorder)
    return _linear(run, recorder.mean(), "mean", about, **more)


def _last_half(run: Any, delta: float, recorder: Any) -> Any:
    start, weights = recorder.last_half()
    about = f"the mean of the hypotheses of rounds {start + 1:,} to {run.rounds:,}"
    more = _by_convexity(run, delta, about, recorder, start=start)
    if "certificate" in more and run.ended:
        more["certificate"] = replace(more["certificate"], scope=PRESET)
    return _linear(run, weights, "last-half", about, **more)


def _by_convexity(
    run: Any, delta: float, about: str, recorder: Any, start: int | None = None
) -> dict[str, Any]:
    """The certificate of a mean under the learner's own convex, bounded loss.

    One that starts anew at `start` pays for every start, unless it was read only at
    the preset length.
    """
    parts = run.learner.player(run.weights.size).parts
    largest = largest_loss(run, parts)
    if largest is None or run.weighted:
        return {"why_not": _uncertified(run, about)}
    if run.refused:
        return {"why_not": REFUSED.format(about, run.refused)}
    declared, longest = run.learner.max_norm, run.ledger.max_norm
    if longest > declared * (1.0 + 1e-9):  # rows of length 1 are 1 up to rounding
        raise ValueError(
            f"max_norm={declared:g} was declared, but a row has length {longest:.6g}"
        )
    losses = run.replayable("the certificate of a mean").losses()[start or 0 :]
    name = type(parts.loss).__name__.lower()
    length = None if run.length is None else run.length - (start or 0)
    spent: float | None = None
    if start is not None and not run.ended:
        k = recorder.halves.start(run.rounds).number
        spent = delta / (k * (k + 1))
    found = loss_certificate(losses, largest, delta, length, about, name, spent=spent)
    bounded = (
        f"no row is longer than {declared:g}, as declared ({longest:.4g} was seen)"
    )
    evidence = evidence_of(recorder)
    return {
        "certificate": replace(found, assumptions=(IID, bounded), evidence=evidence)
    }


def largest_loss(run: Any, parts: Any) -> float | None:
    """The most a round can cost, from what was declared, not from what was seen."""
    radius = getattr(parts.domain, "radius", None)
    reach = getattr(run.learner, "max_norm", None)
    if radius is None or reach is None or not isinstance(parts.loss, Hinge):
        return None
    return parts.loss.margin + parts.loss.gain * radius * reach


def _random(run: Any, delta: float, recorder: Any) -> Any:
    position, weights = recorder.random
    about = f"one hypothesis drawn at random: that after round {position:,}"
    if _viewed(run):
        return _linear(run, weights, "random", about, why_not=SEEN.format("it"))
    found = certificate_of(run, delta) if run.mistakes is not None else None
    return _linear(run, weights, "random", about, certificate=found)


def _viewed(run: Any) -> bool:
    """Whether the hypotheses that predicted were no linear functions of a row."""
    parts = run.learner.player(run.weights.size).parts
    return not isinstance(parts.view, AsIs)


def _vote(run: Any, delta: float, recorder: Any) -> Any:
    if run.mistakes is None:
        raise ValueError("a vote is for classifiers: this run predicts numbers")
    parts = run.learner.player(run.weights.size).parts
    updates, size = run.ledger.updates, run.weights.size + run.learner.bias
    exact = (updates + 1) * size * 8 <= BUDGET and run.game is not None
    if exact:
        hypotheses, counts = run.replayable("a vote").distinct()
    else:
        hypotheses = _fitted([weights for _, weights in recorder.voters.values()], size)
        counts = np.ones(len(hypotheses))
    bias = int(run.learner.bias)
    shift = hypotheses[:, 0] if bias else np.zeros(len(hypotheses))
    viewed = _viewed(run)
    from .. import VoteModel

    return VoteModel(
        hypotheses=hypotheses[:, bias:],
        biases=shift - parts.threshold,
        counts=counts,
        exact=exact,
        about="a majority vote",
        names=run.names,
        classes=run.classes,
        certificate=None
        if viewed
        else vote_of(certificate_of(run, delta), exact=exact),
        why_not=SEEN.format("the vote") if viewed else "",
    )


def _fitted(rows: list[Floats], size: int) -> Floats:
    """Hypotheses of a growing feature space, as rows of equal length.

    A longer one has seen the names of rows after a bad one: their weights are zero.
    """
    out = np.zeros((len(rows), size))
    for i, row in enumerate(rows):
        out[i, : row.size] = row[:size]
    return out


def _validated(run: Any, delta: float, recorder: Any) -> Any:
    if run.mistakes is None:
        raise ValueError("validation is for classifiers: this run predicts numbers")
    snapshot, found = validated(run, recorder, delta)
    weights = recorder.snapshots.hypothesis(snapshot)
    return _linear(run, weights, "validated", found.about, certificate=found)


CONVERSIONS: dict[str, Callable[[Any, float, Recorder | None], Any]] = {
    "last": _last,
    "mean": _mean,
    "last-half": _last_half,
    "random": _random,
    "vote": _vote,
    "validated": _validated,
}
