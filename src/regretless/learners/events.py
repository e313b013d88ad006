"""What every learner of rows can do: learn, predict and score one event at a time."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from ..ledger import Ledger
from ..notebooks import as_pairs, as_text
from .live import Live

__all__ = ["EventLearner"]


class EventLearner(abc.ABC):
    """A dataclass of parameters that can make a player, and holds a game of its own."""

    n_features: int | None
    _live: Live | None

    @abc.abstractmethod
    def player(self, n_features: int | None) -> Any:
        """A player at the start of a game."""

    def learn_one(self, x: Mapping[Any, float], y: Any) -> None:
        """Learn from one event: see x, predict, see y, pay, update.

        A bad event raises ``ValueError`` and leaves the learner exactly as it was.
        """
        self.live.learn(x, y)

    def score_one(self, x: Mapping[Any, float]) -> float:
        """The real-valued prediction for one event, before any sign."""
        return self.live.score(x)

    def predict_one(self, x: Mapping[Any, float]) -> Any:
        """The predicted label (the negative class at score 0), or number."""
        return self.live.predict(x)

    def forget(self) -> None:
        """Return to the start: forget every event learned one at a time."""
        self._live = None

    @property
    def live(self) -> Live:
        """The game that ``learn_one`` plays."""
        if self._live is None:
            self._live = Live(self.player(None), self.n_features)
        return self._live

    @property
    def weights(self) -> dict[Any, float]:
        """The weights learned from events so far, by name."""
        return self.live.named_weights()

    @property
    def ledger(self) -> Ledger:
        """The ledger of the events learned so far."""
        return self.live.player.ledger()

    def __repr__(self) -> str:
        """The call that makes this learner: only what is not a default."""
        mine: Any = self
        own_first = sorted(fields(mine), key=lambda field: bool(field.kw_only))
        shown = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in own_first
            if field.init and not _same(getattr(self, field.name), field.default)
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    def _repr_html_(self) -> str:
        """The call that makes it; and its ledger, where it has learned events."""
        learned = self.ledger.lines() if self._live is not None else []
        return as_pairs(learned, repr(self)) if learned else as_text(repr(self))


def _same(value: Any, default: Any) -> bool:
    """Equal, and of one kind: parts without fields are all equal as tuples."""
    return type(value) is type(default) and value == default
