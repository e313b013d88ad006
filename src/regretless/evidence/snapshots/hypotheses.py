"""Frozen hypotheses in places of their own, and which of them err on fresh rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeGuard, cast

import numpy as np

from ...data.chunk import Mask
from ...engine.hypotheses.classes import wrong_classes
from ...engine.hypotheses.hypothesis import Hypothesis, Rows, StoredHypothesis
from ...engine.kernels.compiled import entry
from ...engine.kernels.validate import LANES, validate_rows
from ...engine.players.player import Player
from ...engine.storage import checked_array
from ...parts.documents import Document
from ...parts.rows import Biased
from ...parts.state import Floats

if TYPE_CHECKING:
    from ...engine.hypotheses.linear import LinearHypothesis
    from ...engine.players.linear import LinearPlayer


CHUNK = 4096  # rows validated while they are still in the cache
KEPT = 4  # positions; at each the weights and a mean, two multiples of LANES


class FrozenHypotheses:
    """Hypotheses of any kind, each of which predicts for itself."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.kept = KEPT if player.averages else 3  # others are large
        self._held: dict[int, Hypothesis] = {}

    def held(self, place: int) -> Hypothesis:
        """A frozen hypothesis."""
        return self._held[place]

    def put(self, place: int, hypothesis: Hypothesis) -> None:
        """Let a frozen hypothesis predict what comes."""
        self._held[place] = hypothesis

    def pack(self, hypothesis: Hypothesis) -> StoredHypothesis:
        """A frozen hypothesis as plain data and arrays."""
        return hypothesis.state_dict()

    def unpack(self, stored: StoredHypothesis) -> Hypothesis:
        """What :meth:`pack` packed; it knows no more than the player."""
        found, player = self.player.hypothesis(), self.player
        found.load_state(cast("Document", stored))
        if found.n_features > player.n_features or found.n_classes > player.n_classes:
            raise ValueError("it has kept more weights than there are")
        return found

    def wrong(self, rows: Rows, targets: Floats, places: Sequence[int]) -> list[Mask]:
        """For each of the places, which rows its hypothesis errs on.

        Features that came later are unknown to it: they have no weight yet.
        """
        found: list[Mask] = []
        for place in places:
            held = self._held[place]
            held.grow(self.player.n_features)
            scores = held.scores(rows, targets.size)
            if self.player.classes:
                found.append(wrong_classes(scores, targets))
            else:
                found.append(~(targets * scores > 0.0))
        return found


class FrozenWeights(FrozenHypotheses):
    """Weights, four hypotheses side by side: one look at a row serves all of them."""

    def __init__(self, player: LinearPlayer) -> None:
        super().__init__(player)
        self.kept = KEPT
        self._weights = player  # whose weights they are
        self._lanes = np.zeros((2 * KEPT // LANES, 0, LANES))
        self._wrong = np.zeros((CHUNK, 2 * KEPT), np.bool_)
        self._sizes = [0] * 2 * KEPT

    def held(self, place: int) -> Hypothesis:
        """Frozen weights."""
        lane = self._lanes[place // LANES, :, place % LANES]
        return self.unpack(np.ascontiguousarray(lane[: self._sizes[place]]))

    def put(self, place: int, hypothesis: Hypothesis) -> None:
        """Lay frozen weights out for the kernel."""
        self._make_room()
        weights = self.pack(hypothesis)
        lane = self._lanes[place // LANES, :, place % LANES]
        lane[:] = 0.0
        lane[: weights.size] = weights
        self._sizes[place] = weights.size

    def pack(self, hypothesis: Hypothesis) -> Floats:
        """All weights, that of the bias first where there is one."""
        linear = cast("LinearHypothesis", hypothesis)  # of those that average
        weights = linear.weights()
        return np.r_[linear.bias, weights] if self.player.bias else weights

    def unpack(self, stored: StoredHypothesis) -> Hypothesis:
        """What :meth:`pack` packed; it may know features that were taken back."""
        weights = any_weights(None, stored)
        known = self.player.n_features + self.player.bias
        if weights.size > max(known, self._weights.state.primal.size):
            raise ValueError("it has kept more weights than there are")
        return self._weights.averaged(weights)

    def wrong(self, rows: Rows, targets: Floats, places: Sequence[int]) -> list[Mask]:
        """For each of the places, which rows its hypothesis errs on."""
        self._make_room()
        seen = Biased(rows) if self.player.bias else rows
        shift = -float(self._weights.parts.threshold)
        used = max(places) + 1
        arguments = (seen, targets, self._lanes, shift, self._wrong, used)
        entry(validate_rows, arguments)(*arguments)
        return [self._wrong[: targets.size, place] for place in places]

    def _make_room(self) -> None:
        """As many rows of frozen weights as the player has weights."""
        size = self._weights.state.primal.size
        if size > self._lanes.shape[1]:
            grown = np.zeros((2 * KEPT // LANES, size, LANES))
            grown[:, : self._lanes.shape[1]] = self._lanes
            self._lanes = grown


def any_weights(fresh: object, value: object) -> Floats:
    """A kind: weights that were kept; of many classes a row each."""
    sides = 2 if np.ndim(cast("Floats", value)) == 2 else 1
    return checked_array({"weights": value}, "weights", shape=(None,) * sides)


def refuse_wide(player: Player, weights: Floats) -> None:
    """Refuse weights that are more than the player has."""
    many = player.classes and weights.size > 0
    rows = len(weights) - 1 if many else 0
    wide = weights.shape[-1] > player.n_features + player.bias
    if weights.ndim != 1 + many or wide or rows > player.n_classes:
        raise ValueError("it has kept more weights than there are")


def freezer_of(player: Player) -> FrozenHypotheses:
    """What keeps the hypotheses of this player."""
    return FrozenWeights(player) if _of_weights(player) else FrozenHypotheses(player)


def _of_weights(player: Player) -> TypeGuard[LinearPlayer]:
    return player.linear
