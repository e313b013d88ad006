"""What the adaptive learners are: minima, equal to each other where theory says so."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import naive_adaptive as adaptive
import regretless as rg
from games import games
from learners import CASES, part
from regretless.engine.players.linear import LinearPlayer
from regretless.parts.generic import canonical
from regretless.parts.rows import Dense

FTRL = next(case for case in CASES if isinstance(case.learner, rg.FTRLProximal))


def noisy(n, d, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.5)
    y = np.where(X[:, 0] - X[:, 1] + rng.normal(size=n) > 0, 1.0, -1.0)
    return X, y


# FTRL-Proximal.


@given(st.data(), st.integers(0, 99))
def test_ftrl_stands_at_the_minimum_of_its_objective(data, seed):
    game = data.draw(games(FTRL, rounds=30, features=5))
    twin = FTRL.twin(game.X.shape[1])
    naive.play(twin, *game)
    w = rg.play(FTRL.learner, *game).weights
    least = twin.objective(w)
    rng = np.random.default_rng(seed)
    for size in (1e-6, 1e-3, 1.0):
        other = w + size * rng.normal(size=w.size)
        assert least <= twin.objective(other) + 1e-12 * (1 + abs(least))


def test_l1_makes_weights_exactly_zero():
    X, y = noisy(2000, 30)
    counts = [
        np.count_nonzero(rg.play(rg.FTRLProximal(0.5, l1=l1), X, y).weights)
        for l1 in (0.0, 5.0, 20.0, 1e4)
    ]
    assert counts[0] == 30
    assert counts == sorted(counts, reverse=True)
    assert counts[2] < 10
    assert counts[3] == 0


@given(st.integers(0, 999))
def test_ftrl_without_a_regularizer_is_adagrad(seed):
    X, y = noisy(60, 4, seed)
    one = rg.play(rg.FTRLProximal(0.3, 0.0), X, y, trace=True)
    other = rg.play(rg.AdaGrad(rg.Logistic(), 0.3), X, y, trace=True)
    np.testing.assert_allclose(one.scores, other.scores, rtol=1e-8, atol=1e-10)


# Implicit updates.


@pytest.mark.parametrize("eta", [1e-3, 1.0, 1e6])
def test_implicit_updates_never_overshoot(eta):
    X, y = noisy(200, 4)
    learner = rg.AdaGrad(eta=eta, implicit=True)
    run = rg.play(learner, X, y, trace=True)
    after = y * np.sum(run.weight_path[1:] * X, axis=1)
    before = y * run.scores
    moved = np.any(run.weight_path[1:] != run.weight_path[:-1], axis=1)
    assert np.all(after[moved] <= 1 + 1e-9)
    assert np.all(after >= before - 1e-9)


def test_implicit_and_explicit_agree_on_small_steps():
    X, y = noisy(100, 3)
    one, other = (
        rg.play(rg.AdaGrad(rg.Logistic(), 1e-6, implicit=implicit), X, y).weights
        for implicit in (False, True)
    )
    np.testing.assert_allclose(one, other, rtol=1e-4)


def test_passive_aggressive_one_is_implicit_gradient_descent():
    X, y = noisy(150, 4)
    parts = rg.OGD(step=rg.Constant(0.2)).composition(4)
    player = LinearPlayer(lambda _: parts._replace(update=rg.Implicit()), 4)
    player.play(Dense(X.reshape(-1), 4), y)
    run = rg.play(rg.PassiveAggressive(0.2), X, y)
    assert np.array_equal(player.weights(), run.weights)


def test_passive_aggressive_makes_up_for_every_loss():
    X, y = noisy(200, 4)
    X = X[np.any(X != 0, axis=1)]
    y = y[: len(X)]
    run = rg.play(rg.PassiveAggressive(), X, y, trace=True)
    after = y * np.sum(run.weight_path[1:] * X, axis=1)
    assert np.all(after >= 1 - 1e-9)
    truth = X @ [1.0, -2.0, 0.5, 3.0]
    run = rg.play(rg.PassiveAggressive(epsilon=0.1), X, truth, trace=True)
    after = np.sum(run.weight_path[1:] * X, axis=1)
    assert np.all(np.abs(after - truth) <= 0.1 + 1e-9)
    assert np.abs(run.scores - truth)[-50:].max() < 0.2


# Coin betting.


def test_unit_coins_are_bet_on_as_the_textbook_does():
    """w_t = -(g_1 + ... + g_{t-1})/t times the wealth."""
    rng = np.random.default_rng(0)
    y = np.where(rng.random(200) < 0.7, 1e4, -1e4)  # the slope is -sign(y)
    run = rg.play(rg.CoinBetting(rg.Absolute()), np.ones((200, 1)), y, trace=True)
    wealth, total = 1.0, 0.0
    for t, (score, coin) in enumerate(zip(run.scores, np.sign(y), strict=True), 1):
        assert score == pytest.approx(total / t * wealth, rel=1e-9)
        wealth += coin * score
        total += coin
    assert wealth > 50


def test_long_coins_are_cut():
    """However long rows are, no bet loses more than there is."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(500, 3)) * 10.0 ** rng.uniform(-3, 5, size=(500, 1))
    y = np.where(rng.random(500) < 0.5, 1.0, -1.0)
    for learner in (rg.CoinBetting(), rg.CoinBetting(per_coordinate=True, scale="rms")):
        player = learner.player(3)
        for x, label in zip(X, y, strict=True):
            player.play(Dense(np.ascontiguousarray(x), 3), np.array([label]))
            found = player.extra_sums()
            assert found.get("wealth", 1.0) > 0.0
        assert np.isfinite(player.weights()).all()
        run = rg.play(learner, X, y)
        assert not run.theorems(u=np.ones(3)).applying


