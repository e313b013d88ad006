"""The two contracts: a player plays and learns, a hypothesis predicts and stays.

Whoever drives a game (a session, snapshots, checkpoints) knows only these. What a
player can do beyond them is an attribute, never its type.
"""

from __future__ import annotations

from typing import Any, Protocol

from ...parts.observers import Books
from ...parts.rows import Dense, Sparse
from ...parts.state import Floats
from ..ledger import Ledger

__all__ = ["FreezingPlayer", "Hypothesis", "Player"]

Rows = Dense | Sparse


class Hypothesis(Protocol):
    """Something that predicts rows and never changes, but for features to come."""

    @property
    def n_features(self) -> int:
        """How many features it knows."""
        ...

    @property
    def n_classes(self) -> int:
        """How many classes it knows; 0 where labels are not numbers of classes."""
        ...

    def scores(self, rows: Rows, n: int) -> Floats:
        """The score of each row; of many classes, a column a class."""
        ...

    def grow(self, n_features: int) -> None:
        """Know of features that came later, which weigh nothing."""
        ...

    def arrays(self) -> dict[str, Any]:
        """All of it, by name."""
        ...


class Player(Protocol):
    """A learner of rows in the middle of a game."""

    books: Books
    """What was met and paid so far."""
    seconds: float
    """How long the learning took, without reading or compiling."""

    @property
    def n_features(self) -> int:
        """How many features have come; whoever refuses rows may take some back."""
        ...

    @n_features.setter
    def n_features(self, known: int) -> None: ...

    @property
    def classes(self) -> bool:
        """Whether targets are numbers of classes, and scores have a column a class."""
        ...

    @property
    def n_classes(self) -> int:
        """How many classes have come; 0 where labels are not numbers of classes."""
        ...

    @property
    def averages(self) -> bool:
        """Whether its hypotheses are weights, such that their mean is a hypothesis."""
        ...

    @property
    def linear(self) -> bool:
        """Whether what predicts is one vector of weights."""
        ...

    @property
    def starts_from(self) -> str:
        """What a model must have for a game to start from it; "" if none can."""
        ...

    @property
    def binary(self) -> bool:
        """Whether labels are -1 and +1."""
        ...

    @property
    def bias(self) -> bool:
        """Whether every row has one more feature, which is always 1."""
        ...

    @property
    def rounds(self) -> int:
        """Rounds played so far."""
        ...

    def play(
        self,
        rows: Rows,
        targets: Floats,
        *,
        first: int = 0,
        tape: Any = None,
        names: Any = None,
        weights: Floats | None = None,
    ) -> None:
        """Predict, pay and update, row by row; ``BadRow`` at the first that is refused.

        The rows before it are learned.
        """
        ...

    def scores(self, rows: Rows, n: int) -> Floats:
        """The scores of `n` rows; learn nothing."""
        ...

    def grow(self, n_features: int) -> None:
        """Make room for features that have come."""
        ...

    def weights(self) -> Floats:
        """The weights of the features; of many classes, a row a class."""
        ...

    def bias_weight(self) -> Any:
        """The weight of the bias, 0 where there is none."""
        ...

    def ledger(self) -> Ledger:
        """What was met and paid so far."""
        ...

    def state_dict(self) -> dict[str, Any]:
        """All that the rounds to come depend on, as plain data and arrays."""
        ...

    def load_state(self, stored: dict[str, Any], /) -> None:
        """Restore from `stored`; raise ``ValueError`` if it is invalid."""
        ...


class FreezingPlayer(Player, Protocol):
    """A player whose hypotheses are more than one vector of weights."""

    def frozen(self) -> Hypothesis:
        """What it would predict with now."""
        ...

    def thawed(self, arrays: Any) -> Hypothesis:
        """The hypothesis whose ``arrays`` these are; ``ValueError`` if they are bad."""
        ...
