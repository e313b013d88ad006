"""Classes that are many, or come late: fit, and any split of partial_fit, agree."""

from __future__ import annotations

import pickle  # noqa: TID251 - scikit-learn's users do
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

import regretless as rg
import regretless.sklearn as sk
from estimators import identical, problem

CASES = [
    sk.PerceptronClassifier(model="last", shuffle=False),
    sk.PerceptronClassifier(shuffle=False),
    sk.PerceptronClassifier(model="last-half", shuffle=False),
    sk.MulticlassPerceptronClassifier(shuffle=False),
    sk.PanelClassifier(shuffle=False),
]
SLOW = [
    sk.AROWClassifier(shuffle=False),
    sk.SecondOrderPerceptronClassifier(shuffle=False),
    sk.ONSClassifier(model="mean", shuffle=False),
]
every_case = pytest.mark.parametrize(
    "case",
    [*CASES, *(pytest.param(case, marks=pytest.mark.slow) for case in SLOW)],
    ids=repr,
)
WORDS = np.array(["low", "mid", "high"])


def three(n=90, **shape):
    """Rows of three classes, one of which comes late; weights, some zero."""
    X, _, score, weights = problem(n=n, **shape)
    y = np.digitize(score, [-0.7, 0.7])
    y[: n // 3][y[: n // 3] == 1] = 2
    return X, WORDS[y], weights


def two(**shape):
    X, y, _, weights = problem(**shape)
    return X, y, weights


def in_pieces(case, X, y, cuts, weights, **more):
    model = clone(case)
    edges = [0, *sorted(set(cuts)), len(y)]
    for begin, end in pairwise(edges):
        part = None if weights is None else weights[begin:end]
        model.partial_fit(X[begin:end], y[begin:end], sample_weight=part, **more)
    return model


@every_case
@settings(max_examples=5)
@given(
    cuts=st.lists(st.integers(1, 89), max_size=3),
    weighted=st.booleans(),
    many=st.booleans(),
    open_set=st.booleans(),
)
def test_partial_fit_in_any_split_equals_fit(case, cuts, weighted, many, open_set):
    X, y, weights = three() if many else two()
    weights = weights if weighted else None
    whole = clone(case).fit(X, y, sample_weight=weights)
    more = {} if open_set else {"classes": np.unique(y)}
    found = in_pieces(case, X, y, cuts, weights, **more)
    identical(whole, found)
    assert whole.coef_.shape == (3 if many else 1, 4) if hasattr(whole, "coef_") else 1
    assert (whole.theorems() is not None) == (found.theorems() is not None)


@every_case
def test_a_copy_in_the_middle_goes_on_as_the_original(case):
    X, y, weights = three()
    model = clone(case).partial_fit(X[:20], y[:20], sample_weight=weights[:20])
    model.predict(X)
    other = pickle.loads(pickle.dumps(model))
    assert set(model.classes_) == {"low", "high"}
    identical(model, other)
    model.partial_fit(X[20:], y[20:])
    assert model.t_ != other.t_
    identical(model, other.partial_fit(X[20:], y[20:]))
    assert set(other.classes_) == set(WORDS)


@every_case
def test_what_play_does_is_what_fit_does(case):
    X, y, _ = three()
    model = clone(case).set_params(model="last").fit(X, y)
    learner = model._make_learner()
    if not isinstance(learner, rg.MulticlassPerceptron):
        learner = rg.OneVersusRest(learner)
    run = rg.play(learner, X, y)
    assert model.ledger_ == run.ledger
    assert np.array_equal(model.predict(X), run.model("last").predict(X))
    assert np.array_equal(np.sort(run.classes), model.classes_)


@every_case
def test_a_class_is_predicted_from_its_first_row_on(case):
    X, y, _ = three()
    model = clone(case).partial_fit(X[:1], y[:1])
    assert model.classes_.tolist() == [y[0]]
    assert set(model.predict(X)) == {y[0]}
    model = clone(case).partial_fit(X[:20], y[:20], classes=WORDS)
    assert model.classes_.tolist() == ["high", "low", "mid"]
    scores = model.decision_function(X)
    assert scores.shape == (90, 3)
    assert (scores[:, 2] == -np.inf).all()
    assert "mid" not in model.predict(X)
    if hasattr(model, "predict_proba"):
        found = model.predict_proba(X)
        assert (found[:, 2] == 0.0).all()
        np.testing.assert_allclose(found.sum(axis=1), 1.0)


@every_case
def test_a_row_of_weight_zero_brings_no_class(case):
    X, y, weights = three()
    late = np.flatnonzero(y == "mid")[:3]
    weights[late] = 0.0
    weights[[0, 1]] = 0.0
    some = weights > 0
    identical(
        clone(case).fit(X, y, sample_weight=weights),
        clone(case).fit(X[some], y[some], sample_weight=weights[some]),
    )
    model = clone(case).partial_fit(X, y, sample_weight=(y != "mid") * 1.0)
    assert set(model.classes_) == {"low", "high"}


def test_labels_may_be_numbers_of_any_kind():
    X, y, _ = three()
    places = np.unique(y, return_inverse=True)[1]
    for labels in (places, places - 1.0, places.astype(np.uint8), y.astype(object)):
        model = clone(CASES[0]).fit(X, labels)
        assert model.classes_.dtype == labels.dtype
        assert model.predict(X).dtype == labels.dtype
        found = clone(CASES[0]).partial_fit(X[:5], labels[:5])
        identical(model, found.partial_fit(X[5:], labels[5:]))


def test_theorems_of_many_classes_and_of_two_that_came():
    X, y, _ = three()
    found = clone(CASES[0]).fit(X, y).theorems(X, y)
    assert found.applying
    X, y, _ = two()
    open_set = clone(CASES[0]).partial_fit(X[:9], y[:9]).partial_fit(X[9:], y[9:])
    closed = clone(CASES[0]).fit(X, y)
    assert str(open_set.theorems(X, y)) == str(closed.theorems(X, y))


def test_a_bad_row_brings_no_class():
    X, y, _ = three()
    case = sk.OGDClassifier(model="last", step=1e300)
    model = clone(case).partial_fit(X[:1], y[:1])
    known = model.classes_.tolist()
    late = np.where(np.arange(90) < 60, y[0], "late")
    with pytest.raises(ValueError, match="take a smaller step"):
        model.partial_fit(1e8 * X, late)
    assert model.classes_.tolist() == known
    assert set(model.predict(X)) == set(known)


def test_validation_needs_to_know_the_classes():
    X, y, _ = three(n=1200)
    case = sk.PerceptronClassifier(model="validated", shuffle=False)
    with pytest.raises(ValueError, match="needs to know the classes"):
        clone(case).partial_fit(X, y)
    whole = clone(case).fit(X, y)
    identical(whole, in_pieces(case, X, y, [100, 700], None, classes=WORDS))
    with pytest.raises(
        AttributeError, match="rows seem to have changed"
    ):  # a class came late
        whole.certificate_  # noqa: B018


@pytest.mark.parametrize(
    "kind", [sk.OGDClassifier, sk.PanelClassifier, sk.MulticlassPerceptronClassifier]
)
def test_effects_of_two_classes_that_came_are_those_of_two_declared(kind):
    X, y, _ = two()
    found = [
        kind().partial_fit(X, y, **more).feature_effects_
        for more in ({}, {"classes": ["no", "yes"]})
    ]
    assert found[0].shape == (4,)
    np.testing.assert_allclose(*found, rtol=1e-12)