def test_the_wealth_is_a_mirror_of_the_regret():
    """In linear games: R(u) = G (eps - W - theta.u), exactly."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(100, 3))
    X /= np.linalg.norm(X, axis=1)[:, None]
    y = np.where(rng.random(100) < 0.6, 1e3, -1e3)
    run = rg.play(rg.CoinBetting(rg.Absolute(), eps=2.0), X, y, trace=True)
    g = -np.sign(y)[:, None] * X
    earned = -np.sum(g * run.weight_path[:-1])
    u = -np.sum(g, axis=0) / np.linalg.norm(np.sum(g, axis=0))
    found = run.theorems(u=u)["coin/wealth"]
    right = -earned + np.linalg.norm(g.sum(axis=0))
    assert found.value == pytest.approx(right, rel=1e-9)
    assert found.happened == pytest.approx(found.value, rel=1e-6)


# What is refused.


class Own(NamedTuple):
    """A loss without a dual step."""

    task = "binary"
    convex = True


@rg.implement(rg.value, Own)
def _(loss, score, y):
    return max(0.0, 1.0 - y * score)


@rg.implement(rg.slope, Own)
def _(loss, score, y):
    return -y if y * score <= 1.0 else 0.0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: rg.AdaGrad(eta=0), "eta=0.0"),
        (lambda: rg.AdaGrad(radius=-1), "radius=-1 must be positive"),
        (lambda: rg.AdaGrad(radius=1, domain=rg.Box(-1, 1)), "not both"),
        (lambda: rg.AdaGrad(domain=rg.Ball(1)), "must be a Box"),
        (lambda: rg.AdaGrad(Own(), implicit=True), r"@implement\(dual_step, Own\)"),
        (lambda: rg.FTRLProximal(alpha=0), "alpha=0.0"),
        (lambda: rg.FTRLProximal(l1=-1), "l1=-1.0"),
        (lambda: rg.FTRLProximal(radius=0), "radius=0 must be positive"),
        (lambda: rg.CoinBetting(rg.Squared()), "needs a Lipschitz loss"),
        (lambda: rg.CoinBetting(eps=0), "wealth=0.0"),
        (lambda: rg.CoinBetting(max_norm=0), "max_norm=0 must be positive"),
        (lambda: rg.PassiveAggressive(0), "eta=0.0"),
        (lambda: rg.PassiveAggressive(squared=True), "needs C="),
        (lambda: rg.PassiveAggressive(1, True, 0.1), "leave epsilon out"),
        (lambda: rg.PassiveAggressive(epsilon=-1), "epsilon=-1.0"),
        (lambda: canonical(_with(rg.EG(), update=rg.Implicit())), "do not go with geo"),
        (
            lambda: canonical(_with(rg.Pegasos(1), update=rg.Polyak())),
            "go with penalty",
        ),
        (lambda: canonical(_with(rg.OGD(), update=None)), "such as Implicit"),
        (lambda: canonical(_with(rg.OGD(), view=rg.Hinge())), "is not a view"),
    ],
)
def test_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def _with(learner, **parts):
    return canonical(learner.composition(2)._replace(**parts))


def test_explicit_steps_take_any_loss():
    X, y = noisy(50, 3)
    one, other = rg.play(rg.AdaGrad(Own()), X, y), rg.play(rg.AdaGrad(), X, y)
    assert np.array_equal(one.weights, other.weights)
    assert part(Own()) == ("Own", ())
    assert adaptive.arrival(("Hinge", ()), 0.0, 1.0, 4.0) == pytest.approx(-0.25)
