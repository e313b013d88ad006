"""What a run keeps of its session: how to play it again, and how it was read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..data import ReadOptions, Source
from ..engine.feature_names import Names, cut
from ..parts.documents import Document
from .replayable_game import LinearGame, PlayedSource

if TYPE_CHECKING:
    from ..data.input_files import InputFile
    from .session import Session


def digest_of(source: Source, number: int) -> str | None:
    """What tells a file of a source from others; None where it is none."""
    places: Sequence[InputFile] = getattr(source, "places", ())
    return places[number].digest() if number < len(places) else None


def played_names(session: Session) -> Names | None:
    """The names of the features that were played, as far as they have any."""
    names: Names | None = session.source.names
    if session.failed and names is not None:
        return cut(names, session.named)  # rows after the bad one may have brought more
    return names


def game_of(session: Session, names: Names | None) -> LinearGame | None:
    """How to play a session again, where that is possible."""
    source, player = session.source, session.player
    if player is None or session.initial is not None or session.continued:
        return None
    if not (source.rereadable or session.kept):
        return None
    again = source
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


def reading_of(source: Source) -> Document:
    """How files were read, for models to remember; not what only names rows."""
    read: ReadOptions | None = getattr(source, "options", None)
    if read is None:
        return {}
    found = read.as_dict()
    found.pop("group_unit", None)
    for role in ("group", "id"):
        name = found.pop(role, None)
        if name is not None and found.get("format") == "jsonl":
            found["ignore"] = [*found.get("ignore", ()), name]
    return found
