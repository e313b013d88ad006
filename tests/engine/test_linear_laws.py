"""Laws of every linear learner: how data are cut up or laid out never matters.

Dense equals sparse; one by one equals chunked equals whole, to the last bit; a bias is
a column of ones; playing changes nothing and can be repeated.
"""

from __future__ import annotations

import copy
import dataclasses

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import sparse

import naive
import regretless as rg
from games import Game, games, make_game
from learners import CASES, FORESEEN_CASES, SCALED_CASES, label
from regretless.engine.players.linear import LinearPlayer
from regretless.parts.generic import canonical
from regretless.parts.rows import Dense, Sparse

every_case = pytest.mark.parametrize("case", CASES, ids=label)
NOT_LINEAR = [*SCALED_CASES, FORESEEN_CASES[0]]
every_learner = pytest.mark.parametrize("case", CASES + NOT_LINEAR, ids=label)


def close(one, other, scale=1.0):
    """Equal to 1e-12, relative to the largest number around."""
    one, other = np.asarray(one, float), np.asarray(other, float)
    size = max(scale, float(np.max(np.abs(other), initial=0.0)))
    np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12 * size)


def identical(run, other):
    """The same bits."""
    assert run.ledger == other.ledger
    assert np.array_equal(run.ledger.curve, other.ledger.curve)
    assert np.array_equal(run.weights, other.weights)
    assert run.bias == other.bias


def clear(case, game):
    """The game up to the first round that a rounding error could decide."""
    n = naive.play(case.twin(game.X.shape[1]), *game).clear_rounds()
    return Game(game.X[:n], game.y[:n]) if n else None


def full_rows(game):
    """Sparse rows that store every zero, so that names come in order."""
    n, d = game.X.shape
    starts, columns = np.arange(n + 1) * d, np.tile(np.arange(d), n)
    return sparse.csr_array((game.X.ravel(), columns, starts), shape=(n, d))


@every_learner
@given(st.data())
def test_dense_equals_sparse(case, data):
    game = clear(case, data.draw(games(case)))
    assume(game is not None)
    dense = rg.play(case.learner, game.X, game.y, trace=True)
    thin = rg.play(case.learner, sparse.csr_array(game.X), game.y, trace=True)
    close(thin.scores, dense.scores)
    close(thin.losses, dense.losses)
    close(thin.weights, dense.weights)
    assert np.array_equal(thin.mistake_rounds, dense.mistake_rounds)
    for name, number in dense.ledger.as_dict().items():
        if number is not None:
            close(getattr(thin.ledger, name), number)
    close(thin.ledger.curve, dense.ledger.curve)


@every_learner
@given(st.data())
def test_one_by_one_equals_chunked_equals_whole(case, data):
    game = data.draw(games(case))
    whole = rg.play(case.learner, full_rows(game), game.y)
    names = [f"x{j}" for j in range(game.X.shape[1])]
    events = [
        (dict(zip(names, x, strict=True)), y if not case.binary else int(y))
        for x, y in zip(game.X.tolist(), game.y.tolist(), strict=True)
    ]
    learner = dataclasses.replace(case.learner, n_features=len(names))
    streamed = rg.play(learner, iter(events))
    identical(streamed, whole)
    identical(rg.play(learner, zip(game.X, game.y, strict=True)), whole)
    for x, y in events:
        learner.learn_one(x, y)
    assert learner.ledger == whole.ledger
    assert np.array_equal(learner.ledger.curve, whole.ledger.curve)
    assert list(learner.weights.values()) == whole.weights.tolist()
    if case in NOT_LINEAR:
        return
    x = dict(zip(names, game.X[-1].tolist(), strict=True))
    score = learner.score_one(x)
    close(score, game.X[-1] @ whole.weights - learner.composition(2).threshold)


