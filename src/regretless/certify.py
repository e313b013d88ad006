"""Bounds on risk and certificates: see :mod:`regretless.evidence.certify`."""

from .evidence.certify import *  # noqa: F403
from .evidence.certify import __all__ as __all__  # noqa: PLC0414
