"""Linear learners: one small file each, which says which parts it is made of and why.

Nothing here loops. A learner is a set of parameters, a composition of parts, and a
docstring with its update rule, its theorem and an example. It is found by the name of
its file (:mod:`regretless.algorithms.discovery`); nothing lists it.
"""
# Made by `make stubs`.

from .arow import AROW as AROW
from .adagrad import AdaGrad as AdaGrad
from .balanced_winnow import BalancedWinnow as BalancedWinnow
from .class_learner import ClassLearner as ClassLearner
from .coin_betting import CoinBetting as CoinBetting
from .eg import EG as EG
from .event_learner import EventLearner as EventLearner
from .ftrl_proximal import FTRLProximal as FTRLProximal
from .factorization_machine import FactorizationMachine as FactorizationMachine
from .kernel_perceptron import KernelPerceptron as KernelPerceptron
from .linear_learner import LinearLearner as LinearLearner
from .mixture import Mixture as Mixture
from .multiclass_perceptron import MulticlassPerceptron as MulticlassPerceptron
from .normalized_winnow import NormalizedWinnow as NormalizedWinnow
from .ogd import OGD as OGD
from .ons import ONS as ONS
from .one_versus_rest import OneVersusRest as OneVersusRest
from .pnorm_perceptron import PNormPerceptron as PNormPerceptron
from .panel import Panel as Panel
from .passive_aggressive import PassiveAggressive as PassiveAggressive
from .pegasos import Pegasos as Pegasos
from .perceptron import Perceptron as Perceptron
from .regression_panel import RegressionPanel as RegressionPanel
from .second_order_perceptron import SecondOrderPerceptron as SecondOrderPerceptron
from .unnormalized_eg import UnnormalizedEG as UnnormalizedEG
from .vaw import VAW as VAW
from .winnow import Winnow as Winnow

__all__ = [
    "AROW",
    "AdaGrad",
    "BalancedWinnow",
    "ClassLearner",
    "CoinBetting",
    "EG",
    "EventLearner",
    "FTRLProximal",
    "FactorizationMachine",
    "KernelPerceptron",
    "LinearLearner",
    "Mixture",
    "MulticlassPerceptron",
    "NormalizedWinnow",
    "OGD",
    "ONS",
    "OneVersusRest",
    "PNormPerceptron",
    "Panel",
    "PassiveAggressive",
    "Pegasos",
    "Perceptron",
    "RegressionPanel",
    "SecondOrderPerceptron",
    "UnnormalizedEG",
    "VAW",
    "Winnow",
]
