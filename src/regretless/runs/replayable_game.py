"""A linear game that can be played again: for its weights, its losses, its models."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..data import Batch, Source, one_row, taken
from ..engine.feature_names import Names
from ..engine.players.linear import LinearPlayer
from ..parts.observers import UPDATES
from ..parts.rows import Dense
from ..parts.state import Bools, Floats
from .warm_start import player_at_start

if TYPE_CHECKING:
    from ..algorithms.learners.row_learner import RowLearner
    from ..evidence.metrics import Metrics
    from ..evidence.snapshots import Recorder


@dataclass(frozen=True)
class LinearGame:
    """The learner, and the data it played.

    Attributes
    ----------
    learner : RowLearner
        Who played.
    source : Source
        The rows, which can be read again.
    rounds : int
        How many were played.
    """

    learner: RowLearner
    source: Source
    rounds: int

    def player(self) -> Any:
        """A player at the start of this game."""
        width = self.source.n_features
        if width is None:
            width = max(batch.n_features for batch in self.source.batches())
            player = player_at_start(self.learner, self.source, width)
            player.grow(width)
            return player
        return self.learner.player(width)

    def full_path(self) -> Floats:
        """All weights (the bias first) before the first round and after every round."""
        player = self.player()
        path = [player.all_weights()]
        for batch in self.source.batches():
            for i in range(batch.targets.size):
                if len(path) > self.rounds:
                    break
                _play_one(player, batch, i)
                path.append(player.all_weights())
        if path[-1].ndim == 2:  # a row a class, and classes come on the way
            rows = len(path[-1])
            path = [np.pad(w, ((0, rows - len(w)), (0, 0))) for w in path]
        return np.array(path)

    def distinct(self) -> tuple[Floats, Floats]:
        """All hypotheses that predicted, the bias first, and for how many rounds."""
        player = self.player()
        kept, rounds = [player.all_weights()], [0.0]
        left = self.rounds
        for batch in self.source.batches():
            for i in range(min(left, batch.targets.size)):
                rounds[-1] += 1.0
                left -= 1
                before = player.statistics.counts[UPDATES]
                _play_one(player, batch, i)
                if left and player.statistics.counts[UPDATES] > before:
                    kept.append(player.all_weights())
                    rounds.append(0.0)
        return np.array(kept), np.array(rounds)

    def weight_path(self) -> Floats:
        """The same without the bias."""
        return self.full_path()[..., int(self.learner.bias) :]

    def losses(self) -> Floats:
        """The loss of every round."""
        player = self.player()
        found: list[Floats] = []
        for batch in self.source.batches():
            n = batch.targets.size
            trace = (np.zeros(n), np.zeros(n), np.zeros(n, np.bool_))
            player.play(batch.rows, batch.targets, trace=trace, weights=batch.weights)
            found.append(trace[1])
        return np.concatenate(found)[: self.rounds]

    def metrics(self) -> Metrics:
        """The metrics of what was predicted."""
        from .session import Session

        again = Session(self.learner, self.source, measure=True)
        again.play()
        assert again.metrics is not None
        return again.metrics

    def wrong(self, path: Floats) -> Bools:
        """Whether hypothesis i, row i of `path`, errs on round t; a tie is an error."""
        columns: list[Bools] = []
        threshold = self.player().parts.threshold
        for x, y in self._vectors(path.shape[1]):
            columns.append(y * (path @ x - threshold) <= 0.0)
        return np.array(columns[: self.rounds]).T

    def record(self, kinds: Iterable[str], length: int | None) -> Recorder:
        """Play again and keep these kinds of models; refused rows count as they did."""
        from ..evidence.snapshots import Recorder

        recorder = Recorder(self.player(), kinds, length)
        source = self.source
        met = source.met() if isinstance(source, PlayedSource) else source.batches()
        for batch in met:
            if batch is None:
                recorder.refuse()
            else:
                recorder.record.leave_out(source.names)
                recorder.play(batch.rows, batch.targets, weights=batch.weights)
        return recorder

    def _vectors(self, size: int) -> Iterator[tuple[Floats, float]]:
        """Every row as a vector, the bias first, and its label."""
        bias = int(self.learner.bias)
        for batch in self.source.batches():
            for i in range(batch.targets.size):
                rows = one_row(batch.rows, i)
                x = np.zeros(size)
                x[:bias] = 1.0
                if isinstance(rows, Dense):
                    x[bias : bias + rows.width] = rows.values
                else:
                    x[bias + rows.columns] = rows.values
                yield x, float(batch.targets[i])


def _play_one(player: LinearPlayer, batch: Batch, i: int) -> None:
    weights = None if batch.weights is None else batch.weights[i : i + 1]
    player.play(one_row(batch.rows, i), batch.targets[i : i + 1], weights=weights)


class PlayedSource:
    """The rows of a stream that were played: those with a label, and not refused.

    Parameters
    ----------
    source : Source
        The stream.
    kept : list of Batch or None
        Its rows, where it cannot be read again.
    names : tuple or None
        The features' names, as far as they were met.
    n_features : int
        How many features were met.
    rounds : int
        How many rows were played.
    refused : collection of int
        The rows, counted from 0 in the stream, that were skipped.
    """

    rereadable = True
    whole = False
    n_rows: int | None = None

    def __init__(
        self,
        source: Source,
        kept: list[Batch] | None,
        names: Names | None,
        n_features: int,
        rounds: int,
        refused: Collection[int] = (),
    ) -> None:
        self.names = names if isinstance(names, tuple) else None
        self.classes = source.classes
        self.n_features = n_features
        self._open = source.batches if kept is None else kept.__iter__
        self._rounds = rounds
        self.refused = sorted(refused)
        self._refused = np.array(self.refused, np.int64)

    def batches(self) -> Iterator[Batch]:
        """The rows, in order."""
        return (batch for batch in self.met() if batch is not None)

    def met(self) -> Iterator[Batch | None]:
        """The same, with None in the place of every row that was refused."""
        left, seen, said = self._rounds, 0, 0
        for batch in self._open():
            n = batch.targets.size
            refused = self._refused[said:] - seen
            begin = 0
            for end in [*refused[refused < n].tolist(), n]:
                played = begin + np.flatnonzero(~np.isnan(batch.targets[begin:end]))
                chosen = played[:left]
                left -= chosen.size
                if chosen.size:
                    width = min(batch.n_features, self.n_features)
                    yield taken(batch, chosen)._replace(n_features=width, failure=None)
                if end < n:
                    said += 1
                    yield None
                begin = end + 1
            seen += n
            if left == 0 and said == len(self.refused):
                return
