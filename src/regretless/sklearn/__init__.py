"""scikit-learn estimators, one for every linear learner, and one for the panel.

They are what their learners are: one pass over the rows in the given order, a ledger,
and for classifiers a certificate. Only this package imports scikit-learn, the extra
``regretless[sklearn]``; and it holds no learning of its own.
"""

from .adagrad import AdaGradClassifier, AdaGradRegressor
from .classifier import OnlineClassifier
from .coin_betting import CoinBettingClassifier, CoinBettingRegressor
from .eg import EGClassifier, EGRegressor
from .ftrl_proximal import FTRLProximalClassifier, FTRLProximalRegressor
from .ogd import OGDClassifier, OGDRegressor
from .panel import PanelClassifier
from .passive_aggressive import PassiveAggressiveClassifier, PassiveAggressiveRegressor
from .pegasos import PegasosClassifier
from .perceptrons import (
    MulticlassPerceptronClassifier,
    PerceptronClassifier,
    PNormPerceptronClassifier,
)
from .regressor import OnlineRegressor
from .winnows import (
    BalancedWinnowClassifier,
    NormalizedWinnowClassifier,
    WinnowClassifier,
)

__all__ = [
    "AdaGradClassifier",
    "AdaGradRegressor",
    "BalancedWinnowClassifier",
    "CoinBettingClassifier",
    "CoinBettingRegressor",
    "EGClassifier",
    "EGRegressor",
    "FTRLProximalClassifier",
    "FTRLProximalRegressor",
    "MulticlassPerceptronClassifier",
    "NormalizedWinnowClassifier",
    "OGDClassifier",
    "OGDRegressor",
    "OnlineClassifier",
    "OnlineRegressor",
    "PNormPerceptronClassifier",
    "PanelClassifier",
    "PassiveAggressiveClassifier",
    "PassiveAggressiveRegressor",
    "PegasosClassifier",
    "PerceptronClassifier",
    "WinnowClassifier",
]
