"""One rule that mixes forecasters, in the middle of a game.

x = sum_k w_k x_k,   w made of the outcomes that were known by then alone
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..algorithms.experts import ExpertLearner
from ..engine.players.experts import ExpertPlayer
from ..engine.storage import Range, Stored, keep
from ..errors import BadRow
from ..parts.pools import ByLoss, BySlope, OfClasses, OfNumbers, Pool, Schedule
from ..parts.rows import Longs
from ..parts.state import Floats
from .scores import Score, about_quantiles

SNAPSHOTS = 256


class MixedRows(NamedTuple):
    """What came of some rows: forecasts and losses a row, and weights on the way."""

    forecasts: Floats
    losses: Floats
    weight_path: Floats
    weight_rounds: (
        Longs  # the number of the first row of each round that they stand for
    )


class Mixer(Stored):
    """A rule, what it has learned, and the loss it learns from.

    Parameters
    ----------
    learner : ExpertLearner
        Who weighs.
    many : int
        How many forecasters there are.
    score : a loss
        What forecasts are compared by.
    slopes : bool
        Whether forecasters are charged slopes of the loss at the mixture.
    cap : float
        After ten rounds, a round in which losses differ by more than so many times
        what they ever did is shrunk to that before it is learned. Infinity: none is.
    """

    kept = keep("player", "apart", numbers=Range(0.0, math.inf))

    def __init__(
        self,
        learner: ExpertLearner,
        many: int,
        score: Score,
        *,
        slopes: bool,
        cap: float = math.inf,
    ) -> None:
        self.learner = learner
        self.many = many
        self.score = score
        self.slopes = slopes
        self.player: ExpertPlayer = learner.player(many)
        self.apart = np.zeros(many)
        self.numbers = np.array([0.0, 0.0, cap])

    def play(self, values: Floats, y: Floats, schedule: Schedule) -> MixedRows:
        """Forecast rows, and learn their outcomes when the schedule says so."""
        from ..engine.kernels.compiled import entry
        from ..engine.kernels.pool import PoolTrace, pool_rounds

        rows, rounds, n = len(y), schedule.ahead.size, self.many
        width = values.shape[2] if values.ndim == 3 else 1
        several = values.ndim == 3 or about_quantiles(self.score)
        kind = OfClasses(self.score) if several else OfNumbers(self.score)
        pool = Pool(
            np.ascontiguousarray(_whole(values)).reshape(-1),
            width,
            np.ascontiguousarray(y),
            kind,
            BySlope() if self.slopes else ByLoss(),
        )
        stride = max(-(-rounds // SNAPSHOTS), 1)
        kept = np.arange(0, rounds, stride)
        trace = PoolTrace(
            mixtures=np.full(rows * width, np.nan),
            losses=np.full(rows, np.nan),
            apart=self.apart,
            numbers=self.numbers,
            weights=np.zeros(kept.size * n),
            stride=stride,
            mean=np.zeros(width),
            slopes=np.zeros(width),
            charges=np.zeros(schedule.slots * n),
            mixed=np.zeros(schedule.slots),
            paid=np.zeros(schedule.slots),
        )
        player = self.player
        arguments = (
            player.rule,
            player.expert_state,
            player.statistics,
            pool,
            schedule,
            trace,
        )
        played = entry(pool_rounds, arguments)(*arguments)
        if played < rows:
            raise BadRow(played, "a loss is not a finite number")
        mixtures = trace.mixtures.reshape(rows, width) if values.ndim == 3 else None
        return MixedRows(
            forecasts=trace.mixtures if mixtures is None else mixtures,
            losses=trace.losses,
            weight_path=trace.weights.reshape(kept.size, n),
            weight_rounds=schedule.starts[kept],
        )

    def weights(self) -> Floats:
        """The weights for the coming round."""
        return self.player.weights()


def _whole(values: Floats) -> Floats:
    """Forecasts of which a part is missing are missing altogether."""
    if values.ndim == 2:
        return values
    asleep = np.any(np.isnan(values), axis=2)
    return np.where(asleep[:, :, None], np.nan, values) if asleep.any() else values
