"""Every loss for numbers, with gradient descent and EG: played, bounded, solved."""

from __future__ import annotations

import numpy as np
import pytest

import regretless as rg

LOSSES = (
    rg.Squared(),
    rg.Absolute(),
    rg.Pinball(0.3),
    rg.Huber(0.5),
    rg.EpsilonInsensitive(0.2),
)


def problem(seed=0, n=300):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(n, 4))
    return X, X @ [0.6, -0.3, 0.1, 0.0] + 0.1 * rng.normal(size=n)


def check(run, theorem):
    found = run.theorems()
    assert found[theorem].applies
    assert found[theorem].happened <= found[theorem].value
    best = run.hindsight()
    assert best.relative_gap <= 1e-3
    assert best.objective < run.loss
    assert run.ledger.r2 > 0.3


@pytest.mark.slow
@pytest.mark.parametrize("loss", LOSSES, ids=repr)
@pytest.mark.parametrize("signed", [False, True])
def test_gradient_descent_and_eg_of_numbers(loss, signed):
    X, y = problem()
    grid = np.random.default_rng(1).normal(size=(200, 4)) * 0.1 + [0.6, -0.3, 0.1, 0.0]
    pays = [
        sum(rg.value(loss, float(s), float(b)) for s, b in zip(X @ u, y, strict=True))
        for u in grid
    ]
    if signed:
        run = rg.play(rg.EG(loss, rg.Constant(0.3), 1.2, signed=True), X, y)
        check(run, "eg/data")
    else:
        learner = rg.OGD(loss, rg.Adaptive(1.2 * 2**0.5), radius=1.2)
        run = rg.play(learner, X, y)
        check(run, "ogd/adaptive")
    assert run.hindsight().objective <= min(pays) * 1.001
