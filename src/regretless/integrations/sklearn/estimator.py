"""What every estimator is: parameters that make a learner, and its training session.

The constructor of an estimator has the parameters of its learner under the same names
(see :mod:`.generation`). The classes that derive from this one are abstract (a
classifier, a regressor) or final.
"""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

import numpy as np

from ...algorithms.learners.row_learner import RowLearner
from ...algorithms.prediction_sets import checked_level
from ...data import Schema
from ...data.sealed_rows import checked_share
from ...engine.coverage_ledger import Coverage
from ...engine.feature_names import name_of
from ...engine.ledger import Ledger
from ...errors import BadRow, checked_count
from ...evidence.certify import Certificate
from ...evidence.certify.checks import checked_delta
from ...evidence.theorems import Theorems
from ...parts.documents import Document
from ...parts.state import Floats
from ...runs.opening import direct_for
from ...runs.run import Run
from .frames import checked_schema, declared, frame_of
from .handed_over import HandedOver
from .labels import Code
from .library import BaseEstimator, check_is_fitted
from .named_parts import make_learner
from .order import Order, seed_of, warn_if_sorted
from .rows import NO_WEIGHT, Given, given_matrix, labeled_rows
from .sealing import SealedRows
from .training_session import TrainingSession

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...data.chunk import Array


