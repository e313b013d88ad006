"""Conjugates and dual steps: what their definitions say, by brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import regretless as rg
from problems import LOSSES as SOLVED
from regretless.parts.conjugates import Sloped, conjugate, dual_step, solvable
from regretless.parts.losses import slope, value

LOSSES = (
    *SOLVED,
    rg.EpsilonInsensitive(),
    rg.EpsilonInsensitive(1.5),
    rg.Huber(),
    rg.Huber(0.3),
)
SMOOTH = [
    loss
    for loss in LOSSES
    if isinstance(loss, rg.SquaredHinge | rg.Logistic | rg.Squared)
]
numbers = st.floats(-5, 5)
curvatures = st.sampled_from([0.0, 1e-6, 0.3, 1.0, 7.0, 120.0, 1e4])


def label(loss, y):
    return (1.0 if y > 0 else -1.0) if loss.task == "binary" else y


@pytest.mark.parametrize("loss", LOSSES, ids=str)
@given(a=numbers, y=numbers, z=numbers)
def test_fenchel_young(loss, a, y, z):
    """Value + conjugate >= a z, with equality where a is the slope at z."""
    y = label(loss, y)
    assert value(loss, z, y) + conjugate(loss, a, y) >= a * z - 1e-9
    lean = slope(loss, z, y)
    assert value(loss, z, y) + conjugate(loss, lean, y) == pytest.approx(
        lean * z, abs=1e-9
    )


@pytest.mark.parametrize("loss", LOSSES, ids=str)
@given(a=numbers, y=numbers, z=numbers, q=curvatures)
def test_dual_step_minimizes(loss, a, y, z, q):
    y = label(loss, y)
    a = dual_step(loss, 0.0, a, y, 1.0)  # some number of the domain
    best = dual_step(loss, a, z, y, q)

    def cost(b):
        return conjugate(loss, b, y) - z * (b - a) + 0.5 * q * (b - a) ** 2

    found = cost(best)
    assert np.isfinite(found)
    for other in [*np.linspace(-10, 10, 81), a, best - 1e-4, best + 1e-4]:
        assert found <= cost(float(other)) + 1e-9 * (1 + abs(found))


@pytest.mark.parametrize("loss", SMOOTH, ids=str)
@given(a=numbers, y=numbers, z=numbers, q=curvatures)
def test_bisection_finds_the_same_step_for_smooth_losses(loss, a, y, z, q):
    y = label(loss, y)
    a = dual_step(loss, 0.0, a, y, 1.0)
    exact = dual_step(loss, a, z, y, q)
    assert dual_step(Sloped(loss), a, z, y, q) == pytest.approx(exact, abs=1e-7)


def test_which_losses_can_be_solved_for():
    assert all(solvable(loss) for loss in LOSSES)
    assert not solvable(rg.ZeroOne())
    assert not solvable(rg.Exponential())
