"""Prediction sets of estimators: those of the learners behind them."""

from __future__ import annotations

import pickle  # noqa: TID251 - what scikit-learn does
from typing import Any

import numpy as np
import pytest

import regretless as rg

RNG = np.random.default_rng(0)
X = RNG.normal(size=(900, 3))
AMOUNTS = X[:, 0] + np.exp(X[:, 1]) * RNG.normal(size=900)
CLASSES = np.digitize(AMOUNTS, [-1.0, 1.0])
CASES = {
    "numbers": (rg.sklearn.RegressionPanelRegressor, AMOUNTS),
    "three": (rg.sklearn.PanelClassifier, CLASSES),
    "two": (rg.sklearn.PanelClassifier, AMOUNTS > 0.0),
}


def made(model: Any, rows: Any) -> Any:
    classes = getattr(model, "classes_", getattr(model, "classes", None))
    if classes is None:
        return model.predict_interval(rows).tolist()
    known = np.array(list(classes))
    return [set(known[inside].tolist()) for inside in model.predict_set(rows)]


@pytest.mark.parametrize("case", CASES)
def test_an_estimator_covers_as_its_learner_does(case: str) -> None:
    kind, y = CASES[case]
    model = kind(level="80%", shuffle=False).fit(X[:600], y[:600])
    learner = model.run_.learner
    run = rg.play(rg.intervals(learner, 0.8), X[:600], y[:600])
    assert model.coverage_ == run.coverage == model.run_.coverage
    assert made(model, X[600:]) == made(run.model("last"), X[600:])
    other = pickle.loads(pickle.dumps(model))
    assert made(other, X[600:]) == made(model, X[600:])
    twice = kind(level="80%", passes=2, shuffle=False)
    twice.fit(X[:600], y[:600])
    assert twice.coverage_ == model.coverage_  # rows seen before do not count


@pytest.mark.parametrize("case", CASES)
def test_parts_of_the_rows_are_the_same_as_all(case: str) -> None:
    kind, y = CASES[case]
    model = kind(level=0.8)
    classes = {} if case == "numbers" else {"classes": np.unique(y)}
    for begin in range(0, 600, 137):
        some = slice(begin, min(begin + 137, 600))
        model.partial_fit(X[some], y[some], **classes)
        model = pickle.loads(pickle.dumps(model))
    whole = kind(level=0.8, shuffle=False).fit(X[:600], y[:600])
    assert model.coverage_ == whole.coverage_
    assert made(model, X[600:]) == made(whole, X[600:])


def test_what_is_missing_is_told() -> None:
    plain = rg.sklearn.VAWRegressor().fit(X, AMOUNTS)
    with pytest.raises(AttributeError, match=r"give level=0\.9 to the constructor"):
        plain.predict_interval(X)
    with pytest.raises(ValueError, match=r"a level of -2\.0"):
        rg.sklearn.VAWRegressor(level=-2.0).fit(X, AMOUNTS)
    with pytest.raises(ValueError, match="has no probabilities"):
        rg.sklearn.PerceptronClassifier(level=0.9).fit(X, AMOUNTS > 0.0)
    begun = rg.sklearn.VAWRegressor(level=0.9).partial_fit(X, AMOUNTS)
    with pytest.raises(ValueError, match="parameters were changed"):
        begun.set_params(level=0.8).partial_fit(X, AMOUNTS)
