"""Whom every learner meets: its hardest game and an easy one, as it declares them.

A theorem often names the step, the radius or the horizon that it is about; a learner
sets itself up for the game it plays (``for_game``).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...algorithms.discovery import all_learners
from .game import Game
from .registry import called


class Pairing(NamedTuple):
    """A learner's games.

    Attributes
    ----------
    kind : type
        The class of the learner.
    worst : Game
        The adversary that reaches most of its bound.
    friendly : Game
        A game that it plays well.
    """

    kind: type
    worst: Game
    friendly: Game


LINEUP: dict[type, Pairing] = {
    kind: Pairing(kind, *(called(text) for text in kind.games))
    for kind in all_learners()
    if getattr(kind, "games", ())
}
"""The games of every learner that declares some, by its class."""


def set_up(kind: type, game: Game, rounds: int) -> Any:
    """A learner of this kind, with the parameters that its theorems want here.

    Examples
    --------
    >>> import regretless as rg
    >>> from regretless.games import AlternatingHalves, set_up
    >>> set_up(rg.Hedge, AlternatingHalves(), 500)
    Hedge(eta=None, horizon=500)
    """
    for_game = getattr(kind, "for_game", None)
    return kind() if for_game is None else for_game(game, rounds)
