"""What every linear learner can do: be played, and learn one event at a time."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from ..generic import canonical
from ..ledger import Ledger
from ..parts.composition import Composition
from ..parts.views import AsIs
from ..player import Player
from .live import Live

__all__ = ["LinearLearner", "check_features"]


def check_features(n_features: Any) -> None:
    """Raise ValueError unless `n_features` is None or a whole number from 1 on."""
    if n_features is None:
        return
    whole = hasattr(n_features, "__index__") and not isinstance(n_features, bool)
    if not whole or n_features < 1:
        raise ValueError(f"n_features={n_features!r} must be a whole number from 1 on")


@dataclass(repr=False)
class LinearLearner(abc.ABC):
    """A linear learner: parameters, and the composition of parts they stand for.

    Parameters
    ----------
    bias : bool
        Add one more feature, always 1. Off by default: the theorems are about the
        algorithm as stated, where a bias is a feature like any other.
    n_features : int or None
        The number of features, where the start depends on it and the data do not tell.
    """

    bias: bool = field(default=False, kw_only=True)
    n_features: int | None = field(default=None, kw_only=True)
    _live: Live | None = field(default=None, init=False, repr=False, compare=False)

    advice: ClassVar[str] = ""
    """What to say of a row outside [low, high]."""

    def __post_init__(self) -> None:
        check_features(self.n_features)
        canonical(self.composition(self.n_features or 2))

    @abc.abstractmethod
    def composition(self, n_weights: int) -> Composition:
        """The parts, for this many weights (features, and the bias if there is one)."""

    @property
    def binary(self) -> bool:
        """Whether labels are two classes, rather than numbers."""
        return self.composition(2).loss.task == "binary"

    @property
    def fixed(self) -> bool:
        """Whether the start depends on the number of features."""
        parts = self.composition(2)
        return parts.geometry.fixed or parts.domain.fixed

    def player(self, n_features: int | None, *, seen: bool = False) -> Player:
        """A player at the start of a game; `seen`: of rows seen through its view."""
        n_features = n_features if n_features is not None else self.n_features
        if n_features is None:
            if self.fixed:
                raise ValueError(
                    f"{type(self).__name__} starts from weights that depend on the "
                    "number of features: declare n_features= (--features)"
                )
            n_features = 0
        return Player(
            self._composition_as_is if seen else self.composition,
            n_features,
            bias=self.bias,
            fixed=self.fixed,
            advice=self.advice,
        )

    def _composition_as_is(self, n_weights: int) -> Composition:
        return self.composition(n_weights)._replace(view=AsIs())

    def __repr__(self) -> str:
        """The call that makes this learner: only what is not a default."""
        own_first = sorted(fields(self), key=lambda field: bool(field.kw_only))
        shown = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in own_first
            if field.init and getattr(self, field.name) != field.default
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    # One event at a time.

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
