"""A frozen regression panel with curves and a forest as a model of amounts."""

from __future__ import annotations

import textwrap
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..engine.feature_names import Names, weights_by_name
from ..engine.players.regression import RegressionPlayer
from ..parts.panel.state import MEAN, SPREAD
from ..parts.regression import KNOWN, ROUNDS
from ..parts.rows import Dense
from ..parts.state import Floats
from .effects import largest
from .model import Model
from .provenance import Provenance
from .rows_to_predict import rows_for

__all__ = ["RegressionModel"]


@dataclass(frozen=True, repr=False)
class RegressionModel(Model, stored_as="regression-panel"):
    """A regression panel that no longer learns.

    Attributes
    ----------
    panel : RegressionPlayer
        The panel.
    kind : str
        Which conversion made it: "last", "random".
    about : str
        The same in words.
    names : tuple or None
        The features' names.
    certificate : Certificate or None
        What is certified about this very model.
    why_not : str
        Why nothing is certified, where nothing is.
    """

    panel: RegressionPlayer
    kind: str
    about: str
    names: Names | None = None
    classes: tuple[Any, ...] | None = None
    certificate: Any = field(default=None, compare=False)
    why_not: str = ""
    provenance: Provenance | None = field(default=None, compare=False)

    @property
    def n_features(self) -> int:
        """How many columns it takes."""
        return self.panel.n_features

    @property
    def weights(self) -> Floats:
        """The weights of the linear panel below the curves and the forest."""
        return self.panel.weights()

    def scores(self, X: Any) -> Floats:
        """The predicted amounts."""
        rows, n = rows_for(X, self.n_features, self.names, self.reading)
        return self.panel.scores(rows, n)

    def predict(self, X: Any) -> Any:
        """The predicted amounts."""
        return self.scores(X)

    def named_weights(self) -> dict[Hashable, float]:
        """The linear panel's weights by name, or by number."""
        return weights_by_name(self.names, self.weights)

    def effects(self) -> Floats:
        """What each feature does to a typical row: all features at their means.

        The prediction with it one deviation above its mean, less that with it one
        below. Where the table is wide: the weights of the linear panel.
        """
        curves, n = self.panel.crown.curves, self.n_features
        if not self.panel.crown.live:
            return self.weights
        known = int(curves.numbers[KNOWN])
        order = curves.order[:known]
        rounds = max(float(curves.numbers[ROUNDS]), 1.0)
        deviations = np.sqrt(curves.moments[:known, SPREAD] / rounds)
        rows = np.zeros((2 * known, n))
        rows[:, order] = curves.moments[:known, MEAN]
        rows[np.arange(known), order] += deviations
        rows[known + np.arange(known), order] -= deviations
        scores = self.panel.scores(Dense(rows.ravel(), n), 2 * known)
        found = np.zeros(n)
        found[order] = scores[:known] - scores[known:]
        return found

    def arrays(self) -> dict[str, Any]:
        """The panel's state by name, to be saved."""
        return {"panel": self.panel.arrays() | {"seconds": 0.0}}

    def facts(self) -> dict[str, Any]:
        """What else :meth:`from_arrays` needs, as plain JSON."""
        return {"kind": self.kind, "about": self.about}

    @classmethod
    def from_arrays(
        cls, arrays: dict[str, Any], facts: dict[str, Any], **shared: Any
    ) -> RegressionModel:
        """The model that :meth:`arrays` and :meth:`facts` described."""
        panel = RegressionPlayer(forest=True)
        panel.load_state(arrays["panel"])
        kind, about = str(facts["kind"]), str(facts["about"])
        return cls(panel=panel, kind=kind, about=about, **shared)

    def explanation(self, top: int) -> list[tuple[str, list[tuple[str, str]]]]:
        """The largest effects."""
        effects = self.effects()
        found = [(self.feature(j), f"{effects[j]:+.4g}") for j in largest(effects, top)]
        return [("effects on a typical row", found)]

    def __str__(self) -> str:
        """What it is, and what is certified about it."""
        more = " with curves and a forest" if self.panel.crown.live else ""
        head = f"{self.about}: a regression panel{more} on {self.n_features:,} features"
        rest = self.certificate or textwrap.fill(self.why_not, 88)
        return f"{head}\n{rest}"

    __repr__ = __str__
