"""Probabilities of many classes: the scores' own scale is learned on the way.

What a class's learner scores is about "this class or not". How far such scores can be
trusted, all beside each other, is seen progressively: every row is predicted before its
label comes, and the label moves two slopes
(:mod:`regretless.engine.kernels.class_probabilities`).
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from ....parts import class_calibration as c
from ....parts.state import Floats
from ...storage import checked_array

__all__ = ["Calibration", "Slopes", "class_probabilities", "slopes_from"]

Slopes: TypeAlias = "tuple[float, float, float]"
"""Of large scores, of small ones, and the unit that scores are divided by."""

FIRMNESS = 1.0  # the curvature at the start: so many rounds' worth of a first guess


class Calibration:
    """What is learned of the scores of a game, in eight numbers.

    Parameters
    ----------
    log_odds : bool
        Whether scores are log-odds. If not, they are first divided by the root of
        their mean square so far.

    Attributes
    ----------
    numbers : array
        The state: see the kernel.
    """

    def __init__(self, *, log_odds: bool) -> None:
        self.numbers = np.zeros(c.CALIBRATION)
        self.numbers[c.FALL] = 1.0
        self.numbers[[c.CURVES, c.CURVES + 2]] = FIRMNESS
        self.numbers[c.SCALED] = not log_odds
        self._work = np.zeros((0, 3))

    def learn(self, scores: Floats, targets: Floats, known: tuple[int, int]) -> Floats:
        """Learn from rows with these scores, each made before its label was seen.

        Returns
        -------
        array
            The slopes that each row was predicted with, a row each.
        """
        from ...kernels.class_probabilities import learn_calibration
        from ...kernels.compiled import entry

        if len(self._work) < known[1]:
            self._work = np.zeros((2 * known[1], 3))
        used = np.zeros((targets.size, 3))
        arguments = (self.numbers, scores, targets, known, self._work, used)
        entry(learn_calibration, arguments)(*arguments)
        return used

    def state_dict(self) -> dict[str, Any]:
        """What the rounds to come depend on, by name."""
        return {"calibration": self.numbers.copy()}

    def restored(self, stored: dict[str, Any]) -> Calibration | None:
        """One that goes on from a state; None where it has none, as in version 0.1."""
        if "calibration" not in stored:
            return None
        self.numbers[:] = checked_array(stored, "calibration", shape=self.numbers.shape)
        return self

    def slopes(self) -> Slopes:
        """What the next row would be predicted with."""
        found = self.numbers
        mean = float(found[c.SQUARES] / max(found[c.ENTRIES], 1.0))
        unit = mean**0.5 if 0.0 < mean < np.inf else 1.0
        return float(found[c.RISE]), float(found[c.FALL]), unit


def slopes_from(stored: Any) -> Slopes | None:
    """Slopes out of a file: three numbers, or None where there are none."""
    if stored is None:
        return None
    found = np.asarray(stored, np.float64)
    if found.shape != (3,) or not np.isfinite(found).all() or not found[2] > 0.0:
        raise ValueError("calibration must be three finite numbers, the last positive")
    rise, fall, unit = found.tolist()
    return rise, fall, unit


def class_probabilities(scores: Floats, slopes: Any = None) -> Floats:
    """The probabilities of the classes, from a column of scores each.

    Parameters
    ----------
    scores : array
        A row a row; -inf for a class that had not come, whose probability is 0.
    slopes : Slopes, array with a row of three a row, or None
        What :class:`Calibration` learned. None, for log-odds that nothing is known
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
