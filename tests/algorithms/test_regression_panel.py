"""The default learner of real numbers: fast equals naive, units, cuts, receipts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import sparse

import naive_second_order as second
import regretless as rg
from regretless.engine.players.regression import RegressionPlayer
from regretless.parts.rows import Dense
from regretless.runs.checkpoints import read_checkpoint, write_checkpoint


def problem(seed=0, n=120, d=6, thin=0.6):
    """Numbers that depend on the rows, on time, and on nothing."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < thin)
    u = rng.normal(size=d)
    y = X @ u + np.linspace(0, 2, n) * X[:, 0] + 0.3 * rng.normal(size=n) + 4
    return X, y


@pytest.fixture(scope="module")
def play():
    """Scores of a panel, row by row."""

    def scores(X, y, form=sparse.csr_array):
        return rg.play(rg.RegressionPanel(forest=False), form(X), y, trace=True)

    return scores


def test_fast_equals_naive(play):
    for seed in range(3):
        X, y = problem(seed)
        y[:seed] = 0.0  # nothing is known of the unit yet
        slow = second.RegressionPanel(X.shape[1])
        expected = slow.play(X, y)
        run = play(X, y)
        np.testing.assert_allclose(run.scores, expected, rtol=1e-8, atol=1e-8)
        assert run.loss == pytest.approx(np.sum((expected - y) ** 2))
        found = run.theorems()["regression-panel/stack"]
        assert found.value == pytest.approx(slow.best + slow.learned)
        assert found.happened <= found.value
        shares = 1 / 6 + slow.stack.weights()
        np.testing.assert_allclose(run.hindsight().u, shares, rtol=1e-6, atol=1e-6)
        assert float(run.regret()) == pytest.approx(run.loss - slow.best)


