"""Curves and a forest for amounts: against their page, and the laws users rely on."""

from __future__ import annotations

from copy import deepcopy

import numpy as np
import pytest
from scipy import sparse

import naive_amounts
import regretless as rg
from regretless.parts.panel.forest import AMOUNTS, NODES
from regretless.parts.rows import Dense, Sparse


def curved(seed: int, n: int, d: int = 4):
    """A curve, an interaction, a column of zeros and ones; labels far from zero."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, d)), 2)
    X[:, 3] = rng.integers(0, 2, n)
    y = 1000.0 + np.abs(X[:, 0]) + X[:, 1] * X[:, 3] + 0.1 * rng.normal(size=n)
    return X, y


def player(forest: bool = True, n_features: int = 0):
    return rg.RegressionPanel(forest=forest).player(n_features)


def play(panel, X, y, rows=None) -> np.ndarray:
    n = len(y)
    panel.grow(X.shape[1])
    trace = (np.zeros(n), np.zeros(n), np.zeros(n, np.bool_))
    panel.play(rows or Dense(X.ravel().copy(), X.shape[1]), y, trace=trace)
    return trace[0]


def test_it_agrees_with_its_page():
    X, y = curved(1, 400)
    base = play(player(forest=False), X, y)
    page = naive_amounts.SecondLayer()
    slow = [
        page.learn({j: v for j, v in enumerate(row) if v}, b, label)
        for row, b, label in zip(X.tolist(), base, y.tolist(), strict=True)
    ]
    panel = player()
    fast = play(panel, X, y)
    np.testing.assert_allclose(fast, slow, rtol=1e-7)
    assert panel.second_layer.forest.numbers[NODES] == sum(page.forest.sizes) > 40


def test_curves_and_interactions_are_learned():
    X, y = curved(2, 3000)
    alone, together = player(forest=False), player()
    play(alone, X, y)
    play(together, X, y)
    rest = [float(np.sum((play(p, X, y) - y) ** 2)) for p in (together, alone)]
    assert rest[0] < 0.3 * rest[1]


@pytest.mark.parametrize("unit", [2.0**20, 2.0**-30])
def test_the_unit_of_labels_does_not_matter(unit):
    X, y = curved(3, 400)
    assert np.array_equal(play(player(), X, y * unit), unit * play(player(), X, y))


def test_where_labels_are_counted_from_hardly_matters():
    X, y = curved(4, 800)
    near = play(player(), X, y - 1000.0) + 1000.0
    far = play(player(), X, y + 1e6) - 1e6
    error = [float(np.mean((said[100:] - y[100:]) ** 2)) for said in (near, far)]
    assert error[1] < 1.1 * error[0]


@pytest.mark.parametrize("cuts", [[1, 2, 30], [199, 200], [57]])
def test_no_cut_and_no_layout_matters(cuts):
    X, y = curved(5, 300)
    whole = player()
    scores = play(whole, X, y)
    pieces, found = player(), []
    for lo, hi in zip([0, *cuts], [*cuts, 300], strict=True):
        part = sparse.csr_array(X[lo:hi])
        rows = Sparse(
            part.indptr.astype(np.int64), part.indices.astype(np.int32), part.data
        )
        found.append(play(pieces, X[lo:hi], y[lo:hi], rows))
        stored = deepcopy(pieces.state_dict())
        pieces = player()
        pieces.load_state(stored)
    assert np.array_equal(np.concatenate(found), scores)
    assert pieces.ledger() == whole.ledger()


def test_events_are_the_rows():
    X, y = curved(6, 120)
    X[X == 0.0] = 0.01
    learner = rg.RegressionPanel()
    for row, label in zip(X.tolist(), y.tolist(), strict=True):
        event = dict(zip("dcba", row, strict=True))
        learner.learn_one(event, label)
    run = rg.play(rg.RegressionPanel(), X, y)
    assert learner.ledger == run.ledger
    assert learner.predict_one(event) == run.model().predict(X[-1:])[0]


def test_a_wide_row_ends_it_and_the_linear_panel_plays_on():
    rng = np.random.default_rng(7)
    X = rng.normal(size=(300, 230))
    X[:200, 40:] = 0.0
    y = X[:, 0] + rng.normal(size=300)
    panel, alone = player(), player(forest=False)
    scores, linear = play(panel, X, y), play(alone, X, y)
    assert not panel.second_layer.live
    assert np.array_equal(scores[201:], linear[201:])
    assert scores[200] != linear[200]
    run = rg.play(rg.RegressionPanel(), X, y)
    (verdict,) = run.theorems()
    assert verdict.happened <= verdict.value


def test_more_than_a_few_features_end_the_ridge_regression_only():
    rng = np.random.default_rng(8)
    X = rng.normal(size=(300, 30))
    X[:100, 20:] = 0.0
    y = np.abs(X[:, 0]) + 0.1 * rng.normal(size=300)
    whole, cut = player(), player()
    scores = play(whole, X, y)
    parts = [play(cut, X[i : i + 60], y[i : i + 60]) for i in range(0, 300, 60)]
    assert np.array_equal(np.concatenate(parts), scores)
    assert whole.second_layer.live


@pytest.mark.parametrize("kind", ["heavy", "counts", "zeros", "equal", "wild"])
def test_the_theorem_holds_and_nothing_diverges(kind):
    rng = np.random.default_rng(9)
    X = rng.normal(size=(600, 5))
    y = {
        "heavy": np.exp(3.0 * X[:, 0] + rng.standard_t(2, 600)),
        "counts": rng.poisson(np.exp(X[:, 0])).astype(float),
        "zeros": np.where(rng.random(600) < 0.9, 0.0, 100.0 + X[:, 0]),
        "equal": np.full(600, 3.0),
        "wild": np.where(np.arange(600) == 300, 1e9, X[:, 0]),
    }[kind]
    run = rg.play(rg.RegressionPanel(), X, y, trace=True)
    assert np.isfinite(run.scores).all()
    (verdict,) = run.theorems()
    assert verdict.applies
    assert verdict.happened <= verdict.value * (1.0 + 1e-9)
    seen = np.maximum.accumulate(y)[:-1]
    assert np.all(run.scores[1:] <= seen + 1e-9 * np.abs(seen))


@pytest.mark.parametrize("size", [1e3, 1e4, 1e6])
def test_an_outlier_is_not_said_again(size):
    """The rows after it cost a small part of what it cost itself."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(1500, 6))
        y = X[:, 0] + 0.3 * rng.normal(size=1500)
        y[1000] = size
        errors = rg.play(rg.RegressionPanel(), X, y, trace=True).scores - y
        assert np.sum(errors[1001:] ** 2) < 0.1 * size**2


def test_a_model_is_saved_and_explains_itself(tmp_path):
    X, y = curved(10, 500)
    run = rg.play(rg.RegressionPanel(), X, y)
    model = run.model()
    model.save(tmp_path / "amounts.rgl")
    same = rg.load(tmp_path / "amounts.rgl")
    assert np.array_equal(same.predict(X), model.predict(X))
    assert "curves and a forest" in str(same)
    effects = model.explain_one(X[0])
    without = X[:1].copy()
    without[0, 1] = 0.0
    change = model.scores(X[:1]) - model.scores(without)
    assert effects[1] == pytest.approx(change[0], abs=1e-9)
    assert same.explanation(2) == model.explanation(2)
    assert AMOUNTS.widest == 200
