"""A factorization machine: weights of features, and of every pair of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import index
from typing import ClassVar, SupportsIndex

from ...data.schema import Schema
from ...engine.players.factorization_machine import (
    MOST_FACTORS,
    FactorPlayer,
    FactorRule,
)
from ...parts.composition import Composition
from ...parts.generic import canonical
from ...parts.geometries import Diagonal
from ...parts.losses import Logistic
from ...parts.part_types import Loss
from ...parts.spelled import spelled
from ...parts.steps import Constant
from ...parts.updates import Implicit
from ..estimator_spec import EstimatorSpec
from .event_learner import EventLearner
from .linear_learner import check_flag, check_whole
from .live_game import Live

__all__ = ["FactorizationMachine"]


@dataclass(repr=False)
class FactorizationMachine(EventLearner):
    """A factorization machine: each pair of features has a weight, of few numbers.

    Each feature has a weight and `rank` factors, and the weight of a pair is the inner
    product of their factors. So something is known of pairs that never came together, a
    user and a film, and a row costs O(rank * nonzeros)::

        score(x) = b + w.z + 1/2 sum_f [(sum_i V_if z_i)^2 - sum_i V_if^2 z_i^2]

    where z_i is x_i divided by the largest size that feature i has had. All coordinates
    take an implicit AdaGrad step. With d_c the derivative of the score by coordinate c,
    and g the slope of the loss::

        G_c += (g d_c)^2;   c -= eta_c u d_c/sqrt(G_c)
        u = the slope at  score - u sum_c eta_c d_c^2/sqrt(G_c)

    so a step does not overshoot, as far as the score is linear in the coordinates; and
    eta_c is eta for b and w, and a quarter of it for V. The factors of a feature start
    from small numbers, which depend on the seed and on the feature's number alone, once
    its first row was predicted.

    With the squared loss, scores are counted in units of the first label that is not
    zero: no prediction depends on the unit of a column, or of the labels. With
    ``rank=0`` it is the linear learner with the same steps. No bound is known of it:
    the loss is not convex in V. What is certified by frozen copies needs none.

    Parameters
    ----------
    rank : int
        How many factors each feature has.
    loss : a loss
        :class:`~regretless.Logistic` of two classes, :class:`~regretless.Squared` of
        amounts, or another one that implicit updates know.
    eta : float
        The step.
    seed : int
        What the first factors are drawn with.
    bias : bool
        Whether there is a b.
    n_features : int or None
        At most so many names, where events are learned one at a time.
    schema : Schema or None
        What the fields of rows mean; None: what their values are.

    References
    ----------
    Rendle (2010), Factorization machines. Steps: Duchi, Hazan, Singer (2011); Kulis,
    Bartlett (2010).

    Examples
    --------
    >>> import regretless as rg
    >>> likes = {
    ...     ("ann", "jazz"): 1,
    ...     ("ann", "rock"): 0,
    ...     ("bob", "rock"): 1,
    ...     ("bob", "jazz"): 0,
    ...     ("cem", "jazz"): 1,
    ... }  # as ann does
    >>> rows = [({"who": a, "what": b}, y) for (a, b), y in likes.items()] * 40
    >>> machine = rg.play(rg.FactorizationMachine(), rows).model("last")
    >>> machine.predict_one({"who": "cem", "what": "rock"})  # which never came
    0
    """

    rank: int = 8
    loss: Loss | str = Logistic()
    eta: float = 0.2
    seed: int = 0
    bias: bool = field(default=True, kw_only=True)
    n_features: int | None = field(default=None, kw_only=True)
    schema: Schema | None = field(default=None, kw_only=True)
    _live: Live | None = field(default=None, init=False, repr=False, compare=False)

    classifier = EstimatorSpec()
    regressor = EstimatorSpec({"loss": "squared"}, arguments="eta=0.5", poor_score=True)

    class_by_class: ClassVar[bool] = True
    fixed: ClassVar[bool] = False

    def __post_init__(self) -> None:
        _check_range("rank", self.rank, MOST_FACTORS)
        _check_range("seed", self.seed, 2**32)
        check_whole("n_features", self.n_features)
        check_flag("bias", self.bias)
        self.loss = spelled("loss", self.loss)
        geometry, step = Diagonal(self.eta), Constant(1.0)
        canonical(Composition(self.loss, geometry, step, update=Implicit()))

    @property
    def task(self) -> str:
        """What labels are: "binary" or "real"."""
        return spelled("loss", self.loss).task

    @property
    def binary(self) -> bool:
        """Whether labels are two classes, rather than numbers."""
        return self.task == "binary"

    @property
    def averages(self) -> bool:
        """A mean of factors is not that of what they predict."""
        return False

    @property
    def whole(self) -> bool:
        """It has factors beside its weights."""
        return True

    @property
    def probabilistic(self) -> bool:
        """Whether the loss is the logistic one, whose scores are log-odds."""
        return isinstance(self.loss, Logistic)

    def player(self, n_features: int | None) -> FactorPlayer:
        """A player at the start of a game."""
        known = n_features if n_features is not None else self.n_features
        loss, seed, bias = spelled("loss", self.loss), int(self.seed), int(self.bias)
        rule = FactorRule(loss, self.eta, seed, bias)
        return FactorPlayer(rule, int(self.rank), known or 0)


def _check_range(name: str, given: SupportsIndex, most: int) -> None:
    """Raise ValueError unless it is a whole number from 0 to `most`."""
    whole = hasattr(given, "__index__") and not isinstance(given, bool)
    if not (whole and 0 <= index(given) <= most):
        raise ValueError(f"{name}={given!r:.40} must be a whole number, 0 to {most:,}")
