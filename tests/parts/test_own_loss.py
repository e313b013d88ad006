"""A user's own loss: ten lines outside the package, everything else included."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest
from scipy import sparse

import naive
import regretless as rg


class Huber(NamedTuple):
    """Squared near the truth, absolute far from it."""

    width: float = 1.0
    task = "real"


@rg.implement(rg.value, Huber)
def _(loss, score, y):
    gap = abs(score - y)
    return 0.5 * gap**2 if gap <= loss.width else loss.width * (gap - loss.width / 2)


@rg.implement(rg.slope, Huber)
def _(loss, score, y):
    return max(-loss.width, min(loss.width, score - y))


naive.LOSSES["Huber"] = (
    lambda s, y, c: (
        min(0.5 * (s - y) ** 2, c * (abs(s - y) - c / 2))
        if abs(s - y) > c
        else 0.5 * (s - y) ** 2
    ),
    lambda s, y, c: float(np.clip(s - y, -c, c)),
)


def data(n=300, d=5):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.6)
    return X, X @ rng.normal(size=d) + rng.standard_t(2, size=n)


@pytest.mark.parametrize("width", [0.5, 3])
def test_it_plays_everywhere(width):
    X, y = data()
    learner = rg.OGD(Huber(width), rg.InverseSqrt(0.5), radius=4.0)
    twin = naive.OGD(5, ("Huber", (width,)), ("InverseSqrt", (0.5,)), naive.ball(4.0))
    played = naive.play(twin, X, y)
    for form in (np.array, sparse.csr_array):
        run = rg.play(learner, form(X), y, trace=True)
        np.testing.assert_allclose(run.scores, played.scores, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(run.weights, played.path[-1], rtol=1e-9)
        assert math.isclose(run.loss, sum(played.losses), rel_tol=1e-9)
        assert run.mistakes is None
    for x, target in zip(X, y, strict=True):
        learner.learn_one({f"x{j}": x[j] for j in range(5)}, target)
    np.testing.assert_allclose(
        list(learner.weights.values()), played.path[-1], rtol=1e-9
    )
    assert learner.predict_one({"x0": 1.0}) == learner.weights["x0"]


def test_it_goes_with_other_geometries():
    X, y = data()
    run = rg.play(rg.EG(Huber(), rg.Constant(0.1), radius=3.0, signed=True), X, y)
    twin = naive.SignedEG(5, ("Huber", (1.0,)), ("Constant", (0.1,)), 3.0)
    np.testing.assert_allclose(run.weights, naive.play(twin, X, y).path[-1], rtol=1e-9)


def test_it_may_check_its_parameters():
    class Strict(NamedTuple):
        width: float
        task = "real"

        def check(self):
            if not self.width > 0:
                raise ValueError(f"width={self.width} must be positive")

    with pytest.raises(ValueError, match=r"width=-1\.0 must be positive"):
        rg.OGD(Strict(-1))


def test_a_half_finished_loss_says_what_is_missing():
    class Half(NamedTuple):
        task = "real"

    with pytest.raises(TypeError, match=r"@implement\(value, Half\)"):
        rg.value(Half(), 0.0, 1.0)

    class Taskless(NamedTuple):
        width: float = 1.0

    with pytest.raises(ValueError, match='must say task = "binary" or task = "real"'):
        rg.OGD(Taskless())
