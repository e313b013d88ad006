"""A learner in the middle of its data: what ``partial_fit`` adds to.

It is a session that rows are handed to as they come. It pickles as checkpoints do,
through the states of its player and its recorder.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ...algorithms.learners.row_learner import RowLearner
from ...algorithms.prediction_sets import Tracker, tracker_for
from ...data import Batch
from ...data.chunk import Array
from ...errors import NotCertified
from ...evidence.certify import Certificate
from ...evidence.claims.sealed import by_seal
from ...models.conversions import default_kinds
from ...models.rows_to_predict import RowMatrix
from ...parts.documents import Document
from ...runs.checkpoints import restored
from ...runs.run import Run
from ...runs.session import Session
from .handed_over import HandedOver
from .labels import Code
from .order import Order
from .predictors import Predictor
from .sealing import SealedRows

GIVEN = ("learner", "source", "kind", "sealed", "level")
SINCE = ("order", "seen_again", "ended")
AGAIN = (
    "passes > 1 met its rows again, and rows seen before certify nothing: "
    'seal="10%" keeps some that do.'
)


class TrainingSession:
    """A learner, what it has learned, and which of its hypotheses predicts.

    Parameters
    ----------
    learner : learner
        Who learns.
    source : HandedOver
        What is known of the columns and of the labels.
    kind : str
        The model that predicts, as ``run.model`` knows it.
    sealed : SealedRows or None
        Rows that are not learned, and judge what predicts.
    level : float, str or None
        Of the prediction sets, where there are to be any.
    """

    def __init__(
        self,
        learner: RowLearner,
        source: HandedOver,
        kind: str,
        sealed: SealedRows | None = None,
        level: float | str | None = None,
    ) -> None:
        self.learner = learner
        self.source = source
        self.kind = kind
        self.sealed = sealed
        self.level = level
        self.game = Session(
            learner,
            source,
            models=self._kept(),
            sets=None if level is None else tracker_for(learner, level),
            measure=True,
        )
        self.order: Order | None = None  # how the rows of a fit were shuffled
        self.seen_again = False  # whether rows came a second time
        self.ended = False  # whether these are all rows, as of one fit
        self._run: Run | None = None
        self._predictor: Predictor | None = None

    def plan(self, rows: int, passes: int, order: Order | None) -> None:
        """Before a fit: how many rows it learns, how often, and how they are shuffled.

        Where they are, their number is known to the recorder, as it is to ``play`` of
        arrays. Where they are not, the fit is a stream, and the same in any cuts.
        """
        self.order = order
        self.game.models = self._kept(passes)
        self.game.length = None if order is None else passes * rows
        self.game.record.drawn = 0 if order is None else rows

    def learn(self, batch: Batch) -> None:
        """Play the next rows."""
        self._run = self._predictor = None
        self.game.start(batch)
        code = self.source.code
        if code.numbered and code.declared is not None:
            self._player.most = code.declared.size
        try:
            if batch.targets.size:
                self.game.take(batch)
        except ValueError:
            if code.numbered:
                code.forget(self._player.n_classes)  # they came after the bad row
            raise

    def begin_pass(self, number: int) -> None:
        """Before pass `number` of a fit, counted from 0."""
        self.seen_again = number > 0
        self.game.covers = number == 0
        self.game.record.closed = number > 0

    def go_on(self) -> None:
        """Before more rows, after which the caller may stop, or go on."""
        self.ended = False
        self.game.covers = True
        self.game.record.closed = False

    @property
    def share(self) -> float | None:
        """Of the rows that are sealed; None where none are."""
        return None if self.sealed is None else self.sealed.seal.share

    def labels_of(self, matrix: RowMatrix) -> Array:
        """The predicted labels."""
        scores = self.predictor.scores(matrix)
        classes = self.source.code.classes
        if classes.size == 1:
            chosen = np.zeros(len(scores), np.int64)
        elif scores.ndim == 1:
            chosen = (scores > 0.0).astype(np.int64)
        else:
            chosen = scores.argmax(axis=1)
        return classes[chosen]

    def certified(self, delta: float) -> tuple[Certificate | None, str]:
        """The certificate; or None, and why there is none.

        By the sealed rows, where there are any. Else what ``run.model()`` certifies, or
        ``run.model("validated")``. Of classes that came as they came, it is about what
        this very session predicted then, also where no more than two have come.
        """
        if self.sealed is not None:
            return self._by_seal(self.sealed, delta)
        if self.seen_again:
            return None, AGAIN
        kind = self.kind if self.kind == "validated" else None
        try:
            found = self._played().model(kind, delta)
        except (NotCertified, ValueError) as why:
            return None, str(why)
        return found.certificate, found.why_not

    def _by_seal(
        self, sealed: SealedRows, delta: float
    ) -> tuple[Certificate | None, str]:
        """What sealed rows say about what predicts: no pass of a fit saw them."""
        about = f"after {self.rounds} rows"
        model = _Predicts(
            about, self.labels_of, tuple(self.source.code.classes.tolist())
        )
        if self.learner.task == "real":
            model = _Predicts(about, self.predictor.scores, None)
        found = by_seal(self.run, sealed.judge, model, delta)
        return found.get("certificate"), found["why_not"]

    @property
    def rounds(self) -> int:
        """Rows learned so far."""
        return self.game.rounds

    @property
    def two(self) -> bool:
        """Whether one learner of two classes stands for one-versus-rest of it.

        While no more than two classes have come, the learner of the later one in order
        against the rest is, bit for bit, what it would be if both had been declared.
        """
        many = self.learner.binary_learner is not None
        return many and self.source.code.classes.size <= 2

    @property
    def run(self) -> Run:
        """The receipts so far."""
        if self._run is None:
            found = self._played()
            if self.sealed is not None and not self.two:
                found = replace(found, sealed=self.sealed.judge)
            self._run = self._of_two(found) if self.two else found
        return self._run

    def again(self) -> tuple[RowLearner, Code]:
        """The learner, and the code of its labels, at the start of the same course."""
        code = self.source.code
        one: Any = self.learner.binary_learner
        if one is not None and code.classes.size == 2:
            return one, Code.two(code.classes)
        return self.learner, Code.many(code.classes) if code.numbered else code

    @property
    def sets(self) -> Tracker:
        """What makes prediction sets; ``AttributeError`` where nothing does."""
        if self.game.sets is None:
            raise AttributeError(
                "there are no prediction sets: give level=0.9 to the constructor"
            )
        return self.game.sets

    @property
    def predictor(self) -> Predictor:
        """What predicts."""
        if self._predictor is None:
            if self.game.player is None or self.source.classes == ():
                raise ValueError(
                    "no row was learned yet: none had a weight, or all were sealed"
                )
            self._predictor = self._new_predictor()
        return self._predictor

    @property
    def _player(self) -> Any:
        """The player of the game, with what only its kind has."""
        return self.game.player

    def _new_predictor(self) -> Predictor:
        player, learner = self._player, self.learner
        many = learner.task == "classes"
        if self.kind != "last":  # which sealed rows do not judge yet
            scorer = self._played().model(self.kind).hypothesis
            slopes = scorer.slopes
        elif (learner.binary_learner or learner).whole:  # without a copy
            scorer, slopes = player, player.learned_slopes() if many else None
        else:
            scorer = player.hypothesis()
            slopes = scorer.slopes
        if not many:
            return Predictor(scorer)
        code = self.source.code
        count = code.classes.size
        alone = self.two or count == 1
        found = Predictor(scorer, code.places(), count, alone, slopes)
        return found.as_one() if found.linear and count <= 2 else found

    def _kept(self, passes: int = 1) -> tuple[str, ...]:
        """What the recorder keeps for the model that predicts, and its certificate."""
        kept = {*default_kinds(self.learner, self.kind)}
        certified = self.sealed is None and self.learner.task != "real"
        if certified and passes == 1 and self.kind != "validated":
            kept |= {*default_kinds(self.learner)}
        return tuple(sorted(kept))

    def _played(self) -> Run:
        """The run so far, as it was played."""
        self.game.ended = self.ended
        return self.game.run()

    def _of_two(self, found: Run) -> Run:
        """The run of the learner of the last class in order against the rest."""
        code = self.source.code
        lane = self._player.alone(code.places().index(code.classes.size - 1))
        return replace(
            found,
            learner=self.learner.binary_learner,
            ledger=lane.ledger(),
            weights=lane.weights(),
            bias=lane.bias_weight(),
            classes=tuple(code.classes.tolist()) if code.classes.size == 2 else None,
            recorder=None,
            player=lane,
        )

    def __getstate__(self) -> Document:
        """Plain data and arrays."""
        game, recorder = self.game, self.game.recorder
        return {name: getattr(self, name) for name in (*GIVEN, *SINCE)} | {
            "models": game.models,
            "length": game.length,
            "player": None if game.player is None else game.player.state_dict(),
            "recorder": None if recorder is None else recorder.state_dict(),
            "facts": game.facts(),
        }

    def __setstate__(self, state: Document) -> None:
        self.__init__(*(state[name] for name in GIVEN))
        for name in SINCE:
            setattr(self, name, state[name])
        self.game.models, self.game.length = state["models"], state["length"]
        if state["player"] is not None:
            game = restored(self.learner, state["player"], state["recorder"])
            self.game.resume(*game, state["facts"])


class _Predicts(NamedTuple):
    """What predicts now, as sealed rows judge it."""

    about: str
    predict: Callable[[RowMatrix], Array]
    classes: tuple[Hashable, ...] | None
