"""A player for a state that was stored, before it is restored."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ...parts.documents import Document
from ..storage import checked_int, largest_array
from .row_player import LARGEST_COLUMN

__all__ = ["player_for"]

Player = TypeVar("Player")


def player_for(make: Callable[[int], Player], stored: Document) -> Player:
    """What `make` gives for as many features as a stored player has.

    A start may fill its arrays: so there are no more features than numbers in the file.
    """
    limit = min(largest_array(stored), LARGEST_COLUMN)
    return make(checked_int(stored, "n_features", 0, limit))
