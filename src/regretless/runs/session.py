"""A session: a learner on its way through rows, a batch at a time.

It is driven from outside: :meth:`Session.play` reads its source to the end, and tells
watchers of every batch; :meth:`Session.take` plays a batch that is handed over.
The receipts may be asked for between any two batches: what has been learned so far is a
run like any other. ``opening`` makes one from what a user asks for.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from ..data import Batch, Source
from ..engine.players.classes import plays_classes
from ..engine.players.player import Player
from ..errors import BadRow
from ..evidence.row_record import RowRecord
from ..parts.documents import Document
from ..parts.observers import TraceArrays
from ..parts.rows import some_rows
from ..parts.state import Bools, Floats
from .run import Run
from .session_options import SessionOptions
from .session_run import digest_of, game_of, played_names, reading_of
from .source_player import SourcePlayer
from .traces import fill, joined, new_columns, stretches, width_of
from .warm_start import InitialModel, begin_at, known_rows, new_player

if TYPE_CHECKING:
    from ..algorithms.learners.row_learner import RowLearner
    from ..algorithms.prediction_sets import Tracker
    from ..evidence.claims.sealed import Sealed
    from ..evidence.metrics import Metrics
    from ..evidence.snapshots import Recorder
    from .finishing import Finish


class Session(SourcePlayer):
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
    measure : bool
        Whether to keep the metrics of what is predicted.
    options : SessionOptions or None
        All that was asked for.
    sets : Tracker or None
        What makes a prediction set for every row, and learns from its label.
    threads : int or None
        How many threads may learn; None: one a core. The result is the same.

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
        initial: InitialModel | None = None,
        measure: bool = False,
        options: SessionOptions | None = None,
        sets: Tracker | None = None,
        threads: int | None = None,
    ) -> None:
        super().__init__(source)
        self.learner = learner
        self.options = options or SessionOptions()
        self.measure = measure
        self.metrics: Metrics | None = None
        self.today: Metrics | None = None  # of the rows since a state went on
        self.models = tuple(models)
        # Files that say how many rows they have do not say how many have labels.
        self.length = source.n_rows if source.whole else length
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
        self.threads = threads
        self.shown: tuple[Floats, ...] | None = None
        self.skip = skip
        self.initial = initial
        self.continued = False  # whether rows of other files were learned before
        self.record = RowRecord(learner.task, known_rows(initial))
        self._file: int | None = None  # the one that was read last
        self.refused: dict[int, BadRow] = {}  # rows that were skipped
        self.named = 0  # names that belong to rows that were played
        self.kept: list[Batch] | None = [] if keep and not source.rereadable else None
        self.traces: list[tuple[Floats, Floats, Bools]] | None = [] if trace else None

    @property
    def rounds(self) -> int:
        """Rounds played so far."""
        return 0 if self.player is None else self.player.rounds

    def note_file(self, batch: Batch) -> None:
        """Remember of which file a batch is, where another one has begun."""
        if batch.mark is not None and self._file != batch.mark["file"]:
            number: int = batch.mark["file"]
            self._file = number
            self.record.begin_file(digest_of(self.source, number))

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
        self.note_file(batch)
        if self.kept is not None:
            self.kept.append(batch)
        before = self.rounds
        player.grow(batch.n_features)
        self.shown = None
        if self.sets is not None and not self.record.closed:
            self.shown = self.sets.blanks(batch.targets.size)
            scores = self.blank_scores(batch) if scores is None else scores
        self.slopes = None
        wanted = scores is not None or self.metrics is not None
        if wanted and plays_classes(player) and player.calibration is not None:
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
            self.named = max(self.named, width_of(batch, played))
            raise
        self.named = batch.n_features

    def start(self, first: Batch) -> Player:
        """The player, made when the first batch is at hand."""
        if self.player is None:
            self.player = new_player(self.learner, self.source, first, self.threads)
            if self.initial is not None:
                begin_at(self.player, self.initial)
            self.record.leave_out(self.source.names)
            if self.models:
                from ..evidence.snapshots import Recorder

                self.recorder = Recorder(
                    self.player, self.models, self.length, self.record
                )
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
            "record": None if self.recorder else self.record.state_dict(),
            "metrics": None if self.metrics is None else self.metrics.state_dict(),
            "sets": None if self.sets is None else self.sets.state_dict(),
            "refused": [
                [row, error.row, error.problem, error.where]
                for row, error in self.refused.items()
            ],
        }

    def resume(
        self, player: Player, recorder: Recorder | None, facts: Document
    ) -> None:
        """Restore what a checkpoint has kept of another session."""
        self.player, self.recorder = player, recorder
        player.threads = self.threads
        self.rows = int(facts["rows"])
        self.unlabeled = int(facts["unlabeled"])
        self.weighted = bool(facts["weighted"])
        if recorder is None:
            self.record.load_state(facts["record"])
        else:
            self.record = recorder.record
        if self.measure and facts.get("metrics") is not None:
            from .measuring import new_metrics

            self.metrics = new_metrics(self.learner, player)
            self.metrics.load_state(facts["metrics"])
        if self.sets is not None:
            self.sets.load_state(facts["sets"])
        self.refused = {row: BadRow(*error) for row, *error in facts["refused"]}
        self.named = player.n_features

    def run(self) -> Run:
        """The receipts of what has been played so far."""
        player, source = self.player, self.source
        if player is None:
            raise ValueError("there are no rows to learn from")
        names = played_names(self)
        if self.failed and source.n_features is None and isinstance(names, tuple):
            player.n_features = self.named
        classes = source.classes
        if plays_classes(player) and classes is not None:
            classes = classes[: player.n_classes]  # others came after a bad row
        return Run(
            learner=self.learner,
            ledger=player.ledger(),
            weights=player.weights(),
            bias=player.bias_weight(),
            names=names,
            classes=classes,
            seconds=player.seconds,
            trace=None if self.traces is None else joined(self.traces),
            game=game_of(self, names),
            length=self.length,
            recorder=self.recorder,
            weighted=self.weighted,
            warm=self.initial is not None,
            record=self.record.copy(),
            ended=self.ended,
            refused=len(self.refused),
            player=player,
            reading=reading_of(source),
            measured=copy.deepcopy(self.metrics),
            today=copy.deepcopy(self.today),
            sets=None if self.sets is None else self.sets.copy(),
            sealed=self.sealed,
            finish=self.finish,
        )

    def blank_scores(self, batch: Batch) -> Floats:
        """Room for the predictions of a batch, as :meth:`take` fills it: nan."""
        known = np.nan_to_num(batch.targets, nan=-1.0)
        return np.full_like(new_columns(self.start(batch), known)[0], np.nan)

    def _learn(self, batch: Batch, begin: int, end: int, scores: Floats | None) -> None:
        """Play rows that have labels, around those that are skipped."""
        player, weights = self.recorder or self.player, batch.weights
        assert player is not None
        while begin < end:
            self.weighted |= weights is not None
            first, trace = self.rounds, self._new_trace(batch, begin, end, scores)
            try:
                player.play(
                    some_rows(batch.rows, begin, end),
                    batch.targets[begin:end],
                    first=first,
                    trace=trace,
                    names=lambda: self.source.names,
                    weights=None if weights is None else weights[begin:end],
                )
                refused = None
            except BadRow as error:
                refused = error
            finally:
                done = begin + self.rounds - first
                self._write_down(batch, begin, done, trace, scores)
            if refused is None:
                return
            if batch.where is not None:
                refused = BadRow(refused.row, refused.problem, batch.where(done))
            if not self.skip:
                raise refused
            self.refused[self.rows + done] = refused
            if self.recorder is not None:
                self.recorder.refuse()
            begin = done + 1

    def _new_trace(
        self, batch: Batch, begin: int, end: int, scores: Floats | None
    ) -> TraceArrays | None:
        """Room for what is written down of rows; None where nothing is."""
        if self.traces is None and scores is None and self.metrics is None:
            return None
        assert self.player is not None
        trace = new_columns(self.player, batch.targets[begin:end])
        return trace if self.slopes is None else (*trace, self.slopes[begin:end])

    def _write_down(
        self,
        batch: Batch,
        begin: int,
        end: int,
        trace: TraceArrays | None,
        scores: Floats | None,
    ) -> None:
        """Keep what is wanted of rows that were played."""
        targets = batch.targets[begin:end]
        if self.recorder is None and targets.size:
            self.record.feed(some_rows(batch.rows, begin, end), targets)
        if trace is None:
            return
        n, found = targets.size, trace[0][: targets.size]
        if self.traces is not None:
            self.traces.append((found, trace[1][:n], trace[2][:n]))
        if self.metrics is not None:
            from .measuring import feed_metrics

            slopes = None if self.slopes is None else self.slopes[begin:end]
            for each in (self.metrics, self.today):
                if each is not None:
                    feed_metrics(each, found, targets, slopes)
        if scores is not None:
            fill(scores, begin, found)
            self._cover(scores[begin:end], begin, targets)

    def _cover(self, scores: Floats, begin: int, targets: Floats | None) -> None:
        """Make the prediction sets of rows; learn from their labels, if they come."""
        if self.sets is None or self.shown is None:
            return
        end = begin + len(scores)
        slopes = None if self.slopes is None else self.slopes[begin:end]
        found = self.sets.take(scores, targets, slopes)
        for column, made in zip(self.shown, found, strict=True):
            column[begin:end] = made

    def _predict(
        self, batch: Batch, begin: int, end: int, scores: Floats | None
    ) -> None:
        """Predict rows without a label; nothing is learned from them."""
        assert self.player is not None
        self.unlabeled += end - begin
        if self.slopes is not None and plays_classes(self.player):
            assert self.player.calibration is not None
            self.slopes[begin:end] = self.player.calibration.slopes()
        if scores is not None:
            rows = some_rows(batch.rows, begin, end)
            fill(scores, begin, self.player.scores(rows, end - begin))
            self._cover(scores[begin:end], begin, None)
