"""The name that :mod:`regretless.algorithms.learners` has in older pickles."""

from .algorithms import learners as _home
from .lazy import keep_old_modules

keep_old_modules(__name__, _home)
