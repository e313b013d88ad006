"""Panels of many classes as arrays by name, for files, and back.

A panel's arrays are those that it would have alone, of the features that rows have had.
What all share is written once: the mixture, the ranking, and which features those are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from ...parts.documents import Document
from ...parts.panel import class_mixture, shortlist
from ...parts.panel.class_mixture import REMEMBERED, ClassMixture
from ...parts.panel.state import MEAN, NEGATIVE, POSITIVE, SPREAD
from ...parts.state import Floats
from ..storage import FINITE, checked_array, dumped, restored
from .lanes import PanelLanes
from .met_features import MetFeatures, features_from
from .panel import FrozenPanel

MIXTURE = dict.fromkeys(REMEMBERED, FINITE)  # what a file has of it


def stored_lanes(lanes: PanelLanes, count: int) -> tuple[list[Document], Document]:
    """The panels of the first lanes, and what they share, for a file; copies."""
    lanes.settle()
    places = np.arange(lanes.met.count + 1)
    panels = [lanes.arrays_of(lane, places) for lane in range(count)]
    shared: Document = {"mixture": dumped(lanes.mixture, MIXTURE)}
    if not np.array_equal(lanes.met.columns, np.arange(lanes.met.room)):
        shared |= lanes.met.arrays()
    if shortlist.is_ranked(lanes.panels, count):
        shared["ranker"] = lanes.by_lane("ranker")[places, :count]
        shared["listing"] = lanes.panels.listing.copy()
    return panels, shared


def lanes_from(
    pattern: FrozenPanel, stored: Document, panels: Sequence[Document]
) -> PanelLanes:
    """The lanes of panels in a file; ValueError unless all have seen the same rows."""
    first = pattern.like(panels[0]) if panels else pattern
    found = features_from(stored, first.n_features if panels else 0)
    met = MetFeatures(found.room, found.columns)
    places = np.arange(met.count + 1)
    lanes = PanelLanes(pattern, len(panels), met)
    for lane, arrays in enumerate(panels):
        panel = pattern.like(arrays) if lane else first
        if not np.array_equal(_seen(panel), _seen(first)):
            raise ValueError("its panels have not seen the same rows")
        lanes.load_slot(lane, panel.named(panel.state), places)
    mixture = restored(lanes.mixture, stored, "mixture", MIXTURE)
    lanes.mixture = cast("ClassMixture", mixture)
    _take_ranking(lanes, stored)
    return lanes


def _seen(panel: FrozenPanel) -> Floats:
    """What a panel has seen of each feature, whatever the labels; last how often."""
    moments = panel.state.moments
    count = moments[:, POSITIVE] + moments[:, NEGATIVE]
    return np.stack([moments[:, MEAN], moments[:, SPREAD], count])


def _take_ranking(lanes: PanelLanes, stored: Document) -> None:
    """Rank classes as in a file; where there is no ranking yet, all go on to play."""
    listing = lanes.panels.listing
    if "ranker" in stored:
        ranker = lanes.by_lane("ranker")[: lanes.met.count + 1]
        ranker[:] = checked_array(stored, "ranker", ranker.dtype, ranker.shape)
        listing[:] = checked_array(stored, "listing", shape=listing.shape)
        seen, missed = listing[shortlist.SEEN], listing[shortlist.MISSED]
        if not 0.0 <= missed <= seen < np.inf:
            raise ValueError("its listing counts more rows missed than seen")
    elif (
        shortlist.is_ranked(lanes.panels, lanes.room)
        or not lanes.mixture.numbers[class_mixture.LIVE]
    ):
        listing[shortlist.LIVE] = 0.0
