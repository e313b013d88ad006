"""Let a model predict a batch of a stream, whatever features the batch has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..engine.hypotheses.matrices import matrix_of
from ..parts.rows import Rows
from ..parts.state import Floats

if TYPE_CHECKING:
    from .model import Model


def scores_of(model: Model, rows: Rows, n: int) -> Floats:
    """The scores of the `n` rows."""
    if n == 0:
        return np.zeros(0)
    return model.scores(matrix_of(rows, n, model.n_features))
