"""Online learning with receipts: the model, the ledger, the certificate.

>>> import regretless as rg
>>> run = rg.play(rg.Perceptron(), [[1, 2], [2, 1], [-1, 1]], [1, 1, -1])
>>> run.mistakes
2

Importing this package loads nothing heavy; every public name is fetched when it is
used.
"""
# Made by `make stubs`.

from . import certify as certify
from . import cluster as cluster
from . import events as events
from . import experiments as experiments
from . import forecasts as forecasts
from . import games as games
from . import metrics as metrics
from . import report as report
from . import river as river
from . import sklearn as sklearn
from .algorithms.learners import AROW as AROW
from .parts.losses import Absolute as Absolute
from .algorithms.learners import AdaGrad as AdaGrad
from .algorithms.experts import AdaHedge as AdaHedge
from .parts.steps import Adaptive as Adaptive
from .parts.triggers import Always as Always
from .parts.views import AsIs as AsIs
from .parts.prediction_rules import AsItStands as AsItStands
from .algorithms.experts import BOA as BOA
from .errors import BadRow as BadRow
from .algorithms.learners import BalancedWinnow as BalancedWinnow
from .parts.domains import Ball as Ball
from .parts.geometries import Betting as Betting
from .parts.domains import Box as Box
from .evidence.certify import Certificate as Certificate
from .parts.prediction_rules import Clipped as Clipped
from .algorithms.learners import CoinBetting as CoinBetting
from .parts.composition import Composition as Composition
from .algorithms.experts import ConservativeWeightedMajority as ConservativeWeightedMajority
from .parts.steps import Constant as Constant
from .parts.geometries import CoordinateBetting as CoordinateBetting
from .engine.coverage_ledger import Coverage as Coverage
from .parts.geometries import Diagonal as Diagonal
from .parts.geometries import DiagonalMatrix as DiagonalMatrix
from .algorithms.learners import EG as EG
from .parts.geometries import Entropy as Entropy
from .parts.losses import EpsilonInsensitive as EpsilonInsensitive
from .parts.geometries import Euclidean as Euclidean
from .parts.domains import Everywhere as Everywhere
from .engine.expert_ledger import ExpertLedger as ExpertLedger
from .parts.updates import Explicit as Explicit
from .parts.losses import Exponential as Exponential
from .algorithms.learners import FTRLProximal as FTRLProximal
from .algorithms.learners import FactorizationMachine as FactorizationMachine
from .algorithms.experts import FixedShare as FixedShare
from .algorithms.experts import FollowTheLeader as FollowTheLeader
from .parts.prediction_rules import Foreseen as Foreseen
from .parts.geometries import FullMatrix as FullMatrix
from .algorithms.experts import Halving as Halving
from .algorithms.experts import Hedge as Hedge
from .parts.losses import Hinge as Hinge
from .parts.losses import Huber as Huber
from .parts.updates import Implicit as Implicit
from .parts.steps import InverseSqrt as InverseSqrt
from .parts.steps import InverseTime as InverseTime
from .algorithms.learners import KernelPerceptron as KernelPerceptron
from .parts.penalties import L2 as L2
from .parts.updates import LeastSquares as LeastSquares
from .engine.ledger import Ledger as Ledger
from .parts.similarities import LinearKernel as LinearKernel
from .parts.losses import Logistic as Logistic
from .algorithms.experts import MLPoly as MLPoly
from .engine.mean_ledger import MeanLedger as MeanLedger
from .algorithms.learners import Mixture as Mixture
from .algorithms.learners import MulticlassPerceptron as MulticlassPerceptron
from .parts.penalties import NoPenalty as NoPenalty
from .algorithms.learners import NormalizedWinnow as NormalizedWinnow
from .algorithms.learners import OGD as OGD
from .algorithms.learners import ONS as ONS
from .parts.triggers import OnMargin as OnMargin
from .parts.triggers import OnMistake as OnMistake
from .algorithms.learners import OneVersusRest as OneVersusRest
from .parts.geometries import PNorm as PNorm
from .algorithms.learners import PNormPerceptron as PNormPerceptron
from .algorithms.learners import Panel as Panel
from .algorithms.learners import PassiveAggressive as PassiveAggressive
from .algorithms.learners import Pegasos as Pegasos
from .algorithms.learners import Perceptron as Perceptron
from .parts.losses import Pinball as Pinball
from .parts.updates import Polyak as Polyak
from .parts.similarities import Polynomial as Polynomial
from .parts.updates import Projected as Projected
from .parts.geometries import Proximal as Proximal
from .parts.similarities import RBF as RBF
from .algorithms.experts import RandomizedWeightedMajority as RandomizedWeightedMajority
from .data.read_options import ReadOptions as ReadOptions
from .algorithms.learners import RegressionPanel as RegressionPanel
from .runs.run import Run as Run
from .parts.views import RunningMax as RunningMax
from .parts.views import RunningRMS as RunningRMS
from .runs.many_runs import Runs as Runs
from .algorithms.experts import SafeBOA as SafeBOA
from .data.schema import Schema as Schema
from .algorithms.learners import SecondOrderPerceptron as SecondOrderPerceptron
from .parts.geometries import SignedEntropy as SignedEntropy
from .parts.domains import Simplex as Simplex
from .parts.geometries import SimplexEntropy as SimplexEntropy
from .parts.losses import Squared as Squared
from .parts.losses import SquaredHinge as SquaredHinge
from .algorithms.experts import Squint as Squint
from .evidence.theorems import TheoremViolated as TheoremViolated
from .evidence.theorems import Theorems as Theorems
from .algorithms.learners import UnnormalizedEG as UnnormalizedEG
from .algorithms.learners import VAW as VAW
from .algorithms.experts import WeightedMajority as WeightedMajority
from .algorithms.learners import Winnow as Winnow
from .parts.losses import ZeroOne as ZeroOne
from .lab.arena import arena as arena
from .parts.generic import implement as implement
from .algorithms.covered_learner import intervals as intervals
from .models import load as load
from .algorithms.saved_learners import load_learner as load_learner
from .runs.play import play as play
from .parts.similarities import similarity as similarity
from .parts.losses import slope as slope
from .parts.losses import value as value
from .cli.warming import warmup as warmup

