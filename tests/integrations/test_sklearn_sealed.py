"""Rows that estimators seal: never learned, and they certify what predicts."""

from __future__ import annotations

import copy
import pickle  # noqa: TID251 - scikit-learn's users do
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

import regretless.sklearn as sk
from estimators import CLASSIFIERS, FAST, REGRESSORS, name_of
from regretless import certify
from regretless.data.row_content import table_keys
from regretless.data.sealed_rows import Seal

SHARE = 0.1
SEED = 3
N = 600
CASES = [
    pytest.param(kind, marks=[] if kind.__name__ in FAST else pytest.mark.slow)
    for kind in CLASSIFIERS
]


def problem(classes: int = 2, n: int = N, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(n, 4)) / 4.0  # positive and short: every learner takes them
    score = X @ [1.0, -1.0, 0.5, 0.25] + 0.02 * rng.normal(size=n)
    edges = np.quantile(score, np.arange(1, classes) / classes)
    return X, np.array(["a", "b", "c", "d"])[np.digitize(score, edges)]


APART = Seal(SHARE, SEED).reserved(table_keys(problem()[0]))


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("kind", CASES, ids=name_of)
def test_sealed_rows_are_as_if_they_were_not_there(kind: Any, classes: int) -> None:
    if classes > 2 and not kind.many:
        pytest.skip("two classes only")
    X, y = problem(classes)
    spoiled = y.copy()
    spoiled[APART] = "e"
    model = kind(seal=SHARE, random_state=3).fit(X, spoiled)
    plain = kind(random_state=3).fit(X[~APART], y[~APART])
    assert model.t_ == plain.t_ == (~APART).sum()
    assert model.ledger_ == plain.ledger_
    assert np.array_equal(model.classes_, plain.classes_)
    scores = model.decision_function(X)
    assert np.array_equal(scores, plain.decision_function(X))
    if kind is sk.EGClassifier and classes > 2:  # which errs more and more here
        with pytest.raises(AttributeError, match="the error grows"):
            _ = model.certificate_
        return
    found = model.certificate_
    assert (found.n, found.total) == (APART.sum(), APART.sum())  # labels unheard of


@pytest.mark.parametrize("way", [np.asarray, csr_array, pd.DataFrame])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("kind", [sk.PerceptronClassifier, sk.PanelClassifier])
def test_what_predicts_is_certified_at_full_delta(
    kind: Any, classes: int, way: Any
) -> None:
    X, y = problem(classes)
    X = way(X)
    if hasattr(X, "columns"):
        X.columns = list("wxyz")
    for passes in (1, 3):
        model = kind(random_state=3, seal="10%", delta=0.1, passes=passes).fit(X, y)
        wrong = int((model.predict(X) != y)[APART].sum())
        found = model.certificate_
        assert (found.n, found.total, found.delta) == (APART.sum(), wrong, 0.1)
        assert found.value == certify.clopper_pearson(found.n, wrong, 0.1)
        assert found.about == "this model"
        assert found.spent is None
        assert model.certificate_ == found  # the same look again
        assert pickle.loads(pickle.dumps(model)).certificate_ == found
    once = kind(random_state=3, seal="10%").fit(X, y)
    kept = once.run_.model("last").certificate
    assert kept.n == APART.sum()
    assert kept.scope == found.scope


@pytest.mark.parametrize("declared", [True, False])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    "kind",
    [sk.PerceptronClassifier, sk.PanelClassifier, sk.MulticlassPerceptronClassifier],
)
def test_the_same_rows_are_sealed_however_they_are_cut(
    kind: Any, classes: int, declared: bool
) -> None:
    X, y = problem(classes)
    weights = np.random.default_rng(1).choice([0.0, 0.5, 2.0], size=N)
    whole = kind(random_state=3, seal=SHARE, shuffle=False)
    whole.fit(X, y, sample_weight=weights)
    pieces = kind(random_state=3, seal=SHARE)
    for begin, end in [(0, 1), (1, 2), (2, 300), (300, N)]:
        some = slice(begin, end)
        more = {"classes": np.unique(y)} if declared and not begin else {}
        pieces.partial_fit(X[some], y[some], sample_weight=weights[some], **more)
        pieces = pickle.loads(pickle.dumps(pieces))
    assert pieces.ledger_ == whole.ledger_
    assert np.array_equal(pieces.decision_function(X), whole.decision_function(X))
    assert pieces.certificate_.n == whole.certificate_.n
    assert pieces.certificate_ == whole.certificate_
    # Rows of weight zero are no rows.
    heavy = weights > 0.0
    other = kind(random_state=3, seal=SHARE, shuffle=False)
    other.fit(X[heavy], y[heavy], sample_weight=weights[heavy])
    assert other.certificate_ == whole.certificate_
    assert other.theorems(X, y, weights, u=None) is not None


def test_a_model_that_goes_on_pays_for_the_next_look() -> None:
    X, y = problem()
    model = sk.PerceptronClassifier(random_state=3, seal=SHARE)
    first = model.partial_fit(X[:300], y[:300]).certificate_
    second = model.partial_fit(X[300:], y[300:]).certificate_
    assert (first.spent, second.spent) == (None, 0.05 / 6)
    copied = copy.deepcopy(model)
    assert copied.certificate_ == second
    # Nobody looked on the way.
    later = sk.PerceptronClassifier(random_state=3, seal=SHARE).fit(X, y)
    later.predict(X)
    assert later.feature_effects_.shape == (4,)
    assert later.certificate_.spent is None


