"""Linear learners: one small file each, which says which parts it is made of and why.

Nothing here loops. A learner is a set of parameters, a composition of parts, and a
docstring with its update rule, its theorem and an example.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy import lazily

if TYPE_CHECKING:
    from .adagrad import AdaGrad
    from .arow import AROW
    from .balanced_winnow import BalancedWinnow
    from .class_learner import ClassLearner
    from .coin_betting import CoinBetting
    from .eg import EG
    from .event_learner import EventLearner
    from .ftrl_proximal import FTRLProximal
    from .kernel_perceptron import KernelPerceptron
    from .linear_learner import LinearLearner
    from .mixture import Mixture
    from .multiclass_perceptron import MulticlassPerceptron
    from .normalized_winnow import NormalizedWinnow
    from .ogd import OGD
    from .one_versus_rest import OneVersusRest
    from .ons import ONS
    from .panel import Panel
    from .passive_aggressive import PassiveAggressive
    from .pegasos import Pegasos
    from .perceptron import Perceptron
    from .pnorm import PNormPerceptron
    from .regression_panel import RegressionPanel
    from .second_order_perceptron import SecondOrderPerceptron
    from .unnormalized_eg import UnnormalizedEG
    from .vaw import VAW
    from .winnow import Winnow

__all__ = [
    "AROW",
    "EG",
    "OGD",
    "ONS",
    "VAW",
    "AdaGrad",
    "BalancedWinnow",
    "ClassLearner",
    "CoinBetting",
    "EventLearner",
    "FTRLProximal",
    "KernelPerceptron",
    "LinearLearner",
    "Mixture",
    "MulticlassPerceptron",
    "NormalizedWinnow",
    "OneVersusRest",
    "PNormPerceptron",
    "Panel",
    "PassiveAggressive",
    "Pegasos",
    "Perceptron",
    "RegressionPanel",
    "SecondOrderPerceptron",
    "UnnormalizedEG",
    "Winnow",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "adagrad": "AdaGrad",
        "arow": "AROW",
        "balanced_winnow": "BalancedWinnow",
        "class_learner": "ClassLearner",
        "coin_betting": "CoinBetting",
        "eg": "EG",
        "event_learner": "EventLearner",
        "ftrl_proximal": "FTRLProximal",
        "kernel_perceptron": "KernelPerceptron",
        "linear_learner": "LinearLearner",
        "mixture": "Mixture",
        "multiclass_perceptron": "MulticlassPerceptron",
        "normalized_winnow": "NormalizedWinnow",
        "ogd": "OGD",
        "one_versus_rest": "OneVersusRest",
        "ons": "ONS",
        "panel": "Panel",
        "passive_aggressive": "PassiveAggressive",
        "pegasos": "Pegasos",
        "perceptron": "Perceptron",
        "pnorm": "PNormPerceptron",
        "regression_panel": "RegressionPanel",
        "second_order_perceptron": "SecondOrderPerceptron",
        "unnormalized_eg": "UnnormalizedEG",
        "vaw": "VAW",
        "winnow": "Winnow",
    },
)
