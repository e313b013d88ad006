"""A frozen panel for each of many classes, and what they decide together."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from ...parts.documents import Document
from ...parts.panel.forest import LIVE, SETTINGS, Forest, lane_alone
from ...parts.state import Floats
from ..storage import keep
from .class_probabilities import Slopes, kept_slopes
from .feature_effects import Effects, effects_of, from_moments
from .forest_state import forest_arrays, forest_from
from .hypothesis import Hypothesis, Rows
from .lanes import PanelLanes
from .met_features import MetFeatures, spread_out
from .panel import FrozenPanel
from .stored_lanes import lanes_from, stored_lanes

if TYPE_CHECKING:
    from ..players.row_player import Call


class FrozenClassPanels(Hypothesis, stored_as="class-panels"):
    """A panel a class, their forest, and what makes probabilities of their scores.

    Parameters
    ----------
    lanes : PanelLanes
        The panels, one a class.
    slopes : Slopes or None
        What makes probabilities.
    forest : Forest
        It may know one class more, the rest, which is not predicted.
    n_features : int
        How many features were declared.
    """

    kept = keep(slopes=kept_slopes)

    many: ClassVar[bool] = True
    weighs = True
    effect_of = "typical row"
    log_odds = True
    shows: ClassVar[tuple[str, ...]] = ("slopes",)

    def __init__(
        self, lanes: PanelLanes, slopes: Slopes | None, forest: Forest, n_features: int
    ) -> None:
        self.lanes = lanes
        self.slopes = slopes
        self.forest = forest
        self.n_classes = lanes.room
        self.n_features = n_features
        if self.has_forest and len(forest.stack) - lanes.room not in (0, 1):
            raise ValueError("its forest is of other classes")

    @property
    def has_forest(self) -> bool:
        """Whether there is a forest."""
        return bool(self.forest.numbers[LIVE])

    def alone(self, k: int) -> FrozenPanel:
        """The panel of class number `k`, with what the forest says of this class."""
        one = self.lanes.pattern
        panel = FrozenPanel(one.view, one.constants, dtype=one.dtype, forest=False)
        forest = lane_alone(self.forest, k) if self.has_forest else panel.forest
        panel.set_state(*self.lanes.alone(k, forest, self.n_features))
        return panel

    def weights(self) -> Floats:
        """The weights of the panels' linear parts, a row a class."""
        columns, places = self.lanes.known(self.n_features)
        found = self.lanes.weights(self.n_classes, places, self.forest)
        return spread_out(found[:, 1:], columns[1:] - 1, self.n_features)

    def effects(self) -> Effects:
        """What each feature does to the score of each class: see a panel's effects."""
        columns, places = self.lanes.known(self.n_features)
        known = from_moments(self.lanes.panels.moments[places], columns[1:] - 1)
        return effects_of(self.asking_all().scores, known, self.n_features)

    def asking_all(self) -> FrozenClassPanels:
        """All panels score a row: one that is not listed would seem to know nothing."""
        lanes = self.lanes.asking_all()
        return FrozenClassPanels(lanes, self.slopes, self.forest, self.n_features)

    def describe(self) -> str:
        """How many panels, on how many features."""
        return (
            f"{self.n_classes:,} panels, one a class, on {self.n_features:,} features"
        )

    def grow(self, n_features: int) -> None:
        """Features that came later are unknown to all."""
        self.lanes.met.grow(n_features)
        self.n_features = max(self.n_features, n_features)

    def scores(self, rows: Rows, n: int) -> Floats:
        """The log-odds of each class against the rest, a column each."""
        if not self.n_classes:  # no label has come yet
            return np.empty((n, 0))
        return self.lanes.scores(rows, n, self.n_classes, self.forest)

    def asking(self, rows: Rows, out: Floats) -> list[Call]:
        """What scores the row in these buffers into `out`."""
        if not self.n_classes:
            return super().asking(rows, out)
        return self.lanes.asking(rows, out, self.forest)

    def state_dict(self) -> Document:
        """All of it, by name."""
        panels, shared = stored_lanes(self.lanes, self.n_classes)
        forest = forest_arrays(self.forest)
        return {"panels": panels, **shared, **forest, **super().state_dict()}

    def prepare_state(self, stored: Document, /) -> None:
        """Become the panels that :meth:`state_dict` wrote down."""
        lanes = lanes_from(self.lanes.pattern, stored, stored["panels"])
        forest = forest_from(stored, SETTINGS, lanes.met.count)
        self.__init__(lanes, self.slopes, forest, lanes.met.room)

    def facts(self) -> Document:
        """Which panels they are."""
        return self.lanes.pattern.facts()

    @classmethod
    def blank(cls, facts: Document) -> Self:
        """Panels of no class."""
        pattern = FrozenPanel.blank(facts)
        nothing = MetFeatures(0, np.zeros(0, np.int64))
        return cls(PanelLanes(pattern, 0, nothing), None, pattern.forest, 0)
