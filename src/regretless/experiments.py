"""Experiments over games: see :mod:`regretless.lab.experiments`."""

from .lab.experiments import *  # noqa: F403
from .lab.experiments import __all__ as __all__  # noqa: PLC0414
