"""What parameters may be, each refusal one line that names the parameter."""

from __future__ import annotations

import math


def whole(name: str, value: float, low: int, high: int | None = None) -> None:
    """Raise ValueError unless `value` is a whole number from `low` to `high`."""
    good = hasattr(value, "__index__") and not isinstance(value, bool)
    if not good or value < low or (high is not None and value > high):
        span = f"from {low} on" if high is None else f"from {low} to {high}"
        raise ValueError(f"{name}={value!r} must be a whole number {span}")


def real(
    name: str, value: object, low: float, high: float, *, ends: str = "[]"
) -> None:
    """Raise ValueError unless `value` lies between `low` and `high`.

    `ends` says with brackets which ends are allowed: ``"[)"`` is low <= value < high.
    """
    number = value if isinstance(value, int | float) else math.nan
    above = number >= low if ends[0] == "[" else number > low
    below = number <= high if ends[1] == "]" else number < high
    if not (above and below) or isinstance(value, bool):
        span = f"{ends[0]}{low:g}, {high:g}{ends[1]}"
        raise ValueError(f"{name}={value!r} must be a number in {span}")
