"""Theorems hold for comparators of any length: bounds are rounded up, never down."""

from __future__ import annotations

import numpy as np
import pytest

import regretless as rg


@pytest.mark.parametrize("seed", range(40))
def test_long_comparators(seed):
    """|u|^2 - |w - u|^2 loses all digits where u is long: 4 of 300 games failed."""
    rng = np.random.default_rng(seed)
    n = rng.integers(1, 20)
    X, y = rng.normal(size=(n, 2)), np.where(rng.random(n) < 0.5, 1, -1)
    u = rng.normal(size=2) * 10.0 ** rng.integers(5, 12)
    for learner in (rg.Perceptron(), rg.OGD(step=rg.Constant(0.3))):
        verdicts = rg.play(learner, X, y).theorems(u=u)
        assert any(verdict.applies for verdict in verdicts)
