"""Online learning with receipts: the model, the ledger, the certificate.

>>> import regretless as rg
>>> run = rg.play(rg.Perceptron(), [[1, 2], [2, 1], [-1, 1]], [1, 1, -1])
>>> run.mistakes
2

Importing this package loads nothing heavy; every public name is fetched when it is
used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .lazy import lazily, provide
from .version import __version__ as __version__

if TYPE_CHECKING:
    from . import certify, cluster, events, experiments, forecasts, games, metrics
    from . import report as report
    from . import sklearn as sklearn
    from .algorithms.covered_learner import intervals
    from .algorithms.experts import (
        BOA,
        AdaHedge,
        ConservativeWeightedMajority,
        FixedShare,
        FollowTheLeader,
        Halving,
        Hedge,
        MLPoly,
        RandomizedWeightedMajority,
        SafeBOA,
        Squint,
        WeightedMajority,
    )
    from .algorithms.learners import (
        AROW,
        EG,
        OGD,
        ONS,
        VAW,
        AdaGrad,
        BalancedWinnow,
        CoinBetting,
        FTRLProximal,
        KernelPerceptron,
        Mixture,
        MulticlassPerceptron,
        NormalizedWinnow,
        OneVersusRest,
        Panel,
        PassiveAggressive,
        Pegasos,
        Perceptron,
        PNormPerceptron,
        RegressionPanel,
        SecondOrderPerceptron,
        UnnormalizedEG,
        Winnow,
    )
    from .algorithms.saved_learners import load_learner
    from .cli.warming import warmup
    from .data.read_options import ReadOptions
    from .engine.coverage_ledger import Coverage
    from .engine.expert_ledger import ExpertLedger
    from .engine.ledger import Ledger
    from .engine.mean_ledger import MeanLedger
    from .errors import BadRow
    from .evidence.certify import Certificate
    from .evidence.theorems import Theorems, TheoremViolated
    from .lab.arena import arena
    from .models import load
    from .parts.composition import Composition
    from .parts.domains import Ball, Box, Everywhere, Simplex
    from .parts.generic import implement
    from .parts.geometries import (
        Betting,
        CoordinateBetting,
        Diagonal,
        DiagonalMatrix,
        Entropy,
        Euclidean,
        FullMatrix,
        PNorm,
        Proximal,
        SignedEntropy,
        SimplexEntropy,
    )
    from .parts.losses import (
        Absolute,
        EpsilonInsensitive,
        Exponential,
        Hinge,
        Huber,
        Logistic,
        Pinball,
        Squared,
        SquaredHinge,
        ZeroOne,
        slope,
        value,
    )
    from .parts.penalties import L2, NoPenalty
    from .parts.prediction_rules import AsItStands, Clipped, Foreseen
    from .parts.similarities import RBF, LinearKernel, Polynomial, similarity
    from .parts.steps import Adaptive, Constant, InverseSqrt, InverseTime
    from .parts.triggers import Always, OnMargin, OnMistake
    from .parts.updates import Explicit, Implicit, LeastSquares, Polyak, Projected
    from .parts.views import AsIs, RunningMax, RunningRMS
    from .runs.many_runs import Runs
    from .runs.play import play
    from .runs.run import Run

__all__ = [
    "AROW",
    "BOA",
    "EG",
    "L2",
    "OGD",
    "ONS",
    "RBF",
    "VAW",
    "Absolute",
    "AdaGrad",
    "AdaHedge",
    "Adaptive",
    "Always",
    "AsIs",
    "AsItStands",
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
    "Entropy",
    "EpsilonInsensitive",
    "Euclidean",
    "Everywhere",
    "ExpertLedger",
    "Explicit",
    "Exponential",
    "FTRLProximal",
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
    "RandomizedWeightedMajority",
    "ReadOptions",
    "RegressionPanel",
    "Run",
    "RunningMax",
    "RunningRMS",
    "Runs",
    "SafeBOA",
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

_WHERE = {
    "evidence.certify": "Certificate",
    "engine.coverage_ledger": "Coverage",
    "algorithms.covered_learner": "intervals",
    "errors": "BadRow",
    "engine.expert_ledger": "ExpertLedger",
    "algorithms.saved_learners": "load_learner",
    "algorithms.experts": "BOA AdaHedge ConservativeWeightedMajority FixedShare "
    "FollowTheLeader Halving Hedge MLPoly RandomizedWeightedMajority SafeBOA Squint "
    "WeightedMajority",
    "parts.generic": "implement",
    "algorithms.learners": "AROW EG OGD ONS VAW AdaGrad BalancedWinnow CoinBetting "
    "FTRLProximal KernelPerceptron Mixture MulticlassPerceptron NormalizedWinnow "
    "OneVersusRest Panel PassiveAggressive Pegasos Perceptron PNormPerceptron "
    "RegressionPanel SecondOrderPerceptron UnnormalizedEG Winnow",
    "engine.ledger": "Ledger",
    "engine.mean_ledger": "MeanLedger",
    "models": "load",
    "parts.composition": "Composition",
    "parts.domains": "Ball Box Everywhere Simplex",
    "parts.prediction_rules": "AsItStands Clipped Foreseen",
    "parts.geometries": "Betting CoordinateBetting Diagonal DiagonalMatrix Entropy "
    "Euclidean FullMatrix PNorm Proximal SignedEntropy SimplexEntropy",
    "parts.losses": "Absolute EpsilonInsensitive Exponential Hinge Huber Logistic "
    "Pinball Squared SquaredHinge ZeroOne slope value",
    "parts.penalties": "L2 NoPenalty",
    "parts.similarities": "RBF LinearKernel Polynomial similarity",
    "parts.steps": "Adaptive Constant InverseSqrt InverseTime",
    "parts.triggers": "Always OnMargin OnMistake",
    "parts.updates": "Explicit Implicit LeastSquares Polyak Projected",
    "parts.views": "AsIs RunningMax RunningRMS",
    "lab.arena": "arena",
    "runs.play": "play",
    "runs.run": "Run",
    "runs.many_runs": "Runs",
    "data.read_options": "ReadOptions",
    "evidence.theorems": "Theorems TheoremViolated",
    "cli.warming": "warmup",
}
_MODULES = (
    *("certify", "cluster", "events", "experiments", "forecasts", "games"),
    *("metrics", "report"),
    "sklearn",  # an extra: not in __all__
)
_find, _names = lazily(__name__, _WHERE)


def _run_of_events(learner: Any) -> Any:
    from .integrations.events import run

    return run(learner)


provide("run of events", _run_of_events)  # learners give snapshots and certificates


def __getattr__(name: str) -> Any:
    return import_module(f".{name}", __name__) if name in _MODULES else _find(name)


def __dir__() -> list[str]:
    return sorted({*_names(), *_MODULES})
