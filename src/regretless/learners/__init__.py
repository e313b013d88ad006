"""Linear learners: one small file each, which says which parts it is made of and why.

Nothing here loops. A learner is a set of parameters, a composition of parts, and a
docstring with its update rule, its theorem and an example.
"""

from .balanced_winnow import BalancedWinnow
from .eg import EG
from .events import EventLearner
from .linear import LinearLearner
from .normalized_winnow import NormalizedWinnow
from .ogd import OGD
from .panel import Panel
from .pegasos import Pegasos
from .perceptron import Perceptron
from .pnorm import PNormPerceptron
from .winnow import Winnow

__all__ = [
    "EG",
    "OGD",
    "BalancedWinnow",
    "EventLearner",
    "LinearLearner",
    "NormalizedWinnow",
    "PNormPerceptron",
    "Panel",
    "Pegasos",
    "Perceptron",
    "Winnow",
]
