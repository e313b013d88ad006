"""What every linear learner can do: be played, and learn one event at a time."""

from __future__ import annotations

import abc
from dataclasses import dataclass, field
from typing import ClassVar, TypeGuard, cast

import numpy as np

from ...data.schema import Schema
from ...engine.players.linear import LinearPlayer
from ...errors import checked_count
from ...parts.composition import Composition
from ...parts.generic import canonical
from ...parts.losses import Logistic
from ...parts.spelled import spelled
from ...parts.views import AsIs
from .event_learner import EventLearner
from .live_game import Live

__all__ = ["LinearLearner", "check_flag", "check_whole", "is_linear"]


def is_linear(learner: object) -> TypeGuard[LinearLearner]:
    """Whether it is a composition of parts that moves one vector of weights."""
    return getattr(learner, "linear", False)


def check_whole(name: str, given: object) -> None:
    """Raise ValueError unless the parameter is None or a whole number from 1 on."""
    if given is not None:
        checked_count(name, given)


def check_flag(name: str, given: object) -> None:
    """Raise ValueError unless the parameter is True or False."""
    if not isinstance(given, bool | np.bool_):
        raise ValueError(f"{name}={given!r} must be True or False")


@dataclass(repr=False)
class LinearLearner(EventLearner):
    """A linear learner: parameters, and the composition of parts they stand for.

    Parameters
    ----------
    bias : bool
        Add one more feature, always 1. Off by default: the theorems are about the
        algorithm as stated, where a bias is a feature like any other.
    n_features : int or None
        The number of features, where the start depends on it and the data do not tell.
    schema : Schema or None
        What the fields of rows mean; None: what their values are.
    """

    bias: bool = field(default=False, kw_only=True)
    n_features: int | None = field(default=None, kw_only=True)
    schema: Schema | None = field(default=None, kw_only=True)
    _live: Live | None = field(default=None, init=False, repr=False, compare=False)

    linear: ClassVar[bool] = True
    class_by_class: ClassVar[bool] = True
    comparators: ClassVar[str] = "linear"
    comparator: ClassVar[str] = ""
    """Whom its theorems are about: a name of ``verdicts.linear``; "": its parts say."""
    lifts_rows: ClassVar[bool] = False
    """Whether a theorem is about rows of the form (2x, -1)."""
    scales_columns: ClassVar[bool] = False
    """Whether each column has a rate of its own, so that its unit matters little."""
    advice: ClassVar[str] = ""
    """What to say of a row outside [low, high]."""

    def __post_init__(self) -> None:
        check_whole("n_features", self.n_features)
        check_flag("bias", self.bias)
        for kind in ("loss", "step", "domain"):
            value = getattr(self, kind, None)
            # Winnow's domain says what to do with rows outside, in other words.
            if kind != "domain" or not isinstance(value, str):
                self._spell(kind, value)
        canonical(self.composition(self.n_features or 2))

    def _spell(self, kind: str, value: object) -> None:
        """Let a part that is spelled ("logistic", 0.1) be that part."""
        part = spelled(kind, value)
        if part is not value:
            object.__setattr__(self, kind, part)

    @abc.abstractmethod
    def composition(self, n_weights: int) -> Composition:
        """The parts, for this many weights (features, and the bias if there is one)."""

    @property
    def task(self) -> str:
        """What labels are: "binary" or "real"."""
        return self.composition(2).loss.task

    @property
    def binary(self) -> bool:
        """Whether labels are two classes, rather than numbers."""
        return self.task == "binary"

    @property
    def probabilistic(self) -> bool:
        """Whether the loss is the logistic one, whose scores are log-odds."""
        game = self._live  # which has the parts at hand, event by event
        if isinstance(game, Live):
            return isinstance(cast("LinearPlayer", game.player).loss, Logistic)
        return isinstance(self.composition(2).loss, Logistic)

    @property
    def views_rows(self) -> bool:
        """Whether it divides columns by running scales."""
        return not isinstance(self.composition(2).view, AsIs)

    @property
    def fixed(self) -> bool:
        """Whether the start depends on the number of features."""
        parts = self.composition(2)
        return parts.geometry.fixed or parts.domain.fixed

    def player(self, n_features: int | None, *, seen: bool = False) -> LinearPlayer:
        """A player at the start of a game; `seen`: of rows seen through its view."""
        n_features = n_features if n_features is not None else self.n_features
        if n_features is None:
            if self.fixed:
                raise ValueError(
                    f"{type(self).__name__} starts from weights that depend on the "
                    "number of features: declare n_features= (--features)"
                )
            n_features = 0
        return LinearPlayer(
            self._composition_as_is if seen else self.composition,
            n_features,
            bias=self.bias,
            fixed=self.fixed,
            advice=self.advice,
        )

    def _composition_as_is(self, n_weights: int) -> Composition:
        return self.composition(n_weights)._replace(view=AsIs())
