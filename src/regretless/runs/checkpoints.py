"""Checkpoints: a run in progress as a file; resumed, it equals one never interrupted.

A checkpoint holds the player (weights, sums for the mean, clock, statistics), the
recorder (what it has kept, and the positions and coins to come), the learner's recipe,
and the facts of the game: where the stream stands, its labels and names, the
options. ::

    write_checkpoint(
        path,
        learner=learner,
        player=player,
        recorder=recorder,
        facts={"mark": mark, "labels": labels.state_dict()},
    )
    ...
    checkpoint = read_checkpoint(path)
    player, recorder = checkpoint.restore(learner)
    labels.load_state(checkpoint.facts["labels"])

The game compares the identity of the data, which only it knows. The file is the
same safe kind as a model's, see :mod:`regretless.engine.storage.container`.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from ..algorithms.recipes import learner_from_dict, recipe_of
from ..engine.machine.level import level
from ..engine.players.player import Player
from ..engine.players.restored import player_for
from ..engine.storage import checked_int, read_file, write_file
from ..engine.storage.container import MALFORMED, refusal, what_is
from ..evidence.snapshots import Recorder
from ..parts.documents import Document
from ..parts.observers import ROUNDS

if TYPE_CHECKING:
    from ..algorithms.learners.row_learner import RowLearner


def write_checkpoint(
    path: str | os.PathLike[str],
    *,
    learner: RowLearner,
    player: Player,
    recorder: Recorder | None = None,
    facts: Document | None = None,
) -> None:
    """Write where a run stands, replacing the file as a whole or leaving it as it was.

    Parameters
    ----------
    path : path
        The file.
    learner : learner
        Who plays.
    player : Player
        Between two batches.
    recorder : Recorder or None
        What watches the player.
    facts : dict
        What the caller needs to go on: plain data with string keys, and arrays.

    Raises
    ------
    OSError
        Where it cannot be written; the checkpoint that was there is unchanged.
    ValueError
        Where the facts hold what a file cannot.
    """
    write_file(path, "checkpoint", state_of(learner, player, recorder, facts))


def state_of(
    learner: RowLearner,
    player: Player,
    recorder: Recorder | None = None,
    facts: Document | None = None,
) -> Document:
    """What a checkpoint holds, as a tree: to be written to its file, or to a model's.

    The arguments are those of :func:`write_checkpoint`.
    """
    return {
        "learner": recipe_of(learner),
        "made_by": repr(learner),
        "rounds": int(player.statistics.counts[ROUNDS]),
        "player": player.state_dict(),
        "recorder": None if recorder is None else recorder.state_dict(),
        "facts": facts or {},
        "level": level(),
    }


def restored(
    learner: RowLearner, stored: Document, kept: Document | None
) -> tuple[Player, Recorder | None]:
    """A player and a recorder from what their ``state_dict`` gave."""
    player = player_for(learner.player, stored)
    if kept is None:
        player.load_state(stored)
        return player, None
    # Before the player is loaded: a recorder that keeps a mean starts it anew.
    recorder = Recorder(player, kept["kinds"], kept["length"], seed=kept["seed"])
    player.load_state(stored)
    recorder.load_state(kept)
    return player, recorder


@dataclass(frozen=True)
class Checkpoint:
    """A run in progress, as it was read from a file.

    Attributes
    ----------
    path : str
        The file.
    made_by : str
        The learner, in words.
    rounds : int
        How many rounds had been played.
    facts : dict
        What the caller had stored.
    version : str
        The version that wrote it.
    level : str
        The processors that the machine code was made for.
    """

    path: str
    made_by: str
    rounds: int
    facts: Document = field(repr=False)
    version: str
    level: str
    content: Document = field(repr=False)

    @property
    def taken(self) -> bool:
        """Whether the game has been restored."""
        return "player" not in self.content

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of models that something is kept for."""
        kept = self.content.get("recorder")
        return () if kept is None else tuple(kept["kinds"])

    @property
    def learned_files(self) -> list[str]:
        """The digests of the files that were learned."""
        with self.refusing():
            kept = self.content["recorder"] or self.facts["pass"]
            return [str(digest) for digest in kept["record"]["seen"]["files"]]

    @property
    def learner(self) -> RowLearner | None:
        """Who played; None where a part of the learner is not of this package."""
        with self.refusing():
            return learner_from_dict(self.content["learner"])

    def began(self, given: RowLearner | None) -> RowLearner:
        """Who played; `given`, where a part of the learner is not of this package."""
        found = self.learner or given
        if found is None:
            raise ValueError(
                f"{self.path}: {self.made_by} has parts of your own, which no file can "
                "bring back: give the learner that began the run"
            )
        return found

    def restore(
        self, learner: RowLearner | None = None
    ) -> tuple[Player, Recorder | None]:
        """A player and a recorder that stand where those stood.

        Once: they take the arrays over, so that a large game is never held twice.

        Parameters
        ----------
        learner : learner
            Who goes on: an equal of the one that began. None: the one in the file.

        Raises
        ------
        ValueError
            Where it is another learner, or must be given, or the file was made up.
            Nothing has been taken then.
        """
        if learner is None:
            learner = self.began(None)
        elif _extends(recipe_of(learner), self.content["learner"]):
            learner = self.as_begun(learner)
        else:
            raise ValueError(
                f"{self.path}: this run was begun by {self.made_by}, not by "
                f"{learner!r}: it can only go on with the learner that began it"
            )
        if self.taken:
            raise ValueError(f"{self.path}: restored already: read it again")
        with self.refusing():
            content = self.content
            found = restored(learner, content["player"], content["recorder"])
        self.content.pop("player")
        self.content.pop("recorder")
        return found

    def as_begun(self, learner: RowLearner) -> RowLearner:
        """The learner that began the run, if this is the same with new parameters."""
        same = _extends(recipe_of(learner), self.content["learner"])
        return (self.learner if same else None) or learner

    @contextmanager
    def refusing(self) -> Generator[None]:
        """Say of whatever goes wrong inside that the file is no checkpoint."""
        try:
            yield
        except MALFORMED as error:
            raise refusal(self.path, "checkpoint", error) from None


