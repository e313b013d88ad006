"""The name that :mod:`regretless.algorithms.learners` has in older pickles."""

import sys

from .algorithms import learners as _home
from .algorithms.learners import pnorm_perceptron as _pnorm
from .lazy import keep_old_modules

keep_old_modules(__name__, _home)
sys.modules[f"{__name__}.pnorm"] = _pnorm
