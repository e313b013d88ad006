"""Which theorems speak about which learner."""

from __future__ import annotations

from typing import Any

from ...lazy import sibling
from .theorem import Theorem

__all__ = ["all_theorems", "theorems_about"]

_ABOUT = {
    "Perceptron": "perceptron.PERCEPTRON",
    "PNormPerceptron": "perceptron.PNORM",
    "Winnow": "winnow.WINNOW",
    "UnnormalizedEG": "winnow.UNNORMALIZED_EG",
    "NormalizedWinnow": "normalized_winnow.NORMALIZED_WINNOW",
    "BalancedWinnow": "normalized_winnow.BALANCED_WINNOW",
    "OGD": "gradient.OGD strongly_convex.PEGASOS",
    "Pegasos": "strongly_convex.PEGASOS",
    "EG": "exponentiated.EG",
    "AdaGrad": "adaptive.ADAGRAD",
    "FTRLProximal": "adaptive.FTRL_PROXIMAL",
    "CoinBetting": "adaptive.COIN",
    "PassiveAggressive": "passive_aggressive.PASSIVE_AGGRESSIVE",
    "VAW": "full_matrix.VAW",
    "ONS": "full_matrix.ONS",
    "AROW": "full_matrix.AROW",
    "SecondOrderPerceptron": "full_matrix.SECOND_ORDER_PERCEPTRON",
    "Panel": "panel.PANEL",
    "MulticlassPerceptron": "multiclass.CLASS_PERCEPTRON",
    "OneVersusRest": "multiclass.ONE_VERSUS_REST",
    "RegressionPanel": "regression_panel.REGRESSION_PANEL",
    "KernelPerceptron": "kernel_perceptron.KERNEL_PERCEPTRON",
    "Halving": "majority.HALVING",
    "WeightedMajority": "majority.WEIGHTED_MAJORITY",
    "ConservativeWeightedMajority": "majority.CONSERVATIVE",
    "RandomizedWeightedMajority": "majority.RANDOMIZED",
    "Hedge": "experts.HEDGE",
    "AdaHedge": "experts.ADAHEDGE",
    "FixedShare": "experts.FIXED_SHARE",
    "Squint": "experts.SQUINT",
    "SafeBOA": "second_order.SAFE_BOA",
    "MLPoly": "second_order.ML_POLY",
    "FollowTheLeader": "mean.FOLLOW_THE_LEADER",
}
"""By the name of a learner: lists of theorems, each in a module of this package."""


def theorems_about(learner: Any) -> tuple[Theorem[Any], ...]:
    """All theorems about learners of this kind; none for kinds nobody proved about."""
    for kind in type(learner).__mro__:
        if kind.__name__ in _ABOUT and kind.__module__.startswith("regretless."):
            return theorems_named(kind.__name__)
    return ()


def theorems_named(name: str) -> tuple[Theorem[Any], ...]:
    """All theorems about the learner of this name."""
    lists = [sibling(__package__, path) for path in _ABOUT[name].split()]
    return tuple(theorem for theorems in lists for theorem in theorems)


def all_theorems() -> list[tuple[Theorem[Any], ...]]:
    """Those about each learner, and those about prediction sets."""
    sets: tuple[Theorem[Any], ...] = sibling(__package__, "coverage.COVERAGE")
    return [*(theorems_named(name) for name in _ABOUT), sets]
