"""The parts that a theorem is about: a proof holds for these and no others.

Every theorem about a linear learner says what each part must be. A part may be given as
a value (it must be equal), as a type or several (it must be one of them), or as ANY
(the proof does not care). How rows are viewed is never asked: theorems are about rows
as the learner sees them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from ...parts.composition import Composition
from ...parts.domains import Everywhere
from ...parts.penalties import NoPenalty
from ...parts.prediction_rules import AsItStands
from ...parts.steps import Constant
from ...parts.triggers import Always
from ...parts.updates import Explicit
from .facts import Facts
from .theorem import Assumption, Measured


class ANY:
    """Any part will do."""


@dataclass(frozen=True)
class MadeOf(Assumption[Facts]):
    """The assumption that a learner is made of certain parts."""

    parts: Mapping[str, object] = field(default_factory=dict[str, object], hash=False)

    def fits(self, parts: Composition) -> Measured:
        """Whether these are the parts, and which one is not."""
        return _fits(parts, self.parts)


def made_of(
    what: str,
    *,
    loss: object,
    geometry: object,
    step: object = Constant,
    trigger: object = Always,
    domain: object = Everywhere,
    penalty: object = NoPenalty,
    update: object = Explicit,
    prediction_rule: object = AsItStands,
    threshold: object = 0.0,
) -> MadeOf:
    """The assumption that the learner is `what`, which is made of these parts."""
    wanted: dict[str, object] = {
        "loss": loss,
        "geometry": geometry,
        "step": step,
        "trigger": trigger,
        "domain": domain,
        "penalty": penalty,
        "update": update,
        "prediction_rule": prediction_rule,
        "threshold": threshold,
    }
    return MadeOf(
        f"the learner is {what}",
        lambda facts: _fits(facts.parts, wanted),
        parts=wanted,
    )


def _fits(parts: Composition, wanted: Mapping[str, object]) -> Measured:
    for kind, allowed in wanted.items():
        part = getattr(parts, kind)
        if not _allowed(part, allowed):
            return Measured(False, f"its {kind} is {part!r}")
    return Measured(True, f"by its {len(wanted)} parts")


def _allowed(part: object, allowed: object) -> bool:
    if allowed is ANY:
        return True
    if isinstance(allowed, type):
        return isinstance(part, allowed)
    if type(allowed) is tuple:
        several = cast("tuple[object, ...]", allowed)
        return any(_allowed(part, one) for one in several)
    return type(part) is type(allowed) and part == allowed
