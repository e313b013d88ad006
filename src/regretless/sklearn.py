"""Estimators for scikit-learn: see :mod:`regretless.integrations.sklearn`."""

from .integrations import sklearn as _home
from .integrations.sklearn import *  # noqa: F403
from .integrations.sklearn import __all__ as __all__  # noqa: PLC0414
from .lazy import keep_old_modules

keep_old_modules(__name__, _home)  # pickled estimators name them
