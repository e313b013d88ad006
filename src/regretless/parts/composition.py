"""A linear learner is a composition: one part of each kind, and nothing else."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple, NoReturn

from .conjugates import solvable
from .domains import Everywhere, enter, project
from .generic import implemented
from .geometries import factor, length, move, observe_gradient, refresh, start
from .losses import slope, value
from .part_types import Domain, Geometry, Loss, Part, View
from .penalties import NoPenalty, strength
from .prediction_rules import AsItStands, Foreseen, foresee
from .steps import rate
from .triggers import Always, fires
from .updates import Explicit, Implicit, advance, eager, gradient_scale
from .views import AsIs, remember, rescale, scales


class Needed(NamedTuple):
    """What a part of one kind must have."""

    example: str
    functions: tuple[Callable[..., object], ...]
    attributes: Mapping[str, str] = MappingProxyType({})


FIXED = "fixed = False or fixed = True"
NEEDED = {
    "loss": Needed(
        "Hinge()", (value, slope), {"task": 'task = "binary" or task = "real"'}
    ),
    "geometry": Needed(
        "Euclidean()",
        (start, factor, observe_gradient, move, refresh),
        {"duals": "duals = 0, 1, ...", "fixed": FIXED},
    ),
    "step": Needed("Constant(0.5)", (rate,)),
    "trigger": Needed("Always()", (fires,)),
    "domain": Needed("Ball(1.0)", (enter, project), {"fixed": FIXED}),
    "penalty": Needed("L2(0.1)", (strength,)),
    "update": Needed("Implicit()", (advance, eager, gradient_scale)),
    "view": Needed(
        "RunningMax()", (rescale, remember, scales), {"width": "width = 0, 1, ..."}
    ),
    "prediction_rule": Needed("AsItStands()", (foresee,)),
}


class Composition(NamedTuple):
    """Online mirror descent with these parts.

    ``threshold`` is subtracted from w.x to make the score; rows with an entry outside
    [low, high] are refused.
    """

    loss: Loss
    geometry: Geometry
    step: Part
    trigger: Part = Always()
    domain: Domain = Everywhere()
    penalty: Part = NoPenalty()
    threshold: float = 0.0
    low: float = -math.inf
    high: float = math.inf
    update: Part = Explicit()
    view: View = AsIs()
    prediction_rule: Part = AsItStands()

    def check(self) -> None:
        """Raise ValueError unless every part is one, and fits the place it is in."""
        for kind, needed in NEEDED.items():
            part = getattr(self, kind)
            if isinstance(part, type) or not hasattr(part, "_fields"):
                raise ValueError(
                    f"{kind}={part!r:.60} is not a part: "
                    f"give one such as {needed.example}"
                )
        if getattr(self.loss, "task", None) not in ("binary", "real"):
            _refuse("loss", self.loss)
        for kind, needed in NEEDED.items():
            _check_part(kind, getattr(self, kind), needed)
        if not isinstance(self.update, Explicit):
            self._check_update()
        foreseen = isinstance(self.prediction_rule, Foreseen)
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


def _check_part(kind: str, part: object, needed: Needed) -> None:
    """Raise ValueError unless `part` is one of this kind, with all that it needs."""
    name = type(part).__name__
    for function in needed.functions:
        if not implemented(function, part):
            raise ValueError(
                f"{kind}={part!r:.40} is not a {kind}: there is no "
                f"@implement({function.__name__}, {name})"
            )
    for attribute in needed.attributes:
        if not hasattr(part, attribute):
            _refuse(kind, part, attribute)


def _refuse(kind: str, part: object, attribute: str = "task") -> NoReturn:
    """Raise ValueError: the class of `part` must say what its `attribute` is."""
    words = NEEDED[kind].attributes[attribute]
    raise ValueError(f"{kind}={part!r:.60} must say {words}")
