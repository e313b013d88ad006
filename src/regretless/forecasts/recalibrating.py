"""Recalibration: a probability that came true too rarely is moved, online.

The maps are p -> s(a logit p + b) on a grid of slopes a and shifts b (for several
outcomes p_c^a / sum, without a shift); the one that changes nothing is among them. They
are mixed by exponential weights at the rate eta at which exp(-eta loss) is concave: 1/2
for the Brier score, 1 for the log score. So, on every sequence, where every round is
learned before the next one ::

    loss  <=  min over the N maps of their loss  +  ln(N)/eta
"""

from __future__ import annotations

import math

import numpy as np

from ..algorithms.experts import Hedge
from ..parts.pools import Schedule
from ..parts.scores import Brier, Log
from ..parts.state import Floats
from .mixing import MixedRows, Mixer
from .scores import Score

SLOPES = (0.5, 0.7, 0.85, 1.0, 1.2, 1.5, 2.0, 3.0)
SHIFTS = (-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0)
LEAST = 1e-6  # probabilities are moved inside before logits are taken


class Recalibrator:
    """The maps, and what was learned about them.

    Parameters
    ----------
    score : Brier or Log
        What forecasts are compared by.
    """

    def __init__(self, score: Score) -> None:
        if not isinstance(score, Brier | Log):
            raise ValueError(
                f"recalibration is for probabilities and loss 'brier' or 'log': {score}"
            )
        self.eta = 1.0 if isinstance(score, Log) else 0.5
        self.score = score
        many = len(SLOPES) * len(SHIFTS)
        self.mixer = Mixer(Hedge(eta=self.eta), many, score, slopes=False)

    @property
    def bound(self) -> float:
        """What it may lose above the best of its maps."""
        return math.log(self.mixer.many) / self.eta

    def play(self, played: MixedRows, y: Floats, schedule: Schedule) -> MixedRows:
        """Move what was forecast, and learn when the schedule says so."""
        return self.mixer.play(self.moved(played.forecasts), y, schedule)

    def moved(self, p: Floats) -> Floats:
        """The forecasts under all maps: rows x maps (x outcomes)."""
        every = np.array([(a, b) for a in SLOPES for b in SHIFTS])
        inside = np.clip(p, LEAST, 1.0 - LEAST)
        if p.ndim == 1:
            logit = np.log(inside / (1.0 - inside))
            out = 1.0 / (1.0 + np.exp(-(logit[:, None] * every[:, 0] + every[:, 1])))
        else:
            power = np.log(inside)[:, None, :] * every[None, :, :1]
            out = np.exp(power - power.max(axis=2, keepdims=True))
            out /= out.sum(axis=2, keepdims=True)
        same = int(np.flatnonzero((every == [1.0, 0.0]).all(axis=1))[0])
        out[:, same] = p
        clip = self.score.clip if isinstance(self.score, Log) else 0.0
        return np.clip(out, clip, 1.0 - clip) if p.ndim == 1 else out
