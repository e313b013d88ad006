"""In which order fit learns its rows, and what it says where labels come sorted."""

from __future__ import annotations

import pickle  # noqa: TID251 - scikit-learn's users do
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.preprocessing import StandardScaler

import regretless as rg
import regretless.sklearn as sk
from estimators import ESTIMATORS, FAST, identical, name_of, problem
from regretless.integrations.sklearn.order import sorted_by_label

EVERY = [
    pytest.param(kind, marks=[] if kind.__name__ in FAST else pytest.mark.slow)
    for kind in ESTIMATORS
]
every_estimator = pytest.mark.parametrize("kind", EVERY, ids=name_of)
SEED = 5


def rows(kind: Any, classes: int = 2, n: int = 90) -> tuple[Any, Any, Any]:
    X, _, score, weights = problem(n=n)
    X, score = np.abs(X) / 8.0, score / 8.0  # every learner takes them
    if issubclass(kind, sk.OnlineRegressor):
        return X, score, weights
    edges = np.quantile(score, np.arange(1, classes) / classes)
    return X, np.array(["a", "b", "c"])[np.digitize(score, edges)], weights


def played(model: Any, X: Any, y: Any, classes: int) -> rg.Run:
    learner = model._make_learner()
    if classes > 2 and learner.task != "classes":
        learner = rg.OneVersusRest(learner)
    return rg.play(learner, X, y)


@pytest.mark.parametrize("classes", [2, 3])
@every_estimator
def test_fit_plays_the_rows_in_the_order_of_its_seed(kind: Any, classes: int) -> None:
    real = issubclass(kind, sk.OnlineRegressor)
    if classes > 2 and (real or not kind.many):
        pytest.skip("there are no three classes")
    X, y, _ = rows(kind, classes)
    model = kind(random_state=SEED).fit(X, y)
    order = np.random.default_rng(model.seed_).permutation(y.size)
    run = played(model, X[order], y[order], classes)
    assert model.seed_ == SEED
    assert model.ledger_ == run.ledger
    found = run.model(model.model)
    assert np.array_equal(np.asarray(model.predict(X)), np.asarray(found.predict(X)))
    if not real:
        certified = run.model(delta=model.delta).certificate
        assert certified is not None
        assert certified == replace(
            model.certificate_, evidence=certified.evidence, cautions=certified.cautions
        )
        told = " ".join(str(model.certificate_).split())
        assert "were shuffled, so whether they change with time was not tested" in told


@pytest.mark.parametrize("way", [np.asarray, csr_array])
@pytest.mark.parametrize("passes", [1, 3])
@pytest.mark.parametrize("seal", [None, 0.2])
@pytest.mark.parametrize("kind", [sk.PerceptronClassifier, sk.OGDRegressor])
def test_all_that_looks_at_the_rows_again_knows_the_order(
    kind: Any, seal: Any, passes: int, way: Any
) -> None:
    X, y, weights = rows(kind)
    X, some = way(X), weights > 0.0
    case = kind(seal=seal, passes=passes, random_state=SEED)
    model = clone(case).fit(X, y, sample_weight=weights)
    assert len(model.theorems(X, y, weights)) > 0
    other = clone(case).fit(X[some], y[some], sample_weight=weights[some])
    identical(model, other)
    identical(model, pickle.loads(pickle.dumps(model)))
    assert pickle.loads(pickle.dumps(model)).seed_ == SEED
    with pytest.raises(ValueError, match="not the rows that were learned"):
        model.theorems(X[::-1], y[::-1], weights[::-1])
    if passes == 1:
        model.partial_fit(X[:9], y[:9])
        dense = rows(kind)[0]
        both, ones = way(np.r_[dense, dense[:9]]), np.r_[weights, np.ones(9)]
        assert len(model.theorems(both, np.r_[y, y[:9]], ones)) > 0
        identical(model, pickle.loads(pickle.dumps(model)))


@every_estimator
def test_a_fit_can_be_repeated(kind: Any) -> None:
    X, y, weights = rows(kind)
    first = kind().fit(X, y, sample_weight=weights)
    again = clone(first).set_params(random_state=first.seed_)
    identical(first, again.fit(X, y, sample_weight=weights))
    assert kind().fit(X, y).seed_ != first.seed_  # but once in two billion
    for made in (np.random.RandomState, np.random.default_rng):
        one = kind(random_state=made(2)).fit(X, y)
        identical(one, kind(random_state=made(2)).fit(X, y))
    dice = np.random.RandomState(2)
    seeds = {kind(random_state=dice).fit(X, y).seed_ for _ in range(3)}
    assert len(seeds) == 3
    with pytest.raises(ValueError, match="cannot be used to seed"):
        kind(random_state="x").fit(X, y)
    in_order = kind(shuffle=False).fit(X, y)
    assert not hasattr(in_order, "seed_")
    classes = {} if issubclass(kind, sk.OnlineRegressor) else {"classes": ["a", "b"]}
    assert not hasattr(kind().partial_fit(X, y, **classes), "seed_")
    assert not hasattr(first.set_params(shuffle=False).fit(X, y), "seed_")


def test_weights_of_classes_go_along() -> None:
    X, y, _ = rows(sk.PerceptronClassifier)
    weights = np.where(y == "a", 3.0, 1.0)
    by_class = sk.PerceptronClassifier(class_weight={"a": 3.0}, random_state=SEED)
    by_row = sk.PerceptronClassifier(random_state=SEED)
    identical(by_class.fit(X, y), by_row.fit(X, y, sample_weight=weights))
    assert len(by_class.theorems(X, y)) > 0
    assert by_row.fit(X, y).theorems(X, y).applying


