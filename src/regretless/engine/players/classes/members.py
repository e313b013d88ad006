"""One binary learner a class, and one of the rest, one after the other.

They play the same rows, each as it would alone, bit for bit. Additive learners play in
lanes (``lane_members``), and panels have members of their own.
"""

from __future__ import annotations

import abc
from typing import Generic, TypeVar, cast

import numpy as np

from ....parts.documents import Document
from ....parts.observers import LOSS, Statistics
from ....parts.rows import Longs, Rows
from ....parts.state import Floats
from ...memory import refuse_size
from ..row_player import Call, Mark, RowPlayer
from .class_player import ClassPiece

BinaryPlayer = TypeVar("BinaryPlayer", bound=RowPlayer)

ROWS = 4096  # rows played one learner after the other, while they are near


class Members(abc.ABC, Generic[BinaryPlayer]):
    """Binary players, one a class; the last is that of the rest, unless all are known.

    Attributes
    ----------
    n_classes : int
        How many classes there are.
    n_features : int
        How many features have come.
    """

    n_classes: int
    n_features: int
    threads: int | None = None

    @abc.abstractmethod
    def members(self) -> list[BinaryPlayer]:
        """All players as they stand now, that of the rest last."""

    @abc.abstractmethod
    def statistics(self) -> list[Statistics]:
        """The statistics of all players, that of the rest last."""

    @abc.abstractmethod
    def clone_last(self) -> None:
        """One player more, equal to the last."""

    @abc.abstractmethod
    def mark(self) -> Mark:
        """What :meth:`return_to` undoes growth to, before anything is learned."""

    @abc.abstractmethod
    def return_to(self, mark: Mark) -> None:
        """Undo growth of features and classes; the room stays."""

    @abc.abstractmethod
    def scores(self, rows: Rows, n: int) -> Floats:
        """What each class says of `n` rows now, a column each."""

    @abc.abstractmethod
    def rest_loss(self) -> float:
        """What the rest has paid so far."""

    @abc.abstractmethod
    def grow(self, n_features: int) -> None:
        """Make room for more features."""

    @abc.abstractmethod
    def make_tile(self, longest: int) -> None:
        """Make room for rows with this many entries."""

    @abc.abstractmethod
    def playing(
        self, observer: Statistics, confusion: Longs, piece: ClassPiece
    ) -> list[Call]:
        """What plays a row that is alone, as of ``ClassPlayer.playing``."""

    @abc.abstractmethod
    def asking(self, rows: Rows, out: Floats) -> list[Call]:
        """What scores one row, as of ``RowPlayer.asking``."""

    @abc.abstractmethod
    def held(self) -> tuple[object, ...]:
        """What calls hold on to, as of ``RowPlayer.held``."""

    @abc.abstractmethod
    def play(
        self, observer: Statistics, confusion: Longs, piece: ClassPiece
    ) -> tuple[int, float]:
        """Play a piece; return how many rows were played, and the seconds."""

    def admit(self, n_classes: int, *, last: bool) -> None:
        """Make more classes, each as the rest was; without a rest where it is last."""
        while self.n_classes < n_classes:
            if not (last and self.n_classes + 1 == n_classes):
                self.clone_last()
            self.n_classes += 1

    def expect(self, rows: Rows, n_classes: int) -> None:
        """Make room for rows and classes that are to come, where it is moved often."""

    def meet(self, rows: Rows) -> Rows:
        """Rows that are to be played, with room for their features."""
        return rows

    def alone(self, k: int) -> BinaryPlayer:
        """The player of class number `k`."""
        return self.members()[k]

    def all_weights(self) -> Floats:
        """A row a class, the bias first where there is one."""
        everyone = np.array([player.all_weights() for player in self.members()])
        return everyone[: self.n_classes]

    def known_weights(self) -> Floats:
        """The same; panels leave features out that no row has had."""
        return self.all_weights()

    def state_dict(self) -> Document:
        """All players, that of the rest last, as plain data and arrays."""
        return {"players": [player.state_dict() for player in self.members()]}

    def mixture_losses(self) -> tuple[float, float, float] | None:
        """What a mixture of all has paid, its own forecast and its shared one."""
        return None


