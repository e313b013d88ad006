"""How a game starts: at the learner's start, or from a model and the rows it knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from ..data import Batch, Source
from ..engine.feature_names import MetNames
from ..engine.hypotheses.hypothesis import Hypothesis
from ..engine.hypotheses.met_features import DIRECT
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
    """A player at the start, as the first batch is at hand."""
    unknown = source.n_features is None and learner.fixed
    if unknown and first.failure is not None and not first.targets.size:
        raise first.failure
    player = player_at_start(learner, source, first.n_features)
    player.threads = threads
    if plays_classes(player) and source.whole and source.classes:
        player.most = len(source.classes)
    return player


def player_at_start(learner: RowLearner, source: Source, width: int) -> Any:
    """A player of rows that have `width` features so far.

    One whose start depends on how many there will be does not guess it. Hashed names
    will be many, however few the first rows have.
    """
    if source.n_features is not None or learner.fixed:
        return learner.player(source.n_features)
    few = min(width, DIRECT)
    if not isinstance(source.names, MetNames):
        return learner.player(few)
    player = learner.player(DIRECT)
    player.n_features = few
    return player


def begin_at(player: Any, model: InitialModel) -> None:
    """Start from a model of the same kind as the player."""
    if plays_classes(player) or model.many:
        raise ValueError(f"a game of many classes does not start at a model: {STATE}")
    if not player.starts_from:
        noun = player.hypothesis().noun
        raise ValueError(f"a {noun} does not start at a model: {STATE}")
    hypothesis: Any = model.hypothesis
    from_panel = player.starts_from == "panel"
    if (hypothesis.noun == "panel") != from_panel:
        raise ValueError(
            "a panel goes on from a panel, and a linear learner from a linear model: "
            f"{STATE}"
        )
    if from_panel:
        player.begin_at(hypothesis)
    elif hypothesis.effect_of != "1":
        raise ValueError(
            f"a {hypothesis.noun} is not one vector of weights to start from: {STATE}"
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
