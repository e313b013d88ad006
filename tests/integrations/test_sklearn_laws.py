"""Laws of the estimators: how rows are cut or kept never matters, to the last bit."""

from __future__ import annotations

import copy
import pickle  # noqa: TID251 - scikit-learn's users do
from dataclasses import replace
from itertools import pairwise

import joblib  # noqa: TID251
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone

import regretless as rg
import regretless.sklearn as sk
from estimators import identical, problem

CASES = [
    sk.PerceptronClassifier(shuffle=False),
    sk.PerceptronClassifier(model="last", bias=False, shuffle=False),
    sk.OGDClassifier(model="last-half", shuffle=False),
    sk.OGDRegressor(shuffle=False),
    sk.OGDRegressor(model="mean", shuffle=False),
    sk.PanelClassifier(shuffle=False),
]
SLOW = [  # they compile the machine code of their own parts
    sk.VAWRegressor(scale="rms", shuffle=False),
    sk.RegressionPanelRegressor(shuffle=False),
    sk.RegressionPanelRegressor(forest=False, shuffle=False),
    sk.KernelPerceptronClassifier(budget=5, shuffle=False),
    sk.AROWClassifier(shuffle=False),
    sk.SecondOrderPerceptronClassifier(model="mean", shuffle=False),
    sk.ONSClassifier(model="last-half", shuffle=False),
    sk.ONSRegressor(reach=3.0, shuffle=False),
]
every_case = pytest.mark.parametrize(
    "case",
    [*CASES, *(pytest.param(case, marks=pytest.mark.slow) for case in SLOW)],
    ids=repr,
)
LONG = [
    sk.OGDClassifier(model="validated", shuffle=False),
    sk.OGDClassifier(model="last-half", shuffle=False),
    sk.PanelClassifier(model="validated", shuffle=False),
]


def data_for(case, **shape):
    X, labels, numbers, weights = problem(**shape)
    return X, labels if hasattr(case, "decision_function") else numbers, weights


def learned_in_pieces(case, X, y, cuts, weights=None, **more):
    model = clone(case)
    edges = [0, *sorted(cuts), X.shape[0]]
    for begin, end in pairwise(edges):
        if begin < end:
            part = None if weights is None else weights[begin:end]
            model.partial_fit(X[begin:end], y[begin:end], sample_weight=part, **more)
    return model


@every_case
@settings(max_examples=8)
@given(cuts=st.lists(st.integers(1, 89), max_size=4), weighted=st.booleans())
def test_partial_fit_in_any_split_equals_fit(case, cuts, weighted):
    X, y, weights = data_for(case)
    weights = weights if weighted else None
    whole = clone(case).fit(X, y, sample_weight=weights)
    more = {"classes": np.unique(y)} if hasattr(case, "decision_function") else {}
    identical(whole, learned_in_pieces(case, X, y, cuts, weights, **more))


@pytest.mark.parametrize("case", LONG, ids=repr)
def test_partial_fit_equals_fit_where_hypotheses_are_frozen(case):
    X, y, _ = data_for(case, n=1300)
    whole = clone(case).fit(X, y)
    cuts = [1, 511, 513, 1024, 1025]
    identical(whole, learned_in_pieces(case, X, y, cuts, classes=["no", "yes"]))


@every_case
@pytest.mark.parametrize("how", ["pickle", "deepcopy", "mapped"])
def test_a_copy_in_the_middle_goes_on_as_the_original(case, how, tmp_path):
    X, y, weights = data_for(case)
    model = clone(case).partial_fit(
        X[:40], y[:40], sample_weight=weights[:40], **_classes(case)
    )
    model.predict(X)
    if how == "pickle":
        other = pickle.loads(pickle.dumps(model))
    elif how == "deepcopy":
        other = copy.deepcopy(model)
    else:  # read-only memory, which a kernel must not write to
        joblib.dump(model, tmp_path / "model")
        other = joblib.load(tmp_path / "model", mmap_mode="r")
    identical(model, other)
    model.partial_fit(X[40:], y[40:])
    assert model.t_ != other.t_  # nothing is shared
    other.partial_fit(X[40:], y[40:])
    identical(model, other)


@pytest.mark.parametrize("case", LONG, ids=repr)
def test_frozen_hypotheses_are_pickled_too(case):
    X, y, _ = data_for(case, n=1100)
    model = clone(case).partial_fit(X[:700], y[:700], classes=["no", "yes"])
    other = pickle.loads(pickle.dumps(model))
    identical(model.partial_fit(X[700:], y[700:]), other.partial_fit(X[700:], y[700:]))


def _classes(case):
    return {"classes": ["no", "yes"]} if hasattr(case, "decision_function") else {}


@every_case
def test_fit_is_one_pass_in_the_given_order(case):
    X, y, _ = data_for(case)
    model = clone(case).set_params(model="last").fit(X, y)
    run = rg.play(model._make_learner(), X, y)
    assert model.ledger_ == run.ledger
    assert np.array_equal(model.run_.weights, run.weights)
    assert model.n_iter_ == 1
    if hasattr(model, "coef_"):
        found = np.r_[model.intercept_, model.coef_.ravel()]
        assert np.array_equal(found, np.r_[run.bias, run.weights])


