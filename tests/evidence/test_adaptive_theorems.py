"""The theorems of adaptive learners, by hand, on random and adversarial sequences.

Nothing of ``regretless.evidence.theorems`` is used but in the last test. An adversary
looks at the weights before it plays; with the absolute loss and far labels every game
is linear, and the comparators are those that make linear games worst: along the sum of
gradients.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import regretless as rg
from games import games
from learners import CASES, SQRT2
from regretless.parts.rows import Dense

FAR = 1e4
SLACK = 1e-9
HINGE = rg.Hinge()
LINEAR = rg.Absolute()
STYLES = ("against", "orthogonal", "along", "runs", "needle", "tiny")
linear_games = pytest.mark.parametrize("style", STYLES)
seeds = st.integers(0, 9999)


def below(measured, bound, scale=1.0):
    assert measured <= bound + SLACK * max(1.0, abs(bound), abs(measured), scale)


def adversary(learner, style, seed, rounds=50):
    """Rows no longer than 1, and labels so far away that every loss is linear."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 5))
    player = learner.player(d)
    total, X, y = np.zeros(d), [], []
    for t in range(rounds):
        w = player.all_weights()
        x = rng.normal(size=d)
        label = FAR if rng.random() < 0.5 else -FAR
        if style == "orthogonal" and total.any() and d > 1:
            x -= total * (x @ total) / (total @ total)
        elif style == "along" and w.any():
            x = w.copy()
        elif style == "runs":
            x, label = np.ones(d), FAR if 4 * t // rounds % 2 else -FAR
        elif style == "needle":
            x = np.eye(d)[rng.integers(d)]
            label = FAR if rng.random() < 0.8 else -FAR
        x /= np.linalg.norm(x)
        if style == "tiny":
            x *= 10.0 ** rng.uniform(-4, 0)
        if style in ("against", "along"):
            label = -FAR if w @ x > 0 else FAR
        player.play(Dense(np.ascontiguousarray(x), d), np.array([label]))
        total -= np.sign(label) * x
        X.append(x)
        y.append(label)
    return np.array(X), np.array(y)


def record(learner, loss, X, y):
    """The run, its gradients, and a few comparators, the worst among them."""
    run = rg.play(learner, X, y, trace=True)
    pairs = zip(run.scores.tolist(), y.tolist(), strict=True)
    leans = np.array([rg.slope(loss, s, t) for s, t in pairs])
    g = leans[:, None] * X
    rng = np.random.default_rng(len(y))
    worst = -g.sum(axis=0)
    toward = worst / max(np.linalg.norm(worst), 1e-12)
    us = [size * toward for size in (1e-3, 0.1, 1.0, 10.0, 1e3)]
    us += [np.sign(worst), rng.normal(size=X.shape[1]), np.zeros(X.shape[1])]
    return run, g, us


def regret(run, loss, X, y, u):
    pairs = zip((X @ u).tolist(), y.tolist(), strict=True)
    return run.loss - math.fsum(rg.value(loss, s, t) for s, t in pairs)


def roots(g):
    return np.sqrt(np.sum(g * g, axis=0)).sum()


def check_box(learner, loss, X, y, width, bound):
    run, g, us = record(learner, loss, X, y)
    half = width / 2
    for u in us:
        inside = np.clip(u, -half, half)
        below(regret(run, loss, X, y, inside), bound * roots(g), run.loss)


@linear_games
@given(seeds, st.sampled_from([0.1, 1.0, 10.0]), st.booleans())
def test_adagrad_on_linear_games(style, seed, radius, implicit):
    learner = rg.AdaGrad(LINEAR, radius=radius, implicit=implicit)
    X, y = adversary(learner, style, seed)
    check_box(learner, LINEAR, X, y, 2 * radius, SQRT2 * 2 * radius)


@given(st.data(), st.sampled_from([0.1, 1.0, 10.0]), st.booleans())
def test_adagrad(data, radius, implicit):
    X, y = data.draw(games(CASES[16]))
    learner = rg.AdaGrad(radius=radius, implicit=implicit)
    check_box(learner, HINGE, X, y, 2 * radius, SQRT2 * 2 * radius)
    eta = 0.3 * radius
    free = rg.AdaGrad(eta=eta, implicit=implicit)
    run, g, us = record(free, HINGE, X, y)
    for u in us:
        widths = np.abs(u - run.weight_path[:-1]).max()
        bound = (widths**2 / (2 * eta) + eta) * roots(g)
        below(regret(run, HINGE, X, y, u), bound, run.loss)


