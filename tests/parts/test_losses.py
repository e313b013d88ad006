"""Slope is the derivative of value, and a subgradient where there is a kink."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import naive
import regretless as rg
from regretless.parts.generic import canonical

LOSSES = [
    rg.ZeroOne(),
    rg.Hinge(),
    rg.Hinge(0.0, 1.0),
    rg.Hinge(0.5, 3.0),
    rg.SquaredHinge(),
    rg.SquaredHinge(0.3),
    rg.Logistic(),
    rg.Squared(),
    rg.Absolute(),
    rg.EpsilonInsensitive(),
    rg.EpsilonInsensitive(2.0),
    rg.Pinball(),
    rg.Pinball(0.1),
    rg.Huber(),
    rg.Huber(0.3),
    rg.Exponential(),
]
every_loss = pytest.mark.parametrize("loss", LOSSES, ids=repr)
scores = st.floats(-50, 50)


def labels(loss):
    return st.sampled_from([-1.0, 1.0]) if loss.task == "binary" else scores


@every_loss
@given(st.data())
def test_slope_is_the_derivative(loss, data):
    s, y = data.draw(scores), data.draw(labels(loss))
    h = 1e-5 * max(1.0, abs(s))
    assume(naive.kinks(type(loss).__name__, s, y, tuple(loss)) > 4 * h)
    numeric = (rg.value(loss, s + h, y) - rg.value(loss, s - h, y)) / (2 * h)
    size = max(1.0, abs(numeric), rg.value(loss, s, y))
    assert math.isclose(rg.slope(loss, s, y), numeric, abs_tol=1e-5 * size)


@pytest.mark.parametrize("loss", LOSSES[1:], ids=repr)
@given(st.data())
def test_convex_losses_lie_above_their_tangents(loss, data):
    s, other = data.draw(scores), data.draw(scores)
    y = data.draw(labels(loss))
    if data.draw(st.booleans()):  # exactly at a kink
        s = y if loss.task == "real" else y * getattr(loss, "margin", 0.0)
    tangent = rg.value(loss, s, y) + rg.slope(loss, s, y) * (other - s)
    value = rg.value(loss, other, y)
    assert value >= tangent - 1e-9 * max(1.0, abs(tangent), abs(value))


@every_loss
@given(st.data())
def test_fast_equals_naive(loss, data):
    s, y = data.draw(scores), data.draw(labels(loss))
    value, slope = naive.LOSSES[type(loss).__name__]
    assert math.isclose(rg.value(loss, s, y), value(s, y, *loss), rel_tol=1e-12)
    assert math.isclose(rg.slope(loss, s, y), slope(s, y, *loss), rel_tol=1e-12)


@every_loss
@given(st.data())
def test_losses_are_not_negative(loss, data):
    assert rg.value(loss, data.draw(scores), data.draw(labels(loss))) >= 0.0


@given(scores, st.sampled_from([-1.0, 1.0]))
def test_surrogates_lie_above_the_zero_one_loss(s, y):
    for loss in (rg.Hinge(), rg.SquaredHinge(), rg.Exponential()):
        assert rg.value(loss, s, y) >= rg.value(rg.ZeroOne(), s, y)
    assert rg.value(rg.Logistic(), s, y) / math.log(2) >= rg.value(rg.ZeroOne(), s, y)


@every_loss
@pytest.mark.parametrize("s", [-1e308, -1e4, -0.0, 0.0, 1e4, 1e308])
def test_extreme_scores(loss, s):
    """No nan anywhere, and no overflow where the loss itself is moderate."""
    for y in (-1.0, 1.0):
        assert not math.isnan(rg.slope(loss, s, y))
        if abs(s) < 1e5:
            assert math.isfinite(rg.value(loss, s, y))


def test_kinks_have_a_side():
    assert rg.slope(rg.Hinge(), 1.0, 1.0) == -1.0
    assert rg.slope(rg.Absolute(), 2.0, 2.0) == 0.0
    assert rg.slope(rg.Pinball(0.3), 2.0, 2.0) == 0.0
    assert rg.value(rg.ZeroOne(), 0.0, 1.0) == rg.value(rg.ZeroOne(), 0.0, -1.0) == 1.0


def test_parts_explain_themselves():
    with pytest.raises(TypeError, match=r"value\(\) is not implemented for Constant"):
        rg.value(rg.Constant(1.0), 0.0, 1.0)
    assert canonical(rg.Hinge(1, 2)) == rg.Hinge(1.0, 2.0)
