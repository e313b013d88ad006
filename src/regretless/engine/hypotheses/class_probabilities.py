"""From the scores of many classes to a label, and to probabilities by two slopes.

How the slopes are learned is in :mod:`regretless.engine.players.classes.probabilities`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ...parts.state import Array, Floats

Slopes: TypeAlias = "tuple[float, float, float]"
"""Of large scores, of small ones, and the unit that scores are divided by."""


def kept_slopes(fresh: object, stored: npt.ArrayLike | None) -> Slopes | None:
    """A kind of what is stored: three numbers, or None where there are none."""
    if stored is None:
        return None
    found = np.asarray(stored, np.float64)
    if found.shape != (3,) or not np.isfinite(found).all() or not found[2] > 0.0:
        raise ValueError("calibration must be three finite numbers, the last positive")
    rise, fall, unit = found.tolist()
    return rise, fall, unit


def class_probabilities(scores: Floats, slopes: npt.ArrayLike | None = None) -> Floats:
    """The probabilities of the classes, from a column of scores each.

    Parameters
    ----------
    scores : array
        A row a row; -inf for a class that had not come, whose probability is 0.
    slopes : Slopes, array with a row of three a row, or None
        What was learned of the scores. None, for log-odds that nothing is known
        of: sigma(score) of each class over their sum; equal where none is likely.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        if slopes is None:
            small = np.exp(-np.abs(scores))
            chances = np.where(scores > 0.0, 1.0, small) / (1.0 + small)
        else:
            given = np.asarray(slopes, np.float64).reshape(-1, 3, 1)
            s = scores / given[:, 2]
            soft = np.log1p(np.exp(-np.abs(s)))
            up, down = np.maximum(s, 0.0) + soft, np.minimum(s, 0.0) - soft
            logits = given[:, 0] * up + given[:, 1] * down
            top = logits.max(axis=1, keepdims=True, initial=-np.inf)
            chances = np.exp(logits - np.where(np.isinf(top), 0.0, top))
        total = chances.sum(axis=1, keepdims=True)
        even = np.full_like(chances, 1.0 / max(chances.shape[1], 1))
        return np.divide(chances, total, out=even, where=~(total == 0.0))


def chosen(classes: Sequence[Hashable], scores: Floats) -> Array:
    """The labels of the largest scores, the first of them at ties."""
    labels = np.empty(len(classes), object)
    labels[:] = classes
    plain = np.array(classes)
    same = plain.ndim == 1 and all(a == b for a, b in zip(plain, classes, strict=True))
    return (plain if same else labels)[scores.argmax(axis=1)]
