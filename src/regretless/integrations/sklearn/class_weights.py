"""The weights of classes, as scikit-learn's estimators take them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import cast

import numpy as np

from ...data.chunk import Array
from ...parts.rows import Longs
from ...parts.state import Floats

BALANCED = "balanced"


def class_factors(given: object, labels: Array, counts: Longs) -> Floats:
    """What the rows of each class count.

    Parameters
    ----------
    given : dict or "balanced"
        The parameter of an estimator.
    labels, counts : ndarray
        The classes of the rows, and how many rows each has.

    Raises
    ------
    ValueError
        Where it is something else, or a weight is negative.

    Examples
    --------
    >>> import numpy as np
    >>> from regretless.integrations.sklearn.class_weights import class_factors
    >>> class_factors("balanced", np.array([0, 1]), np.array([30, 10]))
    array([0.66666667, 2.        ])
    """
    if isinstance(given, str) and given == BALANCED:
        return counts.sum() / (labels.size * counts)
    if not isinstance(given, dict):
        raise ValueError(
            f'class_weight={given!r:.40}: it is a dict of weights, "balanced" or None'
        )
    known = cast("dict[Hashable, float]", given)
    found = np.array([float(known.get(label, 1.0)) for label in labels.tolist()])
    if not (np.isfinite(found) & (found >= 0.0)).all():
        raise ValueError("class_weight: weights are at least 0 and finite")
    return found


def check_named(given: dict[Hashable, float], labels: Array) -> None:
    """Raise ValueError where a class has a weight and no row."""
    known = np.unique(labels).tolist()
    for label in given.keys() - set(known):
        raise ValueError(
            f"class_weight: no row is labeled {label!r}; labels are "
            f"{', '.join(map(repr, known[:5]))}{', ...' * (len(known) > 5)}"
        )
