"""What every classifier does: learn labels, and predict them."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

import numpy as np

from ...algorithms.learners import OneVersusRest
from ...algorithms.learners.probabilities import two_probabilities
from ...algorithms.learners.row_learner import RowLearner
from ...algorithms.prediction_sets import in_set
from ...data.chunk import Array, Mask
from ...engine.hypotheses.class_probabilities import class_probabilities
from ...parts.state import Floats
from .class_weights import BALANCED, check_named, class_factors
from .estimator import OnlineEstimator
from .labels import Code
from .library import ClassifierMixin, available_if
from .predictors import has_probabilities
from .rows import Given

if TYPE_CHECKING:
    import numpy.typing as npt


class OnlineClassifier(ClassifierMixin, OnlineEstimator, abc.ABC):
    """An online learner of classes: what all classifiers here have in common.

    Parameters
    ----------
    bias : bool
        Learn an intercept too: one more feature, always 1. True here, because users of
        scikit-learn expect it; the learners themselves have none by default, since
        their theorems count it as a feature like any other.
    passes : int
        How often ``fit`` goes over the rows, in the same order each time.
    shuffle : bool
        Whether ``fit`` learns the rows in a random order, drawn once, before the first
        pass. With False they are learned in their order, as in ``partial_fit``; it
        warns where they come sorted by label.
    random_state : int, RandomState, Generator or None
        What the order depends on; None: another one at each ``fit``, see ``seed_``.
    model : str
        Which of the hypotheses of the pass predicts. "last": the one after the last
        row, the default of learners that settle by themselves. "last-half": the mean
        of about the last half of them, the default where each row may still move the
        weights far. "mean": the mean of all that predicted on the way. "validated":
        one that was frozen on the way and has the best record on the rows after it
        (one pass only).
    delta : float
        The probability that ``certificate_`` is wrong.
    seal : float, str or None
        The share of the rows to certify by, such as 0.05 or "5%". Coins choose them
        before anybody looks; they are not learned, and ``certificate_`` is about what
        predicts. At most 32,768 rows are sealed; they are kept, and pickled too.
    level : float, str or None
        Of prediction sets, such as 0.95 or "95%": see :meth:`predict_set`.
    class_weight : dict, "balanced" or None
        How much the rows of each class count, beside ``sample_weight``: a weight for
        each label (1 where it has none), or "balanced", n / (K n_k) of the n rows of
        ``fit``, n_k of which are of class k. ``predict_proba`` is about the data as
        they were weighted.
    missing : "indicator" or None
        What nan means. None: an error. "indicator": a value that is missing; it counts
        as 0, and each column is followed, behind the last one, by a column that is 1
        where its value is missing, so that there are two coefficients a column.
    schema : Schema or None
        What the columns of a data frame mean. None: as :func:`regretless.play` finds
        them, numbers, words (a feature each), booleans and dates, and a missing number
        is 0. The first frame decides; later ones have the same columns in any order.
        A frame of numbers alone goes by the rules of scikit-learn.

    Attributes
    ----------
    classes_ : ndarray
        The labels, in order.
    coef_, intercept_ : ndarray
        Of shape (1, d) and (1,), or with a row a class: what ``decision_function``
        multiplies and adds, where the model is linear.
    feature_effects_ : ndarray
        What each feature does to the score of a typical row, from a low value to a high
        one: ``run_.model(model).effects()`` has them.
    n_features_in_, feature_names_in_
        How many columns there are, and their names, where they have any; the features
        that are made of them: ``get_feature_names_out()``.
    t_, n_iter_ : int
        Rows learned so far, and passes of the last call.
    seed_ : int
        What the order of the rows depended on: ``random_state=seed_`` repeats the fit.
    ledger_ : Ledger
        Mistakes and losses as they were met, all passes together.
    certificate_ : Certificate
        A bound on the error on fresh rows that says which classifier it is about. With
        ``seal=`` or ``model="validated"`` that is the one that predicts. Otherwise it
        is a copy of the learner that was frozen on the way and met fresh rows since,
        as ``play(...).model()`` certifies it: the one that predicts has learned these
        rows as well. Rows seen twice certify nothing, so after ``passes=2`` only
        sealed rows do.
    coverage_ : Coverage
        What came of the sets on the way, with ``level=``.
    run_ : Run
        All of it, as :func:`regretless.play` returns it.
    """

    task = "binary"
    many: ClassVar[bool] = True
    """Whether it learns more than two classes."""
    models = ("last", "mean", "last-half", "validated")
    own = (*OnlineEstimator.own, "class_weight")

    class_weight: dict[Any, float] | str | None = None

    def partial_fit(
        self,
        X: object,
        y: object,
        classes: npt.ArrayLike | None = None,
        sample_weight: object = None,
    ) -> Self:
        """Go on learning from more rows.

        Rows are learned in their order. However they are cut into calls, the result is
        the same as that of one ``fit`` with ``shuffle=False``, to the last bit.

        Parameters
        ----------
        X, y, sample_weight
            As of :meth:`fit`.
        classes : array
            All labels that will ever come, at the first call. Without it, classes may
            appear at any time; what is learned is the same, and a class is predicted
            from its first row on.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            At a row that cannot be learned, counted from the first call; those before
            it are learned.
        """
        if self.class_weight == BALANCED:
            raise ValueError(
                'class_weight="balanced" needs all rows at once: call fit, or give a '
                "dict of weights"
            )
        given = None if classes is None else np.unique(classes)
        if given is not None and self.__sklearn_is_fitted__():
            known = self.classes_
            if not np.array_equal(given, known):
                raise ValueError(
                    f"classes={classes!r:.60} are not those of the first call, "
                    f"{known.tolist()!r:.60}"
                )
        return self._learn_more(X, y, sample_weight, given)

    @property
    def classes_(self) -> Array:
        """The labels, in order."""
        return self._begun().source.code.classes

    def decision_function(self, X: object) -> Floats:
        """The scores.

        Of two classes, one number a row: ``classes_[1]`` is predicted where it is
        positive. Of more, a column a class: the largest wins, and a class that was
        declared but has not come has -inf.
        """
        scores = self._scores(X)
        return scores[:, 0] if self.classes_.size == 1 else scores

    def predict(self, X: object) -> Array:
        """The predicted labels."""
        scores = self._scores(X)
        if scores.ndim == 1:
            return self.classes_[(scores > 0.0).astype(np.int64)]
        return self.classes_[scores.argmax(axis=1)]

    @available_if(has_probabilities)
    def predict_proba(self, X: object) -> Floats:
        """The probability of every class, a column each, in the order of classes_.

        Of more than two: how far the scores of one class against the rest can be
        trusted was learned on the way. With ``class_weight`` they are those of the data
        as they were weighted, as everywhere in scikit-learn: ``predict`` gives the most
        likely class.
        """
        scores = self._scores(X)
        if scores.ndim == 1:
            return two_probabilities(scores)
        return class_probabilities(scores, self._begun().predictor.scorer.slopes)

    @available_if(has_probabilities)
    def predict_set(self, X: object) -> Mask:
        """Which labels each row may have: True or False, a column for each of classes_.

        It needs ``level`` in the constructor. ``coverage_`` says how often such sets
        missed while the rows were learned, and how large they were.
        """
        return in_set(self.predict_proba(X), self._sets.least(settled=True))

    @available_if(has_probabilities)
    def predict_log_proba(self, X: object) -> Floats:
        """The logarithms of the probabilities."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    @property
    def coef_(self) -> Floats:
        """The weights: a row, or of more than two classes a row a class."""
        return np.atleast_2d(super().coef_)

    def _weighed(self, rows: Given) -> Given:
        """Rows, each of which counts as much as its class does."""
        if self.class_weight is None:
            return rows
        labels, places, counts = np.unique(
            rows.labels, return_inverse=True, return_counts=True
        )
        factors = class_factors(self.class_weight, labels, counts)[places.reshape(-1)]
        own = 1.0 if rows.weights is None else rows.weights
        return rows._replace(weights=factors * own)

    def _classes_in(self, labels: Array) -> Array:
        if isinstance(self.class_weight, dict):
            check_named(self.class_weight, labels)
        return np.unique(labels)

    def _coded(
        self, learner: RowLearner, classes: Array | None
    ) -> tuple[RowLearner, Code]:
        if classes is None and self.model == "validated":
            raise ValueError(
                'model="validated" needs to know the classes: '
                "partial_fit(X, y, classes=[...])"
            )
        if classes is not None and classes.size < 2:
            raise ValueError(
                f"there is 1 class only, {classes.tolist()[0]!r}: what is it to be "
                "told from? partial_fit(X, y) lets others come later"
            )
        if learner.task != "classes" and (classes is None or classes.size > 2):
            if not self.many:
                why = "say which two, partial_fit(X, y, classes=[...])"
                raise ValueError(
                    f"Only binary classification is supported by {type(self).__name__}"
                    f": {why if classes is None else f'there are {classes.size}'}; of "
                    "more, take sklearn.multiclass.OneVsRestClassifier"
                )
            learner = OneVersusRest(learner)
        return learner, Code(learner.task, classes)

    def __sklearn_tags__(self) -> Any:
        tags = cast("Any", super().__sklearn_tags__())
        tags.classifier_tags.poor_score = self.poor_score
        tags.classifier_tags.multi_class = self.many
        return tags
