"""Long and extreme games stay accurate: what is lazy or tracked never drifts away.

All learners here keep a scale or a total instead of looking at every weight; the naive
twins look at every weight in every round.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import sparse

import naive
import regretless as rg
from learners import part
from regretless.parts.exponential import exponentiate
from regretless.parts.rows import Dense
from regretless.parts.state import REFRESH, SCALE, TOTAL

UPDATES = 45_000  # more than two refreshes of the tracked totals


def alike(run, played, tolerance=1e-9):
    size = max(1.0, np.abs(played.path[-1]).max())
    np.testing.assert_allclose(
        run.weights, played.path[-1], rtol=tolerance, atol=tolerance * size
    )
    scores = np.array(played.scores)
    np.testing.assert_allclose(
        run.scores, scores, rtol=tolerance, atol=tolerance * np.abs(scores).max()
    )
    assert math.isclose(run.loss, math.fsum(played.losses), rel_tol=tolerance)


def noisy(n, d, seed=0, density=0.5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < density)
    y = np.where(X @ rng.normal(size=d) + rng.normal(size=n) > 0, 1.0, -1.0)
    return X, y


LONG = {
    "pegasos": (rg.Pegasos(1e-3), lambda d: naive.Pegasos(d, 1e-3)),
    "strong pegasos": (rg.Pegasos(50.0), lambda d: naive.Pegasos(d, 50.0)),
    "ball": (
        rg.OGD(rg.Logistic(), rg.Constant(0.7), radius=0.5),
        lambda d: naive.OGD(d, ("Logistic", ()), ("Constant", (0.7,)), naive.ball(0.5)),
    ),
    "eg": (
        rg.EG(rg.Logistic(), rg.Constant(0.3)),
        lambda d: naive.EG(d, ("Logistic", ()), ("Constant", (0.3,))),
    ),
    "signed eg": (
        rg.EG(rg.Squared(), rg.Constant(0.02), radius=2.0, signed=True),
        lambda d: naive.SignedEG(d, ("Squared", ()), ("Constant", (0.02,)), 2.0),
    ),
}


@pytest.mark.parametrize(("learner", "twin"), LONG.values(), ids=LONG)
def test_long_games(learner, twin):
    X, y = noisy(UPDATES, 6)
    played = naive.play(twin(6), X, y)
    run = rg.play(learner, sparse.csr_array(X), y, trace=True)
    assert run.ledger.updates > 40_000
    alike(run, played)
    if getattr(learner, "radius", None) == 0.5:
        assert np.linalg.norm(run.weights) <= 0.5 * (1 + 1e-12)


def test_long_conservative_game():
    """Labels that contradict the learner: a mistake every round."""
    rng = np.random.default_rng(1)
    X = rng.integers(-2, 3, size=(UPDATES, 5)).astype(float)
    w, y = np.zeros(5), np.empty(UPDATES)
    for t, x in enumerate(X):
        y[t] = -1.0 if w @ x > 0 else 1.0
        w += y[t] * x
    for form in (np.array, sparse.csr_array):
        run = rg.play(rg.Perceptron(), form(X), y)
        assert run.mistakes == UPDATES
        assert np.array_equal(run.weights, w)  # whole numbers: no rounding at all
    p2 = rg.play(rg.PNormPerceptron(p=2), X, y)
    np.testing.assert_allclose(p2.weights, w, rtol=1e-9, atol=1e-9)


def walk(learner, moves, d=3):
    """Push single features by absolute loss: slope -1 or +1, whatever the score."""
    X = np.zeros((len(moves), d))
    y = np.empty(len(moves))
    for t, (j, amount) in enumerate(moves):
        X[t, j] = abs(amount)
        y[t] = math.copysign(1e9, amount)
    return rg.play(learner, X, y, trace=True), X, y


SWINGS = {
    "up and down": [(0, 17.0), (0, -35.0), (1, 3.0)],
    "others small first": [(1, -14.0), (2, -15.0), (0, 16.0), (0, -33.0), (1, 1.0)],
    "underflow and back": [(0, -800.0), (1, 1.0), (0, 800.0), (0, 1.0), (2, 2.0)],
    "all underflow": [(0, -900.0), (1, -950.0), (2, -1000.0), (0, 1.0)],
    "huge steps": [(0, 5000.0), (1, 4000.0), (0, -3000.0), (2, 2500.0), (1, -1990.0)],
    "slow fall": [(0, 18.0), *[(0, -0.5)] * 80, (1, -30.0), (2, -31.0)],
    "to and fro": [(0, 18.0), (1, -12.0), (2, -13.0), (0, -36.0), (0, 18.0)] * 40,
}


@pytest.mark.parametrize("moves", SWINGS.values(), ids=SWINGS)
@pytest.mark.parametrize("signed", [False, True])
def test_exponentiated_gradient_with_huge_steps(signed, moves):
    learner = rg.EG(rg.Absolute(), rg.Constant(1.0), signed=signed)
    run, X, y = walk(learner, moves)
    kind = naive.SignedEG if signed else naive.EG
    twin = kind(3, part(rg.Absolute()), part(rg.Constant(1.0)))
    expected = np.array(naive.play(twin, X, y).path)
    np.testing.assert_allclose(run.weight_path, expected, rtol=1e-9, atol=1e-12)
    assert np.sum(np.abs(run.weights)) <= 1 + 1e-12


def test_winnow_weights_that_underflow_come_back():
    """Negative features lower a weight on every mistake, positive ones lift it."""
    sign = np.where(np.arange(60) < 30, -1.0, 1.0)
    X = np.column_stack([20.0 * sign, np.full(60, 1e-9), np.zeros((60, 2))])
    y = np.ones(60)
    learner = rg.Winnow(eta=2.0, domain="allow")
    run = rg.play(learner, X, y, trace=True)
    played = naive.play(naive.Winnow(4, 2.0, 0.5), X, y)
    np.testing.assert_allclose(run.weights, played.path[-1], rtol=1e-9)
    assert run.weight_path[:, 0].min() < 1e-300
    assert run.weights[0] > 0.01


def test_ball_with_rows_of_every_size():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(3000, 4)) * 10.0 ** rng.uniform(-6, 6, size=(3000, 1))
    y = np.where(rng.random(3000) < 0.5, 1.0, -1.0)
    learner = rg.OGD(rg.Logistic(), rg.Constant(1.0), radius=1.0)
    twin = naive.OGD(4, ("Logistic", ()), ("Constant", (1.0,)), naive.ball(1.0))
    alike(rg.play(learner, X, y, trace=True), naive.play(twin, X, y), 1e-7)


def test_tracked_norm_after_cancellation():
    """|w|^2 rises to 1e14 and falls to 1e-8; the penalty in the loss must follow."""
    learner = rg.OGD(rg.Absolute(), rg.Constant(1.0), radius=1e9)
    moves = [(0, 1e-4), (1, 1e7), (1, -1e7), (2, 1e-4), (0, -1e-4)]
    run, _, _ = walk(learner, moves)
    np.testing.assert_allclose(run.weights, [0.0, 0.0, 1e-4], rtol=1e-12, atol=1e-20)
    small = rg.OGD(rg.Absolute(), rg.Constant(1.0), radius=1e-3)
    twin = naive.OGD(3, ("Absolute", ()), ("Constant", (1.0,)), naive.ball(1e-3))
    run, X, y = walk(small, moves * 20)
    expected = np.array(naive.play(twin, X, y).path)
    np.testing.assert_allclose(run.weight_path, expected, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("d", [1000, 100_000])
def test_p_norm_with_many_features(d):
    rng = np.random.default_rng(d)
    X = sparse.random_array((3000, d), density=20 / d, rng=rng, format="csr")
    X.data[:] = rng.normal(size=X.nnz) * 10.0 ** rng.uniform(-4, 4, size=X.nnz)
    y = np.where(rng.random(3000) < 0.5, 1.0, -1.0)
    run = rg.play(rg.PNormPerceptron(), X, y, trace=True)
    theta, scores = np.zeros(d), np.empty(3000)
    twin = naive.PNormPerceptron(d)
    wrong = set(run.mistake_rounds.tolist())
    for t in range(3000):
        lo, hi = X.indptr[t], X.indptr[t + 1]
        columns, values = X.indices[lo:hi], X.data[lo:hi]
        if t % 100 == 99:
            twin.theta = theta
            scores[t] = twin.weights()[columns] @ values
            size = max(1.0, abs(scores[t]))
            assert abs(scores[t] - run.scores[t]) <= 1e-9 * size
        if t in wrong:
            theta[columns] += y[t] * values
    twin.theta = theta
    expected = twin.weights()
    top = np.abs(expected).max()
    np.testing.assert_allclose(run.weights, expected, rtol=1e-8, atol=1e-10 * top)


@pytest.mark.parametrize("p", [2.0, 40.0, 500.0, 1500.0])
def test_p_norm_with_any_power(p):
    X, y = noisy(200, 6, seed=4, density=1.0)
    run = rg.play(rg.PNormPerceptron(p=p), X, y, trace=True)
    assert np.all(np.isfinite(run.weights))
    played = naive.play(naive.PNormPerceptron(6, p), X, y)
    n = played.clear_rounds(1e-7)
    np.testing.assert_allclose(run.scores[:n], played.scores[:n], rtol=1e-6, atol=1e-7)


def test_totals_are_computed_afresh_at_fixed_updates():
    """Whatever the batches are, so that chunked play and whole play agree."""
    X, y = noisy(REFRESH + 1, 3, density=1.0)
    player = rg.Pegasos(0.1).player(3)
    for lo, hi in ((0, 5000), (5000, REFRESH - 1), (REFRESH - 1, REFRESH)):
        player.play(Dense(X[lo:hi].reshape(-1), 3), y[lo:hi])
        lazy = player.state.numbers[SCALE] != 1.0
        assert lazy == (hi < REFRESH)
    exact = float(player.weights() @ player.weights())
    assert math.isclose(player.state.numbers[TOTAL], exact, rel_tol=1e-15)


def test_exponentials_of_arrays():
    x = np.concatenate([np.linspace(-720, 720, 20_001), [0.0, -0.0, 1e-300, -1e300]])
    with np.errstate(over="ignore"):
        expected = np.exp(x)
    found = x.copy()
    exponentiate(found, found.size)
    inside = (x >= -708) & (x <= 709)
    np.testing.assert_allclose(found[inside], expected[inside], rtol=5e-16)
    assert np.all(found[x < -708] == 0.0)
    assert np.all(np.isinf(found[x > 709]))
    partial = np.array([1.0, 1.0])
    exponentiate(partial, 1)
    assert partial[1] == 1.0
