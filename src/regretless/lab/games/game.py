"""A game: rounds without end, made in advance or answered to a learner's face.

A game is a frozen dataclass of parameters. Its one generator, ``moves``, yields rounds;
an adaptive one looks at the learner between two of them, an oblivious one does not. All
randomness comes from one seed.
"""

from __future__ import annotations

import abc
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np
from scipy.sparse import csr_array

from ...parts.documents import Document
from ...parts.losses import Absolute, Squared
from ...parts.rows import Longs
from ...parts.state import Floats
from .opponents import Opponent, opponent_of, refuse_unfit

__all__ = ["Game", "Opponent", "Played", "Round"]

Kind = Literal["labels", "targets", "votes", "forecasts", "losses", "numbers"]
LARGEST = 2**31  # bytes of rows that are kept

Taken: TypeAlias = Document
"""Rounds as arrays, by the names of the parameters of ``play``."""


class Round(NamedTuple):
    """What is seen, and what is then revealed; None where a game has no such thing."""

    x: Floats | None
    y: float | None


class Played(NamedTuple):
    """What was played, for the adversary to say at the end what it had in mind."""

    X: Any  # dense or sparse, None where nothing is shown
    y: Floats
    weights: Floats
    seed: int


@dataclass(frozen=True)
class Game(abc.ABC):
    """Rounds without end.

    A game of ``labels`` shows rows and reveals -1 or +1; of ``targets``, numbers. Of
    ``votes``: a row of zeros and ones, one an expert, and the outcome; of
    ``forecasts``: probabilities. Of ``losses``: what each expert loses. Of ``numbers``:
    nothing is shown, and a number is revealed.
    """

    kind: ClassVar[Kind]
    adaptive: ClassVar[bool] = False
    """Whether it answers the learner it plays."""
    random: ClassVar[bool] = False
    """Whether another seed is another game."""
    covered: ClassVar[bool] = False
    """Whether it answers prediction intervals: ``intervals(learner)`` has them."""
    sparse: ClassVar[bool] = False
    """Whether its rows are mostly zeros, and kept as such."""
    reaches: ClassVar[tuple[str, ...]] = ()
    """The theorems it is aimed at, the first one first."""
    usual_rounds: ClassVar[int] = 1000
    """How many rounds show what the game is about, whatever its parameters."""

    def __post_init__(self) -> None:
        self.check()

    @abc.abstractmethod
    def check(self) -> None:
        """Raise ValueError where a parameter is out of range."""

    @property
    def width(self) -> int:
        """How many features or experts a round has; 0 where nothing is shown.

        By default the parameter `features`, `experts` or `voters`, where there is one.
        """
        named = (getattr(self, name, 0) for name in ("features", "experts", "voters"))
        return next(filter(None, named), 0)

    @property
    def natural(self) -> int:
        """How many rounds show what the game is about."""
        return self.usual_rounds

    @abc.abstractmethod
    def moves(self, rng: np.random.Generator, learner: Any) -> Iterator[Round]:
        """Rounds without end; `learner` is an :class:`Opponent` if adaptive."""

    def truth(self, played: Played) -> Floats | None:
        """The comparator it had in mind; None: the best in hindsight is meant."""
        return None

    def stream(self, seed: int = 0, learner: object = None) -> Iterator[object]:
        """Rounds without end, as ``play`` takes them.

        Parameters
        ----------
        seed : int
            Where its randomness starts.
        learner : learner
            Whom it answers, where it is adaptive. The learner itself is not changed: a
            game of its own is played beside.

        Yields
        ------
        (x, y), or a row of losses, or a number
            Depending on the kind.
        """
        for x, y in self._rounds(seed, learner):
            if self.kind == "losses":
                yield x
            elif self.kind == "numbers":
                yield y
            else:
                yield x, y

    def take(self, rounds: int, seed: int = 0, learner: object = None) -> Taken:
        """The first rounds as arrays: ``play(learner, **game.take(1000))``."""
        if not hasattr(rounds, "__index__") or isinstance(rounds, bool) or rounds < 1:
            raise ValueError(f"rounds={rounds!r} must be a whole number from 1 on")
        size = 0 if self.sparse else 8 * rounds * self.width
        if size > LARGEST:
            raise ValueError(
                f"rounds={rounds:,} of {self.width:,} numbers take {size / 2**30:.1f} "
                "GB: play fewer, or feed play(...) with stream()"
            )
        taken = islice(self._rounds(seed, learner), rounds)
        if self.kind == "numbers":
            return {"y": np.array([one.y for one in taken])}
        rows: list[Floats] = []
        entries: list[tuple[Longs, Floats]] = []
        outcomes: list[float] = []
        for x, y in taken:
            assert x is not None
            if self.sparse:
                entries.append(_entries(x))
            else:
                rows.append(x)
            outcomes.append(0.0 if y is None else y)
        table = _csr(entries, self.width) if self.sparse else np.array(rows, np.float64)
        if self.kind == "losses":
            return {"losses": table}
        loss = {"loss": self.loss} if self.kind == "forecasts" else {}
        return {"X": table, "y": np.array(outcomes), **loss}

    @property
    def loss(self) -> Squared | Absolute:
        """What compares what experts say with what happens."""
        return Squared() if self.kind == "forecasts" else Absolute()

    def _rounds(self, seed: int, learner: object) -> Iterator[Round]:
        if learner is not None:
            refuse_unfit(learner, self)
        rng = np.random.default_rng(seed)
        if not self.adaptive:
            yield from self.moves(rng, None)
            return
        if learner is None:
            name = type(self).__name__
            raise TypeError(f"{name} answers a learner: say which one, learner=...")
        opponent: Opponent = opponent_of(learner, self)
        for one in self.moves(rng, opponent):
            yield one
            opponent.learn(one.x, one.y)


def _entries(x: Floats) -> tuple[Longs, Floats]:
    columns = np.flatnonzero(x)
    return columns, x[columns]


def _csr(rows: list[tuple[Longs, Floats]], width: int) -> csr_array:
    starts = np.cumsum([0, *(columns.size for columns, _ in rows)])
    columns = np.concatenate([columns for columns, _ in rows]).astype(np.int32)
    values = np.concatenate([values for _, values in rows])
    return csr_array((values, columns, starts), shape=(len(rows), width))
