"""What ``step="theorem"`` needs: constants that the user declares, checked here."""

from __future__ import annotations

import math

__all__ = ["checked", "declared", "lipschitz"]


def declared(step: str, constant: float | None, name: str) -> float:
    """The declared constant; raise ``ValueError`` if it is missing or not positive."""
    if step != "theorem":
        raise ValueError(f'step={step!r} must be a step or "theorem"')
    if constant is None:
        raise ValueError(f'step="theorem" needs a declared bound on the data: {name}=')
    if not 0 < constant < math.inf:
        raise ValueError(f"{name}={constant!r} must be positive and finite")
    return float(constant)


def checked(horizon: int | None) -> int:
    """The declared horizon; raise ``ValueError`` if it is missing or below one."""
    if horizon is None:
        raise ValueError('step="theorem" needs the number of rounds: horizon=')
    if not horizon >= 1:
        raise ValueError(f"horizon={horizon!r} must be at least 1")
    return horizon


def lipschitz(loss: object) -> float:
    """The loss's Lipschitz constant; raise ``ValueError`` where it has none."""
    constant = getattr(loss, "lipschitz", None)
    if constant is None:
        raise ValueError(
            f'step="theorem" needs a Lipschitz loss, and {type(loss).__name__} '
            "declares no constant"
        )
    return float(constant)
