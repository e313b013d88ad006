"""Learners as models of River: see :mod:`regretless.integrations.river`."""

from .integrations.river import *  # noqa: F403
from .integrations.river import __all__ as __all__  # noqa: PLC0414
