"""Outcomes of votes: 0 or 1, as they are."""

from __future__ import annotations

import numpy as np

from ...errors import BadRow
from ...parts.state import Floats
from ..chunk import Array


class Outcomes:
    """The code for outcomes that experts vote on; the shape of :class:`Labels`."""

    classes: tuple[object, object] | None = (0, 1)

    def encode_one(self, y: object, row: int) -> float:
        """One outcome."""
        try:
            if y in (0, 1):
                return 1.0 if y == 1 else 0.0
        except (TypeError, ValueError):
            pass
        raise BadRow(row, f"outcome {y!r:.40}: outcomes of votes are 0 or 1")

    def encode(self, y: object) -> Floats:
        """All outcomes at once."""
        array: Array = np.asarray(y)
        if array.ndim == 2 and array.shape[1] == 1:
            array = array[:, 0]
        if array.ndim != 1:
            raise ValueError(f"outcomes have {array.ndim} dimensions: they have one")
        bad = ~np.isin(array, (0, 1))
        if bad.any():
            row = int(np.argmax(bad))
            self.encode_one(np.asarray(y, object).reshape(-1)[row], row)
        return np.ascontiguousarray(array, np.float64)
