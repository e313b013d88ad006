"""The model: a hypothesis, what is known about it, and where it comes from.

Models differ by their hypothesis alone (:mod:`regretless.engine.hypotheses`). This file
turns rows into what that takes, and scores into what people ask for.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms.learners import probabilities
from ..algorithms.recipes import recipe_of
from ..engine.feature_names import Names, name_of, weights_by_name
from ..engine.hypotheses.class_probabilities import chosen, class_probabilities
from ..engine.hypotheses.hypothesis import Hypothesis
from ..parts.documents import Document
from ..parts.notebook_html import Printed
from ..parts.state import Array, Bools, Floats
from .one_row import OneRow, by_label, label_of, score_of
from .rows_to_predict import RowMatrix, RowReader, rows_of

if TYPE_CHECKING:
    from ..algorithms.covered_learner import Interval
    from ..algorithms.learners.row_learner import RowLearner
    from ..engine.coverage_ledger import Coverage
    from ..engine.hypotheses.feature_effects import Effects
    from ..engine.ledger import Ledger
    from ..evidence.certify import Certificate
    from ..evidence.claims.operating_point import OperatingPoint
    from .effects import Titled
    from .provenance import Provenance


@dataclass(frozen=True, repr=False)
class Model(Printed):
    """What a run hands over: it predicts, and it can be saved.

    What only some kinds of hypotheses have is an attribute of their models:
    ``weights``, ``bias`` and ``threshold`` of a linear one, ``biases`` of many classes,
    ``counts`` of a vote.

    Attributes
    ----------
    hypothesis : Hypothesis
        What predicts.
    kind : str
        Which conversion made it: "last", "mean", "last-half", "random", "vote",
        "validated".
    about : str
        The same in words.
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

    hypothesis: Hypothesis
    kind: str
    about: str
    names: Names | None = None
    classes: tuple[Hashable, ...] | None = None
    certificate: Certificate | None = field(default=None, compare=False)
    why_not: str = ""
    provenance: Provenance | None = field(default=None, compare=False)

    @property
    def stored_as(self) -> str:
        """The kind of hypothesis, by its name in files."""
        return self.hypothesis.stored_as

    @property
    def many(self) -> bool:
        """Whether ``scores`` has a column a class, rather than a number a row."""
        return self.hypothesis.many

    @property
    def n_features(self) -> int:
        """How many columns it takes."""
        return self.hypothesis.n_features

    def __getattr__(self, name: str) -> Any:
        """What its hypothesis shows; one clear line where that has no such thing."""
        found = self.__dict__.get("hypothesis")
        if found is not None and name in found.shows:
            return getattr(found, name)
        kind = "" if found is None else f", which is of type {found.stored_as!r}"
        raise AttributeError(f"there is no {name!r} of this model{kind}")

    @property
    def weights(self) -> Floats:
        """The weights of the features; of many classes, a row a class.

        Those of a panel are of its linear part. Votes and kernel machines have none.
        """
        if not self.hypothesis.weighs:
            raise AttributeError("weights")  # __getattr__ says why
        return self.by_class(self.hypothesis.weights())

    def by_class(self, known: Floats, fill: float = 0.0) -> Floats:
        """A row a class, also for those that the hypothesis does not know."""
        missing = len(self.classes or ()) - len(known) if self.many else 0
        if not missing:
            return known
        return np.pad(known, ((0, missing), (0, 0)), constant_values=fill)

    def named_weights(self) -> dict[Hashable, Any]:
        """Weights by name, or by number; of many classes, by class first."""
        if not self.many:
            return weights_by_name(self.names, self.weights)
        rows = zip(self.classes or (), self.weights, strict=True)
        return {label: weights_by_name(self.names, row) for label, row in rows}

    def scores(self, X: object) -> Floats:
        """The real-valued predictions; of many classes, a column a class."""
        return self.scores_by(self.hypothesis, self.matrix(X))

    def scores_by(self, hypothesis: Hypothesis, matrix: RowMatrix) -> Floats:
        """The same of a matrix of rows, by a hypothesis in place of its own."""
        found = hypothesis.product(matrix)
        if found is None:
            found = hypothesis.scores(*rows_of(matrix))
        return self.by_class(found.T, -np.inf).T if self.many else found

    def matrix(self, X: object) -> RowMatrix:
        """Rows as a matrix whose columns are the features of the model."""
        return self.one_row.reader.matrix(X)

    @cached_property
    def one_row(self) -> OneRow:
        """What reads rows as those that it learned from, and scores one at a time."""
        reader = RowReader(self.n_features, self.names, self.reading)
        return OneRow(self.hypothesis, reader)

    def predict(self, X: object) -> Array:
        """The predicted labels, or numbers.

        Of two classes, the negative one at score 0; of many, the one with the largest
        score, the first of them at ties.
        """
        scores = self.scores(X)
        if self.many:
            return chosen(self.classes or (), scores)
        if self.classes is None and not self.hypothesis.two_classes:
            return scores
        return np.array(self.classes or (-1, 1))[(scores > self.cut).astype(np.int64)]

    def predict_one(self, x: object) -> Any:
        """The predicted label, or number, of one row: a dict, a text or an array.

        Examples
        --------
        >>> import regretless as rg
        >>> run = rg.play(rg.Perceptron(), [({"cheap": 1}, 1), ({"lunch": 1}, 0)])
        >>> run.model("last").predict_one({"cheap": 2, "new": 1})
        1
        """
        return label_of(self, score_of(self, x))

    def score_one(self, x: object) -> float | dict[Hashable, float]:
        """The real-valued prediction of one row; of many classes, by label."""
        score = score_of(self, x)
        return by_label(self, score) if isinstance(score, list) else score

    def predict_proba_one(self, x: object) -> float | dict[Hashable, float]:
        """The probability that a row is positive; of many classes, each by label."""
        score = score_of(self, x)
        if isinstance(score, float) and self.probabilistic:
            return probabilities.probability(score)
        return by_label(self, self.probabilities(np.array([score]))[0].tolist())

    @property
    def probabilistic(self) -> bool:
        """Whether it has probabilities: see :meth:`predict_proba`."""
        if self.hypothesis.log_odds is not None:
            return self.hypothesis.log_odds
        if self.classes is None or self.learner is None:
            return False
        return (self.learner.binary_learner or self.learner).probabilistic

    def probabilities(self, scores: Floats) -> Floats:
        """The probabilities of the classes, a column each, where rows score so.

        ``ValueError`` where the model has none.
        """
        if not self.probabilistic:
            who = "this model" if self.learner is None else repr(self.learner)
            raise ValueError(probabilities.NO_PROBABILITIES.format(who))
        if scores.ndim == 1:
            return probabilities.two_probabilities(scores)
        return class_probabilities(scores, self.hypothesis.slopes)

    def predict_proba(self, X: object) -> Floats:
        """The probabilities of the classes, a column each, in the order of ``classes``.

        ``ValueError`` unless it is of a panel, the logistic loss or one-versus-rest.
        """
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

    def predict_interval(self, X: object) -> Floats:
        """The interval around each prediction: a row each, its low and its high end.

        As they stood when the training ended. ``ValueError`` where the model has none:
        ``play(intervals(learner, 0.9), ...)`` makes them.
        """
        from .sets import intervals_of

        return intervals_of(self, self.scores(X))

    def predict_interval_one(self, x: object) -> Interval:
        """The interval around the prediction of one row: ``low`` and ``high``."""
        from ..algorithms.covered_learner import Interval
        from .sets import intervals_of

        scores = np.array([score_of(self, x)])
        return Interval(*intervals_of(self, scores)[0].tolist())

    def predict_set_one(self, x: object) -> set[Hashable]:
        """The labels that one row may have."""
        from .sets import sets_of

        inside = sets_of(self, np.array([score_of(self, x)]))[0]
        return {label for k, label in enumerate(self.classes or ()) if inside[k]}

    def predict_set(self, X: object) -> Bools:
        """Which labels each row may have: True or False, a column a class."""
        from .sets import sets_of

        return sets_of(self, self.scores(X))

    def certify_sets(self, X: object, y: object, delta: float = 0.05) -> Certificate:
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

    def arrays(self) -> Document:
        """What its hypothesis keeps, by name: arrays, and plain values."""
        return self.hypothesis.state_dict()

    def facts(self) -> Document:
        """All else that only its kind of hypothesis has, as plain data.

        Raises
        ------
        ValueError
            Where a part is not of this package: no file can bring it back.
        """
        facts = self.hypothesis.facts()
        for name, value in facts.items():
            if hasattr(value, "_fields"):
                facts[name] = recipe_of(value)
                if "foreign" in facts[name]:
                    raise ValueError(
                        f"{value!r} is a {name} of your own, which no file can bring "
                        "back: a model with it cannot be saved"
                    )
        return {"kind": self.kind, "about": self.about, **facts}

    def effects(self) -> Effects:
        """What each feature does to the score, on a row that is typical otherwise.

        The score at its ``high`` value less that at its ``low`` one: ``values``, a row
        a class if there are many. ``ValueError`` where it depends on the row.
        """
        from .effects import effects_of

        return effects_of(self)

    def explain_one(self, x: object) -> dict[Hashable, Any]:
        """The effect of each feature of one row on its score, largest first.

        It is the score of the row less that of the row without the feature. Of many
        classes: a dict of effects for each label, on the score of that class.
        """
        from .effects import explained_row

        return explained_row(self, x)

    def explain(self, X: object = None, *, top: int = 10) -> Any:
        """What moves the score most: the mean effects of features on the rows X.

        An effect is what :meth:`explain_one` says of a row. Without rows it is what
        :meth:`effects` says, with the two values. Of many classes: an explanation for
        each label. Of a panel: also which member carries how much of the score.
        """
        from .effects import explained

        return explained(self, X, top)

    def explanation(self, top: int) -> Titled:
        """What moves its predictions most: titles, each with (what, how much)."""
        from .effects import explanation_of

        return explanation_of(self, top)

    def alone(self, k: int) -> Model:
        """Of a panel a class: that of class number `k`, a model of it or not."""
        label = (self.classes or ())[k]
        return replace(
            self,
            hypothesis=self.hypothesis.alone(k),
            about=f"{label} or not",
            classes=("the rest", label),
            certificate=None,
            why_not="",
        )

    def feature(self, j: int) -> str:
        """What people call feature `j`: its name, or its index in the file."""
        name = name_of(self.names, j)
        reading = self.reading
        one_based = reading.get("format") == "libsvm" and not reading.get("zero_based")
        return str(j + 1 if one_based and self.names is None else name)

    def __str__(self) -> str:
        """What it is, and what is certified about it."""
        rest = self.certificate or textwrap.fill(self.why_not, 88)
        return f"{self.about}: {self.hypothesis.describe()}\n{rest}"

    @property
    def reading(self) -> Document:
        """How the data were read that it was learned from, as plain JSON."""
        return {} if self.provenance is None else self.provenance.reading

    @property
    def learner(self) -> RowLearner | None:
        """Who learned it; None where that is not known, or has foreign parts."""
        return None if self.provenance is None else self.provenance.learner

    @property
    def ledger(self) -> Ledger | None:
        """What was met and paid while it was learned."""
        return None if self.provenance is None else self.provenance.ledger

    def save(
        self, path: str | os.PathLike[str], *, state: Document | None = None
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
        from ..engine.storage import write_file
        from .files import content_of

        write_file(path, "model", content_of(self, state))
