"""A session that rows are handed to, as ``fit`` and ``partial_fit`` get them.

It pickles as checkpoints do, through the states of its player and its recorder.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ...algorithms.learners.row_learner import RowLearner
from ...algorithms.prediction_sets import tracker_for
from ...data import Batch
from ...engine.players.classes import plays_classes
from ...errors import NotCertified
from ...evidence.certify import Certificate
from ...evidence.claims.sealed import by_seal
from ...models.conversions import default_kinds
from ...models.rows_to_predict import RowMatrix
from ...parts.documents import Document
from ...parts.state import Floats
from ...runs.checkpoints import restored
from ...runs.run import Run
from ...runs.session import Session
from .handed_over import HandedOver
from .labels import Code
from .order import Order
from .predictors import Predictor
from .rows import Given
from .sealing import SealedRows

if TYPE_CHECKING:
    from ...engine.players.player import Player

GIVEN = ("learner", "source", "kind", "level", "seal", "order", "passes")
AMOUNTS = 'Of amounts, sealed rows certify: give seal="10%" to the constructor.'
AGAIN = (
    "passes > 1 met its rows again, and rows seen before certify nothing: "
    'seal="10%" keeps some that do.'
)


class TrainingSession(Session):
    """A learner, what it has learned, and which of its hypotheses predicts.

    Parameters
    ----------
    learner : learner
        Who learns.
    source : HandedOver
        What is known of the columns and of the labels.
    kind : str
        The model that predicts, as ``run.model`` knows it.
    level : float, str or None
        Of the prediction sets, where there are to be any.
    seal : SealedRows or None
        Rows that are not learned, and judge what predicts.
    order : Order or None
        How the rows of a fit were shuffled. Then their number is known, as it is to
        ``play`` of arrays; else the fit is a stream, and the same in any cuts.
    passes : int
        How often a fit learns them.
    """

    source: HandedOver

    def __init__(
        self,
        learner: RowLearner,
        source: HandedOver,
        kind: str,
        level: float | str | None = None,
        seal: SealedRows | None = None,
        order: Order | None = None,
        passes: int = 1,
    ) -> None:
        kept = {*default_kinds(learner, kind)}
        certified = seal is None and learner.task != "real" and passes == 1
        if certified and kind != "validated":
            kept |= {*default_kinds(learner)}
        super().__init__(
            learner,
            source,
            models=sorted(kept),
            length=None if order is None else passes * order.rows,
            sets=None if level is None else tracker_for(learner, level),
            measure=True,
        )
        self.kind = kind
        self.seal = seal
        self.level = level
        self.order = order
        self.passes = passes
        self.record.drawn = 0 if order is None else order.rows
        self._played: Run | None = None
        self._run: Run | None = None
        self._predictor: Predictor | None = None

    def learn(self, rows: Given) -> None:
        """Play the next rows of a stream, but for those that are sealed."""
        code, seal = self.source.code, self.seal
        code.check(rows.labels)
        rows = rows.counted()
        self.begin_pass(first=True)
        if seal is None:
            self.take(rows.batch(code))
            return
        sealed, before = seal.chosen(rows), self.rounds
        batch = rows.some(np.flatnonzero(~sealed)).batch(code)
        try:
            self.take(batch)
        finally:
            seal.keep(rows, sealed, self.rounds - before)

    def begin_pass(self, *, first: bool) -> None:
        """Before rows that are new, or those of a fit once more."""
        self.ended = False
        self.record.closed = not first

    def start(self, first: Batch) -> Player:
        """The player, made when the first batch is at hand."""
        player, declared = super().start(first), self.source.code.declared
        if plays_classes(player) and declared is not None:
            player.most = declared.size
        return player

    def take(self, batch: Batch, scores: Floats | None = None) -> None:
        """Play a batch; labels that came after a bad row have not come."""
        self._played = self._run = self._predictor = None
        try:
            if batch.targets.size:
                super().take(batch, scores)
        except ValueError:
            if self.player is not None and self.learner.task == "classes":
                self.source.code.forget(self.player.n_classes)
            raise

    @property
    def two(self) -> bool:
        """Whether one learner of two classes stands for one-versus-rest of it.

        Of the two classes that have come, the learner of the later one in order against
        the rest is, bit for bit, what it would be if both had been declared.
        """
        many = self.learner.binary_learner is not None
        return many and self.source.code.classes.size == 2

    def played(self) -> Run:
        """The run so far, as it was played: sealed rows do not judge it."""
        if self._played is None:
            self._played = super().run()
        return self._played

    def run(self) -> Run:
        """The receipts so far; of two classes that came, of one learner."""
        if self._run is None:
            found = self._of_two() if self.two else self.played()
            judge = None if self.seal is None else self.seal.judge
            self._run = replace(found, sealed=judge)
        return self._run

    def _of_two(self) -> Run:
        code, player = self.source.code, cast("Any", self.player)
        lane = player.alone(code.places().index(1))
        return replace(
            self.played(),
            learner=self.learner.binary_learner,
            ledger=lane.ledger(),
            weights=lane.weights(),
            bias=lane.bias_weight(),
            classes=tuple(code.classes.tolist()),
            recorder=None,
            player=lane,
        )

    def again(self, rows: Given) -> Run:
        """The run of the very rows that were learned, given once more: it keeps them.

        Raises
        ------
        ValueError
            Where they are others, or in another order.
        """
        if self.seal is not None:
            rows = SealedRows(self.seal.share, self.seal.seed).set_aside(rows)
        if self.order is not None:
            rows = rows.some(self.order.of(rows.n))
        passes, left = divmod(self.rounds, max(rows.n, 1))
        if left or not passes:
            raise ValueError(
                f"{self.rounds:,} rows were learned, but here are {rows.n:,}"
            )
        learner, known = self.run().learner, self.source
        code = Code(learner.task, known.code.classes)
        batches = (rows.batch(code),) * passes
        source = HandedOver(known.n_features, known.names, code, known.frame, batches)
        game = Session(learner, source)
        game.play()
        found = game.run()
        if found.ledger != self.run().ledger:
            raise ValueError(
                "these are not the rows that were learned, in the same order: the "
                "ledger of playing them differs"
            )
        return found

    # What predicts, and how well.

    about = "what predicts"

    @property
    def classes(self) -> tuple[Hashable, ...] | None:
        """The labels, in the order of the scores; None of numbers."""
        numbers = self.learner.task == "real"
        return None if numbers else tuple(self.source.code.classes.tolist())

    def placed(self, found: Floats, fill: float) -> Floats:
        """Numbers, the last axis of which is classes as they came, in order."""
        if self.learner.task != "classes":
            return found
        return self.source.code.placed(found, fill, rest=self.two)

    def scores(self, matrix: RowMatrix) -> Floats:
        """The scores of what predicts: of other than two classes a column a class."""
        return self.predictor.scores(matrix)

    def certified(self, delta: float) -> tuple[Certificate | None, str]:
        """The certificate; or None, and why there is none.

        By the sealed rows, where there are any. Else what ``run.model()`` certifies, or
        ``run.model("validated")``. Of classes that came as they came, it is about what
        this very session predicted then, also where no more than two have come.
        """
        if self.seal is not None:
            found = by_seal(self.run(), self.seal.judge, self, delta)
            return found.get("certificate"), found["why_not"]
        if self.learner.task == "real":
            return None, AMOUNTS
        if self.passes > 1:
            return None, AGAIN
        kind = self.kind if self.kind == "validated" else None
        try:
            model = self.played().model(kind, delta)
        except (NotCertified, ValueError) as why:
            return None, str(why)
        return model.certificate, model.why_not

    @property
    def predictor(self) -> Predictor:
        """What predicts: of what is no weights, the player, without a copy."""
        if self._predictor is None:
            scorer: Any = self.player
            if not self.rounds:
                raise ValueError(
                    "no row was learned yet: none had a weight, or all were sealed"
                )
            if self.kind != "last":
                scorer = self.played().model(self.kind).hypothesis
            elif not (self.learner.binary_learner or self.learner).whole:
                scorer = scorer.hypothesis()
            found = Predictor(scorer, self.placed)
            two = self.learner.task == "classes" and self.source.code.classes.size == 2
            self._predictor = found.as_one() if two and found.linear else found
        return self._predictor

    def __getstate__(self) -> Document:
        """Plain data and arrays."""
        player, recorder = self.player, self.recorder
        return {name: getattr(self, name) for name in (*GIVEN, "ended")} | {
            "player": None if player is None else player.state_dict(),
            "recorder": None if recorder is None else recorder.state_dict(),
            "facts": self.facts(),
        }

    def __setstate__(self, state: Document) -> None:
        self.__init__(*(state[name] for name in GIVEN))
        self.ended = state["ended"]
        if state["player"] is not None:
            game = restored(self.learner, state["player"], state["recorder"])
            self.resume(*game, state["facts"])
