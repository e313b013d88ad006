"""From a session to its run: the receipts of what has been played so far."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from ..engine.feature_names import Names
from ..engine.players.classes import plays_classes
from ..parts.documents import Document
from .replayable_game import LinearGame, PlayedSource
from .run import Run
from .traces import joined

if TYPE_CHECKING:
    from ..engine.players.player import Player
    from .session import Session

__all__ = ["run_of"]


def run_of(session: Session) -> Run:
    """The run of a session, between any two batches."""
    player = session.player
    if player is None:
        raise ValueError("there are no rows to learn from")
    names: Names | None = session.source.names
    if session.failed and isinstance(names, tuple):
        names = names[: session.named]  # rows after the bad one may have brought more
        if session.source.n_features is None:
            player.n_features = session.named
    if names is None:
        names = getattr(session.source, "named", None) or None  # hashed
    ledger = player.ledger()
    classes = session.source.classes
    if plays_classes(player) and classes is not None:
        classes = classes[: player.n_classes]  # others came after a bad row
    trace: Any = None if session.traces is None else joined(session.traces)
    return Run(
        learner=session.learner,
        ledger=ledger,
        weights=player.weights(),
        bias=player.bias_weight(),
        names=names,
        classes=classes,
        seconds=player.seconds,
        trace=trace,
        game=_game(session, names, player),
        length=session.length,
        recorder=session.recorder,
        weighted=session.weighted,
        warm=session.initial is not None,
        seen=session.seen.copy(),
        ended=session.ended,
        refused=len(session.refused),
        player=player,
        reading=_reading(session.source),
        measured=copy.deepcopy(session.metrics),
        today=copy.deepcopy(session.today),
        sets=None if session.sets is None else session.sets.copy(),
        sealed=session.sealed,
        finish=session.finish,
    )


def _game(session: Session, names: Names | None, player: Player) -> LinearGame | None:
    """How to play again, where that is possible."""
    source = session.source
    if session.initial is not None or session.continued:
        return None
    if not (source.again or session.kept):
        return None
    again: Any = source
    if not source.whole:
        again = PlayedSource(
            source,
            session.kept,
            names,
            player.n_features,
            session.rounds,
            session.refused,
        )
    return LinearGame(session.learner, again, session.rounds)


def _reading(source: Any) -> Document:
    """How files were read, for models to remember; not what only names rows."""
    if not hasattr(source, "options"):
        return {}
    found: Any = source.options.as_dict()
    for role in ("group", "id"):
        name = found.pop(role, None)
        if name is not None and found.get("format") == "jsonl":
            found["ignore"] = [*found.get("ignore", ()), name]
    return found
