"""Adversaries and friends: see :mod:`regretless.lab.games`."""

from .lab.games import *  # noqa: F403
from .lab.games import __all__ as __all__  # noqa: PLC0414
