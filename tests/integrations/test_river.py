"""Learners as models of River: its own checks, its pipelines and its evaluations."""

from __future__ import annotations

import copy

import pytest

import regretless as rg

pytest.importorskip(
    "river", reason="River is an extra: pip install 'regretless[river]'"
)

from river import (
    checks,
    compose,
    datasets,
    ensemble,
    evaluate,
    metrics,
    preprocessing,
)

MODELS = [
    rg.river.Classifier(rg.Perceptron()),
    rg.river.Classifier(rg.OGD(rg.Logistic(), bias=True)),
    rg.river.Classifier(rg.Panel()),
    rg.river.Classifier(rg.KernelPerceptron()),
    rg.river.Classifier(rg.MulticlassPerceptron()),
    rg.river.Classifier(rg.OneVersusRest(rg.Panel())),
    rg.river.Regressor(rg.VAW()),
    rg.river.Regressor(rg.RegressionPanel()),
]
LOGISTIC = rg.river.Classifier(rg.OGD(rg.Logistic()))
COLORS = [
    ({"hue": k % 3, "size": 1.0}, ("red", "green", "blue")[k % 3]) for k in range(90)
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: repr(model.learner))
def test_it_passes_all_checks_of_river(model):
    checks.check_estimator(model)
    assert not model._unit_test_skips()


@pytest.mark.parametrize("kind", [rg.river.Classifier, rg.river.Regressor])
def test_so_do_the_models_that_it_names_for_tests(kind):
    for parameters in kind._unit_test_params():
        checks.check_estimator(kind(**parameters))


@pytest.mark.parametrize("model", MODELS, ids=lambda model: repr(model.learner))
def test_the_learner_inside_is_the_one_that_was_given(model):
    alone = copy.copy(model.learner)
    alone.forget()
    model = model.clone()
    data = datasets.Phishing if isinstance(model, rg.river.Classifier) else None
    for x, y in (data or datasets.TrumpApproval)().take(150):
        x = dict(sorted(x.items()))  # noqa: PLW2901 - as panels are given them
        assert model.predict_one(x) == alone.predict_one(x)
        model.learn_one(x, y, w=2.0)
        alone.learn_one(x, y, 2.0)
    assert model.learner.ledger == alone.ledger
    assert model.clone().learner.ledger.rounds == 0
    assert model.clone().learner == model.learner


def test_pipelines_ensembles_and_evaluations():
    scaled = compose.Pipeline(preprocessing.StandardScaler(), LOGISTIC.clone())
    found = evaluate.progressive_val_score(
        datasets.Phishing(), scaled.clone(), metrics.Accuracy()
    )
    assert found.get() > 0.85
    found = evaluate.progressive_val_score(
        datasets.Phishing(), scaled.clone(), metrics.ROCAUC()
    )
    assert found.get() > 0.9
    bag = ensemble.BaggingClassifier(scaled.clone(), n_models=3, seed=1)
    found = evaluate.progressive_val_score(datasets.Phishing(), bag, metrics.F1())
    assert found.get() > 0.8
    assert len({model["Classifier"].learner.ledger.rounds for model in bag}) > 1
    amounts = preprocessing.StandardScaler() | rg.river.Regressor(rg.VAW())
    many = ensemble.BaggingRegressor(amounts, n_models=3, seed=1)
    found = evaluate.progressive_val_score(
        datasets.TrumpApproval(), many, metrics.MAE()
    )
    assert found.get() < 3.0


def test_probabilities_are_a_dict_by_label():
    model = LOGISTIC.clone()
    assert model.predict_one({"a": 1}) is None
    assert model.predict_proba_one({"a": 1}) == {False: 0.5, True: 0.5}
    model.learn_one({"a": 1}, "ham")
    assert model.predict_proba_one({"a": 1}) == {"ham": 1.0}
    model.learn_one({"b": 1}, "spam")
    found = model.predict_proba_one({"b": 1})
    assert list(found) == ["ham", "spam"]
    assert found["spam"] == model.learner.predict_proba_one({"b": 1}) > 0.5
    assert sum(found.values()) == 1.0
    many = rg.river.Classifier(rg.OneVersusRest(rg.OGD(rg.Logistic())))
    assert many.predict_proba_one({"hue": 0}) == {}
    for x, y in COLORS:
        many.learn_one(x, y)
    assert set(many.predict_proba_one({"hue": 0})) == {"red", "green", "blue"}
    assert many._multiclass
    assert not model._multiclass


def test_what_is_refused():
    with pytest.raises(NotImplementedError, match=r"Perceptron\(\) has no probab"):
        rg.river.Classifier(rg.Perceptron()).predict_proba_one({"a": 1})
    for kind, learner, said in (
        (rg.river.Classifier, rg.VAW(), "not for a Classifier: take the Regressor"),
        (rg.river.Regressor, rg.Panel(), "not for a Regressor: take the Classifier"),
        (rg.river.Classifier, rg.Panel, r"did you forget the \(\)"),
        (rg.river.Classifier, rg.Hedge(), "is not a learner of rows"),
        (rg.river.Regressor, None, "is not a learner of rows"),
    ):
        with pytest.raises((TypeError, ValueError), match=said):
            kind(learner)
    model = LOGISTIC.clone()
    model.learn_one({"price": 1.0}, True)
    with pytest.raises(rg.BadRow, match="'price' is a number, not 'cheap'"):
        model.learn_one({"price": "cheap"}, False)
    assert model.learner.ledger.rounds == 1
