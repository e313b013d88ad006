"""The estimators in the company of scikit-learn's own tools."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import config_context
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingRegressor, VotingClassifier
from sklearn.feature_extraction.text import HashingVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import regretless as rg
import regretless.sklearn as sk
from estimators import identical, problem

X, LABELS, NUMBERS, WEIGHTS = problem(n=240)
TEXTS = [
    f"{subject} {verb} {thing}"
    for subject in ("free money", "cheap pills", "dear colleague", "the minutes")
    for verb in ("come", "follow", "wait", "are here")
    for thing in ("now", "today", "soon")
]
SPAM = ["spam" if text.startswith(("free", "cheap")) else "ham" for text in TEXTS]
MODELS = [
    sk.PerceptronClassifier(model="last", shuffle=False),
    sk.OGDClassifier(shuffle=False),
]
WORDS = [TfidfVectorizer(), HashingVectorizer(n_features=256)]


@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.parametrize("words", WORDS, ids=repr)
def test_text_in_a_pipeline(words, model):
    order = np.random.default_rng(0).permutation(len(TEXTS))
    texts, spam = [TEXTS[i] for i in order], [SPAM[i] for i in order]
    pipeline = make_pipeline(words, model).fit(texts, spam)
    assert pipeline.score(texts, spam) == 1.0
    # A word, or a label, that nobody has met is no error of the predictor.
    assert pipeline.predict(["an unheard-of greeting"]).shape == (1,)
    assert pipeline.score(["cheap gold"], ["neither"]) == 0.0


def test_grids_of_parts_and_numbers():
    grid = {
        "loss": ["hinge", "logistic", rg.Hinge(0.5), rg.Hinge(0.7), rg.Logistic()],
        "step": [0.1, 1, rg.Constant(0.3)],
    }
    search = GridSearchCV(
        sk.OGDClassifier(random_state=0), grid, cv=3, error_score="raise"
    )
    found = search.fit(X, LABELS)
    assert found.best_score_ > 0.85
    assert len(found.cv_results_["params"]) == 15
    assert found.best_estimator_.t_ == 240


def test_cross_validation():
    scores = cross_val_score(sk.PanelClassifier(random_state=0), X, LABELS, cv=3)
    assert scores.min() > 0.7
    pipeline = make_pipeline(StandardScaler(), sk.OGDRegressor(random_state=0))
    assert cross_val_score(pipeline, X, NUMBERS, cv=3).min() > 0.5


def test_calibration_and_votes():
    calibrated = CalibratedClassifierCV(
        sk.PerceptronClassifier(random_state=0), cv=3
    ).fit(X, LABELS)
    assert calibrated.predict_proba(X).shape == (240, 2)
    members = [
        ("panel", sk.PanelClassifier(random_state=0)),
        ("ogd", sk.OGDClassifier(loss="logistic", random_state=0)),
        ("batch", LogisticRegression()),
    ]
    vote = VotingClassifier(members, voting="soft").fit(X, LABELS)
    assert vote.score(X, LABELS) > 0.85
    bag = BaggingRegressor(
        sk.OGDRegressor(random_state=0), n_estimators=3, random_state=0
    )
    assert bag.fit(X, NUMBERS).score(X, NUMBERS) > 0.5


def test_scikit_learns_own_one_versus_rest():
    three = np.digitize(NUMBERS, [-1.0, 1.0])
    model = OneVsRestClassifier(sk.OGDClassifier(random_state=0)).fit(X, three)
    assert model.score(X, three) > 0.6


def test_weights_are_routed():
    with config_context(enable_metadata_routing=True):
        inner = sk.PerceptronClassifier(random_state=3)
        inner.set_fit_request(sample_weight=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        pipeline = make_pipeline(scaler, inner)
        pipeline.fit(X, LABELS, sample_weight=WEIGHTS)
    alone = sk.PerceptronClassifier(random_state=3)
    alone.fit(StandardScaler().fit_transform(X), LABELS, sample_weight=WEIGHTS)
    identical(pipeline[-1], alone)


def test_a_stream_of_texts():
    words = HashingVectorizer(n_features=2**10)
    model = sk.PerceptronClassifier(random_state=0)
    for text, spam in zip(TEXTS * 3, SPAM * 3, strict=True):
        model.partial_fit(words.transform([text]), [spam], classes=["ham", "spam"])
    assert model.t_ == 3 * len(TEXTS)
    assert model.score(words.transform(TEXTS), SPAM) > 0.9


def test_models_are_saved_without_pickle(tmp_path):
    model = sk.OGDClassifier(model="last").fit(X, LABELS)
    model.run_.model("last").save(tmp_path / "model")
    loaded = rg.load(tmp_path / "model")
    assert np.array_equal(loaded.predict(X), model.predict(X))
    assert loaded.classes == ("no", "yes")


def test_notebooks_show_what_scikit_learn_shows():
    assert "OGDClassifier" in sk.OGDClassifier(step=rg.Constant(0.1))._repr_html_()
    model = sk.OGDClassifier(loss=rg.Logistic())
    assert repr(model) == "OGDClassifier(loss=Logistic())"


@pytest.mark.slow
def test_vaw_is_ridge_regression():
    found = sk.VAWRegressor(strength=2.0).fit(X, NUMBERS, sample_weight=WEIGHTS)
    ridge = Ridge(2.0, fit_intercept=False, tol=1e-12)
    ridge.fit(np.c_[np.ones(240), X], NUMBERS, sample_weight=WEIGHTS)
    np.testing.assert_allclose(np.r_[found.intercept_, found.coef_], ridge.coef_)


@pytest.mark.slow
def test_a_kernel_machine_of_many_classes_through_scikit_learn():
    rings = np.digitize(np.linalg.norm(X[:, :2], axis=1), [0.8, 1.6])
    model = sk.KernelPerceptronClassifier(model="validated", random_state=0)
    found = OneVsRestClassifier(sk.KernelPerceptronClassifier(passes=5, random_state=0))
    assert found.fit(X[:, :2], rings).score(X[:, :2], rings) > 0.9
    wide = np.random.default_rng(0).normal(size=(900, 2))
    inside = np.linalg.norm(wide, axis=1) < 1.2
    model.fit(wide, inside)
    assert model.score(wide, inside) > 0.9
    assert model.certificate_.about.startswith("this classifier")
