"""What every estimator is: parameters that make a learner, and its training session.

The constructor of an estimator has the parameters of its learner under the same names
(see :mod:`.generation`). The classes that derive from this one are abstract (a
classifier, a regressor) or final.
"""

from __future__ import annotations

import abc
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

import numpy as np

from ...algorithms.learners.row_learner import RowLearner
from ...algorithms.prediction_sets import checked_level
from ...data import Batch, Schema
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
from ...runs.session import Session
from .frames import FrameColumns, checked_schema, declared, frame_of
from .handed_over import HandedOver
from .labels import Code
from .library import BaseEstimator, check_is_fitted
from .named_parts import make_learner
from .order import Order, seed_of, warn_if_sorted
from .rows import NO_WEIGHT, Given, given_rows, labeled_rows
from .sealing import SealedRows
from .training_session import TrainingSession

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...data.chunk import Array
    from ...models.rows_to_predict import RowMatrix


class OnlineEstimator(BaseEstimator, abc.ABC):
    """An online learner with the manners of scikit-learn."""

    learner_class: ClassVar[type[RowLearner]]
    """The learner that it stands for."""
    task: ClassVar[str]
    """"binary" for classes, "real" for numbers."""
    own: ClassVar[Document]
    """Parameters of the estimator that are not the learner's, and their defaults."""
    models: ClassVar[tuple[str, ...]]
    """What ``model`` may be."""
    always: ClassVar[Document] = {}
    """Parameters of the learner that are not the user's choice."""
    poor_score: ClassVar[bool] = False
    """Whether a high score is not to be expected of it in scikit-learn's checks."""

    passes: int
    shuffle: bool = True
    random_state: Any = None
    model: str
    level: float | str | None = None  # some have none
    missing: str | None = None
    schema: Schema | None = None
    delta: float = 0.05
    seal: float | str | None = None
    n_features_in_: int
    _frame: FrameColumns | None = None  # what is given now, where it is one to read
    _course: TrainingSession

    @property
    def ledger_(self) -> Ledger:
        """What was met and paid, over all rows and passes."""
        return self.run_.ledger

    @property
    def run_(self) -> Run:
        """The run so far, as :func:`regretless.play` returns it.

        ``run_.model("last").save(path)`` writes a model that loads without pickle.
        """
        return self._begun().run

    @property
    def coverage_(self) -> Coverage:
        """What came of the prediction sets, each made before its label was seen.

        Only rows that were new count, not those of later passes.
        """
        return self._begun().sets.ledger()

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
        learner = self._make_learner()
        rows = self._weighed(self._checked(X, y, sample_weight, first=True))
        if rows.weights is not None and not rows.weights.any():
            raise ValueError(NO_WEIGHT)
        sealed = self._new_seal()
        others = rows if sealed is None else sealed.set_aside(rows)
        return self._learn_all(self._course_of(learner, others.labels, sealed), others)

    @abc.abstractmethod
    def _course_of(
        self, learner: RowLearner, labels: Array, sealed: SealedRows | None
    ) -> TrainingSession:
        """A course at its start, for rows with these labels, which are all."""

    def _checked(
        self, X: object, y: object, sample_weight: object, *, first: bool
    ) -> Given:
        """What ``fit`` was given; `first` where it says which columns there are."""
        if first:
            self._frame = frame_of(self, X, direct_for([self._learner()]))
        else:
            self._frame = self._begun().source.frame
        frame, numeric = self._frame, self.task == "real"
        return labeled_rows(
            self, X, y, sample_weight, frame, first=first, numeric=numeric
        )

    def _matrix(self, X: object) -> RowMatrix:
        """X to predict for, with the columns of the fit."""
        return given_rows(self, X, self._begun().source.frame).matrix

    def _weighed(self, rows: Given) -> Given:
        """The rows, where classes have weights."""
        return rows

    def get_feature_names_out(self, input_features: object = None) -> Array:
        """The names of the features that it learns: of the columns of ``coef_``.

        A column of words has many. A feature without a name has its number, as "x3".
        """
        source = self._begun().source
        names = [name_of(source.names, j) for j in range(source.n_features)]
        return np.array([f"x{j}" if isinstance(j, int) else j for j in names], object)

    def _effects(self) -> tuple[Floats, tuple[Hashable, ...]]:
        """What each feature does to the score of what predicts, and its labels."""
        course = self._begun()
        model = course.run.model(course.kind)
        try:
            return model.effects().values, model.classes or ()
        except ValueError as why:
            raise AttributeError(f"there is no feature_effects_: {why}") from None

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
        course = self._begun()
        if X is None or y is None:
            return course.run.theorems(hindsight=False)
        rows = self._weighed(self._checked(X, y, sample_weight, first=False))
        if course.sealed is not None:
            seal = course.sealed.seal
            rows = SealedRows(seal.share, seal.seed).split(rows).others
        rows = rows.counted()
        if course.order is not None:
            rows = rows.some(course.order.of(rows.labels.size))
        learner, code = course.again()
        passes, left = divmod(course.rounds, max(rows.n, 1))
        if left or not passes:
            raise ValueError(
                f"{course.rounds:,} rows were learned, but here are {rows.n:,}"
            )
        known, batches = course.source, (rows.batch(code),) * passes
        source = HandedOver(known.n_features, known.names, code, known.frame, batches)
        game = Session(learner, source)
        game.play()
        again = game.run()
        if again.ledger != course.run.ledger:
            raise ValueError(
                "these are not the rows that were learned, in the same order: the "
                "ledger of playing them differs"
            )
        return again.theorems(u=u)

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

    def _new_course(
        self, learner: RowLearner, code: Code, sealed: SealedRows | None = None
    ) -> TrainingSession:
        """A course at its start, for the columns that have just been checked."""
        names = getattr(self, "feature_names_in_", None)
        known = None if names is None else tuple(names.tolist())
        width = self.n_features_in_
        if self.missing is not None:
            width *= 2
            known = known and (*known, *(f"{name} is missing" for name in known))
        if self._frame is not None:
            width, known = self._frame.width, None
        source = HandedOver(width, known, code, self._frame)
        return TrainingSession(learner, source, self.model, sealed, self.level)

    def _learn_all(self, course: TrainingSession, rows: Given) -> Self:
        """All passes of a ``fit``: rows are shuffled once, before the first."""
        rows = rows.counted()
        n, order = rows.labels.size, None
        if self.shuffle:
            order = Order(self._seed(), n)
            rows = rows.some(order.of(n))
        elif self.task != "real":
            warn_if_sorted(rows.labels)
        course.plan(n, self.passes, order)
        batch = rows.batch(course.source.code)
        for number in range(self.passes):
            course.begin_pass(number)
            try:
                course.learn(batch)
            except BadRow as bad:
                row = bad.row - number * n
                row = row if order is None else int(order.of(n)[row])
                raise BadRow(row, bad.problem) from None
        course.ended = True
        self.n_iter_ = int(self.passes)
        self._course = course
        return self

    def _learn_more(self, course: TrainingSession, batch: Batch) -> Self:
        """One call of ``partial_fit``."""
        self._course = course
        course.go_on()
        course.learn(batch)
        self.n_iter_ = 1
        return self

    def _new_seal(self) -> SealedRows | None:
        """No sealed rows so far; None where none are to be."""
        if self.seal is None:
            return None
        self._drawn = seed_of(self.random_state)  # the order has the same one
        return SealedRows(self.seal, self._drawn)

    def _seed(self) -> int:
        """The seed of a fit, drawn once: for the seal, and for the order."""
        if self.seal is None:
            self._drawn = seed_of(self.random_state)
        return self._drawn

    def _learn_some(self, course: TrainingSession, rows: Given) -> Self:
        """One call of ``partial_fit``: learn the rows that are not sealed."""
        code, sealed = course.source.code, course.sealed
        if sealed is None:
            return self._learn_more(course, rows.batch(code))
        split, before = sealed.split(rows), course.rounds
        code.check(rows.labels)
        if not split.others.labels.size:
            sealed.take(split, 0)
            self._course, self.n_iter_ = course, 1
            return self
        try:
            return self._learn_more(course, split.others.batch(code))
        finally:
            sealed.take(split, course.rounds - before)

    def _certified(self) -> Certificate:
        """What is certified; ``AttributeError`` says why nothing is."""
        found, why_not = self._begun().certified(self.delta)
        if found is None:
            raise AttributeError(f"there is no certificate_. {why_not}")
        return found

    def _unchanged(self) -> TrainingSession:
        """The course to go on with, unless the parameters are others by now."""
        course = self._course
        given = repr(self._make_learner())
        learners = (course.learner, course.learner.binary_learner)
        seal, frame = self.seal, course.source.frame
        if (
            given not in map(repr, learners)
            or (self.model, self.level) != (course.kind, course.level)
            or declared(self.schema) != (frame.declared if frame else {})
            or (None if seal is None else checked_share(seal)) != course.share
        ):
            raise ValueError(
                "the parameters were changed in the middle of a stream: call fit, or "
                "partial_fit of a clone, to begin anew"
            )
        return course

    def _begun(self) -> TrainingSession:
        check_is_fitted(self)
        return self._course

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_course")

    def __sklearn_tags__(self) -> Any:
        tags = cast("Any", super().__sklearn_tags__())
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self.missing is not None
        return tags
