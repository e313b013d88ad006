"""A mixture: several learners, and a rule that learns whom to believe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

__all__ = ["Mixture"]

RULES = ("adahedge", "squint", "stack")


@dataclass(frozen=True, repr=False)
class Mixture:
    """Play several learners in one pass and predict with their mixture.

    Every round each learner says its label (or number) before y is seen, the mixture
    predicts with the weighted mean of what they say, and after y the weights and then
    the learners learn.

    **Theorem.** With AdaHedge or Squint over N learners, whatever the data: the
    absolute loss of the mean vote (the squared loss of the mean number) exceeds that of
    the best learner by at most the bound of the rule, evaluated in ``run.theorems()``;
    for AdaHedge that is 2 Delta_T, the sum of its mixability gaps. The sign of the vote
    errs at most twice as often as its absolute loss says. With "stack" the learners'
    margins are combined by Bayesian logistic regression as in
    :class:`~regretless.Panel`, whose rank-one steps nothing is proven of.

    Parameters
    ----------
    learners : sequence of learners
        At least two, all for two classes or all for numbers.
    by : "adahedge", "squint" or "stack"
        The rule. Squint and the stack are for two classes.

    References
    ----------
    de Rooij, van Erven, Grunwald, Koolen (2014), AdaHedge; Koolen, van Erven (2015),
    Squint.

    Examples
    --------
    >>> import numpy as np, regretless as rg
    >>> X = np.random.default_rng(0).normal(size=(2000, 5))
    >>> y = np.abs(X[:, 0]) + X[:, 1] > 1.0
    >>> mixture = rg.Mixture([rg.Perceptron(), rg.OGD(bias=True), rg.Panel()])
    >>> run = rg.play(mixture, X, y)
    >>> run.members.best.learner, run.mistakes < 1.1 * run.members.best.mistakes
    (Panel(), True)
    """

    plays: ClassVar[str] = "mixture"

    learners: Sequence[Any]
    by: Literal["adahedge", "squint", "stack"] = "adahedge"

    def __post_init__(self) -> None:
        if len(self.learners) < 2:
            raise ValueError("a mixture is of at least two learners")
        if self.by not in RULES:
            raise ValueError(f"by={self.by!r} must be one of {', '.join(RULES)}")

    def __repr__(self) -> str:
        """The call that makes it."""
        inside = ", ".join(repr(learner) for learner in self.learners)
        rule = "" if self.by == "adahedge" else f", by={self.by!r}"
        return f"Mixture([{inside}]{rule})"
