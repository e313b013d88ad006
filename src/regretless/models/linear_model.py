"""A linear model: score = w.x + bias - threshold."""

from __future__ import annotations

import textwrap
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..algorithms.learners import LinearLearner
from ..engine.feature_names import Names, weights_by_name
from ..engine.storage import checked_array
from ..parts.state import Floats
from .model import Model
from .provenance import Provenance
from .rows_to_predict import matrix_for

__all__ = ["LinearModel"]


@dataclass(frozen=True, repr=False)
class LinearModel(Model, stored_as="linear"):
    """Weights that predict.

    Attributes
    ----------
    weights : ndarray
        One a feature.
    kind : str
        Which conversion made it: "last", "mean", "last-half", "random", "validated".
    about : str
        The same in words.
    bias, threshold : float
        The score is w.x + bias - threshold.
    names : tuple or None
        The features' names.
    classes : tuple or None
        The labels for -1 and +1; None for a model of real numbers.
    certificate : Certificate or None
        What is certified about this very model.
    why_not : str
        Why nothing is certified, where nothing is.
    provenance : Provenance or None
        The learner, the ledger and the data it comes from.
    """

    weights: Floats
    kind: str
    about: str
    bias: float = 0.0
    threshold: float = 0.0
    names: Names | None = None
    classes: tuple[Any, ...] | None = None
    certificate: Any = field(default=None, compare=False)
    why_not: str = ""
    provenance: Provenance | None = field(default=None, compare=False)

    def scores(self, X: Any) -> Floats:
        """The real-valued predictions."""
        matrix = matrix_for(X, self.weights.size, self.names, self.reading)
        return np.asarray(matrix @ self.weights) + (self.bias - self.threshold)

    def predict(self, X: Any) -> Any:
        """The predicted labels (the negative class at score 0), or numbers."""
        scores = self.scores(X)
        if self.classes is None:
            return scores
        return np.array(self.classes)[(scores > self.cut).astype(np.int64)]

    @property
    def probabilistic(self) -> bool:
        """Whether its learner had the logistic loss."""
        known = self.learner if isinstance(self.learner, LinearLearner) else None
        return known is not None and known.probabilistic and self.classes is not None

    def named_weights(self) -> dict[Hashable, float]:
        """Weights by name, or by number."""
        return weights_by_name(self.names, self.weights)

    def effects(self) -> Floats:
        """The weights: what 1 of a feature adds to the score."""
        return self.weights

    def explanation(self, top: int) -> list[tuple[str, list[tuple[str, str]]]]:
        """The largest weights on either side, by name."""
        order = np.argsort(-self.weights, kind="stable")
        up = [j for j in order[:top].tolist() if self.weights[j] > 0.0]
        down = [j for j in order[::-1][:top].tolist() if self.weights[j] < 0.0]
        titles = ("effects of 1 that raise it", "effects of 1 that lower it")
        if self.classes is not None:
            negative, positive = self.classes
            titles = (
                f"effects of 1 that say {positive}",
                f"effects of 1 that say {negative}",
            )
        return [
            (title, [(self.feature(j), f"{self.weights[j]:+.6g}") for j in chosen])
            for title, chosen in zip(titles, (up, down), strict=True)
            if chosen
        ]

    def arrays(self) -> dict[str, Any]:
        """The weights."""
        return {"weights": self.weights}

    def facts(self) -> dict[str, Any]:
        """All else that is only of a linear model."""
        return {
            "kind": self.kind,
            "about": self.about,
            "bias": self.bias,
            "threshold": self.threshold,
        }

    @classmethod
    def from_arrays(
        cls, arrays: dict[str, Any], facts: dict[str, Any], **shared: Any
    ) -> LinearModel:
        """The model that :meth:`arrays` and :meth:`facts` described."""
        return cls(
            weights=checked_array(arrays, "weights"),
            kind=str(facts["kind"]),
            about=str(facts["about"]),
            bias=float(facts["bias"]),
            threshold=float(facts["threshold"]),
            **shared,
        )

    @property
    def n_features(self) -> int:
        """How many columns it takes."""
        return self.weights.size

    def __str__(self) -> str:
        """What it is, and what is certified about it."""
        nonzero = int(np.count_nonzero(self.weights))
        head = f"{self.about}: {self.weights.size:,} weights, {nonzero:,} nonzero"
        rest = self.certificate or textwrap.fill(self.why_not, 88)
        return f"{head}\n{rest}"

    __repr__ = __str__
