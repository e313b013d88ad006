"""What every model can do: predict, be saved, and say where it comes from.

A kind of model says under which name it is stored, and gives its arrays and its facts
apart. That is all that saving and loading need to know of it.
"""

from __future__ import annotations

import abc
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..algorithms.learners.probabilities import NO_PROBABILITIES, two_probabilities
from ..engine.feature_names import Names, name_of
from ..engine.players.classes import class_probabilities
from ..parts.notebook_html import as_text

if TYPE_CHECKING:
    from ..engine.coverage_ledger import Coverage
    from ..engine.ledger import Ledger
    from ..evidence.certify import Certificate
    from ..evidence.claims.operating_point import OperatingPoint
    from .provenance import Provenance

__all__ = ["Model"]


class Model(abc.ABC):
    """A model. A subclass is a frozen dataclass with the attributes below.

    Parameters
    ----------
    stored_as : str
        The name of this kind of model in files: a promise, once a file has it.

    Attributes
    ----------
    names : tuple or None
        The features' names.
    classes : tuple or None
        The labels for -1 and +1, or all; None for a model of real numbers.
    certificate : Certificate or None
        What is certified about this very model.
    why_not : str
        Why nothing is certified, where nothing is.
    provenance : Provenance or None
        The learner, the ledger and the data it comes from.
    """

    names: Names | None
    classes: tuple[Any, ...] | None
    certificate: Any
    why_not: str
    provenance: Provenance | None

    many: ClassVar[bool] = False
    """Whether ``scores`` has a column a class, rather than a number a row."""
    stored_as: ClassVar[str]
    kinds: ClassVar[dict[str, type[Model]]] = {}
    """Every kind of model, by its name in files."""

    def __init_subclass__(cls, *, stored_as: str, **more: Any) -> None:
        super().__init_subclass__(**more)
        if stored_as in Model.kinds:
            raise TypeError(f"a model stored as {stored_as!r} exists already")
        cls.stored_as = stored_as
        Model.kinds[stored_as] = cls

    @abc.abstractmethod
    def scores(self, X: Any) -> Any:
        """The real-valued predictions."""

    @abc.abstractmethod
    def predict(self, X: Any) -> Any:
        """The predicted labels, or numbers."""

    def predict_one(self, x: Any) -> Any:
        """The predicted label, or number, of one row.

        Parameters
        ----------
        x : dict, str or array
            One row, as :meth:`predict` takes rows.

        Examples
        --------
        >>> import regretless as rg
        >>> run = rg.play(rg.Perceptron(), [({"cheap": 1}, 1), ({"lunch": 1}, 0)])
        >>> run.model("last").predict_one({"cheap": 2, "new": 1})
        1
        """
        alone = isinstance(x, str | Mapping)
        rows: Any = [x] if alone else x if hasattr(x, "tocsr") else np.atleast_2d(x)
        found = self.predict(rows)
        if len(found) != 1:
            raise ValueError(f"predict_one takes one row, not {len(found):,}")
        return found[0].item() if hasattr(found[0], "item") else found[0]

    @property
    def probabilistic(self) -> bool:
        """Whether it has probabilities: see :meth:`predict_proba`."""
        return False

    def probabilities(self, scores: Any) -> Any:
        """The probabilities of the classes, a column each, where rows score so.

        Raises
        ------
        ValueError
            Where the model has none.
        """
        if not self.probabilistic:
            raise ValueError(no_probabilities(self))
        if np.ndim(scores) == 1:
            return two_probabilities(scores)
        return class_probabilities(scores, getattr(self, "slopes", None))

    def predict_proba(self, X: Any) -> Any:
        """The probabilities of the classes, a column each, in the order of ``classes``.

        Panels have them, learners with the logistic loss, and one-versus-rest; others
        raise ``ValueError``.
        """
        if not self.probabilistic:
            self.probabilities(())
        return self.probabilities(self.scores(X))

    @property
    def operating_point(self) -> OperatingPoint | None:
        """Its threshold with what is certified there; None: 0, and nothing is."""
        return None if self.provenance is None else self.provenance.point

    @property
    def cut(self) -> float:
        """The score above which a row of two classes is predicted to be positive."""
        point = self.operating_point
        return 0.0 if point is None else point.threshold

    @property
    def coverage(self) -> Coverage | None:
        """What came of the prediction sets of its training; None without any."""
        found = None if self.provenance is None else self.provenance.sets
        return None if found is None else found.ledger()

    def predict_interval(self, X: Any) -> Any:
        """The interval around each prediction: a row each, its low and its high end.

        It is as it stood when the training ended; :meth:`certify_sets` says by fresh
        rows how often it misses.

        Raises
        ------
        ValueError
            Where the model has none: ``play(intervals(learner, 0.9), ...)`` makes them.
        """
        from .sets import intervals_of, tracker_of

        tracker_of(self)
        return intervals_of(self, self.scores(X))

    def predict_set(self, X: Any) -> Any:
        """Which labels each row may have: True or False, a column a class.

        Raises
        ------
        ValueError
            Where the model has no sets: ``play(intervals(learner, 0.9), ...)`` makes
            them.
        """
        from .sets import sets_of, tracker_of

        tracker_of(self)
        return sets_of(self, self.scores(X))

    def certify_sets(self, X: Any, y: Any, delta: float = 0.05) -> Certificate:
        """An upper bound on the probability that a label is outside of its set.

        Parameters
        ----------
        X, y
            Fresh rows and their labels: none was learned, none chose the model.
        delta : float
            The probability that the certificate is wrong.
        """
        from .sets import certify_sets

        return certify_sets(self, X, y, delta)

    @abc.abstractmethod
    def arrays(self) -> dict[str, Any]:
        """Its arrays, of float64, int64, int32, uint8 or bool."""

    @abc.abstractmethod
    def facts(self) -> dict[str, Any]:
        """All else that only this kind of model has, as plain data."""

    @classmethod
    @abc.abstractmethod
    def from_arrays(
        cls, arrays: dict[str, Any], facts: dict[str, Any], **shared: Any
    ) -> Model:
        """The model that :meth:`arrays` and :meth:`facts` described.

        They come from a file, so they are checked. `shared` are the five attributes of
        every model.
        """

    @property
    @abc.abstractmethod
    def n_features(self) -> int:
        """How many columns it takes."""

    def effects(self) -> Any:
        """What each feature does to the score, of no row in particular.

        Raises
        ------
        ValueError
            Where that depends on the row: ``explain(X)`` takes some.
        """
        raise ValueError(
            f"what a feature does to the score of a {type(self).__name__} depends on "
            "the row: give rows, explain(X)"
        )

    def explain_one(self, x: Any) -> dict[Any, Any]:
        """The effect of each feature of one row on its score, largest first.

        It is the score of the row less that of the row without the feature. Of many
        classes: a dict of effects for each label, on the score of that class.

        Parameters
        ----------
        x : dict, str or array
            One row, as :meth:`predict` takes rows.
        """
        from .effects import effects_on

        matrix, found = effects_on(self, x)
        if matrix.shape[0] != 1:
            raise ValueError(f"explain_one takes one row, not {matrix.shape[0]:,}")

        def named(effects: Any) -> dict[Any, float]:
            return {
                name_of(self.names, int(matrix.indices[k])): float(effects[k])
                for k in np.argsort(-np.abs(effects), kind="stable")
            }

        if not self.many:
            return named(found)
        return {label: named(found[:, k]) for k, label in enumerate(self.classes or ())}

    def explain(self, X: Any = None, *, top: int = 10) -> Any:
        """What moves the score most: the mean effects of features on the rows X.

        An effect is what :meth:`explain_one` says of a row. Without rows it is what
        ``effects()`` says, and ``inspect`` prints: of a linear model the weight, which
        is the effect of 1. Of many classes: an explanation for each label.
        """
        from .effects import Explanation, largest, mean_effects

        found = self.effects() if X is None else mean_effects(self, X)

        def told(effects: Any) -> Explanation:
            names = [(name_of(self.names, j), j) for j in largest(effects, top)]
            features = tuple((name, float(effects[j])) for name, j in names)
            return Explanation(features, X is not None)

        if not self.many:
            return told(found)
        return {
            label: told(row)
            for label, row in zip(self.classes or (), found, strict=True)
        }

    def explanation(self, top: int) -> list[tuple[str, list[tuple[str, str]]]]:
        """What moves its predictions most: titles, each with (what, how much)."""
        return []

    def feature(self, j: int) -> str:
        """What people call feature `j`: its name, or its index in the file."""
        name = name_of(self.names, j)
        reading = self.reading
        one_based = reading.get("format") == "libsvm" and not reading.get("zero_based")
        return str(j + 1 if one_based and self.names is None else name)

    def _repr_html_(self) -> str:
        return as_text(self)

    @property
    def reading(self) -> dict[str, Any]:
        """How the data were read that it was learned from, as plain JSON."""
        return {} if self.provenance is None else self.provenance.reading

    @property
    def learner(self) -> Any:
        """Who learned it; None where that is not known, or has foreign parts."""
        return None if self.provenance is None else self.provenance.learner

    @property
    def ledger(self) -> Ledger | None:
        """What was met and paid while it was learned."""
        return None if self.provenance is None else self.provenance.ledger

    def save(
        self, path: str | os.PathLike[str], *, state: dict[str, Any] | None = None
    ) -> None:
        """Write the model to a file, which :func:`regretless.load` reads.

        The file is replaced as a whole or left as it was. It holds the weights, the
        names, the labels, the certificate, the ledger and the learner's parameters, and
        nothing that could be run. With the `state` of its learner (see
        :func:`regretless.runs.checkpoints.state_of`), ``train -i`` goes on from it.

        Raises
        ------
        OSError
            Where it cannot be written; what was there before is unchanged.
        ValueError
            Where a name or a label is of a kind that a file cannot hold.
        """
        from .files import save

        save(self, path, state)


def no_probabilities(model: Model) -> str:
    """Why a model has no probabilities, and which ones have them."""
    who = type(model).__name__ if model.learner is None else repr(model.learner)
    return NO_PROBABILITIES.format(who)
