"""Which theorems speak about which learner."""

from __future__ import annotations

from typing import Any

from ..experts import (
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
from ..learners import (
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
from . import (
    adaptive,
    classes,
    experts,
    exponentiated,
    full_matrix,
    gradient,
    kernel_perceptron,
    majority,
    mean,
    normalized_winnow,
    panel,
    passive_aggressive,
    perceptron,
    regression_panel,
    second_order,
    strongly_convex,
)
from . import winnow as winnows
from .theorem import Theorem

__all__ = ["theorems_about"]

_ABOUT: dict[type, tuple[Theorem[Any], ...]] = {
    Perceptron: perceptron.PERCEPTRON,
    PNormPerceptron: perceptron.PNORM,
    Winnow: winnows.WINNOW,
    UnnormalizedEG: winnows.UNNORMALIZED_EG,
    NormalizedWinnow: normalized_winnow.NORMALIZED_WINNOW,
    BalancedWinnow: normalized_winnow.BALANCED_WINNOW,
    OGD: (*gradient.OGD, *strongly_convex.PEGASOS),
    Pegasos: strongly_convex.PEGASOS,
    EG: exponentiated.EG,
    AdaGrad: adaptive.ADAGRAD,
    FTRLProximal: adaptive.FTRL_PROXIMAL,
    CoinBetting: adaptive.COIN,
    PassiveAggressive: passive_aggressive.PASSIVE_AGGRESSIVE,
    VAW: full_matrix.VAW,
    ONS: full_matrix.ONS,
    AROW: full_matrix.AROW,
    SecondOrderPerceptron: full_matrix.SECOND_ORDER_PERCEPTRON,
    Panel: panel.PANEL,
    MulticlassPerceptron: classes.CLASS_PERCEPTRON,
    OneVersusRest: classes.ONE_VERSUS_REST,
    RegressionPanel: regression_panel.REGRESSION_PANEL,
    KernelPerceptron: kernel_perceptron.KERNEL_PERCEPTRON,
    Halving: majority.HALVING,
    WeightedMajority: majority.WEIGHTED_MAJORITY,
    ConservativeWeightedMajority: majority.CONSERVATIVE,
    RandomizedWeightedMajority: majority.RANDOMIZED,
    Hedge: experts.HEDGE,
    AdaHedge: experts.ADAHEDGE,
    FixedShare: experts.FIXED_SHARE,
    Squint: experts.SQUINT,
    SafeBOA: second_order.SAFE_BOA,
    MLPoly: second_order.ML_POLY,
    FollowTheLeader: mean.FOLLOW_THE_LEADER,
}


def theorems_about(learner: Any) -> tuple[Theorem[Any], ...]:
    """All theorems about learners of this kind; none for kinds nobody proved about."""
    for kind, theorems in _ABOUT.items():
        if isinstance(learner, kind):
            return theorems
    return ()
