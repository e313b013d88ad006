"""Experts: learners that combine what others say. One small file each.

Rows are rounds and columns are experts, who vote, predict, or are given by their
losses; nan is asleep. And the mean game, where the leader is the mean of the past.
Nothing here loops over rounds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy import lazily

if TYPE_CHECKING:
    from .adahedge import AdaHedge
    from .boa import BOA
    from .conservative_weighted_majority import ConservativeWeightedMajority
    from .expert_learner import ExpertLearner
    from .fixed_share import FixedShare
    from .follow_the_leader import FollowTheLeader
    from .halving import Halving
    from .hedge import Hedge
    from .ml_poly import MLPoly
    from .randomized_weighted_majority import RandomizedWeightedMajority
    from .safe_boa import SafeBOA
    from .squint import Squint
    from .weighted_majority import WeightedMajority

__all__ = [
    "BOA",
    "AdaHedge",
    "ConservativeWeightedMajority",
    "ExpertLearner",
    "FixedShare",
    "FollowTheLeader",
    "Halving",
    "Hedge",
    "MLPoly",
    "RandomizedWeightedMajority",
    "SafeBOA",
    "Squint",
    "WeightedMajority",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "adahedge": "AdaHedge",
        "boa": "BOA",
        "conservative_weighted_majority": "ConservativeWeightedMajority",
        "expert_learner": "ExpertLearner",
        "fixed_share": "FixedShare",
        "follow_the_leader": "FollowTheLeader",
        "halving": "Halving",
        "hedge": "Hedge",
        "ml_poly": "MLPoly",
        "randomized_weighted_majority": "RandomizedWeightedMajority",
        "safe_boa": "SafeBOA",
        "squint": "Squint",
        "weighted_majority": "WeightedMajority",
    },
)
