"""What every regressor does: learn numbers, and predict them."""

from __future__ import annotations

import abc
from typing import Any, Self, cast

import numpy as np

from ...algorithms.learners.row_learner import RowLearner
from ...data.chunk import Array
from ...parts.state import Floats
from .estimator import OnlineEstimator
from .labels import Code
from .library import RegressorMixin


class OnlineRegressor(RegressorMixin, OnlineEstimator, abc.ABC):
    """An online learner of numbers: what all regressors here have in common.

    Parameters
    ----------
    bias : bool
        Learn an intercept too: one more feature, always 1. True here, because users of
        scikit-learn expect it; the learners themselves have none by default.
    passes : int
        How often ``fit`` goes over the rows, in the same order each time.
    shuffle : bool
        Whether ``fit`` learns the rows in a random order, drawn once, before the first
        pass. With False they are learned in their order, as in ``partial_fit``.
    random_state : int, RandomState, Generator or None
        What the order depends on; None: another one at each ``fit``, see ``seed_``.
    model : str
        Which of the hypotheses of the pass predicts. "last-half": the mean of about the
        last half of them, the default. "last": the one after the last row, the default
        of ridge regression (VAW) and of the panel. "mean": the mean of all that
        predicted on the way.
    delta : float
        The probability that ``certificate_`` is wrong.
    seal : float, str or None
        The share of the rows to certify by, such as 0.1 or "10%". Coins choose them
        before anybody looks; they are not learned, and ``certificate_`` is about what
        predicts. At most 32,768 rows are sealed; they are kept, and pickled too.
    level : float, str or None
        Of prediction intervals, such as 0.9 or "90%": see :meth:`predict_interval`.
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
    coef_, intercept_ : ndarray
        Of shape (d,) and (1,): what ``predict`` multiplies and adds.
    feature_effects_ : ndarray
        What each feature does to the prediction of a typical row, from a low value to
        a high one: ``run_.model(model).effects()`` has them.
    n_features_in_, feature_names_in_
        How many columns there are, and their names, where they have any; the features
        that are made of them: ``get_feature_names_out()``.
    t_, n_iter_ : int
        Rows learned so far, and passes of the last call.
    seed_ : int
        What the order of the rows depended on: ``random_state=seed_`` repeats the fit.
    ledger_ : Ledger
        The losses as they were met, all passes together.
    certificate_ : Certificate
        With ``seal=``: bounds on the squared error on fresh rows, large errors cut, and
        on most absolute errors.
    coverage_ : Coverage
        What came of the intervals on the way, with ``level=``.
    run_ : Run
        All of it, as :func:`regretless.play` returns it.
    """

    task = "real"
    models = ("last", "mean", "last-half")

    def partial_fit(self, X: object, y: object, sample_weight: object = None) -> Self:
        """Go on learning from more rows.

        Rows are learned in their order. However they are cut into calls, the result is
        the same as that of one ``fit`` with ``shuffle=False``, to the last bit.

        Parameters
        ----------
        X, y, sample_weight
            As of :meth:`fit`.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            At a row that cannot be learned, counted from the first call; those before
            it are learned.
        """
        return self._learn_more(X, y, sample_weight)

    def _coded(
        self, learner: RowLearner, classes: Array | None
    ) -> tuple[RowLearner, Code]:
        return learner, Code(learner.task)

    def predict(self, X: object) -> Floats:
        """The predicted numbers."""
        return self._scores(X)

    def predict_interval(self, X: object) -> Floats:
        """The interval around each prediction: a row each, its low and its high end.

        It needs ``level`` in the constructor. ``coverage_`` says how often such
        intervals missed while the rows were learned, and how wide they were.

        Examples
        --------
        >>> import numpy as np, regretless as rg
        >>> rng = np.random.default_rng(0)
        >>> X = rng.normal(size=(4000, 2))
        >>> y = X[:, 0] + rng.normal(size=4000)
        >>> model = rg.sklearn.VAWRegressor(level=0.9, shuffle=False)
        >>> model = model.fit(X[:3000], y[:3000])
        >>> low, high = model.predict_interval(X[3000:]).T
        >>> print(f"{np.mean((low <= y[3000:]) & (y[3000:] <= high)):.2f}")
        0.89
        """
        return np.column_stack(self._sets.intervals(self.predict(X), settled=True))

    def __sklearn_tags__(self) -> Any:
        tags = cast("Any", super().__sklearn_tags__())
        tags.regressor_tags.poor_score = self.poor_score
        return tags
