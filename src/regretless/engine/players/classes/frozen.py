"""Hypotheses of many classes that no longer move: weights, or panels; they score."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np

from ....parts.multiclass import LANES, Lanes, blocks_for, new_lanes
from ....parts.panel.forest import LIVE, SETTINGS, Forest, lane_alone, new_row
from ....parts.panel.growing import Codes
from ....parts.rows import Biased, Dense, Sparse
from ....parts.state import Floats
from ..forest_state import forest_arrays
from ..frozen_panel import FrozenPanel, longest_of
from .probabilities import Slopes

__all__ = ["FrozenClassPanels", "FrozenClasses", "lane_scores", "wrong_classes"]

Rows = Dense | Sparse


class FrozenClasses:
    """A weight vector a class.

    Parameters
    ----------
    weights : array
        A row a class, the bias first where there is one.
    shift : float
        What is added to every score.
    bias : bool
        Whether rows have one more feature, always 1.
    slopes : Slopes or None
        What makes probabilities of scores.
    """

    def __init__(
        self, weights: Floats, shift: float, bias: bool, slopes: Slopes | None = None
    ) -> None:
        self.slopes = slopes
        self.weights = weights
        self.shift = float(shift)
        self.bias = bool(bias)
        self._lanes: Any = None

    @property
    def n_classes(self) -> int:
        """How many classes it knows."""
        return len(self.weights)

    @property
    def n_features(self) -> int:
        """How many features it knows."""
        return self.weights.shape[1] - self.bias

    def grow(self, n_features: int) -> None:
        """Features that came later weigh nothing."""
        if n_features > self.n_features:
            more = n_features - self.n_features
            self.weights = np.pad(self.weights, ((0, 0), (0, more)))
            self._lanes = None

    def scores(self, rows: Rows, n: int) -> Floats:
        """A row a row, a column a class."""
        if self._lanes is None:
            self._lanes = self._laid_out()
        seen: Any = Biased(rows) if self.bias else rows
        return lane_scores(self._lanes, seen, n, self.n_classes, self.shift)

    def arrays(self) -> dict[str, Any]:
        """All of it, by name."""
        return {"weights": self.weights, **_stored(self.slopes)}

    def _laid_out(self) -> Any:
        """The weights as the kernel takes them."""
        blocks = blocks_for(self.n_classes)
        lanes = new_lanes(blocks, self.weights.shape[1], books=False)
        lanes.weights.reshape(-1, blocks * LANES)[:, : self.n_classes] = self.weights.T
        return lanes


class FrozenClassPanels:
    """A panel a class, their forest, and what makes probabilities of their scores.

    A forest may know one class more, the rest, which is not predicted.
    """

    def __init__(
        self, panels: Sequence[FrozenPanel], slopes: Slopes | None, forest: Forest
    ) -> None:
        self.panels = tuple(panels)
        self.slopes = slopes
        self.forest = forest
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

    @property
    def n_classes(self) -> int:
        """How many classes it knows."""
        return len(self.panels)

    @property
    def n_features(self) -> int:
        """How many features it knows."""
        return max((panel.n_features for panel in self.panels), default=0)

    def grow(self, n_features: int) -> None:
        """Features that came later are unknown to all."""
        for panel in self.panels:
            panel.grow(n_features)

    def scores(self, rows: Rows, n: int) -> Floats:
        """The log-odds of each class against the rest, a column each."""
        if not self.panels:  # no label has come yet
            return np.empty((n, 0))
        out = np.stack([panel.scores(rows, n) for panel in self.panels], axis=1)
        if self.has_forest:
            self._crown(rows, out)
        return out

    def _crown(self, rows: Rows, out: Floats) -> None:
        from ...kernels.class_panels import crown_classes
        from ...kernels.compiled import entry

        room, longest = self.n_features + 1, longest_of(rows)
        row = new_row(SETTINGS, self.forest, room, longest)
        forest = (Codes(), SETTINGS, self.forest, row)
        arguments = (self.panels[0].constants, forest, rows, out)
        entry(crown_classes, arguments)(*arguments)

    def arrays(self) -> dict[str, Any]:
        """All of it, by name."""
        panels = [panel.arrays() for panel in self.panels]
        forest = forest_arrays(self.forest) if self.has_forest else {}
        return {"panels": panels, **forest, **_stored(self.slopes)}


def _stored(slopes: Slopes | None) -> dict[str, Any]:
    return {} if slopes is None else {"slopes": np.array(slopes)}


def lane_scores(
    lanes: Lanes, seen: Any, n: int, n_classes: int, shift: float = 0.0
) -> Floats:
    """The scores that the first lanes have for `n` rows, as learners see them."""
    from ...kernels.compiled import entry
    from ...kernels.multiclass import score_classes

    out = np.empty((n, n_classes))
    arguments = (lanes.weights, lanes.dots, shift, seen, n, out)
    entry(score_classes, arguments)(*arguments)
    return out


def wrong_classes(scores: Floats, targets: Floats) -> Any:
    """Whether rows with these scores are mistakes; a tie or an unknown class is one."""
    n, known = scores.shape
    labels: Any = targets.astype(np.int64)
    inside: Any = labels < known
    if known == 0:
        return np.ones(n, np.bool_)
    places: Any = np.minimum(labels, known - 1)
    mine: Any = scores[np.arange(n), places]
    others: Any = scores.copy()
    others[np.arange(n), places] = -np.inf
    return ~(inside & (mine > others.max(axis=1)))
