"""How good predictions are: see :mod:`regretless.evidence.metrics`."""

from .evidence.metrics import *  # noqa: F403
from .evidence.metrics import __all__ as __all__  # noqa: PLC0414
