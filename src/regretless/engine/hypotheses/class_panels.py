"""A frozen panel for each of many classes, and what they decide together."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from ...parts.documents import Document
from ...parts.panel.class_mixture import ClassMixture, with_room
from ...parts.panel.forest import LIVE, SETTINGS, Forest, lane_alone, new_row
from ...parts.panel.trials import Codes
from ...parts.rows import longest_of, some_rows
from ...parts.state import Floats
from ..players.forest_state import forest_arrays, forest_from
from ..players.mixture_state import mixture_arrays, mixture_from
from .class_probabilities import Slopes, slopes_from
from .hypothesis import Hypothesis, Rows
from .panel import FrozenPanel
from .panel_effects import typical_rows

__all__ = ["FrozenClassPanels"]

ROWS = 1024  # that are scored at a time
FIRST = {"members": 8, "view": "hat"}  # before any label has come


class FrozenClassPanels(Hypothesis, stored_as="class-panels"):
    """A panel a class, their forest, their mixture, and what makes probabilities.

    A forest may know one class more, the rest, which is not predicted.
    """

    many: ClassVar[bool] = True
    weighs: ClassVar[bool] = True
    effect_of: ClassVar[str] = "typical row"
    log_odds = True
    shows: ClassVar[tuple[str, ...]] = ("slopes",)

    def __init__(
        self,
        panels: Sequence[FrozenPanel],
        slopes: Slopes | None,
        forest: Forest,
        mixture: ClassMixture,
    ) -> None:
        self.panels = tuple(panels)
        self.slopes = slopes
        self.forest = forest
        self.mixture = mixture
        self.n_classes = len(self.panels)
        self.n_features = max((panel.n_features for panel in self.panels), default=0)
        if self.has_forest and len(forest.stack) not in (
            len(self.panels),
            len(self.panels) + 1,
        ):
            raise ValueError("its forest is of other classes")

    @property
    def has_forest(self) -> bool:
        """Whether there is a forest."""
        return bool(self.forest.numbers[LIVE])

    def alone(self, k: int) -> FrozenPanel:
        """The panel of class number `k`, with what the forest says of this class."""
        panel = copy.copy(self.panels[k])
        if self.has_forest:
            panel.plant(lane_alone(self.forest, k))
        return panel

    def weights(self) -> Floats:
        """The weights of the panels' linear parts, a row a class."""
        rows = [self.alone(k).weights() for k in range(self.n_classes)]
        return np.array(rows).reshape(len(rows), self.n_features)

    def effects(self) -> Floats:
        """What each feature does to the score of each class: see a panel's effects."""
        if not self.panels:
            return np.empty((0, 0))
        low, high, known = typical_rows(self.panels[0])  # all have seen the same rows
        n = self.n_features
        return np.where(known, (self.scores(high, n) - self.scores(low, n)).T, 0.0)

    def describe(self) -> str:
        """How many panels, on how many features."""
        return (
            f"{self.n_classes:,} panels, one a class, on {self.n_features:,} features"
        )

    def grow(self, n_features: int) -> None:
        """Features that came later are unknown to all."""
        for panel in self.panels:
            panel.grow(n_features)
            self.n_features = panel.n_features

    def scores(self, rows: Rows, n: int) -> Floats:
        """The log-odds of each class against the rest, a column each."""
        from ..kernels.class_panels import mix_classes
        from ..kernels.compiled import entry

        out = np.empty((n, self.n_classes))
        if not self.panels:  # no label has come yet
            return out
        constants, longest = self.panels[0].constants, longest_of(rows)
        row = new_row(SETTINGS, self.forest, self.n_features + 1, longest)
        forest = (Codes(), SETTINGS, self.forest, row)
        mixture = with_room(self.mixture, self.n_classes)  # threads may predict at once
        for start in range(0, n, ROWS):
            some = some_rows(rows, start, min(start + ROWS, n))
            scores = out[start : start + ROWS]
            margins = np.empty((*scores.shape, constants.members))
            for k, panel in enumerate(self.panels):
                scores[:, k], margins[:, k] = panel.told(some, len(scores))
            arguments = (constants, forest, mixture, some, margins, scores)
            entry(mix_classes, arguments)(*arguments)
        return out

    def arrays(self) -> Document:
        """All of it, by name."""
        panels = [panel.arrays() for panel in self.panels]
        forest = forest_arrays(self.forest) if self.has_forest else {}
        slopes = {} if self.slopes is None else {"slopes": np.array(self.slopes)}
        mixture = mixture_arrays(self.mixture)
        return {"panels": panels, **forest, **slopes, **mixture}

    def facts(self) -> Document:
        """Which panels they are, and what makes probabilities."""
        variant = self.panels[0].facts() if self.panels else FIRST
        return {**variant, "slopes": self.slopes}

    @classmethod
    def from_file(cls, arrays: Document, facts: Document) -> FrozenClassPanels:
        """The panels that a file has."""
        panels = [FrozenPanel.from_file(each, facts) for each in arrays["panels"]]
        if len({panel.n_features for panel in panels}) > 1:
            raise ValueError("its panels have not the same features")
        forest = forest_from(arrays, SETTINGS)
        mixture = mixture_from(arrays, facts["members"])
        return cls(panels, slopes_from(facts.get("slopes")), forest, mixture)
