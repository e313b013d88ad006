"""``--threshold``: chosen on the way, judged by the sealed rows, kept in the model."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ..data import Batch
from ..evidence.claims.operating_point import (
    Goal,
    OperatingPoint,
    choose,
    parse_goal,
    probability_of,
    sealed_point,
)
from ..parts.state import Floats

__all__ = [
    "LatestScores",
    "SealedScores",
    "check_threshold",
    "chosen_point",
    "point_lines",
    "with_point",
]

LATEST = 1 << 16  # rows that a threshold is chosen on


def check_threshold(request: Any, task: str, learner: Any) -> None:
    """Refuse a threshold that cannot be, before anything is learned.

    Raises
    ------
    ValueError
        In one line.
    """
    if request.threshold is None:
        return
    goal = parse_goal(request.threshold)
    if task != "binary":
        raise ValueError(f"--threshold is for two classes, and the task is {task}")
    if request.output is None and request.resume is None:
        raise ValueError("--threshold is part of the model: give -o FILE too")
    if request.holdout is not None:
        raise ValueError("--threshold is certified by --seal, not by --holdout")
    if request.reading.get("group") is not None:
        raise ValueError("--threshold needs rows sealed one by one, not by --group")
    if goal.kind == "at" and learner.probabilistic and not 0.0 < goal.value < 1.0:
        raise ValueError(f"--threshold {goal}: a probability is between 0 and 1")


class LatestScores:
    """Keeps the scores of the rows learned last, made before their labels were seen."""

    def __init__(self) -> None:
        self._parts: list[tuple[Floats, Floats]] = []
        self._rows = 0

    def after(self, batch: Batch, scores: Floats | None, game: Any) -> None:
        """Keep those of a batch."""
        if scores is None:
            return
        known = ~np.isnan(scores) & ~np.isnan(batch.targets)
        self._parts.append((scores[known], batch.targets[known]))
        self._rows += int(known.sum())
        while self._rows - self._parts[0][0].size >= LATEST:
            self._rows -= self._parts.pop(0)[0].size

    def last(self, game: Any) -> None:
        """Nothing is left to do."""

    def rows(self) -> tuple[Floats, Floats]:
        """Scores and targets."""
        scores, targets = _joined(self._parts)
        return scores[-LATEST:], targets[-LATEST:]


class SealedScores:
    """Keeps the scores of the sealed rows while their errors are counted.

    Parameters
    ----------
    cut : float
        The threshold.
    """

    def __init__(self, cut: float) -> None:
        self._cut = cut
        self._parts: list[tuple[Floats, Floats]] = []

    def judge(self, model: Any, scores: Floats, targets: Floats) -> Any:
        """Which rows are errors; a label that was never learned is one.

        At the threshold 0 a tie is an error, as in every other certificate.
        """
        self._parts.append((scores, targets))
        if self._cut:
            return ((scores > self._cut) != (targets > 0.0)) | np.isnan(targets)
        return ~(targets * scores > 0.0)

    def rows(self) -> tuple[Floats, Floats]:
        """Scores and targets of the rows with a label that was learned."""
        scores, targets = _joined(self._parts)
        known = ~np.isnan(targets)
        return scores[known], targets[known]


def _joined(parts: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    if not parts:
        return np.zeros(0), np.zeros(0)
    scores, targets = zip(*parts, strict=True)
    return np.concatenate(scores), np.concatenate(targets)


def chosen_point(text: str, latest: LatestScores, log_odds: bool) -> OperatingPoint:
    """The threshold by the rows learned last, about which nothing is certified."""
    goal = parse_goal(text)
    if goal.kind == "at":
        cut, chosen = goal.value, "the command line"
        if log_odds:
            cut = math.log(cut / (1.0 - cut))
    else:
        scores, targets = latest.rows()
        cut = choose(goal, scores, targets)
        chosen = f"the last {scores.size:,} rows learned"
    shown = probability_of(cut) if log_odds else cut
    return OperatingPoint(cut, str(goal), chosen, shown)


def with_point(
    model: Any, request: Any, point: OperatingPoint | None, sealed: SealedScores | None
) -> Any:
    """The model with its threshold, and with what sealed rows certify about it.

    Where the sealed rows chose the threshold, they do not certify the error.
    """
    goal: Goal | None = None
    if request.threshold is not None:
        goal = parse_goal(request.threshold)
    judged = sealed is not None and model.certificate is not None
    found = point
    if sealed is not None and judged:
        scores, targets = sealed.rows()
        found = sealed_point(
            goal,
            0.0 if point is None else point.threshold,
            scores,
            targets,
            request.delta,
            chosen="" if point is None else point.chosen,
            log_odds=model.probabilistic,
        )
    changes: dict[str, Any] = {}
    if goal is not None and (not judged or goal.kind == "recall"):
        said = str(found)
        if request.seal is None:
            said += ": not certified, --seal 10% would reserve rows for that"
        text = f"{said[:1].upper()}{said[1:]}. {'' if judged else model.why_not}"
        changes = {"certificate": None, "why_not": text.strip()}
    return replace(model, provenance=replace(model.provenance, point=found), **changes)


def point_lines(model: Any) -> list[str]:
    """What holds at the threshold of a model, where it has one or rows were sealed."""
    if model is None or model.operating_point is None:
        return []
    point = model.operating_point
    if not point.certificates:
        return [model.why_not.partition(". ")[0].removesuffix(".")]
    said = str(point)
    return [f"{said[:1].upper()}{said[1:]}"]
