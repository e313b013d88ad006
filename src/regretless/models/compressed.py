"""Compressed rows that multiply weights, without scipy where they are few.

scipy's product is faster, but a process that predicts a few rows would spend most of
its time importing it. Both add the entries of a row one after the other, so that a
score does not depend on which of them computed it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..parts.rows import Sparse
from ..parts.state import Floats

__all__ = ["Compressed"]

FEW = 1 << 17  # entries


class Compressed(NamedTuple):
    """Rows with columns in ``[0, shape[1])``, as a left factor.

    Examples
    --------
    >>> import numpy as np
    >>> from regretless.models.compressed import Compressed
    >>> from regretless.parts.rows import Sparse
    >>> rows = Sparse(np.array([0, 2, 2]), np.array([0, 1]), np.array([1.0, 2.0]))
    >>> Compressed(rows, (2, 2)) @ np.array([3.0, 4.0])
    array([11.,  0.])
    """

    rows: Sparse
    shape: tuple[int, int]

    def __matmul__(self, weights: Floats) -> Any:
        starts, columns, values = self.rows
        if values.size > FEW:
            from scipy.sparse import csr_array

            return csr_array((values, columns, starts), shape=self.shape) @ weights
        row = np.repeat(np.arange(self.shape[0]), np.diff(starts))
        out = np.empty((*weights.shape[1:], self.shape[0]))
        for k in np.ndindex(out.shape[:-1]):
            products = values * weights[(slice(None), *k)][columns]
            out[k] = np.bincount(row, products, self.shape[0])
        return out.T
