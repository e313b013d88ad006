"""Single numbers that a user gives: one rule for features, labels and weights."""

from __future__ import annotations

from typing import SupportsFloat, SupportsIndex

__all__ = ["float_of"]


def float_of(value: object) -> float:
    """A number of any type as a float; ``TypeError`` for what is not a number.

    Texts and complex numbers are not. ``OverflowError`` for what is too large.
    """
    if isinstance(value, float | int):
        return float(value)
    if isinstance(value, complex) or not isinstance(
        value, SupportsFloat | SupportsIndex
    ):
        raise TypeError(f"{value!r:.40} is not a number")
    return float(value)
