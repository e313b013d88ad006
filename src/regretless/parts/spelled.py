"""Losses, steps, domains, kernels as people spell them: a name, a call, a number.

``"logistic"`` is ``Logistic()``, ``"pinball(0.9)"`` is ``Pinball(0.9)``; a number is a
constant step, and a step without its number has 1: ``"adaptive"`` is ``Adaptive(1.0)``.
The command line and the estimators know the same names.
"""

from __future__ import annotations

import numbers
import re
from typing import Any, Literal, overload

from ..errors import did_you_mean
from .part_types import Domain, Loss, Part

CALL = re.compile(r"([\w-]+)(?:\(([^()]*)\))?")


@overload
def spelled(kind: Literal["loss"], given: Loss | str) -> Loss: ...
@overload
def spelled(kind: Literal["step"], given: Part | float) -> Part: ...
@overload
def spelled(kind: Literal["domain"], given: Domain | str) -> Domain: ...
@overload
def spelled(kind: str, given: object) -> object: ...
def spelled(kind: str, given: object) -> object:
    """The part that `given` spells; a part itself, None and "theorem" stay.

    Parameters
    ----------
    kind : str
        "loss", "step", "domain" or "kernel".
    given : object
        A part, or how it is spelled.

    Raises
    ------
    ValueError
        Where there is no such part, in one line that lists the choices.

    Examples
    --------
    >>> from regretless.parts.spelled import spelled
    >>> spelled("loss", "logistic"), spelled("step", 0.1), spelled("step", "adaptive")
    (Logistic(), Constant(eta=0.1), Adaptive(scale=1.0))
    """
    if kind == "step" and isinstance(given, numbers.Real) and given is not True:
        from .steps import Constant

        return Constant(float(given))
    if not isinstance(given, str) or (kind, given) == ("step", "theorem"):
        return given
    known = known_parts(kind)
    call = CALL.fullmatch(given.strip())
    name, inside = call.groups() if call else ("", None)
    part = {_plain(each): one for each, one in known.items()}.get(_plain(name))
    if part is None:
        near, choices = did_you_mean(given, known, 0.4), ", ".join(sorted(known))
        raise ValueError(
            f"there is no {kind} {given!r:.40}{near}: choose among {choices}"
        )
    try:
        values = [float(one) for one in (inside or "").split(",") if one.strip()]
        if not values and kind == "step":
            values = [1.0]
        return part(*values)
    except (TypeError, ValueError):
        fields = ", ".join(part._fields)
        written = f"{small(part.__name__)}({fields})"
        raise ValueError(f"{kind}={given!r:.40}: it is written {written}") from None


def known_parts(kind: str) -> dict[str, Any]:
    """Every part of a kind, by the name that people spell."""
    from . import domains, losses, similarities, steps

    kinds = {"loss": losses, "step": steps, "domain": domains, "kernel": similarities}
    found = [getattr(kinds[kind], name) for name in kinds[kind].__all__]
    parts = [one for one in found if hasattr(one, "_fields")]
    return {small(one.__name__.removesuffix("Kernel")): one for one in parts}


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


def small(name: str) -> str:
    """The name of a class as people spell it: SquaredHinge becomes squared_hinge."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
