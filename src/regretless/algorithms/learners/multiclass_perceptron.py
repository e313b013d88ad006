"""The multiclass Perceptron: one weight vector a class, two of which move."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from ...data.schema import Schema
from ...engine.players.classes import ClassPerceptronPlayer
from ..estimator_spec import EstimatorSpec
from .class_learner import ClassLearner
from .linear_learner import check_flag, check_whole

__all__ = ["MulticlassPerceptron"]


@dataclass(repr=False)
class MulticlassPerceptron(ClassLearner):
    r"""The Perceptron for many classes, ultraconservative.

    Start at W = 0, one row a class. Predict the class with the largest w_k.x. On a
    mistake, that is unless w_y.x is above every other score, with r the best of the
    wrong classes that have come (the first of them at ties)::

        w_y += x,    w_r -= x

    On the very first row there is no r, and nothing moves. A class that has not come is
    not predicted: its first row is a mistake.

    **Theorem.** For every U, one row u_k for each class, with
    h_t(U) = max over r != y of max(0, 1 - (u_y - u_r).x_t), R = max |x_t|,
    b = sqrt(2) R |U|_F and c = sum_t h_t(U), the number of mistakes M satisfies ::

        M <= 1 + c + b^2/2 + b sqrt(b^2/4 + c)
        M <= 1 + 2 (R |U|_F)^2                      if (u_y - u_r).x >= 1 always
        M <= 1 + sum over mistakes of h_t(U) + |U|_F |W|_F   (on this very data)

    It is the Perceptron on phi(x, y) - phi(x, r), where phi(x, k) is x in the place of
    class k, whose length is sqrt(2) |x|. That needs w_y.x <= w_r.x on each mistake. It
    holds on the first row of a class too, where w_y = 0: all steps add up to zero, so
    the scores of the classes that have come do, and the best of them is not negative.
    The 1 is the very first row.

    Parameters
    ----------
    bias : bool
        Add one more feature, always 1.
    n_features : int or None
        At most so many names, where events are learned one at a time.
    schema : Schema or None
        What the fields of rows mean; None: what their values are.

    References
    ----------
    Crammer, Singer (2003), Ultraconservative online algorithms for multiclass problems;
    Duda, Hart (1973), Kesler's construction.

    Examples
    --------
    >>> import regretless as rg
    >>> X, y = [[1, 0], [0, 1], [-1, -1], [1, 0], [0, 2]], ["a", "b", "c", "a", "b"]
    >>> run = rg.play(rg.MulticlassPerceptron(), X, y)
    >>> run.mistakes, run.classes
    (3, ('a', 'b', 'c'))
    >>> run.weights
    array([[ 1.,  0.],
           [ 0.,  1.],
           [-1., -1.]])
    """

    theorems = "multiclass.CLASS_PERCEPTRON"
    comparators: ClassVar[str] = "multiclass"

    bias: bool = field(default=False, kw_only=True)
    n_features: int | None = field(default=None, kw_only=True)
    schema: Schema | None = field(default=None, kw_only=True)
    fixed: bool = field(default=False, init=False, repr=False, compare=False)
    _live: Any = field(default=None, init=False, repr=False, compare=False)

    classifier = EstimatorSpec(
        notes="The other classifiers learn many classes one versus the rest.",
        example="""
        >>> import regretless as rg
        >>> X, y = [[1, 0], [0, 1], [-1, -1]] * 10, ["a", "b", "c"] * 10
        >>> model = rg.sklearn.MulticlassPerceptronClassifier(random_state=0).fit(X, y)
        >>> model.predict([[3, 1], [0, 2], [-2, -1]])
        array(['a', 'b', 'c'], dtype='<U1')
        >>> model.coef_.shape
        (3, 2)
        """,
    )

    def __post_init__(self) -> None:
        check_whole("n_features", self.n_features)
        check_flag("bias", self.bias)

    def player(self, n_features: int | None) -> ClassPerceptronPlayer:
        """A player at the start of a game."""
        known = n_features if n_features is not None else self.n_features
        return ClassPerceptronPlayer(known or 0, bias=self.bias)
