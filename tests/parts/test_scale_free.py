"""The units of a feature do not matter to a learner that says it is scale-free."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import regretless as rg

LOGISTIC = rg.Logistic()
FREE = [
    rg.AdaGrad(LOGISTIC, scale="rms"),
    rg.AdaGrad(scale="max", implicit=True),
    rg.FTRLProximal(0.5, l1=0.1, scale="max"),
    rg.CoinBetting(LOGISTIC, scale="rms", max_norm=4.0),
    rg.CoinBetting(per_coordinate=True),
    rg.CoinBetting(LOGISTIC, per_coordinate=True, scale="rms", bias=True),
]
NOT_FREE = [rg.AdaGrad(), rg.FTRLProximal(), rg.CoinBetting(), rg.PassiveAggressive()]
every = pytest.mark.parametrize(
    "learner",
    [
        pytest.param(learner, marks=() if number % 2 == 0 else pytest.mark.slow)
        for number, learner in enumerate(FREE)  # each is compiled for seconds
    ],
    ids=repr,
)


def game(seed, n=80, d=5):
    """Sparse rows in different units, and noisy labels."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.7)
    y = np.where(X @ rng.normal(size=d) + 0.3 * rng.normal(size=n) > 0, 1, -1)
    return X * 10.0 ** rng.uniform(-2, 2, size=d), y


@every
@given(st.integers(0, 999), st.lists(st.integers(-200, 200), min_size=5, max_size=5))
def test_powers_of_two_change_not_a_bit(learner, seed, exponents):
    X, y = game(seed)
    units = 2.0 ** np.array(exponents)
    for form in (np.array, sparse.csr_array):
        one = rg.play(learner, form(X), y, trace=True)
        other = rg.play(learner, form(X * units), y, trace=True)
        assert np.array_equal(other.scores, one.scores)
        assert np.array_equal(other.weights * units, one.weights)
        assert other.ledger == one.ledger


@every
@given(st.integers(0, 999))
def test_other_units_change_only_the_rounding(learner, seed):
    X, y = game(seed)
    units = np.array([1e6, 1.0, 1e-6, 1e3, 7.0])
    one = rg.play(learner, X, y, trace=True)
    other = rg.play(learner, X * units, y, trace=True)
    size = max(1.0, np.abs(one.scores).max())
    np.testing.assert_allclose(other.scores, one.scores, rtol=1e-6, atol=1e-6 * size)
    assert other.mistakes == one.mistakes


@pytest.mark.parametrize("learner", NOT_FREE, ids=repr)
def test_the_others_are_not(learner):
    """So the laws above can fail."""
    X, y = game(0)
    units = 2.0 ** np.array([10, 0, -10, 0, 0])
    one = rg.play(learner, X, y, trace=True)
    other = rg.play(learner, X * units, y, trace=True)
    assert not np.allclose(other.scores, one.scores, rtol=1e-2)


@pytest.mark.parametrize("exponent", [-300, 300])
def test_all_of_a_row_is_a_unit_to_passive_aggressive(exponent):
    X, y = game(1)
    one = rg.play(rg.PassiveAggressive(), X, y, trace=True)
    other = rg.play(rg.PassiveAggressive(), X * 2.0**exponent, y, trace=True)
    assert np.array_equal(other.scores, one.scores)
