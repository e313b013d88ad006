"""Are probabilities true? Of the rows that were given about p, a share p should be 1.

Probabilities are counted in BINS bins of equal width, as scikit-learn's
``calibration_curve`` does it, so that memory is constant and nothing is lost.
The expected calibration error is sum_b (n_b / n) |share of 1 in b - mean p in b|.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...engine.storage import SIZES, Stored, keep
from ...parts.state import Floats

BINS = 15


class CalibrationCurve(NamedTuple):
    """The bins that are not empty.

    Attributes
    ----------
    predicted : array
        The mean probability in each bin.
    observed : array
        The share of rows there that were 1.
    rows : array
        How many rows there are.
    """

    predicted: Floats
    observed: Floats
    rows: Floats


class CalibrationBins(Stored):
    """Counts, by the probability that was given.

    Attributes
    ----------
    sums : array
        A column a bin, which holds its right end: rows, the sum of their probabilities,
        and how many were 1. A kernel adds to it (``engine.kernels.ranks``).
    """

    kept = keep(sums=SIZES)

    def __init__(self) -> None:
        self.sums = np.zeros((3, BINS))

    def curve(self) -> CalibrationCurve:
        """What was predicted beside what was seen."""
        rows, chances, positives = self.sums[:, self.sums[0] > 0.0]
        return CalibrationCurve(chances / rows, positives / rows, rows)

    def error(self) -> float:
        """The expected calibration error."""
        rows, chances, positives = self.sums
        return float(np.abs(chances - positives).sum() / max(rows.sum(), 1.0))
