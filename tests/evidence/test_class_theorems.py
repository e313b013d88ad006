"""The bounds of the multiclass Perceptron, on rows that are made to break them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import regretless as rg

NAMES = ("data", "norms", "root")


@given(
    seed=st.integers(0, 10**6),
    n=st.integers(1, 60),
    classes=st.integers(1, 6),
    scale=st.sampled_from([0.1, 1.0, 30.0]),
)
def test_no_matrix_breaks_a_bound(seed, n, classes, scale):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (n, 3)).astype(float)
    y = rng.integers(0, classes, n)
    run = rg.play(rg.MulticlassPerceptron(), X, y)
    U = scale * rng.normal(size=(len(run.classes), 3))
    found = run.theorems(u=U)  # raises where one is violated
    for name in NAMES:
        verdict = found[f"class-perceptron/{name}"]
        assert verdict.happened == run.mistakes <= verdict.value + 1e-9
    assert run.ledger.weight_norm**2 <= 2 * run.ledger.sum_squared_norms + 1e-9


def test_an_adversary_that_knows_the_learner_pays_for_every_mistake():
    rng = np.random.default_rng(0)
    learner = rg.MulticlassPerceptron()
    X, y = [], []
    for t in range(120):
        x = rng.normal(size=4)
        x /= np.linalg.norm(x)
        scores = learner.score_one(dict(enumerate(x)))
        # Whatever is predicted is wrong; now and then a class that never came.
        worst = min(scores, key=lambda c: scores[c]) if scores else 0
        worst = {0: 0, 1: 1, 2: 2, 60: 3}.get(t, worst)
        learner.learn_one(dict(enumerate(x)), worst)
        X.append(x)
        y.append(worst)
    run = rg.play(learner, np.array(X), y)
    assert run.mistakes > 100
    for verdict in run.theorems().applying:
        assert verdict.happened <= verdict.value
    root = run.theorems()["class-perceptron/root"]
    data = run.theorems()["class-perceptron/data"]
    assert data.value < root.value


def test_where_classes_are_separable_mistakes_end():
    rng = np.random.default_rng(1)
    U = np.array([[1.0, 0.0], [-0.5, 0.9], [-0.5, -0.9]])
    X = rng.normal(size=(4000, 2))
    y = np.argmax(X @ U.T, axis=1)
    margins = np.sort(X @ U.T, axis=1)
    clear = margins[:, 2] - margins[:, 1] > 0.3
    run = rg.play(rg.MulticlassPerceptron(), X[clear], y[clear])
    found = run.theorems(u=U[list(run.classes)])["class-perceptron/separable"]
    assert found.applies
    assert run.mistakes <= found.value
    assert not run.theorems(u=-U)["class-perceptron/separable"].applies


def test_a_run_with_no_comparator_says_so():
    events = [({"a": 1.0}, "x"), ({"b": 1.0}, "y")]
    run = rg.play(rg.MulticlassPerceptron(), iter(events))
    reason = run.theorems()["class-perceptron/root"].reason
    assert "can be read only once" in reason
    with pytest.raises(ValueError, match="needs no comparator"):
        rg.play(rg.OneVersusRest(rg.Perceptron()), events).theorems(u=[[1.0]])
