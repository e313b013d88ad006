"""A problem for panels."""

from __future__ import annotations

import numpy as np


def problem(rng, n=300, d=8, noise=0.5):
    """Numbers, zeros, constants and presences; labels that one can mostly learn."""
    X = rng.normal(1.0, 2.0, (n, d)) * (rng.random((n, d)) < 0.6)
    X[:, 1] = np.round(X[:, 1])
    X[:, 2] = 3.0 * (X[:, 2] != 0.0)
    X[:, 3] *= 1e4
    y = np.sign(np.abs(X[:, 0]) + X[:, 1] - 1.5 + noise * rng.normal(size=n))
    return X, np.where(y == 0.0, 1.0, y)
