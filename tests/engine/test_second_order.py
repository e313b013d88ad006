"""Learners with a matrix: their theorems by hand, drift, growth, limits, weights."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

import naive
import naive_second_order as second
import regretless as rg
from regretless.data import open_source
from regretless.evidence.hindsight import ridge
from regretless.parts.rows import Dense

SLACK = 1e-9
STYLES = ("normal", "needle", "repeat", "wide", "along")


def below(measured, bound):
    assert measured <= bound + SLACK * max(1.0, abs(bound), abs(measured))


def adversary(learner, style, seed, label, rounds=60):
    """Rows of a style; `label` answers to what is said, which it sees first."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 6))
    player = learner.player(d)
    X, y, said = [], [], []
    same = rng.normal(size=d)
    for t in range(rounds):
        x = rng.normal(size=d)
        if style == "needle":
            x = np.eye(d)[t % d] * (1 + t)
        elif style == "repeat":
            x = same
        elif style == "wide":
            x = x * 10.0 ** rng.uniform(-2, 2, d)
        elif style == "along" and player.all_weights().any():
            x = player.all_weights()
            x = x / np.linalg.norm(x)
        rows = Dense(np.ascontiguousarray(x), d)
        score = float(player.scores(rows, 1)[0])
        answer = label(score, rng)
        player.play(rows, np.array([answer]))
        X.append(x)
        y.append(answer)
        said.append(score)
    return np.array(X), np.array(y), np.array(said), player


def leverages(X, a):
    """x'A_t^-1 x of every row, A_t with it, and ln det(A/a)."""
    A, found = a * np.eye(X.shape[1]), []
    for x in X:
        A = A + np.outer(x, x)
        found.append(float(x @ np.linalg.solve(A, x)))
    return np.array(found), A, np.linalg.slogdet(A / a)[1]


def comparators(X, y, rng):
    d = X.shape[1]
    best = np.linalg.lstsq(X, y, rcond=None)[0]
    some = [rng.normal(size=d) * 10.0 ** rng.uniform(-2, 2) for _ in range(4)]
    return [np.zeros(d), best, 0.5 * best, *some]


def against(score, rng):
    """The number within [-1, 1] that is farthest off; now and then another."""
    return rng.uniform(-1, 1) if rng.random() < 0.2 else (-1.0 if score > 0 else 1.0)


def wrong(score, rng):
    """The label that makes a mistake, mostly."""
    side = -1.0 if score > 0 else 1.0
    return -side if rng.random() < 0.2 and score != 0 else side


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", range(4))
def test_vaw_against_an_adversary(style, seed):
    a = 10.0 ** (seed - 2)
    X, y, said, player = adversary(rg.VAW(a), style, seed, against)
    r, A, growth = leverages(X, a)
    loss = np.sum((said - y) ** 2)
    w = player.all_weights()
    q = r / (1 - r)
    for u in comparators(X, y, np.random.default_rng(seed)):
        regret = loss - np.sum((X @ u - y) ** 2)
        below(regret, a * u @ u + np.sum(y**2 * r))
        below(regret, a * u @ u + np.max(np.abs(y)) ** 2 * growth)
        exact = a * u @ u - (u - w) @ A @ (u - w) + np.sum(y**2 * r - q * said**2)
        size = max(1.0, loss, a * u @ u, np.sum((X @ u) ** 2))
        assert regret == pytest.approx(exact, abs=1e-6 * size)
    found = player.extra_sums()
    assert found["growth"] == pytest.approx(growth, rel=1e-6)
    assert found["leverage"] == pytest.approx(r.sum(), rel=1e-6)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", range(4))
