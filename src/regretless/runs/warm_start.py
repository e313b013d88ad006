"""How a game starts: at the learner's start, or from a model and the rows it knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from ..data import Batch, Source
from ..engine.hypotheses.hypothesis import Hypothesis
from ..engine.players.classes import plays_classes
from ..engine.players.player import Player
from ..evidence.fingerprints import Fingerprints

if TYPE_CHECKING:
    from ..algorithms.learners.row_learner import RowLearner


STATE = "a model that train --resumable saved goes on with its state"


class InitialModel(Protocol):
    """What a game can start from: a model, or weights that others have learned."""

    @property
    def many(self) -> bool:
        """Whether it predicts many classes."""
        ...

    @property
    def hypothesis(self) -> Hypothesis:
        """What predicts."""
        ...


def new_player(
    learner: RowLearner, source: Source, first: Batch, threads: int | None
) -> Player:
    """A player at the start. One that depends on d does not guess it from names."""
    known = source.n_features
    if known is None and not learner.fixed:
        known = first.n_features
    if known is None and first.failure is not None and not first.targets.size:
        raise first.failure
    player = learner.player(known)
    player.threads = threads
    if plays_classes(player) and source.whole and source.classes:
        player.most = len(source.classes)
    return player


def begin_at(player: Any, model: InitialModel) -> None:
    """Start from a model of the same kind as the player."""
    if not player.starts_from or model.many:
        raise ValueError(f"a game of many classes does not start at a model: {STATE}")
    hypothesis: Any = model.hypothesis
    from_panel = player.starts_from == "panel"
    if (hypothesis.noun == "panel") != from_panel:
        raise ValueError(
            "a panel goes on from a panel, and a linear learner from a linear model: "
            f"{STATE}"
        )
    if from_panel:
        player.begin_at(hypothesis)
    elif not hypothesis.weighs:
        raise ValueError(
            f"votes and kernel machines have no weights to start from: {STATE}"
        )
    else:
        try:
            player.begin_at(hypothesis.weights(), hypothesis.bias)
        except ValueError as error:
            raise ValueError(f"{error}: {STATE}") from None


def known_rows(initial: InitialModel | None) -> Fingerprints:
    """The fingerprints to go on with, those of the initial model where it has any."""
    provenance = getattr(initial, "provenance", None)
    kept = None if provenance is None else provenance.seen
    return Fingerprints() if kept is None else kept.continued()
