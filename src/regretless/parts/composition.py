"""A linear learner is a composition: one part of each kind, and nothing else."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ..generic import implemented
from .domains import Everywhere, project
from .geometries import move
from .losses import slope, value
from .penalties import NoPenalty, strength
from .steps import rate
from .triggers import Always, fires

__all__ = ["Composition"]


EXAMPLES = {
    "loss": "Hinge()",
    "geometry": "Euclidean()",
    "step": "Constant(0.5)",
    "trigger": "Always()",
    "domain": "Ball(1.0)",
    "penalty": "L2(0.1)",
}


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

    def check(self) -> None:
        """Raise ValueError unless every part is one, and fits the place it is in."""
        for kind in ("loss", "geometry", "step", "trigger", "domain", "penalty"):
            part = getattr(self, kind)
            if isinstance(part, type) or not hasattr(part, "_fields"):
                raise ValueError(
                    f"{kind}={part!r:.60} is not a part: give one such as "
                    f"{EXAMPLES[kind]}"
                )
        if getattr(self.loss, "task", None) not in ("binary", "real"):
            raise ValueError(
                f'loss={self.loss!r:.60} must say task = "binary" or task = "real"'
            )
        for name, function in _WANTED:
            part = getattr(self, name)
            if not implemented(function, part):
                raise ValueError(
                    f"{name}={part!r:.40} is not a {name}: there is no "
                    f"@implement({function.__name__}, {type(part).__name__})"
                )


_WANTED: tuple[tuple[str, Any], ...] = (
    ("loss", value),
    ("loss", slope),
    ("geometry", move),
    ("step", rate),
    ("trigger", fires),
    ("domain", project),
    ("penalty", strength),
)
