"""Where a model comes from: who learned it, what was paid, when, from which data."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeGuard

from ..algorithms.finished import finished
from ..algorithms.recipes import learner_from_dict, recipe_of
from ..engine.ledger import Ledger
from ..engine.machine.level import level
from ..engine.players.player import Player
from ..engine.storage import checked_array, checked_fields
from ..evidence.fingerprints import Fingerprints
from ..evidence.played_run import PlayedRun, RowsAgain
from ..evidence.run_data import RunData
from ..parts.documents import Document
from ..parts.notebook_html import Printed
from ..parts.state import Floats

if TYPE_CHECKING:
    from ..algorithms.learners.row_learner import RowLearner
    from ..algorithms.prediction_sets import Tracker
    from ..evidence.claims.operating_point import OperatingPoint


class GameOfRows(RowsAgain[Player], Protocol):
    """A game of rows that can be played again, for its models."""

    def losses(self) -> Floats:
        """The loss of every round."""
        ...

    def distinct(self) -> tuple[Floats, Floats]:
        """All hypotheses that differ, and how many rounds each predicted."""
        ...


RunOfRows: TypeAlias = "RunData[RowLearner, Ledger, GameOfRows]"
"""A run that a model can be made of."""


def makes_models(run: PlayedRun) -> TypeGuard[RunOfRows]:
    """Whether rows were played."""
    return run.learner.plays == "rows"


def _nothing() -> Document:
    return {}


@dataclass(frozen=True)
class Provenance(Printed):
    """What a model's file says about the run behind it.

    Attributes
    ----------
    learner : learner or None
        Who learned it; None in a loaded model whose learner had parts that are not of
        this package.
    made_by : str
        The same in words: the call that makes the learner.
    recipe : dict
        The same as plain data, see :mod:`regretless.algorithms.recipes`.
    ledger : Ledger or None
        What was met and paid.
    rounds : int
        How many rounds were played.
    length : int or None
        How many there were to be, where that was known in advance.
    seconds : float
        How long the learning took, without reading or compiling.
    date : str
        When the model was made, in UTC: "2030-01-31T12:00:00Z".
    reading : dict
        How the data were read, as plain JSON.
    level : str
        The processors that the machine code was made for: "x86-64-v3". On another
        level the last bits may differ.
    seen : Fingerprints or None
        A sample of hashes of the rows that were learned, to know them again.
    sets : Tracker or None
        The prediction sets as they stood at the end, where there were any.
    point : OperatingPoint or None
        Of a model of two classes: from which score on it says yes, where that is not
        0, and what sealed rows certify there.
    """

    learner: RowLearner | None
    made_by: str
    recipe: Document = field(repr=False)
    ledger: Ledger | None = field(repr=False)
    rounds: int
    length: int | None = None
    seconds: float = 0.0
    date: str = ""
    reading: Document = field(default_factory=_nothing)
    level: str = ""
    seen: Fingerprints | None = field(default=None, repr=False, compare=False)
    sets: Tracker | None = field(default=None, repr=False, compare=False)
    point: OperatingPoint | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, run: RunOfRows) -> Provenance:
        """The provenance of a model that is made of `run` now."""
        return cls(
            learner=finished(run.learner),
            made_by=repr(run.learner),
            recipe=recipe_of(run.learner),
            ledger=run.ledger,
            rounds=run.rounds,
            length=run.length,
            seconds=run.seconds,
            date=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            reading=dict(run.reading),
            level=level(),
            seen=None if run.seen is None else run.seen.for_model(),
            sets=run.sets,
        )

    def __str__(self) -> str:
        """In one line."""
        return (
            f"learned by {self.made_by} from {self.rounds:,} rounds in "
            f"{self.seconds:.3g} s, {self.date}"
        )

    def as_tree(self) -> Document:
        """Plain data and arrays, for a file."""
        ledger = self.ledger
        return {
            "learner": self.recipe,
            "made_by": self.made_by,
            "ledger": None if ledger is None else ledger.as_dict(),
            "curve": None if ledger is None else ledger.curve,
            "rounds": self.rounds,
            "length": self.length,
            "seconds": self.seconds,
            "date": self.date,
            "reading": self.reading,
            "level": self.level,
            "seen": None if self.seen is None else self.seen.state_dict(),
            "sets": None if self.sets is None else self.sets.state_dict(),
            "point": None if self.point is None else self.point.as_dict(),
        }

    @classmethod
    def from_tree(cls, tree: Document) -> Provenance:
        """The provenance that :meth:`as_tree` described."""
        ledger: Ledger | None = None
        if tree["ledger"] is not None:
            curve = checked_array(tree, "curve", shape=(None, None))
            ledger = Ledger.from_dict(tree["ledger"], curve)
        seen: Fingerprints | None = None
        if tree["seen"] is not None:
            seen = Fingerprints()
            seen.load_state(tree["seen"])
        sets: Tracker | None = None
        if tree["sets"] is not None:
            from ..algorithms.prediction_sets import tracker_from

            sets = tracker_from(tree["sets"])
        point: OperatingPoint | None = None
        if tree["point"] is not None:
            from ..evidence.claims.operating_point import OperatingPoint

            point = OperatingPoint.from_dict(tree["point"])
        columns = tree["reading"].get("columns") or ()
        if not all(isinstance(one, str) for column in columns for one in column):
            raise ValueError("the kinds of its columns are no words")
        known = {
            **tree,
            "seen": seen,
            "sets": sets,
            "point": point,
            "recipe": tree["learner"],
            "learner": learner_from_dict(tree["learner"]),
            "ledger": ledger,
        }
        return cls(**checked_fields(cls, known))
