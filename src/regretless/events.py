"""Events as they come: see :mod:`regretless.integrations.events`."""

from .integrations.events import *  # noqa: F403
from .integrations.events import __all__ as __all__  # noqa: PLC0414
