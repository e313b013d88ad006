"""The conversions of runs of many classes: last, mean, last-half, random, validated."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...algorithms.learners import MulticlassPerceptron, Panel
from ...engine.players.classes import FrozenClasses, FrozenClassPanels
from ...evidence.claims.randomized import NOT_BY_AVERAGE, SEEN, certificate_of
from ...evidence.claims.validation import validated
from ...evidence.snapshots import Recorder, refuse_averages, refuse_votes
from ...parts.state import Floats
from ...parts.views import AsIs
from .. import ClassesModel, ClassPanelsModel

__all__ = ["class_model_of", "refuse_class_kind"]


def refuse_class_kind(learner: Any, kind: str) -> None:
    """Raise ``ValueError`` where a run of this learner cannot make such a model."""
    if _panels(learner):
        refuse_averages((kind,))
    refuse_votes((kind,))


def class_model_of(run: Any, kind: str, delta: float, recorder: Any) -> Any:
    """The model of many classes that conversion `kind` makes of a run."""
    refuse_class_kind(run.learner, kind)
    hypothesis, about, more = _MADE[kind](run, delta, recorder)
    more |= {"kind": kind, "about": about, "names": run.names, "classes": run.classes}
    more["slopes"] = hypothesis.slopes
    hypothesis.grow(run.weights.shape[1])
    if isinstance(hypothesis, FrozenClassPanels):
        return ClassPanelsModel(panels=hypothesis, **more)
    bias = int(hypothesis.bias)
    # It may have met names of rows after a bad one: their weights are zero.
    weights = hypothesis.weights[:, : run.weights.shape[1] + bias]
    biases = np.full(len(run.classes), -np.inf)
    biases[: len(weights)] = (weights[:, 0] if bias else 0.0) + hypothesis.shift
    missing = len(biases) - len(weights)
    return ClassesModel(
        weights=np.pad(weights[:, bias:], ((0, missing), (0, 0))),
        biases=biases,
        **more,
    )


def _last(run: Any, delta: float, recorder: Any) -> tuple[Any, str, dict[str, Any]]:
    player = run.player
    if player is None or player.rounds != run.rounds:  # it has played on since
        player = run.replayable('model("last")').record(("last",), run.length).player
    about = "the last hypothesis"
    return player.frozen(), about, {"why_not": NOT_BY_AVERAGE.format(about)}


def _mean(run: Any, delta: float, recorder: Recorder) -> tuple[Any, str, Any]:
    about = f"the mean of all {run.rounds:,} hypotheses"
    why = {"why_not": NOT_BY_AVERAGE.format(about)}
    return _weights(recorder, recorder.mean()), about, why


def _last_half(run: Any, delta: float, recorder: Recorder) -> tuple[Any, str, Any]:
    start, weights = recorder.last_half()
    about = f"the mean of the hypotheses of rounds {start + 1:,} to {run.rounds:,}"
    why = {"why_not": NOT_BY_AVERAGE.format(about)}
    return _weights(recorder, weights), about, why


def _random(run: Any, delta: float, recorder: Any) -> tuple[Any, str, Any]:
    position, hypothesis = recorder.random
    about = f"one hypothesis drawn at random: that after round {position:,}"
    if _viewed(run.learner):
        return hypothesis, about, {"why_not": SEEN.format("it")}
    return hypothesis, about, {"certificate": certificate_of(run, delta)}


def _validated(run: Any, delta: float, recorder: Recorder) -> tuple[Any, str, Any]:
    snapshot, found = validated(run, recorder, delta)
    frozen = recorder.snapshots.hypothesis(snapshot)
    return frozen, found.about, {"certificate": found}


_MADE: dict[str, Any] = {
    "last": _last,
    "mean": _mean,
    "last-half": _last_half,
    "random": _random,
    "validated": _validated,
}


def _weights(recorder: Recorder, weights: Floats) -> FrozenClasses:
    """Averaged weights as a hypothesis of the same kind."""
    frozen: Any = recorder.player
    now = frozen.frozen()
    return FrozenClasses(weights, now.shift, now.bias, now.slopes)


def _panels(learner: Any) -> bool:
    return isinstance(getattr(learner, "learner", None), Panel)


def _viewed(learner: Any) -> bool:
    """Whether the hypotheses that predicted were no linear functions of a row."""
    if isinstance(learner, MulticlassPerceptron) or _panels(learner):
        return False
    return not isinstance(learner.learner.composition(2).view, AsIs)
