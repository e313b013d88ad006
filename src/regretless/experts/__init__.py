"""Experts: learners that combine what others say. One small file each.

Rows are rounds and columns are experts, who vote, predict, or are given by their
losses; nan is asleep. And the mean game, where the leader is the mean of the past.
Nothing here loops over rounds.
"""

from .adahedge import AdaHedge
from .boa import BOA
from .conservative_weighted_majority import ConservativeWeightedMajority
from .expert import ExpertLearner
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
