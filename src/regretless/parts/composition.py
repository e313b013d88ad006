"""A linear learner is a composition: one part of each kind, and nothing else."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from .domains import Everywhere
from .penalties import NoPenalty
from .triggers import Always

__all__ = ["Composition"]


class Composition(NamedTuple):
    """Online mirror descent with these parts.

    ``threshold`` is subtracted from w.x to make the score; rows with an entry outside
    [low, high] are refused.
    """

    loss: Any
    geometry: Any
    step: Any
    trigger: Any = Always()
    domain: Any = Everywhere()
    penalty: Any = NoPenalty()
    threshold: float = 0.0
    low: float = -math.inf
    high: float = math.inf
