"""What an adversary sees of the learner it plays: what it would say, and its weights.

It plays a game of its own, with the machine code that plays whole tables, one round at
a time: what it did here is what ``play`` will do on the same rounds, to the last bit.
"""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, Any

import numpy as np

from ...algorithms.covered_learner import Covered
from ...algorithms.experts import FollowTheLeader
from ...algorithms.played import played_by
from ...algorithms.prediction_sets import tracker_for
from ...parts.expert_inputs import Losses, Predictions, Votes
from ...parts.generic import canonical
from ...parts.rows import Dense, Rows, Sparse
from ...parts.rules import ConservativeMajority, Majority
from ...parts.state import Floats

if TYPE_CHECKING:
    from ...algorithms.experts.expert_learner import ExpertLearner
    from ...algorithms.learners.row_learner import RowLearner
    from .game import Game


FITTING = {
    "labels": "linear learners of two classes",
    "targets": "linear learners of real numbers",
    "votes": "learners of experts",
    "forecasts": "learners of experts that predict numbers",
    "losses": "learners of experts that do not vote",
    "numbers": "FollowTheLeader",
}


class Opponent(abc.ABC):
    """The learner, as an adversary sees it."""

    threshold: float
    player: Any

    @abc.abstractmethod
    def score(self, x: Floats | None) -> float:
        """Its real-valued prediction, before any sign."""

    def predict(self, x: Floats | None) -> float:
        """Its label, -1 at a score of 0; its vote; or its number."""
        return self.score(x)

    def weights(self) -> Floats:
        """Its weights in the coming round."""
        return self.player.weights()

    @abc.abstractmethod
    def learn(self, x: Floats | None, y: float | None) -> None:
        """Play the round."""


def fits(learner: object, game: Game | type[Game]) -> bool:
    """Whether this learner can play this game at all."""
    if played_by(learner) == "covered":
        return _plays(getattr(learner, "learner", None), game)
    return not game.covered and _plays(learner, game)


def _plays(learner: Any, game: Game | type[Game]) -> bool:
    """Whether a learner can play games of this kind, covered or not."""
    plays = played_by(learner)
    if plays == "numbers":
        return game.kind == "numbers"
    if plays == "experts":
        allowed = ("votes",) if learner.votes else ("votes", "forecasts", "losses")
        return game.kind in allowed
    if plays != "rows" or not (learner.linear or learner.one_versus_rest):
        return False
    return game.kind == ("labels" if learner.binary else "targets")


def refuse_unfit(learner: object, game: Game) -> None:
    """Raise TypeError, saying who can play, unless this learner can."""
    if fits(learner, game):
        return
    if isinstance(learner, type):
        raise TypeError(f"{learner!r} is not a learner; did you forget the ()?")
    raise TypeError(
        f"{type(learner).__name__} cannot play {type(game).__name__}, a game of "
        f"{game.kind}: it is for {FITTING[game.kind]}"
    )


def opponent_of(learner: Any, game: Game) -> Opponent:
    """The learner at the start of a game of its own."""
    if game.kind == "numbers":
        return MeanOpponent(learner)
    if played_by(learner) == "covered":
        return CoveredOpponent(learner, game.width, sparse=game.sparse)
    if game.kind in ("labels", "targets"):
        return RowOpponent(learner, game.width, sparse=game.sparse)
    return ExpertOpponent(learner, game)


class RowOpponent(Opponent):
    """A learner of rows."""

    def __init__(self, learner: RowLearner, width: int, *, sparse: bool) -> None:
        self.player = learner.player(width)
        self.width, self.sparse = width, sparse
        parts = getattr(self.player, "parts", None)
        self.threshold = float(getattr(parts, "threshold", 0.0))

    def score(self, x: Floats | None) -> float:
        """The score of one row."""
        return float(self.player.scores(self._rows(x), 1)[0])

    def predict(self, x: Floats | None) -> float:
        """The label of one row."""
        return 1.0 if self.score(x) > 0.0 else -1.0

    def learn(self, x: Floats | None, y: float | None) -> None:
        """Play one row."""
        assert y is not None
        self.player.play(self._rows(x), np.array([float(y)]))

    def _rows(self, x: Floats | None) -> Rows:
        assert x is not None
        if not self.sparse:
            return Dense(np.ascontiguousarray(x, np.float64), self.width)
        columns = np.flatnonzero(x).astype(np.int32)
        starts = np.array([0, columns.size], np.int64)
        return Sparse(starts, columns, np.asarray(x, np.float64)[columns])


class CoveredOpponent(RowOpponent):
    """A learner of rows with prediction sets."""

    def __init__(self, covered: Covered, width: int, *, sparse: bool) -> None:
        super().__init__(covered.learner, width, sparse=sparse)
        self.sets = tracker_for(covered.learner, covered.level)

    def interval(self, x: Floats) -> tuple[float, float]:
        """The low and the high end of its interval."""
        low, high = self.sets.take(np.array([self.score(x)]), None)
        return float(low[0]), float(high[0])

    def learn(self, x: Floats | None, y: float | None) -> None:
        """Play one row, whose set is made before."""
        assert y is not None
        self.sets.take(np.array([self.score(x)]), np.array([float(y)]))
        super().learn(x, y)


class ExpertOpponent(Opponent):
    """A learner of experts."""

    threshold = 0.5

    def __init__(self, learner: ExpertLearner, game: Game) -> None:
        self.player = learner.player(game.width)
        self.votes = bool(learner.votes)
        self.losses = game.kind == "losses"
        self.loss = canonical(game.loss)

    def score(self, x: Floats | None) -> float:
        """The share of weight for 1, or the mean of what experts say."""
        return self._said(x)[0]

    def predict(self, x: Floats | None) -> float:
        """The likelier outcome; 0 at a tie."""
        score, lean = self._said(x)
        certain = isinstance(
            self.player.rule, Majority | ConservativeMajority
        )  # it tosses no coin
        return float(lean > 0.0) if certain else float(score > 0.5)

    def learn(self, x: Floats | None, y: float | None) -> None:
        """Play one round."""
        values = np.ascontiguousarray(x, np.float64)
        rounds = Losses(values, values.size)
        self.player.play(rounds if self.losses else self._rounds(values, y or 0.0))

    def _said(self, x: Floats | None) -> tuple[float, float]:
        return self.player.score(self._rounds(np.ascontiguousarray(x, np.float64), 0.0))

    def _rounds(self, values: Floats, y: float) -> Votes | Predictions:
        outcome = np.array([y])
        if self.votes:
            return Votes(values, values.size, outcome)
        return Predictions(values, values.size, outcome, self.loss)


class MeanOpponent(Opponent):
    """Who follows the leader."""

    def __init__(self, learner: FollowTheLeader) -> None:
        self.player = learner.player()
        self.threshold = 0.5 * (learner.low + learner.high)

    def score(self, x: Floats | None) -> float:
        """The mean so far."""
        return self.player.mean

    def learn(self, x: Floats | None, y: float | None) -> None:
        """See one number."""
        assert y is not None
        self.player.play_one(y)