class SequentialMembers(Members[BinaryPlayer]):
    """Players one after the other; the last is that of the rest, unless all are known.

    Parameters
    ----------
    players : list of RowPlayer
        One a class, and that of the rest.
    n_classes : int
        How many classes there are.
    """

    def __init__(self, players: list[BinaryPlayer], n_classes: int) -> None:
        self.players = players
        self.n_classes = n_classes

    @property
    def n_features(self) -> int:
        """How many features have come."""
        return self.players[0].n_features

    @n_features.setter
    def n_features(  # pyright: ignore[reportIncompatibleVariableOverride]
        self, known: int
    ) -> None:
        for player in self.players:
            player.n_features = known

    def members(self) -> list[BinaryPlayer]:
        """All players, that of the rest last."""
        return self.players

    def statistics(self) -> list[Statistics]:
        """The statistics of all players, that of the rest last."""
        return [player.statistics for player in self.players]

    def clone_last(self) -> None:
        """One player more, equal to the last."""
        rest = self.players[-1]
        size = _bytes_of(rest.held())
        members = len(self.players) + 1
        refuse_size(members * size, members, rest.n_features)
        self.players.append(rest.twin())

    def mark(self) -> Mark:
        """What :meth:`return_to` undoes growth to, before anything is learned."""
        return self.players[0].mark(), self.n_classes, len(self.players)

    def return_to(self, mark: Mark) -> None:
        """Undo growth of features and classes; the room stays."""
        known, self.n_classes, players = mark
        del self.players[players:]
        for player in self.players:
            player.return_to(known)

    def scores(self, rows: Rows, n: int) -> Floats:
        """What each class says of `n` rows now, a column each."""
        out = np.empty((n, self.n_classes))
        for k, player in enumerate(self.players[: self.n_classes]):
            out[:, k] = player.scores(rows, n)
        return out

    def rest_loss(self) -> float:
        """What the rest has paid so far."""
        return float(self.players[self.n_classes].statistics.sums[LOSS])

    def grow(self, n_features: int) -> None:
        """Make room for more features."""
        for player in self.players:
            player.grow(n_features)

    def make_tile(self, longest: int) -> None:
        """Make room for rows with this many entries."""
        for player in self.players:
            player.make_tile(longest)

    def play(
        self, observer: Statistics, confusion: Longs, piece: ClassPiece
    ) -> tuple[int, float]:
        """Play a piece, some rows at a time; how many were played, and the seconds."""
        total, done = piece.targets.size, 0
        before = sum(player.seconds for player in self.players)
        while done < total:
            stop = min(total, done + ROWS)
            part = piece.between(done, stop)
            played = self._play(observer, confusion, part)
            done += played
            if done < stop:
                break
        return done, sum(player.seconds for player in self.players) - before

    def playing(
        self, observer: Statistics, confusion: Longs, piece: ClassPiece
    ) -> list[Call]:
        """What plays one row."""
        from ...kernels.compiled import entry
        from ...kernels.multiclass import write_signs

        everyone = len(self.players)
        scores, paid = np.zeros((1, everyone)), np.zeros((everyone, 1))
        signs = np.zeros(everyone)
        telling = (piece.targets, signs)
        calls: list[Call] = [(entry(write_signs, telling), telling)]
        for k, player in enumerate(self.players):
            trace = (scores[0, k : k + 1], paid[k], np.zeros(1, np.bool_))
            row = (piece.rows, signs[k : k + 1], piece.importance)
            calls.append(player.playing(*row, trace))
        known = paid[: self.n_classes]
        return [*calls, _judging(observer, confusion, piece, scores, known)]

    def asking(self, rows: Rows, out: Floats) -> list[Call]:
        """What scores one row."""
        calls = list[Call]()
        for k, player in enumerate(self.players[: self.n_classes]):
            calls += player.asking(rows, out[0, k : k + 1])
        return calls

    def held(self) -> tuple[object, ...]:
        """What all players hold on to."""
        return tuple(each for player in self.players for each in player.held())

    def _play(self, observer: Statistics, confusion: Longs, piece: ClassPiece) -> int:
        from ....errors import BadRow

        n = piece.targets.size
        scores, mistakes = np.zeros((len(self.players), n)), np.zeros(n, np.bool_)
        paid = np.zeros((len(self.players), n))
        weights = piece.importance if piece.importance.size else None
        played = n
        for k, player in enumerate(self.players):
            signs: Floats = np.where(piece.targets == k, 1.0, -1.0)
            before = player.rounds
            try:
                trace = (scores[k], paid[k], mistakes)
                player.play(piece.rows, signs, trace=trace, weights=weights)
            except BadRow:
                # All refuse the same rows, unless the weights of one have overflowed.
                played = min(played, player.rounds - before)
        table = np.ascontiguousarray(scores[:, :played].T)
        part = piece.between(0, played)
        known = paid[: self.n_classes]
        kernel, arguments = _judging(observer, confusion, part, table, known)
        kernel(*arguments)
        return played


def _bytes_of(held: tuple[object, ...]) -> int:
    """The size of arrays, and of those in tuples."""
    return sum(
        _bytes_of(cast("tuple[object, ...]", each))
        if isinstance(each, tuple)
        else int(getattr(each, "nbytes", 0))
        for each in held
    )


def _judging(
    observer: Statistics,
    confusion: Longs,
    piece: ClassPiece,
    table: Floats,
    paid: Floats,
) -> Call:
    """What judges rows, of which each learner has said and paid these numbers."""
    from ...kernels.compiled import entry
    from ...kernels.multiclass import judge_rows

    told = (piece.trace, table, paid, piece.targets, piece.known)
    arguments = (observer, confusion, *told)
    return entry(judge_rows, arguments), arguments
