"""Verdicts: the theorems about a run, evaluated on its data, beside what happened.

One file a kind of game. This is where ledgers meet comparators: the data are looked at
again to find the best one in hindsight, and to see what it would have paid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy import lazily

if TYPE_CHECKING:
    from .bound_curves import BoundCurve, RegretCurve, regret_curves_of
    from .evaluation import hindsight_of, other_game, regret_of, theorems_of
    from .online_to_batch import iid_theorems_of
    from .regret import Regret

__all__ = [
    "BoundCurve",
    "Regret",
    "RegretCurve",
    "hindsight_of",
    "iid_theorems_of",
    "other_game",
    "regret_curves_of",
    "regret_of",
    "theorems_of",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "bound_curves": "BoundCurve RegretCurve regret_curves_of",
        "online_to_batch": "iid_theorems_of",
        "regret": "Regret",
        "evaluation": "hindsight_of other_game regret_of theorems_of",
    },
)
