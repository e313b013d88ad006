"""Halving: keep the experts that were never wrong, predict their majority."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...parts.rules import Majority
from .expert_learner import ExpertLearner

__all__ = ["Halving"]


@dataclass
class Halving(ExpertLearner):
    """The majority of the experts that were never wrong; 0 at a tie.

    Every round, mistake or not, those who were wrong are dropped for good.

    **Theorem.** If some expert is never wrong ::

        M <= floor(log2 N)

    since on a mistake at least half of those left are wrong. If every expert has been
    wrong, there is none to follow: the round is refused with an error that names it.

    Parts: :class:`Majority` with beta = 0.

    Notes
    -----
    An expert asleep (nan) is not dropped. Its vote counts as
    :class:`~regretless.WeightedMajority` says, so that M <= log2 N holds for the
    mistakes on the waking rounds of every expert that is never wrong. Where none of
    those left is awake, the least mistaken of those awake vote.

    In Freund's table the row t=5 shows expert 7, but at t=4 only expert 8 was right;
    his predictions and mistakes hold under either repair.

    References
    ----------
    Littlestone (1988); Freund's lecture.

    Examples
    --------
    >>> import regretless as rg
    >>> votes = [[1, 1, 0, 1], [0, 1, 0, 1], [1, 0, 1, 1]]
    >>> run = rg.play(rg.Halving(), votes, [1, 1, 1])
    >>> run.mistakes, run.weights
    (1, array([0., 0., 0., 1.]))
    """

    theorems = "majority.HALVING"
    games = ("splitting", "noisy-voters")
    majority: ClassVar[bool] = True

    def rule(self, n_experts: int) -> Majority:
        """The majority of those never wrong."""
        return Majority(0.0)
