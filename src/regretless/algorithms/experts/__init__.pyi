"""Experts: learners that combine what others say. One small file each.

Rows are rounds and columns are experts, who vote, predict, or are given by their
losses; nan is asleep. And the mean game, where the leader is the mean of the past.
Nothing here loops over rounds. A learner is found by the name of its file
(:mod:`regretless.algorithms.discovery`); nothing lists it.
"""
# Made by `make stubs`.

from .adahedge import AdaHedge as AdaHedge
from .boa import BOA as BOA
from .conservative_weighted_majority import ConservativeWeightedMajority as ConservativeWeightedMajority
from .expert_learner import ExpertLearner as ExpertLearner
from .fixed_share import FixedShare as FixedShare
from .follow_the_leader import FollowTheLeader as FollowTheLeader
from .halving import Halving as Halving
from .hedge import Hedge as Hedge
from .ml_poly import MLPoly as MLPoly
from .randomized_weighted_majority import RandomizedWeightedMajority as RandomizedWeightedMajority
from .safe_boa import SafeBOA as SafeBOA
from .squint import Squint as Squint
from .weighted_majority import WeightedMajority as WeightedMajority

__all__ = [
    "AdaHedge",
    "BOA",
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
