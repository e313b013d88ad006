"""A pass over a stream: importance weights, rows without a label, rows skipped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import regretless as rg
from regretless.data import Batch
from regretless.errors import BadRow
from regretless.parts.rows import Dense, Sparse
from regretless.runs.session import Session

D = 4


class Stream:
    """Batches as they are given."""

    whole = False
    rereadable = True
    n_rows = None
    names = None
    classes = (-1, 1)

    def __init__(self, *batches: Batch) -> None:
        self.n_features = D
        self._batches = batches

    def batches(self) -> Iterator[Batch]:
        yield from self._batches


def dense(X: Any, y: Any, **more: Any) -> Batch:
    return Batch(Dense(np.ascontiguousarray(X).reshape(-1), D), y, D, **more)


def sparse(X: Any, y: Any, **more: Any) -> Batch:
    rows, columns = np.nonzero(X)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(X)))])
    values = X[rows, columns]
    return Batch(Sparse(starts, columns.astype(np.int32), values), y, D, **more)


def played(learner: Any, *batches: Batch, **options: Any) -> Session:
    game = Session(learner, Stream(*batches), **options)
    for batch in batches:
        game.take(batch)
    return game


@pytest.fixture
def problem() -> tuple[Any, Any]:
    rng = np.random.default_rng(7)
    X = rng.normal(size=(200, D)) * (rng.random((200, D)) < 0.7)
    return X, np.where(X @ [1.0, -2.0, 0.5, 0.3] + rng.normal(size=200) > 0, 1.0, -1.0)


@pytest.mark.parametrize("form", [dense, sparse])
def test_weights_of_one_change_nothing(form: Any, problem: Any) -> None:
    X, y = problem
    plain = played(rg.OGD(), form(X, y)).run()
    ones = played(rg.OGD(), form(X, y, weights=np.ones(y.size))).run()
    assert np.array_equal(plain.weights, ones.weights)
    assert plain.ledger.loss == ones.ledger.loss
    assert ones.weighted
    assert not plain.weighted


def test_a_weight_multiplies_the_loss_of_its_row(problem: Any) -> None:
    X, y = problem
    importance = np.random.default_rng(1).integers(0, 4, y.size).astype(float)
    run = played(rg.OGD(step=rg.Constant(0.1)), sparse(X, y, weights=importance)).run()
    w, paid = np.zeros(D), 0.0
    for x, label, weight in zip(X, y, importance, strict=True):
        margin = label * (w @ x)
        paid += weight * max(0.0, 1.0 - margin)
        if margin < 1.0:
            w = w + 0.1 * weight * label * x
    assert np.allclose(run.weights, w, rtol=1e-12)
    assert np.isclose(run.ledger.loss, paid, rtol=1e-12)


def test_a_row_of_weight_zero_teaches_nothing(problem: Any) -> None:
    X, y = problem
    keep = np.random.default_rng(2).random(y.size) < 0.5
    some = played(rg.OGD(), dense(X[keep], y[keep])).run()
    all_rows = played(rg.OGD(), dense(X, y, weights=keep.astype(float))).run()
    assert np.array_equal(some.weights, all_rows.weights)


def test_a_weighted_run_says_what_its_receipts_are_about(problem: Any) -> None:
    X, y = problem
    run = played(rg.Perceptron(), dense(X, y, weights=np.full(y.size, 2.0))).run()
    told = " ".join(str(run.certificate()).split())
    assert "whatever its importance weight" in told
    with pytest.raises(ValueError, match="importance weights"):
        run.hindsight()
    assert not any(verdict.applies for verdict in run.theorems())
    # Models are found by playing again, with the same weights.
    assert np.array_equal(run.model("last").weights, run.weights)
    doubled = played(rg.Perceptron(), dense(X, y)).run().model("mean").weights * 2.0
    assert np.allclose(run.model("mean").weights, doubled, rtol=1e-12)


@pytest.mark.parametrize("kinds", [(), ("validated", "mean")])
def test_rows_without_a_label_are_predicted_and_not_learned(
    problem: Any, kinds: Any
) -> None:
    X, y = problem
    missing = np.random.default_rng(3).random(y.size) < 0.3
    blind = np.where(missing, np.nan, y)
    scores = np.full(y.size, np.nan)
    game = Session(rg.Perceptron(), Stream(dense(X, blind)), models=kinds)
    game.take(dense(X, blind), scores)
    run = game.run()
    expected = rg.play(rg.Perceptron(), X[~missing], y[~missing], trace=True)
    assert run.rounds == expected.rounds
    assert run.mistakes == expected.mistakes
    assert np.array_equal(run.weights, expected.weights)
    assert np.array_equal(scores[~missing], expected.scores)
    assert game.unlabeled == missing.sum()
    w = np.zeros(D)
    for x, label, score in zip(X, blind, scores, strict=True):
        assert np.isclose(score, w @ x, rtol=1e-12, atol=1e-12)
        if label * (w @ x) <= 0.0:
            w = w + label * x
    # The theorems look at the stream again, without those rows.
    assert run.theorems()["perceptron/root"].happened == run.mistakes


def test_a_bad_row_is_named_by_its_place_in_the_file(problem: Any) -> None:
    X, y = problem
    X = X.copy()
    X[7, 2] = np.inf
    batch = dense(X, y, where=lambda i: f"a.svm:{i + 3}")
    with pytest.raises(BadRow, match=r"^a.svm:10: column 2: inf is not a finite"):
        played(rg.Perceptron(), batch)


def test_refused_rows_are_skipped_when_asked(problem: Any) -> None:
    X, y = problem
    bad = X.copy()
    bad[[0, 7, 8, 199], 1] = np.nan
    halves = [
        dense(bad[part], y[part], where=str) for part in (slice(100), slice(100, 200))
    ]
    game = played(rg.Perceptron(), *halves, skip=True, trace=True)
    good = np.setdiff1d(np.arange(200), [0, 7, 8, 199])
    expected = rg.play(rg.Perceptron(), X[good], y[good], trace=True)
    run = game.run()
    assert np.array_equal(run.weights, expected.weights)
    assert np.array_equal(run.losses, expected.losses)
    assert sorted(game.refused) == [0, 7, 8, 199]
    assert str(game.refused[7]).startswith("7: ")
    assert np.array_equal(run.weight_path, expected.weight_path)


def test_receipts_between_two_batches(problem: Any) -> None:
    X, y = problem
    first, second = dense(X[:120], y[:120]), dense(X[120:], y[120:])
    game = Session(rg.Perceptron(), Stream(first, second))
    game.take(first)
    half = game.run()
    assert half.rounds == 120
    assert half.mistakes == rg.play(rg.Perceptron(), X[:120], y[:120]).mistakes
    assert half.theorems()["perceptron/root"].happened == half.mistakes
    game.take(second)
    assert np.array_equal(game.run().weights, rg.play(rg.Perceptron(), X, y).weights)


def test_implicit_updates_know_their_weight(problem: Any) -> None:
    """A row of weight 2 is a loss twice as steep, wherever the update arrives."""
    X, y = problem
    importance = np.random.default_rng(4).choice([0.5, 1.0, 2.0], y.size)
    learner = rg.AdaGrad(loss=rg.Hinge(), eta=1.0, implicit=True)
    run = played(learner, dense(X, y, weights=importance)).run()
    w, squares = np.zeros(D), np.zeros(D)
    for x, label, weight in zip(X, y, importance, strict=True):
        margin = label * (w @ x)
        if margin > 1.0:
            continue
        squares += (weight * x) ** 2
        scaled = np.divide(x, np.sqrt(squares), out=np.zeros(D), where=squares > 0.0)
        length = x @ scaled
        step = min(weight, (1.0 - margin) / length) if length > 0.0 else 0.0
        w = w + label * step * scaled
    assert np.allclose(run.weights, w, rtol=1e-9)
