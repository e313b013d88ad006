"""|w|, to the same last bit on every machine.

Libraries of linear algebra add squares in an order that depends on the processor. Here
it is NumPy's own sum, by pairs; and no square overflows, for all are divided first by a
power of two near the largest.
"""

from __future__ import annotations

import math

import numpy as np

from .state import Floats


def length_of(weights: Floats) -> float:
    """The Euclidean norm of an array of any shape; infinite or nan if an entry is.

    Examples
    --------
    >>> import numpy as np
    >>> from regretless.parts.lengths import length_of
    >>> length_of(np.array([3.0, -4.0])), length_of(np.array([3e300, -4e300]))
    (5.0, 5e+300)
    """
    flat = np.abs(weights).ravel()
    largest = float(flat.max(initial=0.0))
    if largest == 0.0 or not math.isfinite(largest):
        return largest
    unit = math.ldexp(1.0, math.frexp(largest)[1] - 1)
    return unit * math.sqrt(float(np.add.reduce(np.square(flat / unit))))
