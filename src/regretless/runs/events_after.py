"""Events after files: the game of ``learn_one`` that begins where a run has stopped.

The player goes on as it stands, and the names, the labels, what fields mean and the
record of rows with it. So events are learned to the same bits as if they had been the
next rows of the file.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..algorithms.saved_learners import with_rest
from ..data.hashed_names import HashedNames
from ..data.schema import Schema
from ..engine.feature_names import Names
from ..engine.players.player import Player
from ..engine.storage import pack_names
from ..evidence.row_record import RowRecord
from ..parts.documents import Document
from .checkpoints import Checkpoint, read_state, warn_of_level
from .continuing import known_names
from .training_facts import check_facts

if TYPE_CHECKING:
    from ..algorithms.learners.row_learner import RowLearner


NAMELESS = (
    "it knows its features by number (LIBSVM, arrays), and events have names: learn "
    "files with names, or go on by play(..., initial_model=)"
)
CROSSED = "it multiplies namespaces of VW text (-q), and events have none"
WEIGHED = "its classes are weighed (class_weight), and events say how much each weighs"
PASSES = "it makes several passes: only the first one goes on with new rows"
STATELESS = (
    "not a regretless learner: it is a model without the state of its learner: train "
    "--resumable keeps it"
)


@dataclass(frozen=True)
class StoppedGame:
    """Where a run has stopped: the game that goes on from there is made when asked for.

    Attributes
    ----------
    player : Player
        It is copied for the game, and must not have played on.
    rounds : int
        How many it had played.
    names, classes, reading, weighted, record
        Those of the run.
    """

    player: Player
    rounds: int
    names: Names | None
    classes: Sequence[Hashable] | None
    reading: Document
    weighted: bool
    record: RowRecord

    def __call__(self) -> Document:
        """The state of the game."""
        if self.player.rounds != self.rounds:
            raise ValueError("the game of this run has been played on")
        state = copy.deepcopy(self.player.state_dict())
        labels = [None, None] if self.classes is None else [*self.classes]
        rows = (self.weighted, self.record)
        return game_state(state, self.names, labels, self.reading, *rows)


def game_state(
    player: Document,
    names: Names | None,
    labels: Sequence[object],
    reading: Document,
    weighted: bool,
    record: RowRecord,
) -> Document:
    """The state of a game of events, which :meth:`EventLearner.resume` takes.

    ``ValueError`` where no event could have the features of the rows.
    """
    if reading.get("format") == "vw" and reading.get("interactions"):
        raise ValueError(CROSSED)
    if not names:
        raise ValueError(NAMELESS)
    schema = Schema.of_reading(reading)
    hashed = HashedNames.of_reading(reading, names, int(player["n_features"]))
    features: Document = {"schema": schema.as_dict()}
    if hashed is not None:
        features["hashed"] = hashed.state_dict()
    elif isinstance(names, Mapping):
        raise ValueError(NAMELESS)
    return {
        "player": player,
        "labels": {"classes": labels},
        "encoder": features | {"names": pack_names(names)},
        "weighted": weighted,
        "remembered": record.state_dict(),
        "only": _only(record),
        "target": -1.0,
    }


def _only(record: RowRecord) -> float | None:
    """What stands for the label of all rows, where two classes have but one so far."""
    if record.task != "binary" or not record.rows:
        return None
    ones, rows = record.tests["labels"].ones
    return {0: -1.0, rows: 1.0}.get(ones)


def learner_of_state(
    path: str | os.PathLike[str], given: RowLearner | None = None
) -> object:
    """The learner in a checkpoint, or in a model with its state, to be fed events."""
    state = read_state(path)
    if state is None:
        raise ValueError(f"{os.fspath(path)}: {STATELESS}")
    check_facts(state)
    learner = _learner(state, given)
    warn_of_level(state.path, state.level)
    content, mark, rows = state.content, state.facts["mark"], state.facts["pass"]
    with state.refusing():
        names, record = known_names(state), RowRecord(learner.task)
        record.load_state(rows["record"] or content["recorder"]["record"])
    about = (mark["labels"], mark["options"], rows["weighted"], record)
    try:
        game = game_state(content["player"], names, *about)
    except ValueError as problem:
        raise ValueError(f"{state.path}: {problem}") from None
    with state.refusing():
        learner.resume(game)
        return with_rest(learner, rows["sets"], {})


def _learner(state: Checkpoint, given: RowLearner | None) -> RowLearner:
    """Who goes on, at its start."""
    request = state.facts["request"]
    if request.get("class_weight"):
        raise ValueError(f"{state.path}: {WEIGHED}")
    if request.get("passes", 1) > 1:
        raise ValueError(f"{state.path}: {PASSES}")
    found = copy.copy(state.as_begun(given) if given else state.began(None))
    if found.fixed and found.n_features is None:  # the files have told how many
        known = int(state.content["player"]["n_features"])
        object.__setattr__(found, "n_features", known)
    found.forget()
    return found
