"""Losses of whole tables of forecasts, and what a round can tell two of them apart by.

Two forecasts a and b of one round differ in loss by D(y) = loss(a, y) - loss(b, y).
The least and largest D over all outcomes y are known before the outcome is: ``ends``.
For an event, D(1) and D(0); for a number and the absolute loss, -|a - b| and |a - b|.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, TypeGuard

import numpy as np

from ..engine.storage import checked_array
from ..errors import did_you_mean
from ..parts.documents import Document
from ..parts.generic import canonical
from ..parts.losses import Absolute, Pinball, Squared
from ..parts.scores import Brier, Log, Quantiles, Spherical
from ..parts.state import Floats

Score: TypeAlias = Brier | Log | Spherical | Absolute | Squared | Pinball | Quantiles
KNOWN: dict[str, Score] = {
    "brier": Brier(),
    "log": Log(),
    "spherical": Spherical(),
    "absolute": Absolute(),
    "squared": Squared(),
    "pinball": Pinball(),
}

KINDS = (Brier, Log, Spherical, Absolute, Squared, Pinball)
QUANTILE = ("wis", "crps", "pinball")


def as_score(loss: object, levels: Floats | None = None) -> Score:
    """The loss, by its name or as it is; of quantiles, where `levels` are given."""
    if levels is not None and loss in ("brier", *QUANTILE):
        return quantile_score("wis" if loss == "brier" else loss, levels)
    if isinstance(loss, str) and loss in ("wis", "crps"):
        raise ValueError(f"loss={loss!r} needs quantiles: columns ann_q0.1, ann_q0.5")
    if isinstance(loss, str):
        if loss not in KNOWN:
            hint, choices = did_you_mean(loss, KNOWN), ", ".join(KNOWN)
            raise ValueError(f"there is no loss {loss!r}{hint}: {choices}")
        return KNOWN[loss]
    if not isinstance(loss, KINDS):
        raise TypeError(
            f"loss={loss!r:.40} is not one of {', '.join(map(repr, KNOWN))}, or "
            "Log(clip=...), Pinball(quantile=...)"
        )
    return canonical(loss)


def quantile_score(name: str, levels: Floats) -> Quantiles:
    """The weighted interval score, the CRPS or the mean pinball loss of quantiles.

    WIS is twice the mean of the pinball losses. For the CRPS, twice the integral of the
    pinball loss over all levels, a level stands for those that are nearest to it.
    """
    levels = np.asarray(levels, np.float64)
    many = levels.size
    if name == "crps":
        edges = np.r_[0.0, (levels[1:] + levels[:-1]) / 2.0, 1.0]
        return Quantiles(levels, 2.0 * np.diff(edges))
    return Quantiles(levels, np.full(many, (2.0 if name == "wis" else 1.0) / many))


def about_quantiles(score: Score) -> TypeGuard[Quantiles]:
    """Whether forecasts are quantiles."""
    return isinstance(score, Quantiles)


def about_events(score: Score) -> bool:
    """Whether forecasts are probabilities, not numbers."""
    return score.task == "probability"


def score_name(score: Score) -> str:
    """What the loss is called in a sentence."""
    if isinstance(score, Log):
        return f"log (clipped at {score.clip:g})"
    if isinstance(score, Pinball):
        return f"pinball ({score.quantile:g})"
    if isinstance(score, Quantiles):
        return _quantile_name(score)
    if isinstance(score, Brier | Spherical):
        return score.name
    return type(score).__name__.lower()


def _quantile_name(score: Quantiles) -> str:
    total = float(score.costs.sum())
    if abs(total - 1.0) < 1e-9:
        return "pinball"
    return "WIS" if np.ptp(score.costs) < 1e-9 * total else "CRPS"


def clipped(score: Score, values: Floats) -> Floats:
    """The forecasts as they are scored: inside [clip, 1 - clip] for the log score."""
    if not isinstance(score, Log):
        return values
    if values.ndim == 2:
        return np.clip(values, score.clip, 1.0 - score.clip)
    lifted = np.maximum(values, score.clip)
    return lifted / lifted.sum(axis=2, keepdims=True)


def losses_of(score: Score, values: Floats, y: Floats) -> Floats:  # noqa: PLR0911
    """The loss of every forecaster in every round, nan where there is no forecast.

    `values` are rounds x forecasters, or rounds x forecasters x outcomes; clipped.
    """
    if isinstance(score, Quantiles):
        short = y[:, None, None] - values
        lost = np.maximum(score.levels * short, (score.levels - 1.0) * short)
        return lost @ score.costs
    if values.ndim == 3:
        return _class_losses(score, values, y)
    truth = y[:, None]
    if isinstance(score, Brier | Squared):
        return (values - truth) ** 2
    if isinstance(score, Log):
        return np.where(
            np.isnan(truth),
            np.nan,
            -np.log(np.where(truth > 0.0, values, 1.0 - values)),
        )
    if isinstance(score, Spherical):
        length = np.sqrt(values**2 + (1.0 - values) ** 2)
        lost = 1.0 - np.where(truth > 0.0, values, 1.0 - values) / length
        return np.where(np.isnan(truth), np.nan, lost)
    short = truth - values
    if isinstance(score, Pinball):
        return np.maximum(score.quantile * short, (score.quantile - 1.0) * short)
    return np.abs(short)


def _class_losses(score: Score, values: Floats, y: Floats) -> Floats:
    index = np.nan_to_num(y).astype(np.int64)[:, None, None]
    happened = np.take_along_axis(values, index, axis=2)[:, :, 0]
    happened = np.where(np.isnan(y)[:, None], np.nan, happened)
    if isinstance(score, Log):
        return -np.log(happened)
    squares: Floats = (values**2).sum(axis=2)
    if isinstance(score, Spherical):
        return 1.0 - happened / np.sqrt(squares)
    return squares - 2.0 * happened + 1.0


def ends(
    score: Score, a: Floats, b: Floats, low: float | None, high: float | None
) -> tuple[Floats, Floats]:
    """The least and the largest loss of `a` less that of `b`, over all outcomes.

    `low` and `high` are where numbers lie, which only the squared loss needs to know.
    """
    gap = a - b
    if isinstance(score, Quantiles):
        # D is linear between all quantiles: it is largest, or least, at one of them.
        sides = _differences(score, a, b, (*a.T, *b.T))
    elif about_events(score):
        sides = _each_outcome(score, a, b)
    elif isinstance(score, Pinball):
        sides = np.stack([-score.quantile * gap, (1.0 - score.quantile) * gap])
    elif isinstance(score, Absolute):
        sides = np.stack([-gap, gap])
    elif low is None or high is None or not low < high:
        raise ValueError(
            "the squared loss of numbers needs low= and high=, between which every "
            f"outcome is sure to lie (low={low!r}, high={high!r}); the absolute loss "
            "needs neither"
        )
    else:
        sides = np.stack([(a - y) ** 2 - (b - y) ** 2 for y in (low, high)])
    return sides.min(axis=0), sides.max(axis=0)


def _each_outcome(score: Score, a: Floats, b: Floats) -> Floats:
    """D(y), a row for every outcome y of an event."""
    outcomes = 2 if a.ndim == 1 else a.shape[1]
    every = [np.full(len(a), float(outcome)) for outcome in range(outcomes)]
    return _differences(score, a, b, every)


def _differences(
    score: Score, a: Floats, b: Floats, outcomes: Iterable[Floats]
) -> Floats:
    """D(y), a row for each y."""
    pair = np.stack([a, b], axis=1)
    lost = [losses_of(score, pair, y) for y in outcomes]
    return np.stack([each[:, 0] - each[:, 1] for each in lost])


def guess(score: Score, a: Floats, b: Floats) -> Floats:
    """What D is expected to be if the truth is halfway between two forecasts."""
    every = _each_outcome(score, a, b)
    mean = (a + b) / 2.0
    shares = np.stack([1.0 - mean, mean]) if a.ndim == 1 else mean.T
    return (shares * every).sum(axis=0)


def describe_score(score: Score) -> Document:
    """The loss as plain data, for files."""
    return {"name": type(score).__name__, **score._asdict()}


def read_score(plain: Document) -> Score:
    """The loss that :func:`describe_score` described; ValueError where it is none."""
    kinds = {kind.__name__: kind for kind in (*KINDS, Quantiles)}
    kind = kinds.get(plain["name"])
    if kind is None:
        raise ValueError(f"there is no loss {plain['name']!r:.40}")
    fields = {name: value for name, value in plain.items() if name != "name"}
    if kind is Quantiles:
        return Quantiles(
            checked_array(fields, "levels"), checked_array(fields, "costs")
        )
    return canonical(kind(**fields))