@every_case
def test_passes_are_the_rows_again(case):
    X, y, weights = data_for(case)
    twice = clone(case).set_params(passes=2).fit(X, y, sample_weight=weights)
    both = clone(case).fit(
        np.r_[X, X], np.r_[y, y], sample_weight=np.r_[weights, weights]
    )
    assert twice.ledger_ == both.ledger_
    assert np.array_equal(twice.predict(X), both.predict(X))
    assert (twice.n_iter_, twice.t_) == (2, both.t_)
    assert not hasattr(twice, "certificate_")


@every_case
def test_a_row_of_weight_zero_is_no_row(case):
    X, y, weights = data_for(case)
    some = weights > 0
    identical(
        clone(case).fit(X, y, sample_weight=weights),
        clone(case).fit(X[some], y[some], sample_weight=weights[some]),
    )
    identical(clone(case).fit(X, y, sample_weight=1.0), clone(case).fit(X, y))


@every_case
def test_how_rows_lie_in_memory_does_not_matter(case):
    X, y, _ = data_for(case)
    X = np.round(X, 1).astype(np.float32).astype(np.float64)
    whole = clone(case).fit(X, y)
    frozen = X.copy()
    frozen.flags.writeable = False
    wide = np.repeat(X, 2, axis=1)
    for same in (np.asfortranarray(X), frozen, wide[:, ::2], X.astype(np.float32)):
        identical(whole, clone(case).fit(same, y))
    rows = sparse.csr_array(X)
    long = rows.copy()
    long.indices, long.indptr = long.indices.astype("i8"), long.indptr.astype("i8")
    doubled = sparse.csr_array(
        (np.repeat(rows.data / 2, 2), np.repeat(rows.indices, 2), 2 * rows.indptr),
        shape=X.shape,
    )
    first = clone(case).fit(rows, y)
    for same in (long, doubled, rows.tocsc(), sparse.coo_matrix(X), rows[:, :]):
        identical(first, clone(case).fit(same, y))
    np.testing.assert_allclose(_scores(first, X), _scores(whole, X), atol=1e-6)
    np.testing.assert_allclose(_scores(first, rows), _scores(first, X), atol=1e-6)
    assert doubled.nnz == 2 * rows.nnz  # the caller's own matrix is as it was


def _scores(model, X):
    return getattr(model, "decision_function", model.predict)(X)


@pytest.mark.parametrize("dtype", [np.float16, np.int8, np.uint32, bool, object])
def test_numbers_of_any_kind_are_learned_from(dtype):
    X, y, _ = data_for(CASES[0])
    X = (X > 0).astype(np.float64)
    identical(clone(CASES[0]).fit(X, y), clone(CASES[0]).fit(X.astype(dtype), y))


@every_case
def test_predictions_are_linear_where_there_is_coef(case):
    X, y, _ = data_for(case)
    model = clone(case).fit(X, y)
    kernel = isinstance(case, sk.KernelPerceptronClassifier)
    if kernel or isinstance(case, sk.PanelClassifier) or getattr(case, "forest", False):
        assert not hasattr(model, "coef_")
        return
    scores = X @ model.coef_.ravel() + model.intercept_
    np.testing.assert_allclose(_scores(model, X), scores, rtol=1e-12, atol=1e-12)


def test_theorems_are_about_the_rows_that_were_learned():
    X, y, _ = data_for(CASES[0])
    model = clone(CASES[0]).fit(X, y)
    listed = model.theorems()
    assert len(listed) > 0
    assert not listed.applying
    found = model.theorems(X, y)
    assert found.applying
    assert all(verdict.happened <= verdict.value for verdict in found.applying)
    again = model.theorems(X, y, u=np.ones(4))
    assert again.applying
    with pytest.raises(ValueError, match="90 rows were learned, but here are 80"):
        model.theorems(X[:80], y[:80])
    with pytest.raises(ValueError, match="not the rows that were learned"):
        model.theorems(X[::-1], y[::-1])
    twice = clone(CASES[0]).set_params(passes=2).fit(X, y)
    assert twice.theorems(X, y).applying


def test_the_validated_model_is_the_one_that_is_certified():
    X, y, _ = data_for(CASES[0], n=3000)
    model = sk.PerceptronClassifier(model="validated", delta=0.1).fit(X, y)
    assert model.certificate_.about.startswith("this classifier (")
    assert "preset length" in model.certificate_.scope
    assert model.certificate_.delta == 0.1
    order = np.random.default_rng(model.seed_).permutation(3000)
    again = rg.play(rg.Perceptron(bias=True), X[order], y[order])
    assert np.array_equal(again.model("validated").weights, model.coef_[0])
    found = again.model("validated", 0.1).certificate
    assert found == replace(
        model.certificate_, evidence=found.evidence, cautions=found.cautions
    )


def test_probabilities_are_where_they_are_honest():
    X, y, _ = data_for(CASES[0])
    assert not hasattr(sk.OGDClassifier(), "predict_proba")
    assert not hasattr(sk.PerceptronClassifier(), "predict_proba")
    for model in (sk.OGDClassifier(loss=rg.Logistic()), sk.PanelClassifier()):
        model.fit(X, y)
        found = model.predict_proba(X)
        np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=1e-12)
        odds = np.log(found[:, 1] / found[:, 0])
        np.testing.assert_allclose(odds, model.decision_function(X), rtol=1e-6)
        assert np.array_equal(model.predict_log_proba(X), np.log(found))
        chosen = model.classes_[found.argmax(axis=1)]
        assert np.array_equal(chosen, model.predict(X))