def test_the_second_order_perceptron_and_arow_against_an_adversary(style, seed):
    a = 10.0 ** (seed - 1)
    rng = np.random.default_rng(seed)
    for learner, margin in ((rg.SecondOrderPerceptron(a), 0.0), (rg.AROW(a), 1.0)):
        X, y, said, player = adversary(learner, style, seed, wrong)
        moved = y * said <= margin
        mistakes = int(np.sum(y * said <= 0))
        r, _, growth = leverages(X[moved], a)
        others = int(moved.sum()) - mistakes
        assert player.ledger().updates == moved.sum()
        for u in comparators(X, y, rng):
            hinges = np.maximum(0.0, 1.0 - y * (X @ u))[moved].sum()
            spread = a * u @ u + np.sum((X[moved] @ u) ** 2)
            below(mistakes, math.sqrt(spread * (r.sum() + others)) + hinges - others)
            below(mistakes, math.sqrt(spread * (growth + others)) + hinges - others)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("loss", "label"),
    [
        (rg.Logistic(), wrong),
        pytest.param(rg.Squared(), against, marks=pytest.mark.slow),  # to compile
    ],
)
def test_the_newton_step_against_an_adversary(style, seed, loss, label):
    rng = np.random.default_rng(seed)
    eps = 10.0 ** (seed - 1)
    learner = rg.ONS(loss, 1.0, eps)
    gamma = 1.0 / learner.composition(2).step.eta
    X, y, said, _ = adversary(learner, style, seed, label)
    pairs = list(zip(said.tolist(), y.tolist(), strict=True))
    g = np.array([rg.slope(loss, *pair) for pair in pairs])[:, None] * X
    r, _, growth = leverages(g, eps)
    paid = sum(rg.value(loss, *pair) for pair in pairs)
    assert np.abs(said).max() <= 1.0
    for wide in comparators(X, y, rng):
        u = wide / max(1.0, np.abs(X @ wide).max())
        theirs = sum(
            rg.value(loss, float(s), float(b)) for s, b in zip(X @ u, y, strict=True)
        )
        start = gamma * eps / 2 * u @ u
        below(paid - theirs, start + r.sum() / (2 * gamma))
        below(paid - theirs, start + growth / (2 * gamma))


@pytest.mark.parametrize("reach", [0.1, 0.7, 1.0, 3.0, 8.0])
def test_the_curvature_that_the_newton_step_relies_on(reach):
    """l(z') >= l(z) + l'(z)(z' - z) + (gamma/2)(l'(z)(z' - z))^2, everywhere."""
    from regretless.algorithms.learners.ons import curvature_of

    grid = np.linspace(-reach, reach, 41).tolist()
    for loss, labels in ((rg.Squared(), grid), (rg.Logistic(), [-1.0, 1.0])):
        gamma = curvature_of(loss, reach)
        for y in labels:
            for z in grid:
                lean = rg.slope(loss, z, y)
                for other in grid:
                    along = lean * (other - z)
                    least = rg.value(loss, z, y) + along + gamma / 2 * along**2
                    assert rg.value(loss, other, y) >= least - 1e-12 * max(1.0, least)
    assert curvature_of(rg.Hinge(), reach) is None


def test_stated_bounds_are_the_formulas(rng):
    X = rng.normal(size=(90, 3))
    u = np.array([0.5, -0.4, 0.2])
    y = X @ u + 0.3 * rng.normal(size=90)
    run = rg.play(rg.VAW(0.7), X, y)
    r, _, growth = leverages(X, 0.7)
    top, found = np.max(np.abs(y)) ** 2, run.theorems(u=u)
    near = 0.7 * u @ u
    assert found["vaw/leverage"].value == pytest.approx(near + top * r.sum())
    assert found["vaw/log-det"].value == pytest.approx(near + top * growth)
    wide = 3 * math.log(1 + np.sum(X * X) / (0.7 * 3))
    assert found["vaw/dimension"].value == pytest.approx(near + top * wide)
    labels = np.sign(y)
    run = rg.play(rg.AROW(0.7), X, labels, trace=True)
    moved = labels * run.scores <= 1.0
    r, _, growth = leverages(X[moved], 0.7)
    others = int(moved.sum()) - run.mistakes
    hinges = np.maximum(0.0, 1.0 - labels * (X @ u))[moved].sum()
    spread = near + np.sum((X[moved] @ u) ** 2)
    value = math.sqrt(spread * (growth + others)) + hinges - others
    assert others > 0
    assert run.theorems(u=u)["arow/log-det"].value == pytest.approx(value)
    newton = rg.ONS(rg.Logistic(), 4.0, 2.0)
    run = rg.play(newton, X, labels, trace=True)
    leans = [
        rg.slope(rg.Logistic(), float(s), float(b))
        for s, b in zip(run.scores, labels, strict=True)
    ]
    _, _, growth = leverages(np.array(leans)[:, None] * X, 2.0)
    gamma = math.exp(-4.0) / 2
    value = gamma * u @ u + growth / (2 * gamma)
    assert run.theorems(u=u)["ons/log-det"].value == pytest.approx(value)
    refused = rg.play(dataclasses.replace(newton, gamma=0.1), X, labels, trace=True)
    assert "the loss bends" in refused.theorems(u=u)["ons/log-det"].reason
    assert "|u.x_t| <= reach" in run.theorems(u=100 * u)["ons/log-det"].reason


