"""A frozen panel for each of many classes: the largest log-odds win."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import ClassVar

import numpy as np

from ...parts.documents import Document
from ...parts.panel.forest import LIVE, SETTINGS, Forest, lane_alone, new_row
from ...parts.panel.trials import Codes
from ...parts.rows import longest_of
from ...parts.state import Floats
from ..players.forest_state import forest_arrays, forest_from
from .class_probabilities import Slopes, slopes_from
from .hypothesis import Hypothesis, Rows
from .panel import FrozenPanel

__all__ = ["FrozenClassPanels"]

FIRST = {"members": 8, "view": "hat"}  # before any label has come


class FrozenClassPanels(Hypothesis, stored_as="class-panels"):
    """A panel a class, their forest, and what makes probabilities of their scores.

    A forest may know one class more, the rest, which is not predicted.
    """

    many: ClassVar[bool] = True
    weighs: ClassVar[bool] = True
    effect_of: ClassVar[str] = "typical row"
    log_odds = True
    shows: ClassVar[tuple[str, ...]] = ("slopes",)

    def __init__(
        self, panels: Sequence[FrozenPanel], slopes: Slopes | None, forest: Forest
    ) -> None:
        self.panels = tuple(panels)
        self.slopes = slopes
        self.forest = forest
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
        return self._by_class(lambda panel: panel.weights())

    def effects(self) -> Floats:
        """What each feature does to the score of each class: see a panel's effects."""
        return self._by_class(lambda panel: panel.effects())

    def _by_class(self, found: Callable[[FrozenPanel], Floats]) -> Floats:
        rows = [found(self.alone(k)) for k in range(self.n_classes)]
        return np.array(rows).reshape(len(rows), self.n_features)

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
        if not self.panels:  # no label has come yet
            return np.empty((n, 0))
        out = np.stack([panel.scores(rows, n) for panel in self.panels], axis=1)
        if self.has_forest:
            self._second_layer(rows, out)
        return out

    def _second_layer(self, rows: Rows, out: Floats) -> None:
        from ..kernels.class_panels import refine_classes
        from ..kernels.compiled import entry

        room, longest = self.n_features + 1, longest_of(rows)
        row = new_row(SETTINGS, self.forest, room, longest)
        forest = (Codes(), SETTINGS, self.forest, row)
        arguments = (self.panels[0].constants, forest, rows, out)
        entry(refine_classes, arguments)(*arguments)

    def arrays(self) -> Document:
        """All of it, by name."""
        panels = [panel.arrays() for panel in self.panels]
        forest = forest_arrays(self.forest) if self.has_forest else {}
        slopes = {} if self.slopes is None else {"slopes": np.array(self.slopes)}
        return {"panels": panels, **forest, **slopes}

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
        return cls(panels, slopes_from(facts.get("slopes")), forest)
