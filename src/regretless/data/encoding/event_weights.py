"""Weights of events: how important each is."""

from __future__ import annotations

from math import inf, nan

from ...errors import BadRow
from .plain_numbers import float_of

__all__ = ["weight_of"]


def weight_of(weight: object, row: int) -> float:
    """The weight of an event as a finite number from 0 on."""
    try:
        number = float_of(weight)
    except (TypeError, ValueError, OverflowError):
        number = nan
    if not 0.0 <= number < inf:
        raise BadRow(row, f"weight {weight!r:.40}: it is a number, 0 or more")
    return number