def test_the_inverse_does_not_drift(rng):
    d = 24
    X = (
        rng.normal(size=(4000, d))
        @ rng.normal(size=(d, d))
        * 10.0 ** rng.uniform(-2, 2, d)
    )
    player = rg.VAW(0.01).player(d)
    player.play(Dense(X.reshape(-1), d), X[:, 0].copy())
    triangle = np.zeros((d, d))
    triangle[np.tril_indices(d)] = player.state.dual
    U = np.tril(triangle, -1).T + np.eye(d)
    P = U * np.diag(triangle) @ U.T
    A = 0.01 * np.eye(d) + X.T @ X
    scale = np.sqrt(np.diag(A))  # where rows of A have one size
    near = (P * scale[:, None] * scale) @ (A / scale[:, None] / scale)
    np.testing.assert_allclose(near, np.eye(d), atol=1e-6)
    np.testing.assert_allclose(player.weights()[0], 1.0, rtol=1e-6)


UNITS = {
    "bytes": lambda rng, n: np.stack([1e12 * rng.random(n), rng.random(n)], 1),
    "times": lambda rng, n: np.stack(
        [rng.uniform(18, 80, n), 1.6e9 + rng.uniform(0, 3e7, n), np.ones(n)], 1
    ),
}


@pytest.mark.parametrize("columns", UNITS)
def test_columns_of_any_size_are_told_apart(rng, columns):
    X, y = UNITS[columns](rng, 40), rng.normal(30.0, 10.0, 40)
    run = rg.play(rg.VAW(1e-3), X, y, trace=True)
    A = [
        [Fraction(1, 1000) * (i == j) for j in range(X.shape[1])]
        for i in range(X.shape[1])
    ]
    b = [Fraction(0)] * X.shape[1]
    for row, label, said in zip(X.tolist(), y.tolist(), run.scores, strict=True):
        x = [Fraction(entry) for entry in row]
        A = [
            [a + p * q for a, q in zip(line, x, strict=True)]
            for line, p in zip(A, x, strict=True)
        ]
        exact = sum(w * e for w, e in zip(second.solve(A, b), x, strict=True))
        assert said == pytest.approx(float(exact), abs=1e-5)
        b = [total + e * Fraction(label) for total, e in zip(b, x, strict=True)]
    assert run.theorems().applying
    signs = np.where(y > 30.0, 1, -1)
    assert rg.play(rg.SecondOrderPerceptron(), X, signs).theorems().applying


def test_rows_with_few_nonzeros_read_their_columns(rng):
    X = np.zeros((80, 40))
    for row in X:
        n = int(rng.choice([3, 30]))  # read by columns, and whole
        row[rng.permutation(40)[:n]] = rng.normal(size=n)
    y = X @ rng.normal(size=40)
    played = naive.play(second.VAW(40, 0.5), X, y)
    run = rg.play(rg.VAW(0.5), sparse.csr_array(X), y, trace=True)
    np.testing.assert_allclose(run.scores, played.scores, atol=1e-9)
    np.testing.assert_allclose(run.weights, played.path[-1], atol=1e-9)


def test_features_that_appear_later(rng):
    X = np.triu(rng.normal(size=(60, 60)))[:, ::-1] * (rng.random((60, 60)) < 0.5)
    y = X.sum(axis=1)
    learner = rg.VAW(0.5)
    names = [f"x{j}" for j in range(60)]
    events, said = [], []
    for row, label in zip(X.tolist(), y.tolist(), strict=True):
        x = {n: v for n, v in zip(names, row, strict=True) if v}
        events.append((x, label))
        said.append(learner.score_one(x))  # new names are foreseen, then forgotten
        assert learner.score_one({}) == learner.score_one({"never": 0.0})
        with pytest.raises(rg.BadRow, match="never"):
            learner.score_one({"never": [[1.0]]})
        learner.learn_one(x, label)
    played = naive.play(second.VAW(60, 0.5), X, y)
    np.testing.assert_allclose(said, played.scores, atol=1e-9)
    assert rg.play(learner, iter(events), trace=True).scores.tolist() == said
    assert list(learner.weights) == list(dict.fromkeys(n for x, _ in events for n in x))


def test_at_most_two_thousand_features():
    wide = rg.VAW().player(2000)
    assert isinstance(wide.parts.geometry, rg.FullMatrix)
    with pytest.raises(ValueError, match=r'2,001 appeared.*matrix="diagonal"'):
        wide.grow(2001)
    assert isinstance(rg.AROW().player(2001).parts.geometry, rg.DiagonalMatrix)
    with pytest.raises(ValueError, match="at most 2,000"):
        rg.AROW(matrix="full").player(2001)
    X, y = np.eye(4, 2001), [1.0, 2.0, 3.0, 4.0]
    run = rg.play(rg.VAW(matrix="diagonal"), X, y, trace=True)
    assert [v.reason for v in run.theorems()] == [
        'it needs "the matrix is kept whole", but not proven: it keeps the diagonal'
    ] * 3