def test_features_beyond_the_ridge_are_for_the_trackers(play):
    X, y = problem(1, n=60, d=140, thin=0.3)
    slow = second.RegressionPanel(140)
    np.testing.assert_allclose(play(X, y).scores, slow.play(X, y), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(("of_x", "of_y"), [(2.0**-10, 2.0**20), (1e-3, 1e6)])
def test_units_do_not_matter(play, of_x, of_y):
    X, y = problem(2)
    scales = np.where(np.arange(X.shape[1]) % 2, of_x, 1.0)
    plain, other = play(X, y), play(X * scales, y * of_y)
    np.testing.assert_allclose(other.scores / of_y, plain.scores, rtol=1e-6, atol=1e-8)
    assert other.ledger.r2 == pytest.approx(plain.ledger.r2, rel=1e-6)
    if math.log2(of_x).is_integer():
        assert np.array_equal(other.scores / of_y, plain.scores)


def test_no_cut_matters(play):
    X, y = problem(3)
    whole = RegressionPlayer(6)
    whole.play(Dense(X.reshape(-1), 6), y)
    pieces = RegressionPlayer(6)
    for lo, hi in ((0, 1), (1, 50), (50, 50), (50, 120)):
        pieces.play(Dense(X[lo:hi].reshape(-1), 6), y[lo:hi])
    assert whole.ledger() == pieces.ledger()
    assert np.array_equal(whole.all_weights(), pieces.all_weights())
    learner = rg.RegressionPanel(forest=False)
    names = [f"x{j}" for j in range(6)]
    events = [
        ({n: v for n, v in zip(names, row, strict=True) if v}, label)
        for row, label in zip(X.tolist(), y.tolist(), strict=True)
    ]
    said = []
    for x, label in events:
        said.append(learner.score_one(x))
        assert learner.predict_one(x) == said[-1]
        learner.learn_one(x, label)
    streamed = rg.play(rg.RegressionPanel(forest=False), iter(events), trace=True)
    np.testing.assert_allclose(said, streamed.scores, rtol=1e-12)
    assert learner.ledger == streamed.ledger
    thin = play(X, y)
    np.testing.assert_allclose(thin.scores, streamed.scores, rtol=1e-9)


def test_weights_of_events_are_weights():
    X, y = problem(6, n=40)
    events = [
        ({"a": row[0], "b": row[1]}, label, weight)
        for row, label, weight in zip(
            X, y.tolist(), [0.5, 1.0, 2.0, 0.0] * 10, strict=True
        )
    ]
    learner = rg.RegressionPanel()
    for event in events:
        learner.learn_one(*event)
    assert learner.ledger == rg.play(rg.RegressionPanel(), events).ledger


def test_the_model_is_the_linear_function_it_has_come_to(play):
    X, y = problem(4, n=400)
    run = play(X, y)
    model = run.model("last")
    np.testing.assert_allclose(model.scores(X), X @ run.weights + run.bias, rtol=1e-12)
    said = run.player.scores(Dense(X[-5:].reshape(-1), 6), 5)
    np.testing.assert_allclose(model.scores(X[-5:]), said, atol=0.5)
    with pytest.raises(ValueError, match="an average of panels"):
        run.model("mean")
    with pytest.raises(ValueError, match="leave u out"):
        run.theorems(u=[0.0] * 6)


def test_killed_and_resumed_equals_uninterrupted(tmp_path):
    X, y = problem(5)
    learner = rg.RegressionPanel()
    whole, half = learner.player(6), learner.player(6)
    whole.play(Dense(X.reshape(-1), 6), y)
    half.play(Dense(X[:70].reshape(-1), 6), y[:70])
    path = tmp_path / "half.ckpt"
    write_checkpoint(path, learner=learner, player=half)
    resumed, _ = read_checkpoint(path).restore()
    resumed.play(Dense(X[70:].reshape(-1), 6), y[70:])
    assert resumed.ledger() == whole.ledger()
    assert np.array_equal(resumed.all_weights(), whole.all_weights())
    state = half.state_dict()
    for damaged in (state["members"][0], state["stack"]):
        before, damaged["n_features"] = damaged["n_features"], 5
        with pytest.raises(ValueError, match=r"\w"):
            learner.player(6).load_state(state)
        damaged["n_features"] = before
    with pytest.raises(ValueError, match=r"\w"):
        learner.player(6).load_state({**state, "sums": np.zeros(3)})


def test_a_bad_row_stops_it_and_changes_nothing():
    X, y = problem(6)
    X[50, 3] = np.nan
    with pytest.raises(rg.BadRow, match="nan is not a finite number") as failure:
        rg.play(rg.RegressionPanel(), zip(X, y, strict=True))
    before = rg.play(rg.RegressionPanel(), zip(X[:50], y[:50], strict=True))
    assert failure.value.run.ledger == before.ledger
    assert np.array_equal(failure.value.run.weights, before.weights)
    learner = rg.RegressionPanel()
    learner.learn_one({"a": 1.0}, 2.0)
    ledger = learner.ledger
    with pytest.raises(rg.BadRow, match="'b': inf is not a finite number"):
        learner.learn_one({"a": 1.0, "b": math.inf}, 2.0)
    assert learner.ledger == ledger
    assert list(learner.weights) == ["a"]


@pytest.mark.parametrize(
    ("last", "says"),
    [
        (([1.0], 3e70), r"label 3e\+70 is more"),
        (([1.0], 3.0, 1e70), r"label 3, with a weight of 1e\+70, is more"),
    ],
)
def test_a_label_that_is_too_large_is_named_with_its_weight(last, says):
    with pytest.raises(rg.BadRow, match=says):
        rg.play(rg.RegressionPanel(), [([1.0], 2.0), last])


def test_wild_data_never_make_it_diverge(play):
    rng = np.random.default_rng(7)
    n, d = 400, 5
    X = rng.normal(size=(n, d)) * 10.0 ** rng.uniform(-60, 60, (n, d))
    y = rng.standard_cauchy(n) * 10.0 ** rng.uniform(-9, 9, n)
    run = play(X, y)
    assert np.isfinite(run.scores).all()
    assert run.ledger.squared_error < 10 * run.ledger.running_mean_error
    run = play(np.ones((n, 2)), np.full(n, 1e9))  # a constant, and a singular matrix
    assert abs(run.scores[-1] - 1e9) < 1e6
    run = play(X * 0.0, y * 0.0)
    assert run.loss == 0.0
    assert run.ledger.r2 is None


def test_wide_and_sparse(play):
    rng = np.random.default_rng(8)
    n, d = 4000, 5000
    columns = (d * rng.random((n, 20)) ** 3).astype(int)
    X = sparse.csr_array(
        (np.ones(n * 20), (np.repeat(np.arange(n), 20), columns.ravel())), shape=(n, d)
    )
    X.sum_duplicates()
    y = X @ (rng.normal(size=d) * (np.arange(d) < 300)) + 0.1 * rng.normal(size=n)
    run = play(X, y)
    assert run.ledger.r2 > 0.6
    assert run.weights.size == d


def test_it_is_the_default_for_amounts(tmp_path, capsys):
    from regretless.cli import main

    X, y = problem(9, n=300)
    path = tmp_path / "amounts.csv"
    rows = ["y,a,b,c,d,e,f"]
    rows += [
        ",".join(map(repr, [b, *a]))
        for a, b in zip(X.tolist(), y.tolist(), strict=True)
    ]
    path.write_text("\n".join(rows))
    run = rg.play(str(path))
    assert isinstance(run.learner, rg.RegressionPanel)
    assert run.ledger.r2 > 0.5
    assert "R2" in str(run)
    model = tmp_path / "amounts.model"
    code = main(["train", str(path), "-o", str(model), "--verbose"])
    said = capsys.readouterr().out
    assert code == 0
    assert "RegressionPanel()" in said
    assert "running mean's" in said
    assert "the last panel" in said
    np.testing.assert_allclose(rg.load(model).weights, run.weights, rtol=1e-12)
