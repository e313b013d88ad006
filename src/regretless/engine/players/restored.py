"""A player for a state that was stored, before it is restored."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ...parts.documents import Document
from ..hypotheses.met_features import DIRECT, MET
from ..storage import checked_int, largest_array
from .linear import MADE_FOR
from .row_player import LARGEST_COLUMN

Player = TypeVar("Player")


def player_for(make: Callable[[int], Player], stored: Document) -> Player:
    """What `make` gives for as many features as a stored player was made for.

    A start may fill its arrays: so it is made for no more features than there are
    numbers in the file, or few. A player that keeps what it has met knows of more.
    """
    limit = min(largest_array(stored), LARGEST_COLUMN)
    most = LARGEST_COLUMN if MET in stored else limit
    known = min(checked_int(stored, "n_features", 0, most), limit)
    first = (stored.get("players") or [stored])[0]  # that of the first class
    if MADE_FOR not in first:
        return make(known)
    made_for = checked_int(first, MADE_FOR, 0, LARGEST_COLUMN)
    return make(min(made_for, max(limit, DIRECT)))
