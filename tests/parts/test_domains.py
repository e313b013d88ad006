"""A projection lands on the nearest point of its set, and a second one stays there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import naive
import regretless as rg
from regretless.parts.domains import enter, project
from regretless.parts.geometries import weights
from regretless.parts.rows import Dense, RowView
from regretless.parts.state import SCALE, settle

DOMAINS = {
    rg.Everywhere(): naive.everywhere,
    rg.Ball(1.5): naive.ball(1.5),
    rg.Box(-0.5, 2.0): naive.box(-0.5, 2.0),
    rg.Simplex(1.3): naive.simplex(1.3),
}
every_domain = pytest.mark.parametrize("domain", DOMAINS, ids=repr)
vectors = arrays(
    float, st.integers(1, 9), elements=st.floats(-1e3, 1e3).map(lambda v: round(v, 3))
)


def state_of(w, scale=1.0):
    """A Euclidean state in the middle of a game, with a lazy scale."""
    state = rg.OGD().player(w.size).state
    state.primal[:] = w / scale
    state.numbers[SCALE] = scale
    settle(state.numbers, float(w @ w))
    return state


def projected(domain, w, scale=1.0):
    state = state_of(w, scale)
    row = RowView(Dense(w, w.size), 0, w.size, 0.0, 0.0, 0.0)
    project(domain, state, row)
    return weights(rg.Euclidean(), state)


@every_domain
@given(vectors, st.sampled_from([1.0, 0.5, 4.0]))
def test_it_is_the_nearest_point(domain, w, scale):
    nearest = projected(domain, w, scale)
    size = max(1.0, np.abs(w).max())
    np.testing.assert_allclose(nearest, DOMAINS[domain](w), atol=1e-12 * size)
    rng = np.random.default_rng(w.size)
    for _ in range(20):  # nothing else in the set is nearer
        other = DOMAINS[domain](rng.normal(size=w.size) * size)
        assert np.linalg.norm(w - nearest) <= np.linalg.norm(w - other) + 1e-9 * size


@every_domain
@given(vectors)
def test_it_is_idempotent(domain, w):
    once = projected(domain, w)
    np.testing.assert_allclose(projected(domain, once), once, atol=1e-12)


@every_domain
def test_the_start_is_the_nearest_point_to_zero(domain):
    state = state_of(np.zeros(4))
    enter(domain, state)
    expected = DOMAINS[domain](np.zeros(4))
    np.testing.assert_allclose(weights(rg.Euclidean(), state), expected, atol=1e-15)


@pytest.mark.parametrize(
    "w",
    [
        [-0.1, 0.1, 0.0, -0.2, -0.1, 0.2, -0.0],
        [
            6.1000000000000005,
            5.300000000000001,
            -7.6,
            9.1,
            -8.0,
            7.800000000000001,
            -6.1,
        ],
        [-0.6000000000000001, 0.6000000000000001, 2.5, -1.3, 0.8, 1.2000000000000002],
        [1e17, -1e17, 3.0],
        [1e150, 1e150],
        [-1e150, 5.0],
    ],
)
def test_the_simplex_stops_and_survives_large_weights(w):
    """Weights that tie with the cut, up to rounding, once made it loop forever."""
    w = projected(rg.Simplex(1.3), np.array(w))
    assert abs(w.sum() - 1.3) < 1e-12
    assert w.min() >= 0.0
