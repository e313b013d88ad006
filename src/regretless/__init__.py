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
    from . import (
        certify,
        cluster,
        events,
        experiments,
        forecasts,
        games,
        metrics,
        report,
    )
    from . import sklearn as sklearn
    from .certify import Certificate
    from .coverage_ledger import Coverage
    from .covered import intervals
    from .errors import BadRow
    from .expert_ledger import ExpertLedger
    from .experts import (
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
    from .generic import implement
    from .learners import (
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
    from .ledger import Ledger
    from .mean_ledger import MeanLedger
    from .models import load
    from .parts.composition import Composition
    from .parts.domains import Ball, Box, Everywhere, Simplex
    from .parts.foresights import AsItStands, Clipped, Foreseen
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
    from .parts.similarities import RBF, LinearKernel, Polynomial, similarity
    from .parts.steps import Adaptive, Constant, InverseSqrt, InverseTime
    from .parts.triggers import Always, OnMargin, OnMistake
    from .parts.updates import Explicit, Implicit, LeastSquares, Polyak, Projected
    from .parts.views import AsIs, RunningMax, RunningRMS
    from .protocol.arena import arena
    from .protocol.play import play
    from .run import Run
    from .runs import Runs
    from .streams.options import ReadOptions
    from .theory import Theorems, TheoremViolated
    from .warming import warmup

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
    "metrics",
    "play",
    "report",
    "similarity",
    "slope",
    "value",
    "warmup",
]

_WHERE = {
    "certify": "Certificate",
    "coverage_ledger": "Coverage",
    "covered": "intervals",
    "errors": "BadRow",
    "expert_ledger": "ExpertLedger",
    "experts": "BOA AdaHedge ConservativeWeightedMajority FixedShare FollowTheLeader "
    "Halving Hedge MLPoly RandomizedWeightedMajority SafeBOA Squint WeightedMajority",
    "generic": "implement",
    "learners": "AROW EG OGD ONS VAW AdaGrad BalancedWinnow CoinBetting FTRLProximal "
    "KernelPerceptron Mixture MulticlassPerceptron NormalizedWinnow OneVersusRest "
    "Panel PassiveAggressive Pegasos Perceptron PNormPerceptron RegressionPanel "
    "SecondOrderPerceptron UnnormalizedEG Winnow",
    "ledger": "Ledger",
    "mean_ledger": "MeanLedger",
    "models": "load",
    "parts.composition": "Composition",
    "parts.domains": "Ball Box Everywhere Simplex",
    "parts.foresights": "AsItStands Clipped Foreseen",
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
    "protocol.arena": "arena",
    "protocol.play": "play",
    "run": "Run",
    "runs": "Runs",
    "streams.options": "ReadOptions",
    "theory": "Theorems TheoremViolated",
    "warming": "warmup",
}
_MODULES = (
    *("certify", "cluster", "events", "experiments", "forecasts", "games"),
    *("metrics", "report"),
    "sklearn",  # an extra: not in __all__
)
_find, _names = lazily(__name__, _WHERE)


def _run_of_events(learner: Any) -> Any:
    from .events import run

    return run(learner)


provide("run of events", _run_of_events)  # learners give snapshots and certificates


def __getattr__(name: str) -> Any:
    return import_module(f".{name}", __name__) if name in _MODULES else _find(name)


def __dir__() -> list[str]:
    return sorted({*_names(), *_MODULES})
