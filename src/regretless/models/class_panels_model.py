"""A frozen panel a class as a model: the largest log-odds win."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from ..algorithms.learners.panel import PANELS, VIEWS
from ..engine.feature_names import Names
from ..engine.players.classes import FrozenClassPanels, Slopes, slopes_from
from ..engine.players.forest_state import forest_from
from ..engine.players.frozen_panel import FrozenPanel
from ..parts.panel.forest import SETTINGS
from ..parts.state import Floats
from .class_model import chosen, per_class
from .model import Model
from .panel_model import PanelModel
from .provenance import Provenance
from .rows_to_predict import rows_for

__all__ = ["ClassPanelsModel"]


@dataclass(frozen=True, repr=False)
class ClassPanelsModel(Model, stored_as="class-panels"):
    """Panels that no longer learn, each of one class against the rest.

    Attributes
    ----------
    panels : FrozenClassPanels
        One a class, in the order of ``classes``; classes that had not come when they
        were frozen have none, and are not predicted.
    kind : str
        Which conversion made it: "last", "random", "validated".
    about : str
        The same in words.
    names : tuple or None
        The features' names.
    classes : tuple
        All labels.
    certificate : Certificate or None
        What is certified about this very model.
    why_not : str
        Why nothing is certified, where nothing is.
    slopes : Slopes or None
        What makes probabilities of scores; None of a model of version 0.1.
    """

    many: ClassVar[bool] = True

    panels: FrozenClassPanels
    kind: str
    about: str
    names: Names | None = None
    classes: tuple[Any, ...] | None = None
    certificate: Any = field(default=None, compare=False)
    why_not: str = ""
    provenance: Provenance | None = field(default=None, compare=False)
    slopes: Slopes | None = None

    @property
    def n_features(self) -> int:
        """How many columns it takes."""
        return self.panels.n_features

    @property
    def weights(self) -> Floats:
        """The weights of the panels' linear parts, a row a class."""
        classes = range(self.panels.n_classes)
        rows = [self.panels.alone(k).weights() for k in classes]
        known = np.array(rows).reshape(len(rows), self.n_features)
        missing = len(self.classes or ()) - len(rows)
        return np.pad(known, ((0, missing), (0, 0)))

    def scores(self, X: Any) -> Floats:
        """The log-odds of each class against the rest, a column each."""
        rows, n = rows_for(X, self.n_features, self.names, self.reading)
        out = np.full((n, len(self.classes or ())), -np.inf)
        if self.panels.n_classes:
            out[:, : self.panels.n_classes] = self.panels.scores(rows, n)
        return out

    def predict(self, X: Any) -> Any:
        """The labels with the largest scores, the first of them at ties."""
        return chosen(self.classes, self.scores(X))

    @property
    def probabilistic(self) -> bool:
        """It has probabilities."""
        return True

    def alone(self, k: int) -> PanelModel:
        """The panel of class number `k`, as a model of "this class or not"."""
        label = (self.classes or ())[k]
        return PanelModel(
            panel=self.panels.alone(k),
            kind=self.kind,
            about=f"{label} or not",
            names=self.names,
            classes=("the rest", label),
            provenance=self.provenance,
        )

    def effects(self) -> Floats:
        """What each feature does to the score of each class: see a panel's effects."""
        rows = [self.alone(k).effects() for k in range(self.panels.n_classes)]
        known = np.array(rows).reshape(len(rows), self.n_features)
        return np.pad(known, ((0, len(self.classes or ()) - len(rows)), (0, 0)))

    def explanation(self, top: int) -> list[tuple[str, list[tuple[str, str]]]]:
        """What moves the score of each class most."""
        count = per_class(top, max(self.panels.n_classes, 1))
        return [
            self.alone(k).explanation(count)[0] for k in range(self.panels.n_classes)
        ]

    def arrays(self) -> dict[str, Any]:
        """The panels' states, to be saved."""
        return self.panels.arrays()

    def facts(self) -> dict[str, Any]:
        """What else :meth:`from_arrays` needs, as plain JSON."""
        panels = self.panels.panels
        kind: type = (panels[0].view if panels else VIEWS["hat"]).__class__
        return {
            "kind": self.kind,
            "about": self.about,
            "members": panels[0].constants.members if panels else 8,
            "view": next(name for name, one in VIEWS.items() if one.__class__ is kind),
            "slopes": self.slopes,
        }

    @classmethod
    def from_arrays(
        cls, arrays: dict[str, Any], facts: dict[str, Any], **shared: Any
    ) -> ClassPanelsModel:
        """The model that :meth:`arrays` and :meth:`facts` described."""
        view, constants = VIEWS[facts["view"]], PANELS[facts["members"]]
        panels: list[FrozenPanel] = []
        for stored in arrays["panels"]:
            dtype = stored["rows"].dtype
            panel = FrozenPanel(view, constants, dtype=dtype, forest=False)
            panel.load_state(stored)
            panels.append(panel)
        if len(panels) > len(shared["classes"] or ()):
            raise ValueError("it has more panels than labels")
        if len({panel.n_features for panel in panels}) > 1:
            raise ValueError("its panels have not the same features")
        slopes = slopes_from(facts.get("slopes"))
        return cls(
            panels=FrozenClassPanels(panels, slopes, forest_from(arrays, SETTINGS)),
            kind=str(facts["kind"]),
            about=str(facts["about"]),
            slopes=slopes,
            **shared,
        )

    def __str__(self) -> str:
        """What it is, and what is certified about it."""
        head = (
            f"{self.about}: {self.panels.n_classes:,} panels, one a class, on "
            f"{self.n_features:,} features"
        )
        rest = self.certificate or textwrap.fill(self.why_not, 88)
        return f"{head}\n{rest}"

    __repr__ = __str__
