"""What every learner of experts can do: be played, and learn one event at a time."""

from __future__ import annotations

import abc
import os
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ...engine.expert_ledger import ExpertLedger
from ...engine.players.experts import ExpertPlayer
from ...engine.shared_game import begun
from ...parts.documents import Document
from ...parts.generic import canonical
from ...parts.notebook_html import as_pairs, as_text
from ...parts.part_types import Loss, Rule
from ..played import GameKind
from ..saved_learners import NO_FACTS, save_learner
from .live_expert_game import LiveExperts

if TYPE_CHECKING:
    from ...evidence.theorems import Theorem

__all__ = ["ExpertLearner"]


@dataclass
class ExpertLearner(abc.ABC):
    """A learner that combines experts: parameters, and the rule they stand for."""

    plays: ClassVar[str] = "experts"
    facts: ClassVar[Mapping[str, object]] = NO_FACTS
    comparators: ClassVar[str] = "experts"
    theorems: ClassVar[str | tuple[Theorem[Any], ...]] = ""
    games: ClassVar[tuple[str, ...]] = ()
    majority: ClassVar[bool] = False
    """Whether a mistake takes a share of the weight away, which can be checked."""
    by_slopes: ClassVar[bool] = False
    """Whether it is at its best on the slopes of a convex loss, not on losses."""

    _live: LiveExperts | None = field(
        default=None, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        canonical(self.rule(2))

    @classmethod
    def for_game(cls, game: GameKind, rounds: int) -> Self:
        """The learner with the parameters that its theorems take for such a game."""
        return cls()

    @abc.abstractmethod
    def rule(self, n_experts: int) -> Rule:
        """How this many experts are weighed."""

    @property
    def votes(self) -> bool:
        """Whether experts vote 0 or 1, instead of predicting numbers."""
        return self.rule(2).votes

    def player(self, n_experts: int) -> ExpertPlayer:
        """A player at the start of a game."""
        return ExpertPlayer(self.rule(n_experts), n_experts, type(self).__name__)

    # One event at a time.

    def learn_one(
        self, x: object, y: object = None, *, loss: Loss | None = None
    ) -> None:
        """Learn from one round.

        A bad one raises ``ValueError`` and leaves the learner exactly as it was.

        Parameters
        ----------
        x : dict by expert, or sequence
            The experts' votes, or predictions, or (without `y`) losses. The first round
            says which experts there are; one that is nan, or that a later dict leaves
            out, is asleep.
        y : number or None
            What happened.
        loss : a loss or None
            What compares predictions with `y`; :class:`~regretless.Absolute` if None.
        """
        if self.votes and y is None:
            raise TypeError(f"{type(self).__name__} takes votes and an outcome y")
        if loss is not None and (self.votes or y is None):
            raise TypeError("loss= goes with predictions and an outcome y")
        self.live.learn(x, y, loss)

    def score_one(self, x: object) -> float:
        """The share of weight that votes 1, or the mean prediction."""
        return self.live.score(x)[0]

    def predict_one(self, x: object) -> float:
        """The predicted outcome: a vote, 0 or 1, or the mean prediction."""
        return self.live.predict(x)

    def save(
        self, path: str | os.PathLike[str], *, facts: Document | None = None
    ) -> None:
        """Write the learner and all that it has learned one event at a time to a file.

        :func:`~regretless.load_learner` reads it, and goes on to the same bits. The
        file is replaced as a whole, or left as it was. The `facts`, plain JSON, are
        those of the learner that is loaded.
        """
        save_learner(self, path, facts)

    def resume(self, stored: Document) -> None:
        """Go on from the state of a game (see :func:`~regretless.load_learner`)."""
        live = LiveExperts(self.player, self.votes)
        live.load_state(stored)
        self._live = live

    def forget(self) -> None:
        """Return to the start: forget every event learned one at a time."""
        self._live = None

    @property
    def live(self) -> LiveExperts:
        """The game that ``learn_one`` plays."""
        return self._live or begun(self, lambda: LiveExperts(self.player, self.votes))

    @property
    def weights(self) -> dict[Hashable, float]:
        """The weights of the experts after the events so far, by name or number."""
        return self.live.named_weights()

    @property
    def ledger(self) -> ExpertLedger:
        """The ledger of the events learned so far."""
        return self.live.ledger()

    def _repr_html_(self) -> str:
        """The call that makes it; and its ledger, where it has learned events."""
        played = isinstance(self._live, LiveExperts) and self._live.player is not None
        learned = self.ledger.lines() if played else []
        return as_pairs(learned, repr(self)) if learned else as_text(repr(self))