class OnlineEstimator(BaseEstimator, abc.ABC):
    """An online learner with the manners of scikit-learn."""

    learner_class: ClassVar[type[RowLearner]]
    """The learner that it stands for."""
    task: ClassVar[str]
    """"binary" for classes, "real" for numbers."""
    own: ClassVar[tuple[str, ...]] = (
        *("passes", "shuffle", "random_state", "model", "delta"),
        *("seal", "level", "missing", "schema"),
    )
    """Parameters of the estimator that are not the learner's."""
    models: ClassVar[tuple[str, ...]]
    """What ``model`` may be."""
    always: ClassVar[Document] = {}
    """Parameters of the learner that are not the user's choice."""
    poor_score: ClassVar[bool] = False
    """Whether a high score is not to be expected of it in scikit-learn's checks."""

    passes: int = 1
    shuffle: bool = True
    random_state: Any = None
    model: str = "last-half"
    level: float | str | None = None  # some have none
    missing: str | None = None
    schema: Schema | None = None
    delta: float = 0.05
    seal: float | str | None = None
    n_features_in_: int
    _session: TrainingSession

    @property
    def ledger_(self) -> Ledger:
        """What was met and paid, over all rows and passes."""
        return self.run_.ledger

    @property
    def run_(self) -> Run:
        """The run so far, as :func:`regretless.play` returns it.

        ``run_.model("last").save(path)`` writes a model that loads without pickle.
        """
        return self._begun().run()

    @property
    def coverage_(self) -> Coverage:
        """What came of the prediction sets, each made before its label was seen.

        Only rows that were new count, not those of later passes.
        """
        return self._sets.ledger()

    @property
    def _sets(self) -> Any:
        """What makes prediction sets; ``AttributeError`` where nothing does."""
        sets = self._begun().sets
        if sets is None:
            raise AttributeError(
                "there are no prediction sets: give level=0.9 to the constructor"
            )
        return sets

    @property
    def seed_(self) -> int:
        """What the order of the rows of ``fit`` depends on.

        ``random_state=seed_`` repeats the fit. With ``shuffle=False``, and where only
        ``partial_fit`` was called, there is none.
        """
        order = self._begun().order
        if order is None:
            raise AttributeError("there is no seed_: the rows were not shuffled")
        return order.seed

    @property
    def t_(self) -> int:
        """Rows learned so far, those of later passes included."""
        return self._begun().rounds

    def fit(self, X: object, y: object, sample_weight: object = None) -> Self:
        """Learn from all rows, shuffled unless ``shuffle=False``, from the start.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n, d)
            The rows.
        y : array of shape (n,)
            Their labels, or numbers.
        sample_weight : array of shape (n,)
            How much each row's loss counts; a row of weight 0 is not learned.

        Returns
        -------
        self
        """
        learner, again = self._make_learner(), self.shuffle or self.seal is not None
        seed = seed_of(self.random_state) if again else 0
        rows = self._rows(X, y, sample_weight)
        if rows.weights is not None and not rows.weights.any():
            raise ValueError(NO_WEIGHT)
        seal = None if self.seal is None else SealedRows(self.seal, seed)
        if seal is not None:
            rows = seal.set_aside(rows.counted())
        learner, code = self._coded(learner, self._classes_in(rows.labels))
        rows, order = rows.counted(), None
        if self.shuffle:
            order = Order(seed, rows.n)
            rows = rows.some(order.of(rows.n))
        elif self.task != "real":
            warn_if_sorted(rows.labels)
        how = (seal, order, self.passes)
        session = self._new_session(learner, code, rows, *how)
        batch = rows.batch(code)
        for number in range(self.passes):
            session.begin_pass(first=number == 0)
            try:
                session.take(batch)
            except BadRow as bad:
                row = bad.row - number * rows.n
                row = row if order is None else int(order.of(rows.n)[row])
                raise BadRow(row, bad.problem) from None
        session.ended = True
        self._session, self.n_iter_ = session, int(self.passes)
        return self

    def _learn_more(
        self, X: object, y: object, sample_weight: object, classes: Array | None = None
    ) -> Self:
        """One call of ``partial_fit``; `classes` are all that may come, if known."""
        learner = self._make_learner()
        session = self._session if self.__sklearn_is_fitted__() else None
        rows = self._rows(X, y, sample_weight, session)
        if session is None:
            learner, code = self._coded(learner, classes)
            seal = self.seal
            if seal is not None:
                seal = SealedRows(seal, seed_of(self.random_state))
            session = self._new_session(learner, code, rows, seal)
        else:
            self._refuse_changes(session, learner)
        session.source.code.check(rows.labels)
        self._session = session
        session.learn(rows)
        self.n_iter_ = 1
        return self

    @abc.abstractmethod
    def _coded(
        self, learner: RowLearner, classes: Array | None
    ) -> tuple[RowLearner, Code]:
        """Who learns these classes, or any that come, and what stands for them."""

    def _classes_in(self, labels: Array) -> Array | None:
        """All classes that there are in a ``fit``."""
        return None

    def _rows(
        self,
        X: object,
        y: object,
        sample_weight: object,
        session: TrainingSession | None = None,
    ) -> Given:
        """Rows to learn from: the first ones, or those for a session that is there."""
        if session is None:
            frame = frame_of(self, X, direct_for([self._learner()]))
        else:
            frame = session.source.frame
        checks = {"first": session is None, "numeric": self.task == "real"}
        return self._weighed(labeled_rows(self, X, y, sample_weight, frame, **checks))

    def _weighed(self, rows: Given) -> Given:
        """The rows, where classes have weights."""
        return rows

    def _scores(self, X: object) -> Floats:
        """The scores of rows: of other than two classes a column a class."""
        session = self._begun()
        return session.scores(given_matrix(self, X, session.source.frame))

    @property
    def certificate_(self) -> Certificate:
        """A bound on the error on fresh rows; print it.

        Examples
        --------
        >>> import numpy as np, regretless as rg
        >>> rng = np.random.default_rng(0)
        >>> X = rng.normal(size=(2000, 2))
        >>> y = X[:, 0] + rng.normal(size=2000)
        >>> found = rg.sklearn.VAWRegressor(seal="20%").fit(X, y).certificate_
        >>> [share for share, error in found.within], 1.0 < found.value < 3.0
        ([0.5, 0.9], True)
        """
        found, why_not = self._begun().certified(self.delta)
        if found is None:
            raise AttributeError(f"there is no certificate_. {why_not}")
        return found

    @property
    def coef_(self) -> Floats:
        """The weights, of shape (d,)."""
        return self._begun().predictor.weights

    @property
    def intercept_(self) -> Floats:
        """The weight of the bias, less the threshold where there is one."""
        return self._begun().predictor.shifts

    @property
    def feature_effects_(self) -> Floats:
        """What each feature does to the score of a typical row.

        The score, or the prediction of a number, at its high value less that at its low
        one, which ``run_.model(model).effects()`` has. One a feature; of more than two
        classes a row for each of ``classes_``.
        """
        session = self._begun()
        try:
            found = session.played().model(session.kind).effects().values
        except ValueError as why:
            raise AttributeError(f"there is no feature_effects_: {why}") from None
        return session.placed(found.T, 0.0).T

    def get_feature_names_out(self, input_features: object = None) -> Array:
        """The names of the features that it learns: of the columns of ``coef_``.

        A column of words has many. A feature without a name has its number, as "x3".
        """
        source = self._begun().source
        names = [name_of(source.names, j) for j in range(source.n_features)]
        return np.array([f"x{j}" if isinstance(j, int) else j for j in names], object)

    def theorems(
        self,
        X: object = None,
        y: object = None,
        sample_weight: object = None,
        *,
        u: npt.ArrayLike | None = None,
    ) -> Theorems:
        """Every theorem about the learner, evaluated on the rows it learned from.

        Parameters
        ----------
        X, y, sample_weight
            The very rows of ``fit``, in the order in which it was given them: an
            estimator does not keep them, and a bound is about a comparator, which has
            to see them. How ``fit`` shuffled them is known. Without them the theorems
            are only listed.
        u : array
            A comparator of your own; None for the best in hindsight.

        Raises
        ------
        ValueError
            Where the rows are others than those that were learned.
        TheoremViolated
            Where a bound does not hold: a declared constant is false, or it is a bug.
        """
        session = self._begun()
        if X is None or y is None:
            return session.run().theorems(hindsight=False)
        rows = self._rows(X, y, sample_weight, session)
        return session.again(rows.counted()).theorems(u=u)

    def _make_learner(self) -> RowLearner:
        """The learner that the parameters describe; ``ValueError`` where none is."""
        self._check_own()
        return self._learner()

    def _learner(self) -> RowLearner:
        """The learner, whatever the estimator's own parameters are."""
        parameters = cast("Document", self.get_params(deep=False))
        given = {name: parameters[name] for name in parameters if name not in self.own}
        return make_learner(self.learner_class, {**given, **self.always}, self.task)

    def _check_own(self) -> None:
        """Raise ValueError unless the estimator's own parameters make sense."""
        passes = checked_count("passes", self.passes)
        if self.model not in self.models:
            allowed = ", ".join(map(repr, self.models))
            raise ValueError(f"model={self.model!r} must be one of {allowed}")
        if self.model == "validated" and passes > 1:
            raise ValueError(
                'model="validated" judges hypotheses by rows they have not seen: '
                "there are none after the first pass, so passes must be 1"
            )
        if self.missing not in (None, "indicator"):
            raise ValueError(f'missing={self.missing!r} must be None or "indicator"')
        checked_delta(self.delta)
        checked_schema(self.schema)
        if self.level is not None:
            checked_level(self.level)
        if self.seal is not None:
            checked_share(self.seal)
            if self.model == "validated":
                raise ValueError(
                    "seal= certifies a model that has learned all other rows: "
                    'model="validated" is none'
                )

    def _new_session(
        self,
        learner: RowLearner,
        code: Code,
        rows: Given,
        seal: SealedRows | None,
        order: Order | None = None,
        passes: int = 1,
    ) -> TrainingSession:
        """A session at its start, for rows like these."""
        names = getattr(self, "feature_names_in_", None)
        known = None if names is None else tuple(names.tolist())
        if known is not None and self.missing is not None:
            known = (*known, *(f"{name} is missing" for name in known))
        source = HandedOver(rows.width, known, code, rows.frame)
        how = (self.model, self.level, seal, order, passes)
        return TrainingSession(learner, source, *how)

    def _refuse_changes(self, session: TrainingSession, learner: RowLearner) -> None:
        """Raise ValueError where the parameters are others by now."""
        learners = (session.learner, session.learner.binary_learner)
        frame = session.source.frame
        sealed = None if session.seal is None else session.seal.share
        if (
            repr(learner) not in map(repr, learners)
            or (self.model, self.level) != (session.kind, session.level)
            or declared(self.schema) != (frame.declared if frame else {})
            or (None if self.seal is None else checked_share(self.seal)) != sealed
        ):
            raise ValueError(
                "the parameters were changed in the middle of a stream: call fit, or "
                "partial_fit of a clone, to begin anew"
            )

    def _begun(self) -> TrainingSession:
        check_is_fitted(self)
        return self._session

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_session")

    def __sklearn_tags__(self) -> Any:
        tags = cast("Any", super().__sklearn_tags__())
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self.missing is not None
        return tags
