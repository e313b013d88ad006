"""What every classifier does: learn labels, and predict them."""

from __future__ import annotations

import abc
from typing import Any, ClassVar, Self, cast

import numpy as np

from ..certify import Certificate
from ..parts.losses import Logistic
from ..parts.state import Floats
from .course import Linear
from .estimator import OnlineEstimator
from .library import ClassifierMixin, available_if, check_classification_targets
from .rows import NO_WEIGHT, batch_of, matrix_of, matrix_with_targets, weights_of

__all__ = ["OnlineClassifier"]


def _has_probabilities(estimator: Any) -> bool:
    """Whether scores are log-odds: of the panel, and where the loss is logistic."""
    loss = getattr(estimator, "loss", None)
    logistic = isinstance(loss, Logistic) or (
        isinstance(loss, str) and loss == "logistic"
    )
    return estimator.probabilistic or logistic


class OnlineClassifier(ClassifierMixin, OnlineEstimator, abc.ABC):
    """An online learner of classes: what all classifiers here have in common.

    Parameters
    ----------
    bias : bool
        Learn an intercept too: one more feature, always 1. True here, because users of
        scikit-learn expect it; the learners themselves have none by default, since
        their theorems count it as a feature like any other.
    passes : int
        How often ``fit`` goes over the rows, always in their order: nothing is ever
        shuffled.
    model : str
        Which of the hypotheses of the pass predicts. "last": the one after the last
        row, the default of learners whose steps shrink. "mean": the mean of all that
        predicted on the way, the default where every row may move the weights as far
        as the first one did. "last-half": the mean of those since the number of rows
        last doubled. "validated": one that was frozen on the way and has the best
        record on the rows after it (from 513 rows on, one pass only).
    delta : float
        The probability that ``certificate_`` is wrong.

    Attributes
    ----------
    classes_ : ndarray
        The labels, in order.
    coef_, intercept_ : ndarray
        Of shape (1, d) and (1,): what ``decision_function`` multiplies and adds; where
        the model is linear.
    n_features_in_, feature_names_in_
        How many columns there are, and their names, where they have any.
    t_, n_iter_ : int
        Rows learned so far, and passes of the last call.
    ledger_ : Ledger
        Mistakes and losses as they were met, all passes together.
    certificate_ : Certificate
        A bound on the error on fresh rows, at any time, that says which classifier it
        is about. With ``model="validated"`` that is the one that predicts. Otherwise
        it is the randomized one: a hypothesis of the pass, drawn at random. Rows seen
        twice certify nothing, so after ``passes=2`` there is none.
    run_ : Run
        All of it, as :func:`regretless.play` returns it.
    """

    task = "binary"
    probabilistic: ClassVar[bool] = False
    """Whether scores are log-odds whatever the loss."""
    poor_score: ClassVar[bool] = False
    """Whether a high score is not to be expected of it in scikit-learn's checks."""

    delta: float
    classes_: Any

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from all rows, in the given order, from the start.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n, d)
            The rows.
        y : array of shape (n,)
            Their labels.
        sample_weight : array of shape (n,)
            How much each row's loss counts; a row of weight 0 is not learned.

        Returns
        -------
        self
        """
        matrix, labels = self._checked(X, y, first=True)
        weights = weights_of(sample_weight, matrix.shape[0])
        if weights is not None and not weights.any():
            raise ValueError(NO_WEIGHT)
        self.classes_ = self._declared(np.unique(labels))
        batch = batch_of(matrix, self._targets(labels), weights)
        return self._learn(self._new_course(self._classes()), batch)

    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Go on learning from more rows.

        However the rows are cut into calls, the result is the same as that of one
        ``fit``, to the last bit.

        Parameters
        ----------
        X, y, sample_weight
            As of :meth:`fit`.
        classes : array
            All labels that will ever come, at the first call.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            At a row that cannot be learned, counted from the first call; those before
            it are learned.
        """
        first = not self.__sklearn_is_fitted__()
        matrix, labels = self._checked(X, y, first=first)
        weights = weights_of(sample_weight, matrix.shape[0])
        if first:
            self.classes_ = self._declared(np.unique(classes))
        elif classes is not None and not np.array_equal(
            np.unique(classes), self.classes_
        ):
            raise ValueError(
                f"classes={classes!r:.60} are not those of the first call, "
                f"{self._classes()!r:.60}"
            )
        batch = batch_of(matrix, self._targets(labels), weights)
        if first:
            self._course = self._new_course(self._classes())
        return self._learn_more(batch)

    def decision_function(self, X: Any) -> Floats:
        """The scores: ``classes_[1]`` is predicted where they are positive."""
        course = self._begun()
        return course.predictor.scores(matrix_of(self, X))

    def predict(self, X: Any) -> Any:
        """The predicted labels."""
        chosen = self.decision_function(X) > 0.0
        return self.classes_[chosen.astype(np.int64)]

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> Floats:
        """The probability of every class, a column each, in the order of classes_."""
        return np.exp(self.predict_log_proba(X))

    @available_if(_has_probabilities)
    def predict_log_proba(self, X: Any) -> Floats:
        """The logarithms of the probabilities."""
        scores = self.decision_function(X)
        return -np.logaddexp(0.0, np.stack([scores, -scores], axis=1))

    @property
    def coef_(self) -> Floats:
        """The weights, of shape (1, d)."""
        return self._linear().weights[np.newaxis]

    @property
    def intercept_(self) -> Floats:
        """The weight of the bias, less the threshold where there is one."""
        return np.array([self._linear().intercept])

    @property
    def certificate_(self) -> Certificate:
        """A bound on the error on fresh rows; print it."""
        course = self._begun()
        if course.seen_again:
            raise AttributeError(
                "there is no certificate_ after passes > 1: rows that were seen before "
                "certify nothing"
            )
        if course.kind == "validated":
            return course.run.model("validated", self.delta).certificate
        return course.run.certificate(self.delta)

    def _linear(self) -> Linear:
        found = self._begun().predictor
        if not isinstance(found, Linear):
            raise AttributeError("a panel is not linear: it has no coef_")
        return found

    def _checked(self, X: Any, y: Any, *, first: bool) -> tuple[Any, Any]:
        matrix, labels = matrix_with_targets(self, X, y, first=first, numeric=False)
        check_classification_targets(labels)
        return matrix, labels

    def _declared(self, classes: Any) -> Any:
        """The classes, or an error where a learner can do nothing with them."""
        if classes.size < 2:
            raise ValueError(
                f"there is 1 class only, {classes.tolist()[0]!r}: what is it told "
                "from? partial_fit(X, y, classes=[...]) declares those to come"
            )
        if classes.size > 2:
            raise ValueError("Only binary classification is supported.")
        return classes

    def _classes(self) -> tuple[Any, ...]:
        return tuple(self.classes_.tolist())

    def _targets(self, y: Any) -> Floats:
        positive = y == self.classes_[1]
        unknown = ~positive & (y != self.classes_[0])
        if unknown.any():
            row = int(np.argmax(unknown))
            raise ValueError(
                f"row {row}: label {y.tolist()[row]!r} is none of the classes "
                f"{self._classes()!r:.60} that were declared"
            )
        return np.where(positive, 1.0, -1.0)

    def __sklearn_tags__(self) -> Any:
        tags = cast("Any", super().__sklearn_tags__())
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.poor_score = self.poor_score
        return tags