def test_models_of_the_run_pay_for_a_later_look_too() -> None:
    X, y = problem()
    model = sk.PerceptronClassifier(random_state=3, seal=SHARE)
    found = [
        model.partial_fit(X[part], y[part]).run_.model("last").certificate
        for part in (slice(0, 300), slice(300, N))
    ]
    assert [one.spent for one in found] == [None, 0.05 / 6]


@pytest.mark.parametrize("passes", [1, 3])
def test_rows_that_come_again_void_the_seal(passes: int) -> None:
    X, y = problem()
    order = np.random.default_rng(2).permutation(N)
    for again in (np.arange(N), order):
        kind = sk.PerceptronClassifier
        model = kind(random_state=3, seal=SHARE, passes=passes).fit(X, y)
        assert model.certificate_.n == APART.sum()
        model.partial_fit(X[again], y[again])
        with pytest.raises(AttributeError, match="rows seen before certify nothing"):
            _ = model.certificate_
        assert model.run_.model("last").certificate is None


def test_rows_that_change_on_the_way_leave_no_certificate() -> None:
    X, y = problem()
    y = np.sort(y)
    for open_set in (False, True):
        model = sk.PerceptronClassifier(random_state=3, seal=SHARE)
        model.partial_fit(X, y, **({} if open_set else {"classes": ["a", "b"]}))
        with pytest.raises(AttributeError, match="No bound about the future"):
            _ = model.certificate_


def test_no_more_rows_are_sealed_than_there_is_room(monkeypatch: Any) -> None:
    monkeypatch.setattr("regretless.integrations.sklearn.sealing.MOST", 7)
    X, y = problem()
    model = sk.PerceptronClassifier(random_state=3, seal=SHARE).fit(X, y)
    pieces = sk.PerceptronClassifier(random_state=3, seal=SHARE)
    for begin in range(0, N, 50):
        pieces.partial_fit(X[begin : begin + 50], y[begin : begin + 50])
    assert model.certificate_.n == pieces.certificate_.n == 7
    assert model.t_ == pieces.t_ == N - 7
    assert len(model.theorems(X, y).applying) > 0


def test_a_bad_row_ends_the_call_for_sealed_rows_too() -> None:
    X, y = problem()
    bad = X.copy()
    bad[100] = 1e200  # its length is no number
    assert not APART[100]
    model = sk.PerceptronClassifier(random_state=3, seal=SHARE)
    with pytest.raises(ValueError, match="row"):
        model.partial_fit(bad, y, classes=["a", "b"])
    model.partial_fit(X[100:], y[100:])
    whole = sk.PerceptronClassifier(random_state=3, seal=SHARE, shuffle=False).fit(X, y)
    assert np.array_equal(model.coef_, whole.coef_)
    assert model.certificate_.n == whole.certificate_.n


def test_what_is_refused() -> None:
    X, y = problem()
    kind = sk.PerceptronClassifier
    for bad in (0, 1, 7, "x", "500%"):
        with pytest.raises(ValueError, match="the share of the rows to seal"):
            kind(seal=bad).fit(X, y)
    with pytest.raises(ValueError, match="has learned all other rows"):
        kind(seal=SHARE, model="validated").fit(X, y)
    with pytest.raises(ValueError, match="every row was sealed"):
        kind(seal=0.9999).fit(X[:2], y[:2])
    with pytest.raises(ValueError, match="changed in the middle"):
        kind(seal=SHARE).fit(X, y).set_params(seal=None).partial_fit(X, y)
    nothing = kind(seal=0.9999).partial_fit(X[:2], y[:2])
    with pytest.raises(ValueError, match="no row was learned yet"):
        nothing.predict(X)


AMOUNTS = [
    pytest.param(kind, marks=[] if kind.__name__ in FAST else pytest.mark.slow)
    for kind in REGRESSORS
]


@pytest.mark.parametrize("kind", AMOUNTS, ids=name_of)
def test_amounts_are_certified_as_play_certifies_them(kind: Any) -> None:
    X, _ = problem()
    y = X @ [1.0, -1.0, 0.5, 0.25] + 0.02 * np.random.default_rng(4).normal(size=N)
    spoiled = y.copy()
    spoiled[APART] = 9.0
    plain = kind(random_state=3).fit(X[~APART], y[~APART])
    sealed = kind(seal=SHARE, random_state=3).fit(X, spoiled)
    assert sealed.ledger_ == plain.ledger_
    model = kind(random_state=3, seal=SHARE, delta=0.1, shuffle=False).fit(X, y)
    found = model.certificate_
    errors = np.sort(np.abs(model.predict(X) - y)[APART])
    assert (found.n, found.delta, found.about) == (APART.sum(), 0.1, "this model")
    assert found.measured == pytest.approx(np.mean(np.minimum(errors, found.cut) ** 2))
    for share, error in found.within:
        assert error in errors
        assert np.mean(errors <= error) >= share
    pieces = kind(random_state=3, seal=SHARE, delta=0.1)
    for begin, end in [(0, 1), (1, 250), (250, N)]:
        pieces.partial_fit(X[begin:end], y[begin:end])
    assert pieces.certificate_ == found
    assert pickle.loads(pickle.dumps(pieces)).certificate_ == found


def test_amounts_are_not_certified_without_a_seal() -> None:
    X, _ = problem()
    model = sk.VAWRegressor().fit(X, X[:, 0])
    with pytest.raises(AttributeError, match='give seal="10%" to the constructor'):
        _ = model.certificate_
