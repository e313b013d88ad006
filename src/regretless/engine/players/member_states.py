"""What the linear players inside a panel remember, under names of their own.

prefix + "0/primal", prefix + "0/dual", ..., prefix + "1/primal", ...
"""

from __future__ import annotations

from collections.abc import Iterable

from ...parts.documents import Document
from .linear import MADE_FOR, LinearPlayer

UNTOLD = {"seconds": 0.0, MADE_FOR: 0}


def member_states(players: Iterable[LinearPlayer], prefix: str = "") -> Document:
    """The states of players by name.

    The panel counts their time, and what they are made of is the same for any width.
    """
    return {
        f"{prefix}{k}/{name}": each
        for k, player in enumerate(players)
        for name, each in (player.state_dict() | UNTOLD).items()
    }


def load_members(
    players: Iterable[LinearPlayer], stored: Document, prefix: str = ""
) -> None:
    """Restore players from :func:`member_states`; ValueError if it is invalid."""
    for k, player in enumerate(players):
        mark = f"{prefix}{k}/"
        player.load_state(
            {
                name.removeprefix(mark): each
                for name, each in stored.items()
                if name.startswith(mark)
            }
        )
