"""Models of many classes: a weight vector a class, or a panel a class."""

from __future__ import annotations

import textwrap
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from ..algorithms.learners import OneVersusRest
from ..engine.feature_names import Names, weights_by_name
from ..engine.players.classes import Slopes, slopes_from
from ..engine.storage import checked_array
from ..parts.state import Floats
from .model import Model
from .provenance import Provenance
from .rows_to_predict import matrix_for

__all__ = ["ClassesModel", "chosen", "per_class"]

FEW = 3  # features of each class that are shown, at least


@dataclass(frozen=True, repr=False)
class ClassesModel(Model, stored_as="classes"):
    """Weights that predict one of many classes: the one with the largest score.

    Attributes
    ----------
    weights : ndarray
        A row a class.
    biases : ndarray
        One a class, the threshold subtracted; -inf for a class that had not come when
        this hypothesis was frozen, so that it is not predicted.
    kind : str
        Which conversion made it: "last", "mean", "last-half", "random", "validated".
    about : str
        The same in words.
    names : tuple or None
        The features' names.
    classes : tuple
        All labels, in the order of the rows.
    certificate : Certificate or None
        What is certified about this very model.
    why_not : str
        Why nothing is certified, where nothing is.
    provenance : Provenance or None
        The learner, the ledger and the data it comes from.
    slopes : Slopes or None
        What makes probabilities of scores, where there are any.
    """

    many: ClassVar[bool] = True

    weights: Floats
    biases: Floats
    kind: str
    about: str
    names: Names | None = None
    classes: tuple[Any, ...] | None = None
    certificate: Any = field(default=None, compare=False)
    why_not: str = ""
    provenance: Provenance | None = field(default=None, compare=False)
    slopes: Slopes | None = None

    @property
    def probabilistic(self) -> bool:
        """Whether it is of one-versus-rest; of version 0.1, with the logistic loss."""
        known = isinstance(self.learner, OneVersusRest)
        return self.slopes is not None or (known and self.learner.learner.probabilistic)

    @property
    def n_features(self) -> int:
        """How many columns it takes."""
        return self.weights.shape[1]

    def scores(self, X: Any) -> Floats:
        """The score of every class, a column each."""
        matrix = matrix_for(X, self.n_features, self.names, self.reading)
        return np.asarray(matrix @ self.weights.T) + self.biases

    def predict(self, X: Any) -> Any:
        """The labels with the largest scores, the first of them at ties."""
        return chosen(self.classes, self.scores(X))

    def named_weights(self) -> dict[Hashable, dict[Hashable, float]]:
        """Weights by class, then by name, or by number."""
        return {
            label: weights_by_name(self.names, row)
            for label, row in zip(self.classes or (), self.weights, strict=True)
        }

    def effects(self) -> Floats:
        """The weights, a row a class: what 1 of a feature adds to its score."""
        return self.weights

    def explanation(self, top: int) -> list[tuple[str, list[tuple[str, str]]]]:
        """The effects that speak most for each class."""
        found: list[tuple[str, list[tuple[str, str]]]] = []
        for label, row in zip(self.classes or (), self.weights, strict=True):
            order = np.argsort(-row, kind="stable")[: per_class(top, len(self.weights))]
            largest = [(self.feature(j), f"{row[j]:+.6g}") for j in order if row[j] > 0]
            if largest:
                found.append((f"effects of 1 that say {label}", largest))
        return found

    def arrays(self) -> dict[str, Any]:
        """The weights."""
        return {"weights": self.weights, "biases": self.biases}

    def facts(self) -> dict[str, Any]:
        """All else that is only of such a model."""
        return {"kind": self.kind, "about": self.about, "slopes": self.slopes}

    @classmethod
    def from_arrays(
        cls, arrays: dict[str, Any], facts: dict[str, Any], **shared: Any
    ) -> ClassesModel:
        """The model that :meth:`arrays` and :meth:`facts` described."""
        weights = checked_array(arrays, "weights", shape=(None, None))
        if len(shared["classes"] or ()) != len(weights):
            raise ValueError("it has not as many labels as weight vectors")
        return cls(
            weights=weights,
            biases=checked_array(arrays, "biases", shape=(len(weights),)),
            kind=str(facts["kind"]),
            about=str(facts["about"]),
            slopes=slopes_from(facts.get("slopes")),
            **shared,
        )

    def __str__(self) -> str:
        """What it is, and what is certified about it."""
        nonzero = int(np.count_nonzero(self.weights))
        head = (
            f"{self.about}: {len(self.weights):,} classes, {self.n_features:,} "
            f"features, {nonzero:,} nonzero weights"
        )
        rest = self.certificate or textwrap.fill(self.why_not, 88)
        return f"{head}\n{rest}"

    __repr__ = __str__


def chosen(classes: Any, scores: Floats) -> Any:
    """The labels of the largest scores, the first of them at ties."""
    labels: Any = np.empty(len(classes), object)
    labels[:] = classes
    plain: Any = np.array(classes)
    same = plain.ndim == 1 and all(a == b for a, b in zip(plain, classes, strict=True))
    return (plain if same else labels)[scores.argmax(axis=1)]


def per_class(top: int, classes: int) -> int:
    """How many features of each class to show, where `top` are shown of two."""
    return min(top, max(FEW, 2 * top // classes))