@every_learner
@given(st.data())
def test_any_cut_into_batches(case, data):
    game = data.draw(games(case))
    n, d = game.X.shape
    cuts = sorted(data.draw(st.lists(st.integers(0, n), max_size=6)))
    for form in ("dense", "sparse"):
        whole, pieces = (case.learner.player(d) for _ in range(2))
        full = batch(game, form, 0, n)
        whole.play(*full)
        for lo, hi in zip([0, *cuts], [*cuts, n], strict=True):
            pieces.play(*batch(game, form, lo, hi), first=lo)
        for name in ("primal", "dual", "numbers", "seen"):
            one, other = (getattr(player.state, name) for player in (whole, pieces))
            assert np.array_equal(one, other), name
        assert whole.ledger() == pieces.ledger()


def batch(game, form, lo, hi):
    X, y = game.X[lo:hi], np.ascontiguousarray(game.y[lo:hi])
    if form == "dense":
        return Dense(np.ascontiguousarray(X).reshape(-1), X.shape[1]), y
    thin = sparse.csr_array(X)
    return (
        Sparse(
            thin.indptr.astype(np.int64),
            thin.indices.astype(np.int32),
            thin.data.astype(np.float64),
        ),
        y,
    )


BIASED = [0, 1, 3, 6, 7, 9, 15, 17, 18, 20, 22]


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=pytest.mark.slow if number % 2 else ())
        for number, case in enumerate([*(CASES[i] for i in BIASED), *SCALED_CASES])
    ],
    ids=label,
)
@given(st.data())
def test_a_bias_is_a_column_of_ones(case, data):
    game = data.draw(games(case))
    with_ones = Game(np.column_stack([game.X, np.ones(len(game.y))]), game.y)
    with_ones = clear(case, with_ones)
    assume(with_ones is not None)
    X, y = with_ones.X[:, :-1], with_ones.y
    learner = dataclasses.replace(case.learner, bias=True)
    explicit = rg.play(case.learner, with_ones.X, y, trace=True)
    for form in (np.array, sparse.csr_array):
        run = rg.play(learner, form(X), y, trace=True)
        close(run.scores, explicit.scores)
        close([*run.weights, run.bias], explicit.weights)
        close(run.ledger.max_norm, explicit.ledger.max_norm)
        assert run.mistakes == explicit.mistakes
        assert run.weights.size == X.shape[1]
        assert run.weight_path.shape == (len(y) + 1, X.shape[1])


@every_learner
def test_playing_changes_nothing_and_can_be_repeated(case):
    game = make_game(case, 5, 50, 6, "normal")
    before = copy.deepcopy(case.learner), game.X.copy(), game.y.copy()
    first = rg.play(case.learner, game.X, game.y, trace=True)
    second = rg.play(case.learner, game.X, game.y)
    identical(first, second)
    assert case.learner == before[0]
    assert case.learner._live is None
    assert np.array_equal(game.X, before[1])
    assert np.array_equal(game.y, before[2])


@every_case
def test_what_a_trace_holds(case):
    game = make_game(case, 7, 40, 5, "sparse")
    run = rg.play(case.learner, game.X, game.y, trace=True)
    assert run.scores.shape == run.losses.shape == (40,)
    assert run.weight_path.shape == (41, 5)
    assert np.array_equal(run.weight_path[-1], run.weights)
    threshold = case.learner.composition(5).threshold
    close(np.sum(run.weight_path[:-1] * game.X, axis=1) - threshold, run.scores)
    loss = canonical(case.learner.composition(5).loss)
    pairs = zip(run.scores, game.y, strict=True)
    values = np.array([rg.value(loss, float(s), float(y)) for s, y in pairs])
    penalty = getattr(case.learner, "strength", 0.0) / 2
    norms = np.sum(run.weight_path[:-1] ** 2, axis=1)
    close(run.losses, values + penalty * norms)
    close(run.losses.sum(), run.loss)
    assert np.array_equal(run.mistake_rounds, np.flatnonzero(game.y * run.scores <= 0))
    moved = np.any(np.diff(run.weight_path, axis=0) != 0, axis=1)
    assert moved.sum() <= run.ledger.updates


