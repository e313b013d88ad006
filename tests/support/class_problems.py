"""Rows of many classes, and two learners of them."""

from __future__ import annotations

from typing import Any

import numpy as np

import regretless as rg

OVR = rg.OneVersusRest(rg.Perceptron())
ULTRA = rg.MulticlassPerceptron()


def problem(
    seed: int = 0, n: int = 120, d: int = 5, k: int = 4, low: float = -9.0
) -> tuple[Any, Any]:
    """Rows of small whole numbers, learned without rounding; classes come late."""
    rng = np.random.default_rng(seed)
    y = np.minimum(rng.integers(0, k, n), np.arange(n) // 9)
    X = 3.0 * np.eye(k, d)[y] + rng.integers(-2, 3, (n, d))
    return np.maximum(X, low), y
