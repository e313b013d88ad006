"""What predicts rows and never changes: the contract that models and snapshots know.

A kind of hypothesis has a name in files, by which readers find the kind:
it is the name of its module, here or among the players.
"""

from __future__ import annotations

import abc
import re
from typing import TYPE_CHECKING, ClassVar, Self, TypeAlias

import numpy as np

from ...lazy import has_module
from ...parts.documents import Document
from ...parts.rows import Rows
from ...parts.state import Floats
from ..storage import Stored
from .class_probabilities import Slopes

if TYPE_CHECKING:
    from ..players.row_player import Call
    from .feature_effects import Effects
    from .matrices import Matrix
    from .panel_members import Member

__all__ = ["Hypothesis", "Rows", "StoredHypothesis", "kind_named"]

StoredHypothesis: TypeAlias = "Document | Floats"
"""What a checkpoint keeps of one: arrays by name, or all weights in one array."""

HERE = __name__.rpartition(".")[0]
HOMES = (HERE, HERE.replace("hypotheses", "players"))


class Hypothesis(Stored, abc.ABC):
    """Something that predicts rows and never changes, but for features to come.

    Parameters
    ----------
    stored_as : str
        The name of this kind in files: a promise, once a file has it. None: it is not
        kept in files.
    """

    stored_as: ClassVar[str] = ""
    kinds: ClassVar[dict[str, type[Hypothesis]]] = {}
    """Every kind that has been imported, by its name in files."""

    # What it can do.

    noun: ClassVar[str] = "hypothesis"
    """What people call one."""
    many: ClassVar[bool] = False
    """Whether scores have a column a class, rather than a number a row."""
    two_classes: ClassVar[bool] = False
    """Whether it is one of two classes even if labels are unknown."""
    log_odds: bool | None = None
    """Whether scores are log-odds; None: as the learner's are."""
    weighs: bool = False
    """Whether each feature has a weight."""
    effect_of: str = ""
    """What :meth:`effects` are about: "1" of a feature, not 0; "1 alone", the same in a
    row of nothing else; or a "typical row"."""
    shows: ClassVar[tuple[str, ...]] = ()
    """Attributes that a model has because its hypothesis has them."""
    slopes: Slopes | None = None
    """What makes probabilities of the scores of many classes, where anything does."""
    n_features: int
    """How many features it knows."""
    n_classes: int = 0
    """How many classes it knows, where scores have a column a class."""

    def __init_subclass__(cls, *, stored_as: str | None = None) -> None:
        super().__init_subclass__()
        if stored_as is None:
            return
        if stored_as in Hypothesis.kinds:
            raise TypeError(f"a hypothesis stored as {stored_as!r} exists already")
        cls.stored_as = stored_as
        Hypothesis.kinds[stored_as] = cls

    # What predicts.

    @abc.abstractmethod
    def scores(self, rows: Rows, n: int) -> Floats:
        """The score of each of `n` rows; of many classes, a column a class."""

    def scoring(self, rows: Rows, out: Floats) -> Call:
        """What scores `rows` into `out`, and its arguments: again and again.

        It has room of its own, for rows as long as the buffers are: threads may predict
        at once.
        """
        return self._score_into, (rows, out)

    def asking(self, rows: Rows, out: Floats) -> list[Call]:
        """What scores the row in these buffers: each call returns 0, or None."""
        return [self.scoring(rows, out)]

    def _score_into(self, rows: Rows, out: Floats) -> None:
        out[:] = self.scores(rows, len(out))

    def asking_all(self) -> Hypothesis:
        """One whose scores all classes take part in, to look for effects with."""
        return self

    def product(self, matrix: Matrix) -> Floats | None:
        """The scores, where they are a product of a matrix of rows with weights."""
        return None

    @abc.abstractmethod
    def grow(self, n_features: int) -> None:
        """Know of features that came later, which weigh nothing."""

    def fitted(self, n_features: int, n_classes: int) -> Hypothesis:
        """The same with so many features; classes that it does not know have none."""
        self.grow(n_features)
        return self

    def weights(self) -> Floats:
        """The weight of each feature, where it has one; of many classes, a row each."""
        return np.zeros(0)

    def alone(self, k: int) -> Hypothesis:
        """What predicts class number `k` or not, where that is one of the same sort."""
        raise ValueError(f"a {self.noun} has no class {k} of its own")

    # What explains.

    @abc.abstractmethod
    def describe(self) -> str:
        """What it is, in a few words."""

    def effects(self) -> Effects:
        """What each feature does to the score, of no row in particular.

        See :mod:`~regretless.engine.hypotheses.feature_effects`.

        Raises
        ------
        ValueError
            Where that depends on the row.
        """
        raise ValueError(
            f"what a feature does to the score of a {self.noun} depends on the row: "
            "give rows, explain(X)"
        )

    def members(self, rows: Rows | None, n: int) -> tuple[Member, ...]:
        """Who carries the score, on rows if given: (name, near, far, share) each."""
        return ()

    def notes(self) -> list[tuple[str, list[tuple[str, ...]]]]:
        """What else is worth showing: titles, each with (what, how much)."""
        return []

    # What is stored, beside what it keeps.

    def facts(self) -> Document:
        """What else the file of a model needs: plain data, and parts."""
        return {}

    @classmethod
    def blank(cls, facts: Document) -> Self:
        """One that knows nothing, of which :meth:`facts` said this."""
        return cls()


def kind_named(name: object) -> type[Hypothesis]:
    """The kind of hypothesis with this name in files; ``ValueError`` if none has it."""
    name = str(name)
    module = name.replace("-", "_")
    if name not in Hypothesis.kinds and re.fullmatch("[a-z_]+", module):
        any(has_module(package, module) for package in HOMES)
    if name not in Hypothesis.kinds:
        raise ValueError(f"a model of type {name!r:.40} is unknown here")
    return Hypothesis.kinds[name]
