"""A session: a learner on its way through rows, a batch at a time.

Whoever has rows drives it: :meth:`Session.play` reads its source to the end, and tells
watchers of every batch; :meth:`Session.take` plays a batch that somebody hands over.
The receipts may be asked for between any two batches: what has been learned so far is a
run like any other. ``opening`` makes one from what a user asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import numpy as np

from ..data import Batch, Source
from ..engine.players.classes import plays_classes
from ..engine.players.player import Player
from ..errors import BadRow
from ..evidence.fingerprints import Fingerprints
from ..parts.documents import Document
from ..parts.rows import some_rows
from ..parts.state import Floats
from .run import Run
from .session_run import run_of
from .traces import fill, stretches
from .warm_start import begin_at, known_rows

if TYPE_CHECKING:
    from ..algorithms.learners.row_learner import RowLearner
    from ..algorithms.prediction_sets import Tracker
    from ..evidence.claims.sealed import Sealed
    from ..evidence.metrics import Metrics
    from ..evidence.snapshots import Recorder
    from .finishing import Finish
    from .watchers import Watcher

__all__ = ["Session"]


class Session:
    """A learner in the middle of a stream.

    Parameters
    ----------
    learner : RowLearner
        Who plays.
    source : Source
        Where the batches come from.
    models : iterable of str
        What to keep on the way, for ``run.model``.
    length : int or None
        The number of rounds, where it is declared.
    trace : bool
        Keep one entry a round.
    keep : bool
        Keep the rows of a source that can be read only once.
    skip : bool
        Whether a row that the learner refuses is skipped; else it ends the pass.
    initial : model or None
        A linear model whose weights to start from.
    seen : Fingerprints or None
        Of the rows, where somebody else feeds them; None: this pass does.
    measure : bool
        Whether to keep the metrics of what is predicted.
    sets : Tracker or None
        What makes a prediction set for every row, and learns from its label.

    Attributes
    ----------
    finish : Finish or None
        What follows the online pass.
    sealed : Sealed or None
        The rows that were sealed.
    shown : tuple of arrays or None
        The prediction sets of the last batch: the low and the high ends of intervals;
        of classes, the least probability of a label inside.
    """

    def __init__(  # noqa: PLR0913 - all but two are options
        self,
        learner: RowLearner,
        source: Source,
        *,
        models: Iterable[str] = (),
        length: int | None = None,
        trace: bool = False,
        keep: bool = False,
        skip: bool = False,
        initial: Any = None,
        seen: Fingerprints | None = None,
        measure: bool = False,
        sets: Tracker | None = None,
    ) -> None:
        self.learner = learner
        self.measure = measure
        self.metrics: Metrics | None = None
        self.today: Metrics | None = None  # of the rows since a state went on
        self.source = source
        self.models = tuple(models)
        # Files that say how many rows they have do not say how many have labels.
        self.length = source.n_rows if source.whole else length
        self.ended = False  # whether the source has come to its end
        self.finish: Finish | None = None
        self.sealed: Sealed | None = None
        self.player: Player | None = None
        self.recorder: Recorder | None = None
        self.failed = False
        self.weighted = False
        self.unlabeled = 0
        self.rows = 0  # of the stream, so far
        self.slopes: Floats | None = None  # of the scores of the last batch
        self.sets = sets
        self.covers = True  # whether rows are new: sets learn nothing from others
        self.shown: tuple[Floats, ...] | None = None
        self.skip = skip
        self.initial = initial
        self.continued = False  # whether rows of other files were learned before
        self._feeds = seen is None
        self.seen = known_rows(initial) if seen is None else seen
        self.refused: dict[int, BadRow] = {}  # rows that were skipped
        self.named = 0  # names that belong to rows that were played
        self.kept: list[Batch] | None = [] if keep and not source.again else None
        self.traces: list[tuple[Any, ...]] | None = [] if trace else None

    @property
    def rounds(self) -> int:
        """Rounds played so far."""
        if self.player is None:
            return 0
        return self.player.rounds

    def play(
        self,
        watchers: Sequence[Watcher] = (),
        until: Callable[[Iterator[Batch]], Iterator[Batch]] = iter,
    ) -> None:
        """Play the source to its end, or as far as `until` lets its batches come.

        Parameters
        ----------
        watchers : sequence of Watcher
            Told of every batch after it was played, and of the end.
        until : callable
            From the batches to those that are to be played.
        """
        scored = any(watcher.scored for watcher in watchers)
        complete = False

        def all_of(batches: Iterator[Batch]) -> Iterator[Batch]:
            nonlocal complete
            yield from batches
            complete = True

        with ExitStack() as stack:
            batches = all_of(self.source.batches())
            stack.callback(batches.close)  # type: ignore[attr-defined]
            for batch in until(batches):
                scores = self.blank_scores(batch) if scored else None
                self.take(batch, scores)
                for watcher in watchers:
                    watcher.after(batch, scores, self)
        self.ended = complete
        for watcher in watchers:
            watcher.last(self)

    def take(self, batch: Batch, scores: Floats | None = None) -> None:
        """Play a batch: predict each row, learn it if it has a label.

        Parameters
        ----------
        batch : Batch
            The next rows of the source.
        scores : array or None
            To be filled with the prediction of every row, before its label was seen.
            ``self.slopes`` then make probabilities of those of many classes.

        Raises
        ------
        BadRow
            At the first row that is refused, after those before it have been learned.
        """
        player = self.start(batch)
        if self.kept is not None:
            self.kept.append(batch)
        before = self.rounds
        player.grow(batch.n_features)
        self.shown = None
        if self.sets is not None and self.covers:
            self.shown = self.sets.blanks(batch.targets.size)
            scores = self.blank_scores(batch) if scores is None else scores
        self.slopes = None
        wanted = scores is not None or self.metrics is not None
        if wanted and getattr(player, "calibration", None) is not None:
            self.slopes = np.full((batch.targets.size, 3), np.nan)
        try:
            for begin, end, labeled in stretches(batch.targets):
                if labeled:
                    self._learn(batch, begin, end, scores)
                else:
                    self._predict(batch, begin, end, scores)
            self.rows += batch.targets.size
            if batch.failure is not None:
                raise batch.failure
        except BadRow:
            self.failed = True
            played = self.rounds - before
            self.named = max(self.named, _width(batch, played))
            raise
        self.named = len(self.source.names or ())

    def start(self, first: Batch) -> Player:
        """The player, made when the first batch is at hand."""
        if self.player is None:
            self.player = self._player(first)
            if self.initial is not None:
                begin_at(self.player, self.initial)
            if self.models:
                from ..evidence.snapshots import Recorder

                self.recorder = Recorder(self.player, self.models, self.length)
            if self.measure:
                from .measuring import new_metrics

                self.metrics = new_metrics(self.learner, self.player)
        return self.player

    def facts(self) -> Document:
        """What a checkpoint keeps of the pass itself, beside its player."""
        return {
            "rows": self.rows,
            "unlabeled": self.unlabeled,
            "weighted": self.weighted,
            "seen": self.seen.state_dict(),
            "metrics": None if self.metrics is None else self.metrics.state_dict(),
            "sets": None if self.sets is None else self.sets.state_dict(),
            "refused": [
                [row, error.row, error.problem, error.where]
                for row, error in self.refused.items()
            ],
        }

    def resume(self, player: Player, recorder: Recorder | None, facts: Any) -> None:
        """Stand where a checkpoint left another pass."""
        self.player, self.recorder = player, recorder
        self.rows = int(facts["rows"])
        self.unlabeled = int(facts["unlabeled"])
        self.weighted = bool(facts["weighted"])
        if "seen" in facts:  # files of version 0.1 have none
            self.seen.load_state(facts["seen"])
        if self.measure and facts.get("metrics") is not None:
            from .measuring import new_metrics

            self.metrics = new_metrics(self.learner, player)
            self.metrics.load_state(facts["metrics"])
        if self.sets is not None:
            self.sets.load_state(facts["sets"])
        self.refused = {row: BadRow(*error) for row, *error in facts["refused"]}
        self.named = len(self.source.names or ())

    def run(self) -> Run:
        """The receipts of what has been played so far."""
        return run_of(self)

    def blank_scores(self, batch: Batch) -> Floats:
        """Room for the predictions of a batch, as :meth:`take` fills it: nan."""
        n = batch.targets.size
        player = self.start(batch)
        if not plays_classes(player):
            return np.full(n, np.nan)
        known = np.nan_to_num(batch.targets, nan=-1.0)
        return np.full_like(player.new_trace(n, known)[0], np.nan)

    def _player(self, first: Batch) -> Player:
        """A player at the start. One that depends on d does not guess it from names."""
        known = self.source.n_features
        if known is None and not self.learner.fixed:
            known = first.n_features
        if known is None and first.failure is not None and not first.targets.size:
            raise first.failure
        player = self.learner.player(known)
        classes = self.source.classes
        if plays_classes(player) and self.source.whole and classes:
            player.most = len(classes)
        return player

    def _learn(self, batch: Batch, begin: int, end: int, scores: Any) -> None:
        """Play rows that have labels, around those that are skipped."""
        while begin < end:
            first = self.rounds
            try:
                self._play(batch, begin, end, scores)
                return
            except BadRow as error:
                begin += self.rounds - first
                if batch.where is not None:
                    error = BadRow(error.row, error.problem, batch.where(begin))
                if not self.skip:
                    raise error from None
                self.refused[self.rows + begin] = error
                if self.recorder is not None:
                    self.recorder.refuse()
                begin += 1

    def _play(self, batch: Batch, begin: int, end: int, scores: Any) -> None:
        assert self.player is not None
        trace: Any = None
        metrics = self.metrics
        if self.traces is not None or scores is not None or metrics is not None:
            trace = self._new_trace(end - begin, batch.targets[begin:end])
        if self.slopes is not None:
            trace = (*trace, self.slopes[begin:end])
        weights = batch.weights
        first = self.rounds
        self.weighted |= weights is not None
        try:
            (self.recorder or self.player).play(
                some_rows(batch.rows, begin, end),
                batch.targets[begin:end],
                first=first,
                trace=trace,
                names=lambda: self.source.names,
                weights=None if weights is None else weights[begin:end],
            )
        finally:
            played = self.rounds - first
            if self._feeds:
                done = some_rows(batch.rows, begin, begin + played)
                self.seen.feed(done, batch.targets[begin : begin + played])
            if self.traces is not None:
                self.traces.append(tuple(column[:played] for column in trace[:3]))
            if scores is not None:
                fill(scores, begin, trace[0][:played])
            if metrics is not None:
                self._measure(metrics, trace[0][:played], batch.targets, begin)
            self._cover(scores, begin, begin + played, batch.targets)

    def _measure(
        self, metrics: Metrics, scores: Floats, targets: Floats, begin: int
    ) -> None:
        from .measuring import feed_metrics

        end = begin + len(scores)
        slopes = None if self.slopes is None else self.slopes[begin:end]
        for each in (metrics, self.today):
            if each is not None:
                feed_metrics(each, scores, targets[begin:end], slopes)

    def _cover(
        self, scores: Any, begin: int, end: int, targets: Floats | None = None
    ) -> None:
        """Make the prediction sets of rows; learn from their labels, if they come."""
        if self.sets is None or self.shown is None:
            return
        found = self.sets.take(
            scores[begin:end],
            None if targets is None else targets[begin:end],
            None if self.slopes is None else self.slopes[begin:end],
        )
        for column, made in zip(self.shown, found, strict=True):
            column[begin:end] = made

    def _predict(self, batch: Batch, begin: int, end: int, scores: Any) -> None:
        """Predict rows without a label; nothing is learned from them."""
        assert self.player is not None
        self.unlabeled += end - begin
        if scores is not None:
            rows = some_rows(batch.rows, begin, end)
            fill(scores, begin, self.player.scores(rows, end - begin))
        if self.slopes is not None:
            player: Any = self.player
            self.slopes[begin:end] = player.learned_slopes()
        self._cover(scores, begin, end)

    def _new_trace(self, n: int, targets: Floats) -> tuple[Any, ...]:
        if self.player is not None and plays_classes(self.player):
            return self.player.new_trace(n, targets)
        return (np.zeros(n), np.zeros(n), np.zeros(n, np.bool_))


def _width(batch: Batch, played: int) -> int:
    """How many features the first `played` rows of a batch need."""
    rows: Any = batch.rows
    if hasattr(rows, "width"):
        return rows.width
    return int(rows.columns[: rows.starts[played]].max(initial=-1)) + 1