def test_the_diagonal_form(rng):
    X = rng.normal(size=(50, 4))
    y = X @ [1.0, 2.0, 0.0, -1.0]
    played = naive.play(second.DiagonalRidge(4, 0.5), X, y)
    run = rg.play(rg.VAW(0.5, matrix="diagonal"), X, y, trace=True)
    np.testing.assert_allclose(run.scores, played.scores, atol=1e-9)
    np.testing.assert_allclose(run.weights, played.path[-1], atol=1e-9)


def test_a_row_of_importance_k_is_k_rows(rng):
    X, y = rng.normal(size=(30, 3)), rng.normal(size=30)
    counts = rng.integers(0, 4, 30).astype(float)
    player = rg.VAW(0.5).player(3)
    player.play(Dense(X.reshape(-1), 3), y, weights=counts)
    A = 0.5 * np.eye(3) + X.T @ (counts[:, None] * X)
    exact = np.linalg.solve(A, X.T @ (counts * y))
    np.testing.assert_allclose(player.weights(), exact, atol=1e-12)


def test_ridge_in_hindsight(rng):
    X, y = rng.normal(size=(80, 4)), rng.normal(size=80)
    run = rg.play(rg.VAW(0.3), X, y, trace=True)
    best = run.hindsight()
    exact = np.linalg.solve(X.T @ X + 0.3 * np.eye(4), X.T @ y)
    np.testing.assert_allclose(best.u, exact, atol=1e-12)
    assert best.gap <= 1e-12 * best.objective
    np.testing.assert_allclose(run.weights, best.u, atol=1e-9)  # VAW has come to it
    paid = np.sum((X @ exact - y) ** 2)
    assert float(run.regret()) == pytest.approx(run.loss - paid)
    ones = np.column_stack([np.ones(80), X])
    exact = np.linalg.solve(ones.T @ ones + 0.3 * np.eye(5), ones.T @ y)
    least = np.sum((ones @ exact - y) ** 2) + 0.3 * exact @ exact
    for form in (np.array, sparse.csr_array):
        best = ridge(open_source(form(X), y, binary=False), 0.3, bias=True)
        np.testing.assert_allclose(np.r_[best.bias, best.u], exact, atol=1e-12)
        assert best.objective == pytest.approx(least)
    twice = open_source(X[:, [0, 0]] * 1e9, y, binary=False)  # singular but for 1e-9
    assert ridge(twice, 1e-9).loss <= np.sum(y * y)


def test_the_mean_is_of_all_hypotheses(rng):
    X, y = rng.normal(size=(40, 3)), rng.normal(size=40)
    run = rg.play(rg.VAW(), X, y, trace=True)
    mean = run.model("mean").weights
    np.testing.assert_allclose(mean, run.weight_path[:-1].mean(axis=0), atol=1e-12)
    assert np.abs(mean - run.weights).max() > 1e-3


def test_a_large_a_is_the_perceptron(rng):
    X = rng.normal(size=(300, 5))
    y = np.where(X @ rng.normal(size=5) + rng.normal(size=300) > 0, 1, -1)
    far = rg.play(rg.SecondOrderPerceptron(1e9), X, y, trace=True)
    plain = rg.play(rg.Perceptron(), X, y, trace=True)
    assert far.mistake_rounds.tolist() == plain.mistake_rounds.tolist()


def test_nothing_to_learn_from_zeros_and_repetitions():
    run = rg.play(rg.VAW(1e-12), np.full((500, 2), 1e8), np.ones(500))
    # Round t predicts (t-1)/t: the forecaster counts the row that it looks at.
    assert run.loss == pytest.approx(sum(1.0 / t**2 for t in range(1, 501)), rel=1e-9)
    run = rg.play(rg.AROW(), np.zeros((5, 2)), [1, -1, 1, -1, 1])
    assert (run.mistakes, run.weights.tolist()) == (5, [0.0, 0.0])


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: rg.VAW(0.0), "strength=0.0 must be positive"),
        (lambda: rg.VAW(matrix="half"), "matrix='half' must be"),
        (lambda: rg.VAW(scale="min"), "scale='min' must be"),
        (lambda: rg.ONS(rg.Hinge()), r"take Squared\(\) or Logistic\(\)"),
        (lambda: rg.ONS(reach=0.0), "reach=0.0 must be positive"),
        (lambda: rg.ONS(gamma=-1.0), "gamma=-1.0 must be positive"),
        (lambda: rg.AROW(math.inf), "r=inf must be positive"),
        (lambda: rg.SecondOrderPerceptron(0.0), "a=0.0 must be positive"),
        (lambda: rg.ONS(eps=0.0), "eps=0.0 must be positive"),
        (lambda: rg.Huber(0.0).check(), "width must be positive"),
    ],
)
def test_what_is_refused(make, said):
    with pytest.raises(ValueError, match=said):
        make()
