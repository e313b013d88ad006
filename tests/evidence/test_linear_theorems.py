"""The theorems of the lectures, written out by hand and never violated.

Nothing of ``regretless.evidence.theorems`` is used: each bound is evaluated here from
the data, for random comparators u, on random and on adversarial sequences.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import regretless as rg
from games import games, make_game
from learners import CASES, SQRT2, Case, eg, ogd

PERCEPTRON = CASES[0]
SLACK = 1e-9

scales = st.sampled_from([1e-2, 0.3, 1.0, 3.0, 100.0])


def below(measured, bound):
    assert measured <= bound + SLACK * max(1.0, abs(bound), abs(measured))


def comparators(game, scale, rng):
    """Random directions, single features, and a least squares fit."""
    d = game.X.shape[1]
    fit = np.linalg.lstsq(game.X, game.y, rcond=None)[0]
    one = np.zeros(d)
    one[rng.integers(d)] = 1.0
    return [scale * rng.normal(size=d), scale * one, fit, scale * fit, np.zeros(d)]


def hinges(game, u):
    return np.maximum(0.0, 1.0 - game.y * (game.X @ u))


def root_form(c, b):
    return c + b * b / 2 + b * math.sqrt(b * b / 4 + c)


# Perceptron.


@given(st.data(), scales, st.integers(0, 99))
def test_perceptron(data, scale, seed):
    game = data.draw(games(PERCEPTRON, rounds=80))
    run = rg.play(rg.Perceptron(), *game, trace=True)
    radius = np.linalg.norm(game.X, axis=1).max()
    wrong = run.mistake_rounds
    for u in comparators(game, scale, np.random.default_rng(seed)):
        h = hinges(game, u)
        c, b = h.sum(), radius * np.linalg.norm(u)
        root = root_form(c, b)
        cesa_bianchi = c + b * b + b * math.sqrt(c)
        mansour = c + b * b + 2 * b * math.sqrt(c)
        below(root, cesa_bianchi)
        below(cesa_bianchi, mansour)
        on_mistakes = h[wrong].sum()
        tightest = on_mistakes + np.linalg.norm(u) * run.ledger.weight_norm
        squares = np.sum(game.X[wrong] ** 2)
        looser = on_mistakes + np.linalg.norm(u) * math.sqrt(squares)
        below(tightest, looser)
        for bound in (root, tightest):
            below(run.mistakes, bound)
        if np.all(game.y * (game.X @ u) >= 1):
            below(run.mistakes, b * b)


@given(st.data())
def test_perceptron_potential(data):
    game = data.draw(games(PERCEPTRON, rounds=80))
    run = rg.play(rg.Perceptron(), *game, trace=True)
    norms = np.sum(run.weight_path**2, axis=1)
    squares = np.sum(game.X**2, axis=1)
    for t in run.mistake_rounds:
        below(norms[t + 1], norms[t] + squares[t])
    mistakes = np.zeros(len(game.y) + 1)
    mistakes[run.mistake_rounds + 1] = 1
    for norm, i in zip(norms, np.cumsum(mistakes), strict=True):
        below(norm, i * squares.max())


@pytest.mark.parametrize("n", [1, 2, 17, 100])
def test_unit_vectors_meet_the_perceptron_bound_exactly(n):
    y = np.where(np.arange(n) % 3 == 0, 1.0, -1.0)
    run = rg.play(rg.Perceptron(), np.eye(n), y)
    assert run.mistakes == n  # (R/gamma)^2 with R = 1, gamma = 1/sqrt(n)


@pytest.mark.parametrize(("n", "k"), [(15, 1), (25, 3), (40, 5)])
def test_panel(n, k, rng):
    """N voters; the majority of an unknown k of them is always right."""
    X = np.where(rng.random((3000, n)) < 0.5, 1.0, -1.0)
    panel = rng.choice(n, size=k, replace=False)
    y = np.sign(X[:, panel].sum(axis=1))
    assert rg.play(rg.Perceptron(), X, y).mistakes <= n * k
    winnow = rg.NormalizedWinnow.for_margin(1 / k)
    assert rg.play(winnow, X, y).mistakes <= 2 * k * k * math.log(n)
    signs = np.where(rng.random(k) < 0.5, 1.0, -1.0)
    y = np.sign(X[:, panel] @ signs)
    balanced = rg.BalancedWinnow.for_margin(1 / k)
    assert rg.play(balanced, X, y).mistakes <= 2 * k * k * math.log(2 * n)


# p-norm Perceptron.


@pytest.mark.parametrize("p", [None, 2.0, 3.0, 7.5])
@given(st.data(), scales, st.integers(0, 99))
def test_p_norm_perceptron(p, data, scale, seed):
    game = data.draw(games(PERCEPTRON, rounds=80))
    d = game.X.shape[1]
    run = rg.play(rg.PNormPerceptron(p=p), *game)
    power = max(2.0, 2 * math.log(d)) if p is None else p
    q = power / (power - 1)
    longest = np.linalg.norm(game.X, power, axis=1).max()
    for u in comparators(game, scale, np.random.default_rng(seed)):
        b = math.sqrt(power - 1) * longest * np.linalg.norm(u, q)
        below(run.mistakes, root_form(hinges(game, u).sum(), b))


def test_p_norm_perceptron_with_p_2_is_the_perceptron(table):
    one = rg.play(rg.PNormPerceptron(p=2), *table, trace=True)
    other = rg.play(rg.Perceptron(), *table, trace=True)
    assert np.array_equal(one.mistake_rounds, other.mistake_rounds)
    np.testing.assert_allclose(one.weights, other.weights, rtol=1e-12)


# Winnow.


def divergence_from_start(u):
    """D(u) = 1 + (ln d - 1)|u|_1 + sum u ln u."""
    positive = u[u > 0]
    entropy = np.sum(positive * np.log(positive))
    return 1 + (math.log(u.size) - 1) * u.sum() + entropy


@given(st.data(), st.sampled_from([0.05, 0.25, 0.45]), st.integers(0, 99))
def test_winnow(data, eta, seed):
    rng = np.random.default_rng(seed)
    game = data.draw(games(CASES[3], rounds=80))
    run = rg.play(rg.Winnow(eta), *game, trace=True)
    ledger = run.ledger
    for scale in (0.1, 1.0, 4.0):
        u = scale * rng.random(game.X.shape[1]) * (rng.random(game.X.shape[1]) < 0.5)
        f = np.maximum(0.0, 1 - game.y * (2 * game.X @ u - 1))
        divergence = divergence_from_start(u)
        below(run.mistakes, (divergence / eta + f.sum()) / (1 - 2 * eta))
        missed = 2 * eta - (math.exp(2 * eta) - 1) / 2
        raised = (1 - math.exp(-2 * eta)) / 2
        paid = ledger.false_negatives * missed + ledger.false_positives * raised
        below(paid, divergence + eta * f[run.mistake_rounds].sum())
    z = 2 * game.X[run.mistake_rounds]
    lemma = np.sum(run.weight_path[run.mistake_rounds] * z**2, axis=1)
    for left, right in zip(lemma, run.losses[run.mistake_rounds], strict=True):
        below(left, 2 * right)


@pytest.mark.parametrize(("d", "k"), [(3, 1), (50, 2), (400, 5), (2000, 1)])
def test_winnow_learns_disjunctions(d, k, rng):
    relevant = rng.choice(d, size=k, replace=False)
    for density in (0.5 / k, 0.02, 0.3):
        X = (rng.random((3000, d)) < density).astype(float)
        y = np.where(X[:, relevant].any(axis=1), 1, -1)
        run = rg.play(rg.Winnow(0.25), X, y)
        assert (
            run.mistakes <= 8 * (1 + k * (math.log(d) - 1)) <= 8 * (k + 1) * math.log(d)
        )


def test_winnow_against_a_greedy_adversary():
    """Promote bystanders beside a relevant feature, then demote them."""
    d, k = 300, 4
    data = rg.games.PromoteDemote(d, k).take(120, learner=rg.Winnow())
    mistakes = rg.play(rg.Winnow(), **data).mistakes
    assert 90 <= mistakes <= 8 * (1 + k * (math.log(d) - 1))


@given(
    st.integers(0, 999),
    st.sampled_from([0.05, 0.2, 0.6, 0.95]),
    st.integers(2, 40),
    st.booleans(),
)
def test_normalized_and_balanced_winnow(seed, eta, n, signed):
    """A separable game; the bound for any step, and the one at the best step."""
    rng = np.random.default_rng(seed)
    u = rng.dirichlet(np.full(n, 0.3))
    signs = np.where(rng.random(n) < 0.5, 1.0, -1.0) if signed else np.ones(n)
    X = rng.uniform(-1, 1, size=(400, n))
    margins = X @ (u * signs)
    keep = np.abs(margins) > 0.05
    X, y = X[keep], np.sign(margins[keep])
    assume(len(y) > 0)
    delta = float(np.min(y * (X @ (u * signs))))
    kind = rg.BalancedWinnow if signed else rg.NormalizedWinnow
    experts = 2 * n if signed else n
    gain = eta * delta + math.log(2 / (math.exp(eta) + math.exp(-eta)))
    if gain > 0:
        below(rg.play(kind(eta), X, y).mistakes, math.log(experts) / gain)
    mistakes = rg.play(kind.for_margin(delta), X, y).mistakes
    up, down = (1 + delta) / 2, (1 - delta) / 2
    kl = up * math.log(2 * up) + (down * math.log(2 * down) if down > 0 else 0.0)
    relative = math.log(experts) + np.sum(u[u > 0] * np.log(u[u > 0]))
    below(mistakes, relative / kl)
    below(relative / kl, 2 * math.log(experts) / delta**2)


def test_a_margin_of_one_is_capped():
    X = np.where(np.random.default_rng(0).random((200, 8)) < 0.5, 1.0, -1.0)
    run = rg.play(rg.NormalizedWinnow.for_margin(1.0), X, X[:, 3])
    assert run.mistakes <= math.log2(8)
    assert np.all(np.isfinite(run.weights))


# Gradient descent.


def regret(run, game, loss, u):
    scores = game.X @ u
    paid = [
        rg.value(loss, float(s), float(y)) for s, y in zip(scores, game.y, strict=True)
    ]
    return run.loss - math.fsum(paid)


CONVEX = [rg.Hinge(), rg.SquaredHinge(), rg.Logistic(), rg.Squared(), rg.Absolute()]


@pytest.mark.parametrize("loss", CONVEX, ids=repr)
@given(st.data(), scales, st.integers(0, 99))
def test_gradient_descent_data_form(loss, data, scale, seed):
    eta = 0.1
    game = data.draw(games(ogd(loss, rg.Constant(eta))))
    run = rg.play(rg.OGD(loss, rg.Constant(eta)), *game)
    assume(math.isfinite(run.ledger.sum_squared_gradients))
    for u in comparators(game, scale, np.random.default_rng(seed)):
        bound = u @ u / (2 * eta) + eta / 2 * run.ledger.sum_squared_gradients
        below(regret(run, game, loss, u), bound)


@pytest.mark.parametrize("loss", [rg.Hinge(), rg.Squared()], ids=repr)
@given(st.data(), st.sampled_from([0.5, 2.0]), st.integers(0, 99))
def test_gradient_descent_on_a_ball(loss, data, radius, seed):
    game = data.draw(games(ogd(loss, rg.Constant(0.1))))
    rng = np.random.default_rng(seed)
    points = []
    for u in comparators(game, 1.0, rng):
        norm = np.linalg.norm(u)
        points.append(u * min(1.0, radius / norm) if norm > 0 else u)
    eta = 0.2
    constant = rg.play(rg.OGD(loss, rg.Constant(eta), radius=radius), *game)
    adaptive = rg.play(rg.OGD(loss, rg.Adaptive(SQRT2 * radius), radius=radius), *game)
    largest = max(adaptive.ledger.max_gradient, 1e-12)
    for u in points:
        squares = constant.ledger.sum_squared_gradients
        below(regret(constant, game, loss, u), u @ u / (2 * eta) + eta / 2 * squares)
        squares = adaptive.ledger.sum_squared_gradients
        below(regret(adaptive, game, loss, u), radius * math.sqrt(8 * squares))
    anytime = rg.OGD(loss, rg.InverseSqrt(SQRT2 * radius / largest), radius=radius)
    run = rg.play(anytime, *game)
    if run.ledger.max_gradient <= largest:  # the G that the step was made for
        for u in points:
            bound = radius * largest * math.sqrt(8 * run.rounds)
            below(regret(run, game, loss, u), bound)


@given(st.data(), st.integers(0, 99))
def test_gradient_descent_in_a_box_and_on_the_simplex(data, seed):
    rng = np.random.default_rng(seed)
    eta = 0.3
    case = ogd(rg.Hinge(), rg.Constant(eta))
    game = data.draw(games(case))
    d = game.X.shape[1]
    for domain, u, start in (
        (rg.Box(-0.5, 0.7), rng.uniform(-0.5, 0.7, size=d), np.zeros(d)),
        (rg.Simplex(1.5), 1.5 * rng.dirichlet(np.ones(d)), np.full(d, 1.5 / d)),
    ):
        run = rg.play(rg.OGD(rg.Hinge(), rg.Constant(eta), domain=domain), *game)
        away = np.sum((u - start) ** 2)
        bound = away / (2 * eta) + eta / 2 * run.ledger.sum_squared_gradients
        below(regret(run, game, rg.Hinge(), u), bound)


def test_gradient_descent_against_orthogonal_gradients():
    """Unit gradients orthogonal to all before them: the data form with equality."""
    n, eta = 50, 0.1
    # Absolute loss with a far label has slope -1: g_t = -e_t.
    run = rg.play(rg.OGD(rg.Absolute(), rg.Constant(eta)), np.eye(n), np.full(n, 100.0))
    u = np.full(n, eta)
    bound = u @ u / (2 * eta) + eta / 2 * n
    paid = n * (100.0 - eta)
    assert math.isclose(run.loss - paid, bound, rel_tol=1e-9)


@given(st.data(), st.sampled_from([0.01, 0.1, 1.0, 30.0]), scales, st.integers(0, 99))
def test_pegasos(data, strength, scale, seed):
    game = data.draw(games(CASES[7], rounds=100))
    run = rg.play(rg.Pegasos(strength), *game, trace=True)
    rated = run.ledger.sum_rated_gradients / 2  # sum |g_t|^2 / (2 sigma t)
    largest = run.ledger.max_gradient
    below(rated, largest**2 / (2 * strength) * (1 + math.log(run.rounds)))
    for u in comparators(game, scale, np.random.default_rng(seed)):
        objective = hinges(game, u).sum() + run.rounds * strength / 2 * (u @ u)
        below(run.loss - objective, rated)


# Exponentiated gradient.


@pytest.mark.parametrize("loss", [rg.Hinge(), rg.Logistic(), rg.Squared()], ids=repr)
@pytest.mark.parametrize("signed", [False, True])
@given(st.data(), st.sampled_from([0.3, 1.0, 5.0]), st.integers(0, 99))
def test_exponentiated_gradient(signed, loss, data, radius, seed):
    rng = np.random.default_rng(seed)
    eta = 0.05
    game = data.draw(games(eg(loss, rg.Constant(eta), radius, signed)))
    d = game.X.shape[1]
    run = rg.play(rg.EG(loss, rg.Constant(eta), radius, signed), *game, trace=True)
    duals = run.ledger.sum_dual_gradients
    slopes = [
        rg.slope(loss, float(s), float(y))
        for s, y in zip(run.scores, game.y, strict=True)
    ]
    by_hand = np.sum((radius * np.array(slopes) * np.abs(game.X).max(axis=1)) ** 2)
    assert math.isclose(duals, by_hand, rel_tol=1e-9, abs_tol=1e-12)
    assert np.sum(np.abs(run.weights)) <= radius * (1 + 1e-12)
    for concentration in (0.05, 1.0):
        p = rng.dirichlet(np.full(2 * d if signed else d, concentration))
        entropy = -np.sum(p[p > 0] * np.log(p[p > 0]))
        u = radius * (p[:d] - p[d:] if signed else p)
        bound = (math.log(p.size) - entropy) / eta + eta / 2 * duals
        below(regret(run, game, loss, u), bound)


def test_the_step_of_the_lecture(rng):
    """eta = sqrt(2 ln n / m)/(lambda X): R <= lambda X sqrt(2 m ln n)."""
    m, n = 500, 30
    X = rng.uniform(-2, 2, size=(m, n))
    y = np.where(rng.random(m) < 0.5, 1.0, -1.0)
    top = np.abs(X).max()
    run = rg.play(rg.EG(step=rg.Constant(math.sqrt(2 * math.log(n) / m) / top)), X, y)
    best = min(np.maximum(0, 1 - y * X[:, j]).sum() for j in range(n))
    below(run.loss - best, top * math.sqrt(2 * m * math.log(n)))
    B, longest = 1.5, np.linalg.norm(X, axis=1).max()
    step = rg.Constant(B / (longest * math.sqrt(m)))
    run = rg.play(rg.OGD(rg.Hinge(), step, radius=B), X, y)
    for _ in range(20):
        u = rng.normal(size=n)
        u *= B / np.linalg.norm(u)
        paid = np.maximum(0, 1 - y * (X @ u)).sum()
        below(run.loss - paid, longest * B * math.sqrt(m))


def test_square_loss_on_a_ball(rng):
    """|y| <= U X: R <= 8 (U X)^2 sqrt(2 T), with the adaptive step."""
    U, T = 2.0, 400
    X = rng.normal(size=(T, 6))
    X /= np.linalg.norm(X, axis=1).max()
    y = np.clip(rng.normal(size=T) * 2, -U, U)
    run = rg.play(rg.OGD(rg.Squared(), rg.Adaptive(SQRT2 * U), radius=U), X, y)
    fit = np.linalg.lstsq(X, y, rcond=None)[0]
    for direction in [*rng.normal(size=(20, 6)), fit]:
        u = direction * min(1.0, U / np.linalg.norm(direction))
        below(run.loss - np.sum((X @ u - y) ** 2), 8 * U * U * math.sqrt(2 * T))


# Potential steps that the proofs go through.


@given(st.data(), st.integers(0, 99))
def test_multiplicative_potentials(data, seed):
    rng = np.random.default_rng(seed)
    game = data.draw(games(CASES[3], rounds=30))
    d = game.X.shape[1]
    u = rng.random(d) + 1e-3
    eta = 0.25
    path = rg.play(rg.Winnow(eta), *game, trace=True).weight_path
    for w, after in itertools.pairwise(path):
        moved = _divergence(u, after) - _divergence(u, w)
        identity = np.sum(after - w) - np.sum(u * np.log(after / w))
        assert math.isclose(moved, identity, rel_tol=1e-9, abs_tol=1e-9)
    p = u / u.sum()
    case: Case = CASES[5]
    game = make_game(case, seed, 30, d, "normal")
    run = rg.play(rg.NormalizedWinnow(eta), *game, trace=True)
    for t in run.mistake_rounds:
        w, after, yx = run.weight_path[t], run.weight_path[t + 1], game.y[t] * game.X[t]
        moved = np.sum(p * np.log(p / after)) - np.sum(p * np.log(p / w))
        identity = math.log(np.sum(w * np.exp(eta * yx))) - eta * (p @ yx)
        assert math.isclose(moved, identity, rel_tol=1e-9, abs_tol=1e-9)
        below(identity, math.log(math.cosh(eta)) - eta * (p @ yx))


def _divergence(u, w):
    return np.sum(u * np.log(u / w) - u + w)


def test_conservative_weighted_majority_is_normalized_winnow(rng):
    """On +-1 experts, beta = exp(-2 eta), updating only when the master errs."""
    eta = 0.3
    X = np.where(rng.random((300, 9)) < 0.5, 1.0, -1.0)
    y = np.where(rng.random(300) < 0.8, X[:, 2], -X[:, 2])
    run = rg.play(rg.NormalizedWinnow(eta), X, y, trace=True)
    w = np.full(9, 1 / 9)
    for t in range(300):
        np.testing.assert_allclose(run.weight_path[t], w / w.sum(), rtol=1e-9)
        if y[t] * (w @ X[t]) <= 0:
            w = np.where(X[t] == y[t], w, w * math.exp(-2 * eta))


@pytest.mark.parametrize("seed", range(5))
def test_winnow_beats_the_perceptron_where_it_should(seed):
    """The point of section 3: ln d against d, on disjunctions with many features."""
    rng = np.random.default_rng(seed)
    d = 4000
    X = (rng.random((1500, d)) < 0.02).astype(float)
    y = np.where(X[:, :3].any(axis=1), 1, -1)
    winnow, perceptron = rg.play(rg.Winnow(), X, y), rg.play(rg.Perceptron(), X, y)
    phi = np.hstack([2 * X, -np.ones((1500, 1))])
    lifted = rg.play(rg.Perceptron(), phi, y)
    assert winnow.mistakes < perceptron.mistakes
    assert lifted.mistakes <= (3 + 1) * (4 * d + 1)
