"""Single numbers that a user gives: one rule for features, labels and weights."""

from __future__ import annotations

from math import inf, isfinite, isnan, nan
from typing import SupportsFloat, SupportsIndex

from ...errors import BadRow
from .fault import Fault


def float_of(value: object) -> float:
    """A number of any type as a float; ``TypeError`` for what is not a number.

    Texts and complex numbers are not. ``OverflowError`` for what is too large.
    """
    if isinstance(value, float | int):
        return float(value)
    number = isinstance(value, SupportsFloat | SupportsIndex)
    if not number or isinstance(value, complex | str | bytes):  # of numpy too
        raise TypeError(f"{value!r:.40} is not a number")
    return float(value)


def checked(what: str, value: object) -> float:
    """A finite number of any type as a float; else :class:`Fault` about `what`."""
    try:
        number = float_of(value)
    except OverflowError:
        raise Fault(f"{what} is too large for a float64") from None
    except (TypeError, ValueError):
        raise Fault(f"{what}: {value!r:.40} is not a number") from None
    if not isfinite(number):
        feature = what.startswith("feature") and isnan(number)
        hint = ": None is a missing number" if feature else ""
        raise Fault(f"{what}: {number} is not a finite number{hint}")
    return number


def weight_of(weight: object, row: int) -> float:
    """The weight of an event as a finite number from 0 on."""
    try:
        number = float_of(weight)
    except (TypeError, ValueError, OverflowError):
        number = nan
    if not 0.0 <= number < inf:
        raise BadRow(row, f"weight {weight!r:.40}: it is a number, 0 or more")
    return number