def _extends(now: object, then: object) -> bool:
    """Whether a recipe says what an earlier one said, and perhaps more."""
    if isinstance(now, dict) and isinstance(then, dict):
        new, old = cast("Document", now), cast("Document", then)
        return all(name in new and _extends(new[name], old[name]) for name in old)
    return now == then


def read_checkpoint(path: str | os.PathLike[str]) -> Checkpoint:
    """Read a file that :func:`write_checkpoint` wrote.

    Raises
    ------
    OSError
        Where the file cannot be opened.
    ValueError
        Where it is not a checkpoint, or is damaged, or a newer version wrote it.
    """
    return _checkpoint(path, *read_file(path, "checkpoint"))


def read_state(path: str | os.PathLike[str]) -> Checkpoint | None:
    """The state in a checkpoint, or in a model that was saved with it; None: no state.

    Raises
    ------
    OSError
        Where the file cannot be opened.
    ValueError
        Where it is damaged, or a newer version wrote it.
    """
    if what_is(path) == "checkpoint":
        return read_checkpoint(path)
    content, version = read_file(path, "model")
    state = content.get("state")
    return None if state is None else _checkpoint(path, state, version)


def _checkpoint(
    path: str | os.PathLike[str], content: Document, version: str
) -> Checkpoint:
    try:
        missing = {"learner", "player", "recorder"} - content.keys()
        if missing:
            raise KeyError(min(missing))
        return Checkpoint(
            path=os.fspath(path),
            made_by=str(content["made_by"]),
            rounds=checked_int(content, "rounds", 0, 2**62),
            facts=dict(content["facts"]),
            version=version,
            level=str(content["level"]),
            content=content,
        )
    except MALFORMED as error:
        raise refusal(path, "checkpoint", error) from None


def warn_of_level(path: str, before: str) -> None:
    """Warn, if a checkpoint comes from a machine that rounds sums otherwise."""
    if before != level():
        warnings.warn(
            f"{path}: made for {before} processors, and this machine code is for "
            f"{level()}: the last bits may differ",
            stacklevel=2,
        )
