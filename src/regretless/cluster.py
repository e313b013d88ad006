"""Games on a Ray cluster: see :mod:`regretless.integrations.ray`."""

from .integrations.ray import *  # noqa: F403
from .integrations.ray import __all__ as __all__  # noqa: PLC0414