__version__: str

__all__ = [
    "AROW",
    "Absolute",
    "AdaGrad",
    "AdaHedge",
    "Adaptive",
    "Always",
    "AsIs",
    "AsItStands",
    "BOA",
    "BadRow",
    "BalancedWinnow",
    "Ball",
    "Betting",
    "Box",
    "Certificate",
    "Clipped",
    "CoinBetting",
    "Composition",
    "ConservativeWeightedMajority",
    "Constant",
    "CoordinateBetting",
    "Coverage",
    "Diagonal",
    "DiagonalMatrix",
    "EG",
    "Entropy",
    "EpsilonInsensitive",
    "Euclidean",
    "Everywhere",
    "ExpertLedger",
    "Explicit",
    "Exponential",
    "FTRLProximal",
    "FactorizationMachine",
    "FixedShare",
    "FollowTheLeader",
    "Foreseen",
    "FullMatrix",
    "Halving",
    "Hedge",
    "Hinge",
    "Huber",
    "Implicit",
    "InverseSqrt",
    "InverseTime",
    "KernelPerceptron",
    "L2",
    "LeastSquares",
    "Ledger",
    "LinearKernel",
    "Logistic",
    "MLPoly",
    "MeanLedger",
    "Mixture",
    "MulticlassPerceptron",
    "NoPenalty",
    "NormalizedWinnow",
    "OGD",
    "ONS",
    "OnMargin",
    "OnMistake",
    "OneVersusRest",
    "PNorm",
    "PNormPerceptron",
    "Panel",
    "PassiveAggressive",
    "Pegasos",
    "Perceptron",
    "Pinball",
    "Polyak",
    "Polynomial",
    "Projected",
    "Proximal",
    "RBF",
    "RandomizedWeightedMajority",
    "ReadOptions",
    "RegressionPanel",
    "Run",
    "RunningMax",
    "RunningRMS",
    "Runs",
    "SafeBOA",
    "Schema",
    "SecondOrderPerceptron",
    "SignedEntropy",
    "Simplex",
    "SimplexEntropy",
    "Squared",
    "SquaredHinge",
    "Squint",
    "TheoremViolated",
    "Theorems",
    "UnnormalizedEG",
    "VAW",
    "WeightedMajority",
    "Winnow",
    "ZeroOne",
    "arena",
    "certify",
    "cluster",
    "events",
    "experiments",
    "forecasts",
    "games",
    "implement",
    "intervals",
    "load",
    "load_learner",
    "metrics",
    "play",
    "report",
    "similarity",
    "slope",
    "value",
    "warmup",
]
