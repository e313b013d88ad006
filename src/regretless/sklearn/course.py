"""A learner in the middle of its data: what ``partial_fit`` adds to.

A course is a pass that rows are handed to as they come. It pickles as checkpoints do,
through the states of its player and its recorder, and owns every array afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, cast

import numpy as np

from ..learners import Panel
from ..parts.state import Floats
from ..protocol.linear_pass import Pass
from ..recorders import Recorder
from ..run import Run
from ..streams import Batch
from .rows import batch_of

__all__ = ["Course", "HandedOver", "Linear"]


class HandedOver:
    """The source of rows that somebody else holds, and hands over in batches."""

    whole = False
    again = False
    n_rows: int | None = None

    def __init__(self, n_features: int, names: Any, classes: Any) -> None:
        self.n_features = n_features
        self.names = names
        self.classes = classes

    def batches(self) -> Iterator[Batch]:
        """None: they are not kept."""
        return iter(())


class Linear(NamedTuple):
    """Weights that predict: ``X @ weights + intercept``."""

    weights: Floats
    intercept: float

    def scores(self, X: Any) -> Floats:
        """One number a row."""
        return np.asarray(X @ self.weights) + self.intercept


class Live(NamedTuple):
    """A panel that predicts: itself, or as it was once frozen."""

    panel: Any

    def scores(self, X: Any) -> Floats:
        """One number a row."""
        n = X.shape[0]
        return self.panel.scores(batch_of(X, np.zeros(n)).rows, n)


class Course:
    """A learner, what it has learned, and which of its hypotheses predicts.

    Parameters
    ----------
    learner : learner
        Who learns.
    source : HandedOver
        What is known of the columns and of the labels.
    kind : str
        The model that predicts, as ``run.model`` knows it.
    """

    def __init__(self, learner: Any, source: HandedOver, kind: str) -> None:
        self.learner = learner
        self.source = source
        self.kind = kind
        self.game = Pass(learner, source, models=_kept(kind))
        self.seen_again = False  # whether rows came a second time
        self._run: Run | None = None
        self._predictor: Any = None

    def learn(self, batch: Batch) -> None:
        """Play the next rows."""
        self._run = self._predictor = None
        if batch.targets.size:
            self.game.take(batch)
        else:
            self.game.start(batch)

    @property
    def rounds(self) -> int:
        """Rows learned so far."""
        return self.game.rounds

    @property
    def run(self) -> Run:
        """The receipts so far."""
        if self._run is None:
            self._run = self.game.run()
        return self._run

    @property
    def predictor(self) -> Any:
        """What predicts: a :class:`Linear`, or a panel."""
        if self._predictor is None:
            self._predictor = self._make_predictor()
        return self._predictor

    def _make_predictor(self) -> Any:
        player: Any = self.game.player
        if self.kind == "last":  # without a copy of the panel, or of the ledger
            if isinstance(self.learner, Panel):
                return Live(player)
            weights, bias = player.all_weights(), int(player.bias)
            shift = float(weights[0]) if bias else 0.0
            return Linear(weights[bias:], shift - player.parts.threshold)
        model = self.run.model(self.kind)
        if isinstance(self.learner, Panel):
            return Live(model.panel)
        return Linear(model.weights, model.bias - model.threshold)

    def __getstate__(self) -> dict[str, Any]:
        """Plain data and arrays."""
        game = self.game
        recorder = game.recorder
        return {
            "learner": self.learner,
            "source": self.source,
            "kind": self.kind,
            "seen_again": self.seen_again,
            "player": None if game.player is None else game.player.state_dict(),
            "recorder": None if recorder is None else recorder.state_dict(),
            "facts": game.facts(),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["learner"], state["source"], state["kind"])
        self.seen_again = state["seen_again"]
        if state["player"] is None:
            return
        player = self.learner.player(self.source.n_features)
        recorder, kept = None, state["recorder"]
        if kept is not None:
            # Before the player is loaded: one that keeps a mean starts it anew.
            recorder = Recorder(player, self.game.models, None)
        player.load_state(_owned(state["player"]))
        if recorder is not None:
            recorder.load_state(_owned(kept))
        self.game.resume(player, recorder, state["facts"])


def _kept(kind: str) -> tuple[str, ...]:
    """What the recorder has to keep for a model of this kind."""
    if kind == "last":
        return ()
    return (kind, "exchangeability") if kind == "validated" else (kind,)


def _owned(tree: Any) -> Any:
    """The same plain data with arrays of its own: kernels write without asking.

    (What joblib maps into memory may be read-only.)
    """
    if isinstance(tree, np.ndarray):
        return np.array(cast("Any", tree))
    if isinstance(tree, dict):
        known = cast("dict[str, Any]", tree)
        return {key: _owned(value) for key, value in known.items()}
    if isinstance(tree, list):
        return [_owned(value) for value in cast("list[Any]", tree)]
    if isinstance(tree, tuple):
        return tuple(_owned(value) for value in cast("tuple[Any, ...]", tree))
    return tree
