"""What players of many classes share: batches cut where classes begin, statistics."""

from __future__ import annotations

import abc
import time
from collections.abc import Iterator
from typing import TypeAlias, TypeGuard

import numpy as np

from ....parts.lengths import length_of
from ....parts.multiclass import NOTHING, ClassTrace
from ....parts.observers import ROUNDS, Statistics, TraceArrays, new_statistics
from ....parts.rows import Rows, longest_of, some_rows
from ....parts.state import Floats
from ...feature_names import NamesOf
from ...hypotheses.hypothesis import Hypothesis
from ...ledger import Ledger, read_statistics, row_statistics
from ...refused_rows import bad_row
from ...storage import COUNTS, SIZES, Stored, keep, same
from ..player import Player
from ..row_player import EQUAL, Call, Mark
from .probabilities import ClassCalibration

Confusion: TypeAlias = tuple[tuple[int, ...], ...]
CONFUSABLE = 32  # classes up to this many have a table of confusions
SCORES = 2**19  # that a piece has at most, where they are only looked at


class ClassPiece:
    """Rows in which no class begins, but perhaps with the first one.

    Attributes
    ----------
    known : (int, int)
        How many classes may be predicted on the first row, and on all others.
    """

    def __init__(
        self,
        rows: Rows,
        targets: Floats,
        importance: Floats,
        trace: ClassTrace,
        known: tuple[int, int],
    ) -> None:
        self.rows = rows
        self.targets = targets
        self.importance = importance
        self.trace = trace
        self.known = known

    def after(self, played: int) -> ClassPiece:
        """What is left of it, at least one row having been played."""
        return self.between(played, self.targets.size)

    def between(self, start: int, stop: int) -> ClassPiece:
        """Some of its rows."""
        known = self.known if start == 0 else (self.known[1], self.known[1])
        return ClassPiece(
            some_rows(self.rows, start, stop),
            self.targets[start:stop],
            self.importance[start:stop],
            self.trace.rows(start, stop),
            known,
        )


