"""Simplex and L1 ball: against linear programs and SLSQP; projections; margins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

import regretless as rg
from problems import LOSSES, Chunks, data, least, linear_program, source, total
from regretless.data import open_source
from regretless.evidence.hindsight import max_margin_on_simplex, on_simplex, passes
from regretless.evidence.hindsight.projection import onto_l1_ball, onto_simplex

by_loss = pytest.mark.parametrize("loss", [*LOSSES, rg.Exponential()], ids=str)
signs = pytest.mark.parametrize("signed", [False, True])
KINKED = (rg.Hinge, rg.Absolute, rg.Pinball)


def least_on_simplex(loss, X, y, radius, *, signed):
    if isinstance(loss, KINKED):
        return linear_program(loss, X, y, radius, signed=signed)
    d = X.shape[1]
    both = np.hstack([X, -X]) if signed else X
    kind = "ineq" if signed else "eq"
    mass = {"type": kind, "fun": lambda u: radius - u.sum()}
    start = np.full(both.shape[1], radius / both.shape[1])
    bounds = [(0, None)] * (2 * d if signed else d)
    return least(loss, both, y, constraints=[mass], bounds=bounds, start=start)


def check(answer, loss, X, y, radius, *, signed):
    paid = total(loss, X, y, answer.u)
    assert answer.objective == answer.loss == pytest.approx(paid, rel=1e-9)
    assert answer.lower_bound <= answer.objective
    size = np.abs(answer.u).sum()
    if signed:
        assert size <= radius * (1 + 1e-12)
    else:
        assert answer.u.min() >= 0.0
        assert size == pytest.approx(radius, rel=1e-12)


@by_loss
@signs
@pytest.mark.parametrize("radius", [0.5, 2.0])
def test_simplex_against_brute_force(loss, signed, radius):
    X, y = data(21, loss)
    answer = on_simplex(source(X, y, loss), loss, radius, signed=signed)
    check(answer, loss, X, y, radius, signed=signed)
    best = least_on_simplex(loss, X, y, radius, signed=signed)
    assert answer.relative_gap <= 1e-3
    assert answer.lower_bound <= best * (1 + 1e-7)
    assert answer.objective >= best * (1 - 1e-7)


@by_loss
@signs
@given(seed=st.integers(0, 10**6), radius=st.floats(0.1, 5.0), most=st.integers(2, 40))
def test_bounds_hold_however_early_it_stops(loss, signed, seed, radius, most):
    X, y = data(seed, loss, n=20)
    rows = source(X, y, loss)
    early = on_simplex(
        rows, loss, radius, signed=signed, tolerance=1e-12, max_passes=most
    )
    check(early, loss, X, y, radius, signed=signed)
    best = on_simplex(rows, loss, radius, signed=signed, max_passes=3000)
    assert early.lower_bound <= best.objective * (1 + 1e-12)
    assert best.lower_bound <= early.objective * (1 + 1e-12)


@signs
def test_a_tight_tolerance_is_reached_too(signed):
    loss = rg.Hinge()
    X, y = data(22, loss, n=200, d=8)
    answer = on_simplex(source(X, y, loss), loss, 1.0, signed=signed, tolerance=1e-6)
    assert answer.relative_gap <= 1e-6


@by_loss
def test_dense_sparse_streamed(loss, monkeypatch):
    X, y = data(23, loss)
    dense = on_simplex(source(X, y, loss), loss)
    sparse = on_simplex(source(csr_array(X), y, loss), loss)
    monkeypatch.setattr(passes, "KEPT", 0)
    streamed = on_simplex(Chunks(X, y, 7), loss)
    for other in (sparse, streamed):
        apart = abs(dense.objective - other.objective)
        assert apart <= dense.gap + other.gap + 1e-9


def test_the_bias_is_one_of_the_simplex():
    loss = rg.Logistic()
    X, y = data(24, loss)
    ones = np.hstack([np.ones((len(y), 1)), X])
    answer = on_simplex(source(X, y, loss), loss, 2.0, bias=True)
    other = on_simplex(source(ones, y, loss), loss, 2.0)
    assert answer.bias == pytest.approx(other.u[0])
    assert answer.objective == pytest.approx(other.objective)
    assert answer.bias + answer.u.sum() == pytest.approx(2.0)


def test_winnows_surrogate_has_a_threshold():
    rng = np.random.default_rng(25)
    X = (rng.random((60, 6)) < 0.3).astype(float)
    y = np.where(X[:, 0] + X[:, 1] > 0, 1.0, -1.0)
    loss = rg.Hinge(gain=2.0)
    answer = on_simplex(open_source(X, y, binary=True), loss, 2.0, threshold=0.5)
    np.testing.assert_allclose(answer.u, [1, 1, 0, 0, 0, 0], atol=1e-2)
    assert answer.loss == pytest.approx(0.0, abs=1e-2 * 60)


@given(
    v=st.lists(st.floats(-10, 10), min_size=1, max_size=8),
    radius=st.floats(0.01, 20.0),
    seed=st.integers(0, 10**6),
)
def test_projections_are_nearest_points(v, radius, seed):
    rng = np.random.default_rng(seed)
    v = np.array(v)
    steps = rng.uniform(0.1, 3.0, v.size)

    def far(u):
        return ((u - v) ** 2 / steps).sum()

    found = onto_simplex(v, steps, radius)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(radius)
    inside = onto_l1_ball(v, steps, radius)
    assert np.abs(inside).sum() <= radius * (1 + 1e-12)
    for _ in range(30):
        other = rng.dirichlet(np.ones(v.size)) * radius
        assert far(found) <= far(other) + 1e-8
        assert far(inside) <= far(other * rng.choice([-1, 0, 1], v.size)) + 1e-8
    np.testing.assert_allclose(onto_simplex(found, steps, radius), found, atol=1e-9)
    np.testing.assert_allclose(onto_l1_ball(inside, steps, radius), inside, atol=1e-9)


@signs
@given(seed=st.integers(0, 10**6), separable=st.booleans(), sparse=st.booleans())
def test_the_largest_margin(signed, seed, separable, sparse):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (15, 3))
    y = np.sign(X @ [0.5, 0.3, 0.2]) if separable else rng.choice([-1.0, 1.0], 15)
    y[:2] = [-1.0, 1.0]
    rows = open_source(csr_array(X) if sparse else X, y, binary=True)
    answer = max_margin_on_simplex(rows, signed=signed)
    assert answer.margin == pytest.approx((y * (X @ answer.u)).min(), abs=1e-12)
    assert answer.gap <= 1e-7
    for _ in range(200):
        u = rng.dirichlet(np.ones(3))
        u = u * rng.choice([-1, 1], 3) if signed else u
        assert (y * (X @ u)).min() <= answer.upper_bound + 1e-12
    size = np.abs(answer.u).sum()
    assert size <= 1 + 1e-12
    if not signed:
        assert answer.u.min() >= 0
        assert size == pytest.approx(1.0)


def test_the_margin_of_a_panel():
    """The majority of k of N experts has margin 1/k on the simplex."""
    rng = np.random.default_rng(26)
    X = rng.choice([-1.0, 1.0], (200, 9))
    y = np.sign(X[:, :3].sum(axis=1))
    answer = max_margin_on_simplex(open_source(X, y, binary=True))
    np.testing.assert_allclose(answer.u, [1 / 3] * 3 + [0] * 6, atol=1e-9)
    assert answer.margin == pytest.approx(1 / 3)
    assert "at most" in str(answer)


def test_a_margin_with_a_bias_and_one_that_cannot_be():
    X, y = np.array([[0.2], [0.8]]), [-1, 1]
    rows = open_source(X, y, binary=True)
    assert max_margin_on_simplex(rows).margin == pytest.approx(-0.2)
    biased = max_margin_on_simplex(rows, signed=True, bias=True)
    assert biased.margin == pytest.approx(0.3 / 1.5)
    with pytest.raises(ValueError, match="labels -1"):
        max_margin_on_simplex(open_source(X, [0.5, 2.0], binary=False))
