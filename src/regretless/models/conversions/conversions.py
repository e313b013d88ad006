"""The conversions: last, mean, last-half, random, vote, validated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple, cast

import numpy as np

from ...algorithms.learners.linear_learner import is_linear
from ...engine.hypotheses.hypothesis import Hypothesis
from ...engine.players.player import Averaging
from ...evidence.certify import IID, Certificate
from ...evidence.certify.checks import checked_delta
from ...evidence.claims.guard import Counted, claim, objection
from ...evidence.claims.randomized import (
    NOT_BY_AVERAGE,
    PRESET,
    SEEN,
    certificate_of,
    loss_certificate,
    vote_of,
)
from ...evidence.claims.validation import stopped, validated
from ...evidence.snapshots import Recorder, refuse_kinds
from ...parts.composition import Composition
from ...parts.documents import Document
from ...parts.losses import Hinge
from ...parts.state import Floats
from ..model import Model
from ..provenance import Provenance, RunOfRows
from .model_kinds import chosen_kind

BUDGET = 64 * 2**20  # bytes of hypotheses that a vote may keep
REFUSED = (
    "Nothing is certified about {}: the learner refused {:,} rows, which have no loss "
    'to count. model("validated") counts them as errors.'
)
NUMBERS = (
    "Nothing is certified about {}: it predicts numbers, and how much a round can cost "
    "is not known in advance. Rows set aside certify it: --seal 10% (seal=)."
)


class Converted(NamedTuple):
    """What a conversion makes of a run."""

    hypothesis: Hypothesis
    about: str
    certificate: Certificate | None = None
    why_not: str = ""
    counted: Counted | None = None


def model_of(
    run: RunOfRows, kind: str | None, delta: float, recorder: Recorder | None
) -> Model:
    """The model that conversion `kind` makes of a run; None: the default."""
    checked_delta(delta)
    made = kind or chosen_kind(run.learner, recorder)
    if made not in CONVERSIONS:
        raise ValueError(f"model({made!r}): choose among {', '.join(CONVERSIONS)}")
    refuse_kinds({made}, averages=run.learner.averages, task=run.learner.task)
    if made == "last" or recorder is None:  # who needs one has one by now
        found = _last(run)
    else:
        found = CONVERSIONS[made](run, delta, recorder)
    labels = () if run.classes is None else run.classes
    model = Model(
        found.hypothesis.fitted(run.weights.shape[-1], len(labels)),
        made,
        found.about,
        names=run.names,
        classes=run.classes,
        why_not=found.why_not,
        provenance=Provenance.of(run),
    )
    if kind is None and recorder is not None and "validated" in recorder.kinds:
        found = _beside(run, recorder, delta, found)
    if found.certificate is None:
        return replace(model, why_not=objection(run, recorder) or found.why_not)
    return replace(model, **claim(run, found.certificate, found.counted, recorder))


def _beside(
    run: RunOfRows, recorder: Recorder, delta: float, found: Converted
) -> Converted:
    """What is certified beside a model that has learned every row."""
    try:
        snapshot, certificate = stopped(run, recorder, delta)
    except ValueError as problem:
        why_not = f"Nothing is certified about it: {problem}."
        return found._replace(certificate=None, why_not=why_not)
    counted = Counted.of(snapshot)
    return found._replace(certificate=certificate, counted=counted)


def _last(
    run: RunOfRows, delta: float = 0.0, recorder: Recorder | None = None
) -> Converted:
    hypothesis = _last_hypothesis(run)
    about = f"the last {hypothesis.noun}"
    return Converted(hypothesis, about, why_not=_uncertified(run, about))


def _last_hypothesis(run: RunOfRows) -> Hypothesis:
    """What predicted when the run was concluded."""
    learner = run.learner
    if not learner.whole and learner.task != "classes":
        weights = np.r_[run.bias, run.weights] if learner.bias else run.weights
        player = cast("Averaging", learner.player(run.weights.size))
        return player.averaged(weights)
    player = run.player
    if player is None or player.rounds != run.rounds:  # it has played on since
        player = run.replayable('model("last")').record(("last",), run.length).player
    return player.hypothesis()


def _uncertified(run: RunOfRows, about: str) -> str:
    """Why nothing is certified about a model that the online average is not about."""
    return (NUMBERS if run.mistakes is None else NOT_BY_AVERAGE).format(about)


def _mean(run: RunOfRows, delta: float, recorder: Recorder) -> Converted:
    about = f"the mean of all {run.rounds:,} hypotheses"
    more = _by_convexity(run, delta, about, recorder)
    return Converted(recorder.linear.averaged(recorder.mean()), about, **more)


def _last_half(run: RunOfRows, delta: float, recorder: Recorder) -> Converted:
    start, weights = recorder.last_half()
    about = f"the mean of the hypotheses of rounds {start + 1:,} to {run.rounds:,}"
    more = _by_convexity(run, delta, about, recorder, start=start)
    if "certificate" in more and run.ended:
        more["certificate"] = replace(more["certificate"], scope=PRESET)
    return Converted(recorder.linear.averaged(weights), about, **more)


def _by_convexity(
    run: RunOfRows,
    delta: float,
    about: str,
    recorder: Recorder,
    start: int | None = None,
) -> Document:
    """The certificate of a mean under the learner's own convex, bounded loss.

    One that starts anew at `start` pays for every start, unless it was read only at
    the preset length.
    """
    known = bounded_loss(run, about)
    if isinstance(known, str):
        return {"why_not": known}
    losses = run.replayable("the certificate of a mean").losses()[start or 0 :]
    length = None if run.length is None else run.length - (start or 0)
    spent: float | None = None
    if start is not None and recorder.halves is not None and not run.ended:
        k = recorder.halves.start(run.rounds).number
        spent = delta / (k * (k + 1))
    measure = (losses, known.largest, delta, length, about, known.name)
    found = loss_certificate(*measure, spent=spent)
    return {"certificate": replace(found, assumptions=known.assumptions)}


class BoundedLoss(NamedTuple):
    """A loss that is at most `largest`, under these assumptions."""

    name: str
    largest: float
    assumptions: tuple[str, ...]


def bounded_loss(run: RunOfRows, about: str) -> BoundedLoss | str:
    """The loss of a round, if it has a bound; else why a mean is not certified.

    `about` is what that mean is called.

    Raises
    ------
    ValueError
        Where a row is longer than was declared.
    """
    learner, longest = run.learner, run.ledger.max_norm
    if not is_linear(learner):
        return _uncertified(run, about)
    parts = learner.player(run.weights.size).parts
    largest = largest_loss(learner, parts)
    if largest is None or run.weighted:
        return _uncertified(run, about)
    if run.refused:
        return REFUSED.format(about, run.refused)
    declared = float(getattr(learner, "max_norm", 0.0))
    if longest > declared * (1.0 + 1e-9):  # rows of length 1 are 1 up to rounding
        raise ValueError(
            f"max_norm={declared:g} was declared, but a row has length {longest:.6g}"
        )
    bounded = (
        f"no row is longer than {declared:g}, as declared ({longest:.4g} was seen)"
    )
    return BoundedLoss(type(parts.loss).__name__.lower(), largest, (IID, bounded))


def largest_loss(learner: object, parts: Composition) -> float | None:
    """The most a round can cost, from what was declared, not from what was seen."""
    radius = getattr(parts.domain, "radius", None)
    reach = getattr(learner, "max_norm", None)
    if radius is None or reach is None or not isinstance(parts.loss, Hinge):
        return None
    return parts.loss.margin + parts.loss.gain * radius * reach


def _random(run: RunOfRows, delta: float, recorder: Recorder) -> Converted:
    assert recorder.random is not None
    position, hypothesis = recorder.random
    about = f"one {hypothesis.noun} drawn at random: that after round {position:,}"
    if run.mistakes is None:
        return Converted(hypothesis, about, why_not=_uncertified(run, about))
    if run.learner.views_rows:
        return Converted(hypothesis, about, why_not=SEEN.format("it"))
    online = Counted.online(run)
    return Converted(hypothesis, about, certificate_of(run, delta), counted=online)


def _vote(run: RunOfRows, delta: float, recorder: Recorder) -> Converted:
    if run.mistakes is None:
        raise ValueError("a vote is for classifiers: this run predicts numbers")
    learner = run.learner
    assert is_linear(learner)
    parts = learner.player(run.weights.size).parts
    updates, size = run.ledger.updates, run.weights.size + learner.bias
    exact = (updates + 1) * size * 8 <= BUDGET and run.game is not None
    if exact:
        hypotheses, counts = run.replayable("a vote").distinct()
    else:
        hypotheses = _fitted([weights for _, weights in recorder.voters], size)
        counts = np.ones(len(hypotheses))
    from ...engine.hypotheses.vote import Vote

    bias = int(learner.bias)
    shift = hypotheses[:, 0] if bias else np.zeros(len(hypotheses))
    vote = Vote(hypotheses[:, bias:], shift - parts.threshold, counts, exact)
    about = "a majority vote"
    if run.learner.views_rows:
        return Converted(vote, about, why_not=SEEN.format("the vote"))
    found = vote_of(certificate_of(run, delta), exact=exact)
    return Converted(vote, about, found, counted=Counted.online(run))


def _fitted(rows: list[Floats], size: int) -> Floats:
    """Hypotheses of a growing feature space, as rows of equal length.

    A longer one has seen the names of rows after a bad one: their weights are zero.
    """
    out = np.zeros((len(rows), size))
    for i, row in enumerate(rows):
        out[i, : row.size] = row[:size]
    return out


def _validated(run: RunOfRows, delta: float, recorder: Recorder) -> Converted:
    if run.mistakes is None:
        raise ValueError("validation is for classifiers: this run predicts numbers")
    snapshot, found = validated(run, recorder, delta)
    hypothesis = recorder.snapshots.hypothesis(snapshot)
    return Converted(hypothesis, found.about, found, counted=Counted.of(snapshot))


CONVERSIONS: dict[str, Callable[[RunOfRows, float, Recorder], Converted]] = {
    "last": _last,
    "mean": _mean,
    "last-half": _last_half,
    "random": _random,
    "vote": _vote,
    "validated": _validated,
}
