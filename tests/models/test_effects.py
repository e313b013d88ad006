"""What is said of features is a difference of scores, for every kind of model."""

from __future__ import annotations

import numpy as np
import pytest

import regretless as rg
from kinds_of_models import MODELS
from regretless.engine.hypotheses.hypothesis import Hypothesis, kind_named
from regretless.models.effects import SHOWN

ROWS = 100
ADDITIVE = ("linear", "linear, mean", "linear, amounts", "classes")


def test_every_kind_of_model_is_here():
    names = {name.split(",")[0] for name in MODELS}
    assert [kind_named(name).stored_as for name in sorted(names)] == sorted(names)
    ours = {
        name for name, kind in Hypothesis.kinds.items() if "regretless." in str(kind)
    }
    assert ours == names


@pytest.mark.parametrize("name", MODELS)
def test_explain_one_is_a_difference_of_scores(name):
    X, model = MODELS[name]()
    for x in X[-ROWS:]:
        told = model.explain_one(x)
        by_class = told.values() if model.many else [told]
        for k, effects in enumerate(by_class):
            assert set(effects) == set(np.flatnonzero(x).tolist())
            sizes = [abs(effect) for effect in effects.values()]
            assert sizes == sorted(sizes, reverse=True)
            for j, effect in effects.items():
                without = x.copy()
                without[j] = 0.0
                both = model.scores(np.array([x, without]))
                both = both[:, k] if model.many else both
                assert effect == pytest.approx(both[0] - both[1], abs=1e-9)
                if name in ADDITIVE:
                    weight = model.weights[k, j] if model.many else model.weights[j]
                    assert effect == pytest.approx(weight * x[j], abs=1e-9)


@pytest.mark.parametrize("name", MODELS)
def test_explain_is_the_mean_of_explain_one(name):
    X, model = MODELS[name]()
    X = X[:20]
    told = model.explain(X, top=6)
    for label in model.classes if model.many else [None]:
        found = dict((told[label] if model.many else told).features)
        rows = [model.explain_one(x) for x in X]
        rows = [row[label] for row in rows] if model.many else rows
        for j in range(6):
            mean = sum(row.get(j, 0.0) for row in rows) / len(X)
            assert found.get(j, 0.0) == pytest.approx(mean, abs=1e-9)


@pytest.mark.parametrize("name", MODELS)
def test_inspect_says_what_explain_says(name):
    _, model = MODELS[name]()
    if name in ("vote", "machine"):
        with pytest.raises(ValueError, match="give rows"):
            model.explain()
        return
    told = model.explain(top=3)
    explanations = told.values() if model.many else [told]
    printed = [line for _, lines in model.explanation(3) for line in lines]
    for one in explanations:
        feature, effect = one.features[0]
        if effect > 0.0 or name not in ("classes", "each-class"):
            line = (model.feature(feature), f"{effect:+.6g}")
            if "panel" in name:
                ends = (f"{value:.4g}" for value in one.values[0])
                line = (model.feature(feature), f"{effect:+.4g}", *ends)
            assert line in printed


def test_the_sign_is_that_of_the_probability():
    """The linear part of a panel says nothing of a curve; differences do."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 2))
    y = np.where(np.abs(X[:, 0]) > 1.0, 1, -1)
    model = rg.play(rg.Panel(), X, y).model("last")
    for x in ([2.0, 0.1], [-2.0, 0.1]):
        with_, without = model.predict_proba([x, [0.0, 0.1]])[:, 1]
        assert with_ > without
        assert model.explain_one(x)[0] > 0.0


def test_many_rows_are_refused_by_explain_one():
    X, model = MODELS["linear"]()
    with pytest.raises(ValueError, match="one row, not 2"):
        model.explain_one(X[:2])


def test_rows_without_features_have_no_effects():
    _, model = MODELS["linear"]()
    assert model.explain_one(np.zeros(6)) == {}
    assert model.explain(np.zeros((2, 6))).features == ()


def test_a_row_of_a_frame_is_a_row():
    import pandas as pd

    frame = pd.DataFrame({"size": [1.0, None, 3.0] * 30, "city": ["a", "b", "c"] * 30})
    model = rg.play(rg.RegressionPanel(), frame, np.arange(90.0) % 3).model("last")
    for k in (0, 1):
        row = frame.iloc[k]
        assert model.predict_one(row) == pytest.approx(model.predict(frame)[k])
        assert set(model.explain_one(row)) <= {"size", "city=a", "city=b"}


def test_of_a_crowd_of_classes_the_first_ones_are_shown():
    X = np.eye(40)[np.tile(np.arange(40), 3)]
    model = rg.play(rg.MulticlassPerceptron(), X, X.argmax(axis=1)).model("last")
    *shown, (title, lines) = model.explanation(3)
    assert len(shown) == SHOWN
    assert title == "of 8 more classes: model.effects(), a row a class"
    assert lines == []
    assert model.effects().values.shape == (40, 40)
