"""Outcomes of votes: 0 or 1, as they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import BadRow
from ...parts.state import Floats
from ..chunk import Array

__all__ = ["Outcomes"]


class Outcomes:
    """The code for outcomes that experts vote on; the shape of :class:`Labels`."""

    classes: tuple[object, object] | None = (0, 1)

    def encode_one(self, y: Any, row: int) -> float:
        """One outcome."""
        try:
            if y in (0, 1):
                return float(y)
        except (TypeError, ValueError):
            pass
        raise BadRow(row, f"outcome {y!r:.40}: outcomes of votes are 0 or 1")

    def encode(self, y: Any) -> Floats:
        """All outcomes at once."""
        array: Array = np.asarray(y)
        if array.ndim == 2 and array.shape[1] == 1:
            array = array[:, 0]
        if array.ndim != 1:
            raise ValueError(f"outcomes have {array.ndim} dimensions: they have one")
        bad = ~np.isin(array, (0, 1))
        if bad.any():
            row = int(np.argmax(bad))
            self.encode_one(
                array[row].item() if array.dtype.kind in "biuf" else y[row], row
            )
        return np.ascontiguousarray(array, np.float64)
