"""A linear learner is a composition: one part of each kind, and nothing else."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from .conjugates import solvable
from .domains import Everywhere, project
from .generic import implemented
from .geometries import length, move
from .losses import slope, value
from .penalties import NoPenalty, strength
from .prediction_rules import AsItStands, Foreseen, foresee
from .steps import rate
from .triggers import Always, fires
from .updates import Explicit, Implicit, advance
from .views import AsIs, rescale

__all__ = ["Composition"]


EXAMPLES = {
    "loss": "Hinge()",
    "geometry": "Euclidean()",
    "step": "Constant(0.5)",
    "trigger": "Always()",
    "domain": "Ball(1.0)",
    "penalty": "L2(0.1)",
    "update": "Implicit()",
    "view": "RunningMax()",
    "foresight": "AsItStands()",
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
    update: Any = Explicit()
    view: Any = AsIs()
    foresight: Any = AsItStands()

    def check(self) -> None:
        """Raise ValueError unless every part is one, and fits the place it is in."""
        for kind, example in EXAMPLES.items():
            part = getattr(self, kind)
            if isinstance(part, type) or not hasattr(part, "_fields"):
                raise ValueError(
                    f"{kind}={part!r:.60} is not a part: give one such as {example}"
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
        if not isinstance(self.update, Explicit):
            self._check_update()
        foreseen = isinstance(self.foresight, Foreseen)
        if foreseen and not implemented(length, self.geometry):
            kind = type(self.geometry).__name__
            raise ValueError(f"Foreseen() needs a matrix, and {kind} has none")

    def _check_update(self) -> None:
        """Raise ValueError unless the score after an update is known beforehand."""
        update = type(self.update).__name__
        for name in ("geometry", "penalty"):
            part = getattr(self, name)
            allowed = isinstance(part, NoPenalty) or getattr(part, "quadratic", False)
            if not allowed:
                raise ValueError(f"{update} updates do not go with {name}={part!r:.40}")
        if isinstance(self.update, Implicit) and not solvable(self.loss):
            kind = type(self.loss).__name__
            raise ValueError(
                f"implicit updates need @implement(dual_step, {kind}) for this loss"
            )


_WANTED: tuple[tuple[str, Any], ...] = (
    ("loss", value),
    ("loss", slope),
    ("geometry", move),
    ("step", rate),
    ("trigger", fires),
    ("domain", project),
    ("penalty", strength),
    ("update", advance),
    ("view", rescale),
    ("foresight", foresee),
)
