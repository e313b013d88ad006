"""Which amounts can be learned: their squares must be finite numbers.

An amount is divided by the first one that is not zero, its unit. It may be at most 1e60
of them, and at most 1e120 as it stands, times its weight where that is more than 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...parts.regression import UNIT
from ...parts.state import Floats
from ..refused_rows import too_large
from .row_player import EQUAL, Call

if TYPE_CHECKING:
    from .second_layer import SecondLayer


LARGEST_LABEL = 1e120  # its square, times the number of rows, is finite
LARGEST_RATIO = 1e60  # to the first label, the unit in which they are combined
NEVER = 2**62  # features, more than can come


def allowing(
    sums: Floats, layer: SecondLayer, targets: Floats, importance: Floats
) -> Call:
    """What says how many rows have labels that can be learned."""
    from ..kernels.combine import allow_amounts
    from ..kernels.compiled import entry

    most = layer.curves.order.size if layer.narrow else NEVER
    limits = (LARGEST_LABEL, LARGEST_RATIO)
    arguments = (sums, layer.curves.numbers, most, targets, importance, limits)
    return entry(allow_amounts, arguments), arguments


def first_too_large(
    sums: Floats, layer: SecondLayer, targets: Floats, weights: Floats | None
) -> tuple[int, str]:
    """The first row whose label cannot be learned, and why; else their number."""
    importance = EQUAL if weights is None else weights
    kernel, arguments = allowing(sums, layer, targets, importance)
    i = kernel(*arguments) or 0
    if i == targets.size:
        return i, ""
    y, weight = float(targets[i]), float(importance[i]) if importance.size else 1.0
    if not abs(y) * max(weight, 1.0) <= LARGEST_LABEL:
        return i, too_large((), y)
    label = f"its label {y:g}"
    if weight > 1.0:
        label += f", with a weight of {weight:g},"
    unit = sums[UNIT] or next(each for each in np.abs(targets) if each > 0.0)
    return i, (
        f"{label} is more than {LARGEST_RATIO:g} times as large as the first, {unit:g}"
    )