class ClassPlayer(Stored, abc.ABC):
    """The mutable middle of a run of many classes.

    Attributes
    ----------
    most : int or None
        How many classes there will ever be, where that is known.
    statistics : Statistics
        Of the game of all classes together.
    confusion : array
        ``confusion[true, predicted]``, of the first classes.
    calibration : ClassCalibration or None
        What makes probabilities of scores, where there are any.
    """

    kept = keep(
        "calibration",
        statistics=row_statistics,
        confusion=COUNTS,
        seconds=SIZES,
        **dict.fromkeys(("n_classes", "n_features", "keeps_mean"), same),
    )

    bias: bool
    fixed: bool
    advice: str
    classes = True
    linear = False
    starts_from = ""
    binary = False
    unknown_features_matter = False  # to what is said of a row
    keeps_mean = False
    threads: int | None = None  # that may learn, as of ``RowPlayer``

    def __init__(self) -> None:
        self.most: int | None = None
        self.statistics: Statistics = new_statistics()
        self.confusion = np.zeros((CONFUSABLE, CONFUSABLE), np.int64)
        self.seconds = 0.0
        self.calibration: ClassCalibration | None = None

    # What tells one such player from another.

    @property
    def averages(self) -> bool:
        """Whether a mean of its hypotheses is one."""
        return True

    @property
    @abc.abstractmethod
    def n_classes(self) -> int:
        """How many classes have come."""

    @property
    @abc.abstractmethod
    def n_features(self) -> int:
        """How many features have come."""

    @n_features.setter
    @abc.abstractmethod
    def n_features(self, known: int) -> None: ...

    @property
    @abc.abstractmethod
    def allowed(self) -> tuple[float, float]:
        """The least and the largest entry that rows may have."""

    @abc.abstractmethod
    def admit(self, n_classes: int) -> None:
        """Let there be so many classes."""

    @abc.abstractmethod
    def mark(self) -> Mark:
        """What :meth:`return_to` undoes growth to, before anything is learned."""

    @abc.abstractmethod
    def return_to(self, mark: Mark) -> None:
        """Undo growth of features and classes; the room stays."""

    @abc.abstractmethod
    def playing(self, piece: ClassPiece) -> list[Call]:
        """What plays it, one call after the other; some play only a row that is alone.

        The first one refuses the row, if any does.
        """

    def play_piece(self, piece: ClassPiece) -> tuple[int, float]:
        """Play; return how many rows were, and the seconds it took."""
        began = time.perf_counter()
        played = min(
            kernel(*arguments) or 0 for kernel, arguments in self.playing(piece)
        )
        return played, time.perf_counter() - began

    @abc.abstractmethod
    def asking(self, rows: Rows, out: Floats) -> list[Call]:
        """What scores one row of the first classes, as of ``RowPlayer.asking``."""

    @abc.abstractmethod
    def held(self) -> tuple[object, ...]:
        """What calls hold on to, as of ``RowPlayer.held``."""

    @abc.abstractmethod
    def scores(self, rows: Rows, n: int) -> Floats:
        """What would be said of `n` rows now, a column a class, learning nothing."""

    @abc.abstractmethod
    def grow(self, n_features: int) -> None:
        """Make room for more features."""

    @abc.abstractmethod
    def make_tile(self, longest: int) -> None:
        """Make room for rows with this many entries."""

    @abc.abstractmethod
    def all_weights(self) -> Floats:
        """A row a class, the bias first where there is one."""

    @abc.abstractmethod
    def hypothesis(self) -> Hypothesis:
        """What predicts now, to be kept."""

    # What all of them do.

    @property
    def rounds(self) -> int:
        """Rounds played so far."""
        return int(self.statistics.counts[ROUNDS])

    def learning(
        self, rows: Rows, targets: Floats, importance: Floats, came: int
    ) -> list[Call]:
        """What plays a row that is alone, as of ``RowPlayer.learning``.

        So many classes had come before it; all but its own.
        """
        known, notes = (came, self.n_classes), self._notes(None, 0, 1)
        calls = self.playing(ClassPiece(rows, targets, importance, notes, known))
        if self.calibration is not None:
            used = np.zeros((1, 3))
            calls += self.calibration.learning(notes.scores, targets, known, used)
        return calls

    def play(
        self,
        rows: Rows,
        targets: Floats,
        *,
        first: int = 0,
        trace: TraceArrays | None = None,
        names: NamesOf | None = None,
        weights: Floats | None = None,
    ) -> None:
        """Play a batch of rows in order, as ``Player.play`` does.

        Targets are the numbers of classes. The trace's scores have a column a class,
        -inf where a class had not come yet. A fourth array in it, with three columns,
        gets the slopes that make probabilities of the scores of each row.
        """
        self.make_tile(longest_of(rows))
        self.expect(rows, int(targets.max(initial=-1.0)) + 1)
        importance = EQUAL if weights is None else weights
        for start, stop in _pieces(targets, self.n_classes):
            before, mark = self.n_classes, self.mark()
            self.admit(max(before, int(targets[start]) + 1))
            notes = self._notes(trace, start, stop)
            piece = ClassPiece(
                some_rows(rows, start, stop),
                targets[start:stop],
                importance[start:stop] if importance.size else EQUAL,
                notes,
                (before, self.n_classes),
            )
            played, spent = self.play_piece(piece)
            self.seconds += spent
            if self.calibration is not None:
                said, labels = notes.scores[:played], piece.targets[:played]
                slopes = self.calibration.learn(said, labels, piece.known)
                for room in trace[3:] if trace is not None else ():
                    room[start : start + played] = slopes[:played]
            if played < stop - start:
                if played == 0:
                    self.return_to(mark)
                at = start + played
                raise bad_row(rows, at, first, names, self.allowed, self.advice)

    def _notes(self, trace: TraceArrays | None, start: int, stop: int) -> ClassTrace:
        """Room for what a piece is to write down."""
        if trace is not None:
            return ClassTrace(*trace[:3]).rows(start, stop)
        if self.calibration is None:
            return NOTHING
        n = stop - start
        return ClassTrace(
            np.zeros((n, self.n_classes)), np.zeros(n), np.zeros(n, np.bool_)
        )

    def new_trace(self, n: int, targets: Floats) -> TraceArrays:
        """Room for the scores, losses and mistakes of a batch with these targets."""
        known = max(self.n_classes, int(targets.max(initial=-1.0)) + 1)
        return (np.full((n, known), -np.inf), np.zeros(n), np.zeros(n, np.bool_))

    def meet(self, rows: Rows) -> Rows:
        """Rows that are to be played, with room for their features."""
        return rows

    def expect(self, rows: Rows, n_classes: int) -> None:
        """Make room for rows and classes that are to come, where it is moved often."""

    def weights(self) -> Floats:
        """The weights of the features, a row a class, without the bias."""
        return self.all_weights()[:, int(self.bias) :]

    def known_weights(self) -> Floats:
        """The same as :meth:`all_weights`, where nothing is known of some features."""
        return self.all_weights()

    def bias_weight(self) -> Floats:
        """The weight of the bias of each class; 0 without one."""
        weights = self.known_weights()
        return weights[:, 0].copy() if self.bias else np.zeros(len(weights))

    def ledger(self) -> Ledger:
        """What has been met and paid so far."""
        norm = length_of(self.known_weights())
        with np.errstate(over="ignore", invalid="ignore"):  # sums may overflow
            found = read_statistics(self.statistics, binary=True, weight_norm=norm)
            return self.class_ledger(found, self._confusions())

    def class_ledger(self, found: Ledger, confusion: Confusion | None) -> Ledger:
        """The ledger with what only classes know."""
        from dataclasses import replace

        # The statistics take the number of a class for a label of -1 or +1.
        return replace(
            found,
            false_positives=None,
            false_negatives=None,
            majority_mistakes=None,
            confusion=confusion,
        )

    def _confusions(self) -> Confusion | None:
        known = self.n_classes
        if known > CONFUSABLE:
            return None
        return tuple(tuple(row) for row in self.confusion[:known, :known].tolist())


def plays_classes(player: Player) -> TypeGuard[ClassPlayer]:
    """Whether targets are numbers of classes."""
    return player.classes


def _pieces(targets: Floats, known: int) -> Iterator[tuple[int, int]]:
    """Ranges of rows, a new one wherever a class comes for the first time."""
    if not targets.size:
        return
    most = np.maximum.accumulate(np.maximum(targets, known - 1.0))
    edges = np.flatnonzero(np.diff(most) > 0.0) + 1
    for start, stop in zip([0, *edges], [*edges, targets.size], strict=True):
        rows = max(1, int(SCORES // (most[start] + 1.0)))
        for first in range(int(start), int(stop), rows):
            yield first, min(first + rows, int(stop))
