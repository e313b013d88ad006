"""The contract of players: they play and learn, and give hypotheses, which stay.

What drives a game (a session, snapshots, checkpoints) knows only this one, and that
of :mod:`regretless.engine.hypotheses.hypothesis`. What a player can do beyond them is
an attribute, never its type.
"""

from __future__ import annotations

from typing import Protocol

from ...parts.documents import Document
from ...parts.observers import Statistics, TraceArrays
from ...parts.rows import Rows
from ...parts.state import Floats
from ..feature_names import NamesOf
from ..hypotheses.hypothesis import Hypothesis
from ..ledger import Ledger


class Player(Protocol):
    """A learner of rows in the middle of a game."""

    statistics: Statistics
    """What was met and paid so far."""
    seconds: float
    """How long the learning took, without reading or compiling."""
    threads: int | None
    """How many threads may learn, of those who can use several; None: one a core."""

    @property
    def n_features(self) -> int:
        """How many features have come; refused rows may take some back."""
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
        trace: TraceArrays | None = None,
        names: NamesOf | None = None,
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

    def bias_weight(self) -> float | Floats:
        """The weight of the bias, 0 where there is none; of many classes, one each."""
        ...

    def hypothesis(self) -> Hypothesis:
        """What it would predict with now, frozen."""
        ...

    def ledger(self) -> Ledger:
        """What was met and paid so far."""
        ...

    def state_dict(self) -> Document:
        """All that the rounds to come depend on, as plain data and arrays."""
        ...

    def load_state(self, stored: Document, /) -> None:
        """Restore from `stored`; raise ``ValueError`` if it is invalid."""
        ...


class Averaging(Player, Protocol):
    """A player whose hypotheses are weights, so that means of them are kept."""

    keeps_mean: bool
    """Whether the sum of all hypotheses is kept."""

    def keep_mean(self) -> None:
        """From now on, keep the sum of all hypotheses that predict."""
        ...

    def summed(self) -> Floats:
        """The sum of all own weights since then; of classes, that of the rest last."""
        ...

    def unscaled(self, own: Floats) -> Floats:
        """Weights for rows as they come, from weights for rows as the learner sees."""
        ...

    def all_weights(self) -> Floats:
        """The weights of the features, that of the bias first where there is one."""
        ...

    def averaged(self, weights: Floats) -> Hypothesis:
        """A mean of hypotheses as a hypothesis."""
        ...
