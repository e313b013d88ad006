"""Probabilities of many classes: the scores' own scale is learned on the way.

What a class's learner scores is about "this class or not". How far such scores can be
trusted, all beside each other, is seen progressively: every row is predicted before its
label comes, and the label moves two slopes
(:mod:`regretless.engine.kernels.class_probabilities`). What panels score are the
log-odds of their mixture already (:class:`Calibrated`).
"""

from __future__ import annotations

import numpy as np

from ....parts import class_calibration as c
from ....parts.state import Floats
from ...hypotheses.class_probabilities import Slopes
from ...storage import UNBOUNDED, Stored, keep
from ..row_player import Call

FIRMNESS = 1.0  # the curvature at the start: so many rounds' worth of a first guess


class ClassCalibration(Stored):
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

    kept = keep(numbers=UNBOUNDED)  # squares of scores may overflow

    def __init__(self, *, log_odds: bool) -> None:
        self.numbers = np.zeros(c.CALIBRATION)
        self.numbers[c.FALL] = 1.0
        self.numbers[[c.CURVES, c.CURVES + 2]] = FIRMNESS
        self.numbers[c.SCALED] = not log_odds
        self._work = np.zeros((0, 3))

    def learn(self, scores: Floats, targets: Floats, known: tuple[int, int]) -> Floats:
        """Learn from rows with these scores; the slopes each was predicted with."""
        used = np.zeros((targets.size, 3))
        for kernel, arguments in self.learning(scores, targets, known, used):
            kernel(*arguments)
        return used

    def learning(
        self, scores: Floats, targets: Floats, known: tuple[int, int], used: Floats
    ) -> list[Call]:
        """What learns from rows with these scores, made before their labels were seen.

        The slopes that each row was predicted with are written into `used`.
        """
        from ...kernels.class_probabilities import learn_calibration
        from ...kernels.compiled import entry

        if len(self._work) < known[1]:
            self._work = np.zeros((2 * known[1], 3))
        arguments = (self.numbers, scores, targets, known, self._work, used)
        return [(entry(learn_calibration, arguments), arguments)]

    def slopes(self) -> Slopes:
        """What the next row would be predicted with."""
        found = self.numbers
        mean = float(found[c.SQUARES] / max(found[c.ENTRIES], 1.0))
        unit = mean**0.5 if 0.0 < mean < np.inf else 1.0
        return float(found[c.RISE]), float(found[c.FALL]), unit


class Calibrated(ClassCalibration):
    """Of scores that are the log-odds of all classes together: nothing to learn."""

    def __init__(self) -> None:
        super().__init__(log_odds=True)

    def learning(
        self, scores: Floats, targets: Floats, known: tuple[int, int], used: Floats
    ) -> list[Call]:
        """Nothing; the slopes are those that log-odds have."""
        used[:] = self.slopes()
        return []