@linear_games
@given(seeds, st.sampled_from([0.1, 1.0, 10.0]))
def test_ftrl_proximal_on_linear_games(style, seed, radius):
    learner = rg.FTRLProximal(SQRT2 * radius, 0.0, loss=LINEAR, radius=radius)
    X, y = adversary(learner, style, seed)
    check_box(learner, LINEAR, X, y, 2 * radius, 2 * SQRT2 * radius)


@linear_games
@given(seeds, st.sampled_from([0.1, 1.0]), st.sampled_from([0.0, 2.0]))
def test_ftrl_proximal_with_regularizers(style, seed, alpha, l1):
    """R(u) <= all of the regularizer at u, and half the squared dual norms."""
    beta, l2 = 0.5, 0.3
    learner = rg.FTRLProximal(alpha, beta, l1, l2, loss=LINEAR)
    X, y = adversary(learner, style, seed)
    run, g, us = record(learner, LINEAR, X, y)
    n = np.cumsum(g * g, axis=0)
    sigmas = np.diff(np.sqrt(n), axis=0, prepend=0.0) / alpha
    duals = np.sum(g * g / ((beta + np.sqrt(n)) / alpha + l2)) / 2
    for u in us:
        near = np.sum(sigmas * (u - run.weight_path[:-1]) ** 2) / 2
        fixed = l1 * np.abs(u).sum() + (l2 + beta / alpha) / 2 * float(u @ u)
        below(regret(run, LINEAR, X, y, u), fixed + near + duals, run.loss)


def kt(staked, size, eps):
    return size * math.sqrt(staked * math.log1p(24 * (staked * size / eps) ** 2)) + eps


@linear_games
@given(seeds, st.sampled_from([0.01, 1.0, 100.0]))
def test_coin_betting(style, seed, eps):
    learner = rg.CoinBetting(LINEAR, eps=eps)
    X, y = adversary(learner, style, seed)
    run, g, us = record(learner, LINEAR, X, y)
    staked = np.linalg.norm(g, axis=1).sum()
    for u in us:
        size = np.linalg.norm(u)
        bound = kt(staked, size, eps)
        below(bound, kt(len(y), size, eps))
        below(regret(run, LINEAR, X, y, u), bound, run.loss)


@given(st.data(), st.sampled_from([0.01, 1.0, 100.0]))
def test_coin_betting_on_rows_of_a_known_length(data, eps):
    X, y = data.draw(games(CASES[16]))
    longest = max(np.linalg.norm(X, axis=1).max(), 1e-6)
    run, g, us = record(rg.CoinBetting(eps=eps, max_norm=longest), HINGE, X, y)
    staked = np.linalg.norm(g, axis=1).sum() / longest
    for u in us:
        bound = longest * kt(staked, np.linalg.norm(u), eps)
        below(regret(run, HINGE, X, y, u), bound, run.loss)


@linear_games
@given(seeds, st.sampled_from([0.01, 1.0, 100.0]))
def test_a_bettor_a_feature(style, seed, eps):
    learner = rg.CoinBetting(LINEAR, eps=eps, per_coordinate=True)
    X, y = adversary(learner, style, seed)
    largest = np.maximum.accumulate(np.abs(X), axis=0)
    seen = np.divide(X, largest, out=np.zeros_like(X), where=largest > 0)
    run, _, _ = record(learner, LINEAR, X, y)
    g = np.sign(run.scores - y)[:, None] * seen
    stakes = np.abs(g).sum(axis=0)
    for size in (1e-3, 1.0, 100.0):
        for u in (-size * np.sign(g.sum(axis=0)), size * np.ones(g.shape[1])):
            bounds = [
                kt(s, abs(v), eps) for s, v in zip(stakes, u, strict=True) if s > 0
            ]
            below(regret(run, LINEAR, seen, y, u), math.fsum(bounds), run.loss)