def test_a_trace_must_be_asked_for(table):
    run = rg.play(rg.Perceptron(), *table)
    for name in ("scores", "losses", "mistake_rounds", "weight_path"):
        with pytest.raises(ValueError, match=rf"run\.{name} needs play"):
            getattr(run, name)


@pytest.mark.parametrize("n", [1, 255, 256, 257, 511, 512, 3000])
def test_the_curve_of_a_ledger(n):
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, 3))
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    run = rg.play(rg.Perceptron(), X, y, trace=True)
    curve = run.ledger.curve
    stride = 1
    while n // stride >= 256:
        stride *= 2
    rounds = np.arange(stride, n + 1, stride)
    assert len(curve) < 256
    assert np.array_equal(curve[:, 0], rounds)
    wrong = np.zeros(n)
    wrong[run.mistake_rounds] = 1
    assert np.array_equal(curve[:, 1], np.cumsum(wrong)[rounds - 1])
    close(curve[:, 2], np.cumsum(run.losses)[rounds - 1])


def test_a_traced_stream_of_many_chunks():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5000, 3))
    y = np.where(X @ [1.0, -1.0, 0.5] > 0, 1, 0)
    whole = rg.play(rg.Perceptron(), full_rows(Game(X, y)), y, trace=True)
    events = rg.play(rg.Perceptron(), zip(X, y, strict=True), trace=True)
    for name in ("scores", "losses", "mistake_rounds", "weight_path"):
        assert np.array_equal(getattr(events, name), getattr(whole, name))


@given(st.integers(0, 1000), st.integers(-30, 30))
def test_the_step_of_a_perceptron_does_not_matter(seed, exponent):
    game = make_game(CASES[0], seed, 60, 8, "normal")
    eta = 2.0**exponent  # a power of two: not even rounding differs
    composition = rg.Perceptron().composition(8)._replace(step=rg.Constant(eta))
    player = LinearPlayer(lambda _: composition, 8)
    player.play(Dense(game.X.reshape(-1), 8), game.y)
    run = rg.play(rg.Perceptron(), *game)
    assert np.array_equal(player.weights(), eta * run.weights)
    assert player.ledger().mistakes == run.mistakes


def test_whole_parameters_are_one_specialisation():
    """Constant(1) and Constant(1.0) must not compile twice."""
    X, y = [[1.0, 2.0]], [1]
    one = rg.play(rg.OGD(step=rg.Constant(1)), X, y)
    other = rg.play(rg.OGD(step=rg.Constant(np.float32(1.0))), X, y)
    identical(one, other)
    whole = rg.OGD(rg.Hinge(1, 1), rg.Constant(np.int64(1)), domain=rg.Box(-1, 1))
    parts = canonical(whole.composition(2))
    assert all(type(field) is float for part in parts[:3] for field in part)


def test_ties_stay_ties():
    """Weights that cancel are exactly zero, and a tie is a mistake."""
    x = np.array([0.1, -0.1, 0.49, 0.08, -0.41, 0.27, 1.0])
    for learner in (
        rg.Perceptron(),
        rg.BalancedWinnow(0.3),
        rg.PNormPerceptron(),
        rg.PNormPerceptron(p=3.5),
    ):
        run = rg.play(learner, [x, x, x, x, x], [1, -1, 1, -1, 1], trace=True)
        assert run.scores[2] == run.scores[4] == 0.0
        assert run.mistakes == 5


def test_results_print():
    run = rg.play(rg.Perceptron(), [[1.0, 2.0]], [1])
    assert str(run).splitlines()[0] == "Perceptron()"
    assert "mistakes" in str(run)
    assert "mistakes" in repr(run.ledger)
    assert "<table" in run._repr_html_()
    assert "mistakes" not in str(rg.play(rg.OGD(rg.Squared()), [[1.0]], [0.5]))