def test_a_row_that_is_refused_has_the_number_that_was_given() -> None:
    X, y, _ = rows(sk.PerceptronClassifier)
    X[17] = 1e200  # its length is no number
    for more in ({"shuffle": False}, {}, {"random_state": SEED, "passes": 2}):
        with pytest.raises(ValueError, match=r"^row 17: "):
            sk.PerceptronClassifier(**more).fit(X, y)


LEARNED = [
    (load_iris, sk.PanelClassifier(), False),
    (load_wine, sk.PanelClassifier(), False),
    (load_iris, sk.MulticlassPerceptronClassifier(passes=5), True),
    (load_iris, sk.OGDClassifier(loss="logistic", passes=5), True),
    (load_wine, sk.PerceptronClassifier(), True),
    (load_wine, sk.OGDClassifier(loss="logistic"), True),
    (load_wine, sk.MulticlassPerceptronClassifier(), True),
]


@pytest.mark.parametrize(("load", "case", "scaled"), LEARNED)
def test_tables_that_come_sorted_are_learned(
    load: Any, case: Any, scaled: bool
) -> None:
    X, y = load(return_X_y=True)
    X = StandardScaler().fit_transform(X) if scaled else X
    for seed in range(5):
        model = clone(case).set_params(random_state=seed).fit(X, y)
        assert model.score(X, y) > 0.9
        if model.passes == 1:
            assert 1.0 - model.score(X, y) < model.certificate_.value < 0.5


@pytest.mark.parametrize("kind", [sk.PerceptronClassifier, sk.PanelClassifier])
def test_fit_warns_of_sorted_labels_where_it_keeps_their_order(kind: Any) -> None:
    X, y = load_iris(return_X_y=True)
    with pytest.warns(UserWarning, match="sorted by label.*Take shuffle=True") as seen:
        model = kind(shuffle=False).fit(X, y)
    assert seen[0].filename == __file__
    assert not hasattr(model, "certificate_")  # nor is it certified
    order = np.random.default_rng(0).permutation(150)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kind().fit(X, y)
        kind(shuffle=False).fit(X[order], y[order])
        kind(shuffle=False).partial_fit(X, y)
        sk.OGDRegressor(shuffle=False).fit(X / 10.0, y * 1.0)


@pytest.mark.parametrize("counts", [(28, 28), (100, 900), (50, 50, 50), (40,) * 10])
def test_which_orders_count_as_sorted(counts: tuple[int, ...]) -> None:
    y = np.repeat(np.arange(len(counts)), counts)
    assert sorted_by_label(y)
    assert sorted_by_label(y[::-1])
    rng = np.random.default_rng(0)
    assert not any(sorted_by_label(rng.permutation(y)) for _ in range(300))
    half = np.r_[y[::2], y[1::2]]  # two sorted files, one after the other
    assert sorted_by_label(half) == (y.size > 100)
    assert not sorted_by_label(np.sort(y[:: y.size // 10]))  # too few to tell
    assert not sorted_by_label(np.zeros(500))


def test_an_open_set_of_two_classes_is_certified_as_what_it_predicted() -> None:
    X, y, _, _ = problem(n=600)
    open_set = sk.PerceptronClassifier().partial_fit(X[:300], y[:300])
    open_set.partial_fit(X[300:], y[300:])
    closed = sk.PerceptronClassifier().partial_fit(X, y, classes=["no", "yes"])
    ours, theirs = open_set.certificate_, closed.certificate_
    assert (ours.about, ours.n, ours.total) == (theirs.about, theirs.n, theirs.total)
    assert ours.about.startswith("this learner stopped after")
    assert ours.scope == theirs.scope == "at any stopping time"


@pytest.mark.parametrize("more", [{}, {"seal": 0.1}, {"seal": 0.1, "passes": 2}])
def test_an_order_that_was_drawn_is_no_change(more: Any) -> None:
    X, y, _, _ = problem(n=600)
    for seed in range(60):  # of which tests of change take three for one
        model = sk.PerceptronClassifier(random_state=seed, **more).fit(X, y)
        assert "were shuffled" in model.certificate_.cautions[-1]
        assert model.run_.change is None


def test_why_there_is_no_certificate() -> None:
    X, y, _ = rows(sk.PerceptronClassifier)
    order = np.random.default_rng(1).permutation(90)
    X, y = X[order], y[order]
    twice = sk.PerceptronClassifier(passes=2).fit(X, y)
    with pytest.raises(AttributeError, match="rows seen before certify nothing"):
        _ = twice.certificate_
    for kind in ("validated", "last"):
        single = sk.PerceptronClassifier(model=kind)
        single.partial_fit(X[:1], y[:1], classes=["a", "b"])
        with pytest.raises(AttributeError, match="1 round is too few"):
            _ = single.certificate_
    again = sk.PerceptronClassifier(random_state=0).fit(X, y).partial_fit(X, y)
    with pytest.raises(AttributeError, match=r"there is no certificate_\. "):
        _ = again.certificate_
    moved = sk.PerceptronClassifier(random_state=0).fit(X, y)
    moved.partial_fit(100.0 + X, y)  # in their order: a change is seen again
    with pytest.raises(AttributeError, match="rows seem to have changed"):
        _ = moved.certificate_