def test_the_wealth_of_krichevsky_and_trofimov_bounds_what_the_bettor_has():
    """F(S, theta) <= W, and F* + eps <= the bound, for sums S that are no counts."""
    from scipy.special import gammaln

    def log_wealth(s, theta):
        upper, lower = (s + 1 + theta) / 2, (s + 1 - theta) / 2
        gammas = gammaln(upper) + gammaln(lower) - gammaln(s + 1) - math.log(math.pi)
        return s * math.log(2.0) + gammas

    rng = np.random.default_rng(0)
    for _ in range(300):
        wealth, theta, staked = 1.0, 0.0, 0.0
        drift = rng.uniform(-1, 1)
        for _ in range(rng.integers(1, 60)):
            coin = np.clip(drift + rng.normal() * rng.random(), -1, 1)
            wealth += coin * theta / (1 + staked) * wealth
            theta, staked = theta + coin, staked + abs(coin)
            assert math.log(wealth) >= log_wealth(staked, theta) - 1e-9
    shares = np.r_[np.linspace(0, 1, 2001), 1 - np.logspace(-12, -1, 100)]
    for staked in np.logspace(-5, 4, 40):
        thetas = staked * shares
        wealth = np.exp(np.minimum(log_wealth(staked, thetas), 700.0))
        for size in np.logspace(-6, 6, 49):
            below(np.max(thetas * size - wealth) + 1.0, kt(staked, size, 1.0))


@given(st.data(), st.sampled_from([0.01, 1.0, 30.0]))
def test_passive_aggressive(data, C):
    X, y = data.draw(games(CASES[16], rounds=80))
    longest = np.sum(X * X, axis=1).max()
    one = rg.play(rg.PassiveAggressive(C), X, y)
    two = rg.play(rg.PassiveAggressive(C, squared=True), X, y)
    free = rg.play(rg.PassiveAggressive(), X, y)
    fit = np.linalg.lstsq(X, y, rcond=None)[0]
    rng = np.random.default_rng(len(y))
    for u in (fit, 3 * fit, rng.normal(size=fit.size), 0 * fit):
        h = np.maximum(0.0, 1.0 - y * (X @ u))
        square = float(u @ u)
        below(one.mistakes, max(longest, 1 / C) * (square + 2 * C * h.sum()))
        below(two.loss, (longest + 1 / (2 * C)) * (square + 2 * C * np.sum(h * h)))
        g2 = one.ledger.sum_squared_gradients
        below(one.loss - h.sum(), square / (2 * C) + C / 2 * g2)
        if np.all(h == 0):
            below(free.mistakes, longest * square)


def test_separable_rows_have_a_bound_for_passive_aggressive(rng):
    X = rng.normal(size=(400, 4))
    score = X @ rng.normal(size=4)
    X, y = X[abs(score) > 0.3], np.sign(score[abs(score) > 0.3])
    run = rg.play(rg.PassiveAggressive(), X, y)
    found = run.theorems()["passive-aggressive/separable"]
    assert run.mistakes <= found.value < np.inf


def test_hindsight_finds_comparators_by_itself(rng):
    X = rng.normal(size=(300, 4))
    y = np.sign(X @ rng.normal(size=4) + 0.5 * rng.normal(size=300))
    wanted = [
        (rg.AdaGrad(), "adagrad/data"),
        (rg.AdaGrad(radius=1.0), "adagrad/box"),
        (rg.AdaGrad(scale="rms"), "adagrad/data"),
        (rg.FTRLProximal(1.0, l1=1.0), "ftrl-proximal/data"),
        (rg.FTRLProximal(SQRT2, 0.0, radius=1.0), "ftrl-proximal/box"),
        (rg.CoinBetting(max_norm=6.0), "coin/stakes"),
        (rg.CoinBetting(per_coordinate=True), "coin/coordinates"),
        (rg.PassiveAggressive(1.0), "passive-aggressive/one"),
        (rg.PassiveAggressive(1.0, squared=True), "passive-aggressive/two"),
    ]
    for learner, name in wanted:
        found = rg.play(learner, X, y).theorems()[name]
        assert found.applies, found.reason
        assert 0.0 < found.ratio < 1.0


# The theorems as the package states them have these very values.


def stated(learner, X, y, u):
    run = rg.play(learner, X, y, trace=True)
    return run, {v.theorem.name: v.value for v in run.theorems(u=u).applying}


