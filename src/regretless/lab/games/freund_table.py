"""Freund's table: eight experts, five rounds, and what the halving algorithm does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...parts.state import Floats
from .game import Game, Round

# A dash of the lecture: an expert that was wrong is out, and no longer counts.
TABLE = """
1 1 1 1 -
1 0 - - -
0 - - - -
1 0 - - -
1 0 - - -
0 - - - -
1 1 1 1 -
1 1 1 0 0
"""
OUTCOMES = (1.0, 1.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True)
class FreundTable(Game):
    """The trace of the halving algorithm in Freund's lecture.

    Eight experts, outcomes 1, 1, 1, 0, 0. The algorithm predicts 1, 0, 1, 1, 0: the
    tied vote of round 2 goes to 0, and rounds 2 and 4 are mistakes.

    **The slip.** In the lecture's last column it is expert 7 who speaks, and says 0.
    But in round 4, where the outcome was 0, expert 7 had said 1 and was out; only
    expert 8 had said 0. Either the 0 of round 5 stands one line too high (then expert 8
    is the perfect one), or the entries of round 4 are swapped (then it is expert 7).
    Predictions and mistakes are the same under either repair.

    **Reaches** two of the three mistakes that log2 8 allows.

    An expert who is out is shown as being wrong from then on. After round 5 the last
    round repeats.

    Parameters
    ----------
    perfect : {8, 7}
        Which repair: who is perfect.

    References
    ----------
    Freund's lecture, "Example trace for Halving Algorithm".

    Examples
    --------
    >>> import regretless as rg
    >>> table = rg.games.FreundTable().take(5)
    >>> run = rg.play(rg.Halving(), **table, trace=True)
    >>> (run.mistake_rounds + 1).tolist()
    [2, 4]
    """

    perfect: int = 8

    kind = "votes"
    usual_rounds = 5  # five
    reaches = ("halving",)

    def check(self) -> None:
        """One of the two repairs."""
        if self.perfect not in (7, 8):
            raise ValueError(f"perfect={self.perfect!r} must be 7 or 8")

    @property
    def width(self) -> int:
        """Eight."""
        return 8

    def votes(self) -> Floats:
        """What they said: a row a round, a column an expert."""
        lines = [line.split() for line in TABLE.split("\n") if line]
        columns = np.array(lines).T
        rows = [
            [1.0 - y if word == "-" else float(word) for word in column]
            for column, y in zip(columns, OUTCOMES, strict=True)
        ]
        votes = np.array(rows)
        if self.perfect == 7:
            votes[3:, [6, 7]] = votes[3:, [7, 6]]
        return votes

    def moves(self, rng: np.random.Generator, learner: object) -> Iterator[Round]:
        """The five rounds, and the last one again and again."""
        for votes, y in zip(self.votes(), OUTCOMES, strict=True):
            yield Round(votes, y)
        last = self.votes()[-1]
        while True:
            yield Round(last, OUTCOMES[-1])
