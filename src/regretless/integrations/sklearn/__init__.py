"""scikit-learn estimators, one for every learner of rows.

They are what their learners are: one pass over the rows in the given order, a ledger,
and for classifiers a certificate. Only this package imports scikit-learn, the extra
``regretless[sklearn]``; and it holds no learning of its own.
"""

from .adagrad import AdaGradClassifier, AdaGradRegressor
from .classifier import OnlineClassifier
from .coin_betting import CoinBettingClassifier, CoinBettingRegressor
from .eg import EGClassifier, EGRegressor
from .ftrl_proximal import FTRLProximalClassifier, FTRLProximalRegressor
from .kernel_perceptron import KernelPerceptronClassifier
from .ogd import OGDClassifier, OGDRegressor
from .ons import ONSClassifier, ONSRegressor
from .panel import PanelClassifier
from .passive_aggressive import PassiveAggressiveClassifier, PassiveAggressiveRegressor
from .pegasos import PegasosClassifier
from .perceptrons import (
    MulticlassPerceptronClassifier,
    PerceptronClassifier,
    PNormPerceptronClassifier,
)
from .regression_panel import RegressionPanelRegressor
from .regressor import OnlineRegressor
from .second_order import AROWClassifier, SecondOrderPerceptronClassifier
from .unnormalized_eg import UnnormalizedEGClassifier, UnnormalizedEGRegressor
from .vaw import VAWRegressor
from .winnows import (
    BalancedWinnowClassifier,
    NormalizedWinnowClassifier,
    WinnowClassifier,
)

__all__ = [
    "AROWClassifier",
    "AdaGradClassifier",
    "AdaGradRegressor",
    "BalancedWinnowClassifier",
    "CoinBettingClassifier",
    "CoinBettingRegressor",
    "EGClassifier",
    "EGRegressor",
    "FTRLProximalClassifier",
    "FTRLProximalRegressor",
    "KernelPerceptronClassifier",
    "MulticlassPerceptronClassifier",
    "NormalizedWinnowClassifier",
    "OGDClassifier",
    "OGDRegressor",
    "ONSClassifier",
    "ONSRegressor",
    "OnlineClassifier",
    "OnlineRegressor",
    "PNormPerceptronClassifier",
    "PanelClassifier",
    "PassiveAggressiveClassifier",
    "PassiveAggressiveRegressor",
    "PegasosClassifier",
    "PerceptronClassifier",
    "RegressionPanelRegressor",
    "SecondOrderPerceptronClassifier",
    "UnnormalizedEGClassifier",
    "UnnormalizedEGRegressor",
    "VAWRegressor",
    "WinnowClassifier",
]