def test_the_values_that_are_stated(rng):
    X = rng.normal(size=(120, 3))
    X /= np.linalg.norm(X, axis=1).max()
    y = np.where(X @ [2.0, -1.0, 0.5] + 0.3 * rng.normal(size=120) > 0, 1.0, -1.0)
    u = np.array([0.5, -0.4, 0.2])
    size, longest = np.linalg.norm(u), np.sum(X * X, axis=1).max()
    h = np.maximum(0.0, 1.0 - y * (X @ u))

    def gradients(run, loss=HINGE):
        pairs = zip(run.scores.tolist(), y.tolist(), strict=True)
        return np.array([rg.slope(loss, *pair) for pair in pairs])[:, None] * X

    run, found = stated(rg.AdaGrad(radius=2.0), X, y, u)
    g = gradients(run)
    n = np.cumsum(g * g, axis=0)
    rate = np.divide(1.0, np.sqrt(n), out=np.zeros_like(n), where=n > 0)
    duals = 2 * SQRT2 * np.sum(g * g * rate) / 2
    assert found["adagrad/box"] == pytest.approx(4 * SQRT2 * roots(g))
    assert found["adagrad/data"] == pytest.approx(16 / (4 * SQRT2) * roots(g) + duals)
    run, found = stated(rg.AdaGrad(eta=0.5), X, y, u)
    g = gradients(run)
    n = np.cumsum(g * g, axis=0)
    rate = np.divide(1.0, np.sqrt(n), out=np.zeros_like(n), where=n > 0)
    width = np.abs(run.weight_path).max() + 0.5
    data = width**2 * roots(g) + 0.25 * np.sum(g * g * rate)
    assert found == {"adagrad/data": pytest.approx(data)}
    run, found = stated(rg.FTRLProximal(SQRT2, 0.0, loss=HINGE, radius=1.0), X, y, u)
    assert found["ftrl-proximal/box"] == pytest.approx(
        2 * SQRT2 * roots(gradients(run))
    )
    run, found = stated(rg.FTRLProximal(0.7, 0.3, 0.2, 0.1, HINGE), X, y, u)
    g = gradients(run)
    n = np.cumsum(g * g, axis=0)
    near = (np.abs(run.weight_path).max() + 0.5) ** 2 / 1.4 * roots(g)
    duals = np.sum(g * g / ((0.3 + np.sqrt(n)) / 0.7 + 0.1)) / 2
    fixed = 0.2 * 1.1 + (0.1 + 0.3 / 0.7) / 2 * size**2
    assert found == {"ftrl-proximal/data": pytest.approx(fixed + near + duals)}
    run, found = stated(rg.CoinBetting(eps=0.5, max_norm=2.0), X, y, u)
    staked = np.linalg.norm(gradients(run), axis=1).sum() / 2
    assert found["coin/stakes"] == pytest.approx(2 * kt(staked, size, 0.5))
    assert found["coin/rounds"] == pytest.approx(2 * kt(120, size, 0.5))
    run, found = stated(rg.PassiveAggressive(0.2), X, y, u)
    one = max(longest, 5.0) * (size**2 + 0.4 * h.sum())
    assert found["passive-aggressive/one"] == pytest.approx(one)
    run, found = stated(rg.PassiveAggressive(0.2, squared=True), X, y, u)
    two = (longest + 2.5) * (size**2 + 0.4 * np.sum(h * h))
    assert found["passive-aggressive/two"] == pytest.approx(two)


@pytest.mark.parametrize("scale", ["max", "rms"])
def test_the_values_that_are_stated_of_rows_as_they_were_seen(rng, scale):
    X = rng.normal(size=(80, 3)) * [1.0, 50.0, 0.02]
    y = np.where(rng.random(80) < 0.5, 1.0, -1.0)
    u = np.array([0.5, -0.4, 0.2])
    squares = np.cumsum(X * X, axis=0) / np.arange(1, 81)[:, None]
    largest = np.maximum.accumulate(np.abs(X), axis=0)
    seen = X / (largest if scale == "max" else np.sqrt(squares))
    run, found = stated(rg.AdaGrad(scale=scale), X, y, u)
    plain, same = stated(rg.AdaGrad(), seen, y, u)
    assert found == pytest.approx(same)
    np.testing.assert_allclose(run.scores, plain.scores, rtol=1e-9, atol=1e-12)
    learner = rg.CoinBetting(per_coordinate=True, scale=scale, eps=0.5, max_norm=9.0)
    run, found = stated(learner, X, y, u)
    pairs = zip(run.scores.tolist(), y.tolist(), strict=True)
    g = np.array([rg.slope(HINGE, *pair) for pair in pairs])[:, None] * seen
    stakes = np.abs(g).sum(axis=0) / 9
    bound = 9 * sum(kt(s, abs(v), 0.5) for s, v in zip(stakes, u, strict=True))
    assert found["coin/coordinates"] == pytest.approx(bound)
