"""One-versus-rest: a binary learner a class, and the one that is most sure wins."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from ...data.schema import Schema
from ...engine.hypotheses.class_probabilities import class_probabilities
from ...engine.players.classes import OneVersusRestPlayer
from ..played import played_by
from .class_learner import ClassLearner
from .event_learner import Event, EventLearner

__all__ = ["OneVersusRest"]


@dataclass(repr=False)
class OneVersusRest(ClassLearner):
    r"""Many classes by a binary learner: class k against all others, for every k.

    Class k is learned from the labels "k or not" by a learner of its own, all in one
    pass over the rows; the prediction is the class whose learner has the largest
    score::

        y_hat = argmax_k score_k(x),    for every k: learn (x, +1 if y = k else -1)

    Learner k is the binary learner on *all* rows, also on those before class k first
    came, and so is bit for bit what it would have been alone. But a class is predicted
    from its first row on only. So nothing depends on whether the classes were known in
    advance. A new class begins as a copy of a learner for which every row was one of
    the rest.

    **Theorem.** With M the mistakes of the game, M_k those of learner k and K the
    number of classes::

        M <= K + sum_k M_k

    because on all but the first rows of the K classes a mistake needs a learner that
    errs: where none does, only the right class has a positive score. What is proven
    about a binary learner bounds each M_k.

    Of panels and three or more classes, a mixture decides: of the panels' own forecast,
    and of one whose weights all classes share, so that a class of few rows knows whom
    to trust. The scores are then its log-odds, and of its log loss after T rounds::

        L_mixed <= min(L_own, L_shared) + ln 2 + ln(T)/2

    (:mod:`regretless.parts.panel.class_mixture` has the recipe).

    How far the scores of other learners can be trusted beside each other is learned on
    the way too, from rows before their labels: two slopes turn scores into
    probabilities (``predict_proba_one``, ``model.predict_proba``;
    :mod:`regretless.parts.class_calibration` has the formula).

    Parameters
    ----------
    learner : learner
        Any linear learner of two classes, a :class:`~regretless.FactorizationMachine`,
        or a :class:`~regretless.Panel` (the default for more than two classes).

    References
    ----------
    Rifkin, Klautau (2004), In defense of one-vs-all classification.
    Herbster, Warmuth (1998), Tracking the best expert.

    Examples
    --------
    >>> import numpy as np, regretless as rg
    >>> rng = np.random.default_rng(0)
    >>> y = rng.choice(["ham", "offer", "spam"], 600)
    >>> X = np.stack([y == "ham", y == "offer", y == "spam"], axis=1) + 0.2
    >>> run = rg.play(rg.OneVersusRest(rg.Perceptron()), X, y)
    >>> run.mistakes, run.weights.shape, sorted(run.classes)
    (3, (3, 3), ['ham', 'offer', 'spam'])
    """

    theorems = "multiclass.ONE_VERSUS_REST"
    comparators: ClassVar[str] = "one_versus_rest"

    learner: Any
    bias: bool = field(init=False, repr=False, compare=False)
    fixed: bool = field(init=False, repr=False, compare=False)
    n_features: int | None = field(init=False, repr=False, compare=False)
    schema: Schema | None = field(init=False, repr=False, compare=False)
    _live: Any = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        learner = self.learner
        if isinstance(learner, type):
            raise ValueError(f"learner={learner.__name__}: did you forget the ()?")
        if played_by(learner) != "rows" or not learner.class_by_class:
            raise ValueError(
                f"learner={learner!r:.60} must be a linear learner, a Panel or a "
                "FactorizationMachine"
            )
        if not learner.binary:
            raise ValueError(
                f"learner={learner!r} learns numbers: one-versus-rest takes a learner "
                "of two classes"
            )
        self.bias, self.fixed = learner.bias, learner.fixed
        self.n_features, self.schema = learner.n_features, learner.schema

    @property
    def probabilistic(self) -> bool:
        """How far the scores can be trusted is learned on the way."""
        return True

    def predict_proba_one(self, x: Event) -> dict[Hashable, float]:
        """The probability of each class that has come, by its label."""
        self.live.refuse_inner()
        with self.live.lock:
            self.live.settle()
            scores, slopes = self.score_one(x), self.live.player.slopes
        chances = class_probabilities(np.array([list(scores.values())]), slopes)
        return dict(zip(scores, chances[0].tolist(), strict=True))

    @property
    def binary_learner(self) -> EventLearner:
        """Its learner."""
        return self.learner

    @property
    def views_rows(self) -> bool:
        """Whether its learner does."""
        return self.learner.views_rows

    @property
    def averages(self) -> bool:
        """Whether those of its learner do."""
        return self.learner.averages

    def player(self, n_features: int | None) -> OneVersusRestPlayer:
        """A player at the start of a game."""
        if not self.learner.one_versus_rest:
            return OneVersusRestPlayer(self.learner.player(n_features))
        rest = replace(self.learner, forest=False)  # theirs is one of all classes
        player = rest.player(n_features)
        return OneVersusRestPlayer(player, forest=self.learner.forest)
