"""Values that are missing: an error by default, a column of their own if asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

import regretless as rg
from estimators import ESTIMATORS

NAN = float("nan")


def table(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Two columns; that the second is missing says more than its values."""
    X = rng.normal(size=(500, 2))
    gone = rng.random(500) < 0.4
    y = (X[:, 0] + 3.0 * gone - 1.0 > 0.0).astype(int)
    X[gone, 1] = NAN
    return X, y


def by_hand(X: np.ndarray) -> np.ndarray:
    return np.hstack((np.where(np.isnan(X), 0.0, X), np.isnan(X).astype(float)))


@pytest.mark.parametrize("name", ["PerceptronClassifier", "PanelClassifier"])
def test_indicators_are_columns_as_by_hand(name: str, rng) -> None:
    X, y = table(rng)
    kind = getattr(rg.sklearn, name)
    one = kind(missing="indicator", random_state=3).fit(X, y)
    other = kind(random_state=3).fit(by_hand(X), y)
    assert one.n_features_in_ == 2
    assert np.array_equal(one.predict(X), other.predict(by_hand(X)))
    assert one.ledger_ == other.ledger_
    assert one.ledger_.mistakes < 100
    sparse = kind(missing="indicator", random_state=3).fit(csr_array(X), y)
    other = kind(random_state=3).fit(csr_array(by_hand(X)), y)
    assert sparse.ledger_ == other.ledger_


def test_the_names_of_columns(rng) -> None:
    X, y = table(rng)
    frame = pd.DataFrame(X, columns=["age", "income"])
    model = rg.sklearn.OGDRegressor(missing="indicator").fit(frame, y.astype(float))
    assert list(model.get_feature_names_out()) == [
        "age",
        "income",
        "age is missing",
        "income is missing",
    ]
    assert model.coef_.shape == (4,)
    assert np.isfinite(model.predict(frame)).all()


def test_partial_fit_is_fit(rng) -> None:
    X, y = table(rng)
    kind: Any = rg.sklearn.PerceptronClassifier
    parts = kind(missing="indicator", model="last")
    for rows in (slice(0, 100), slice(100, 500)):
        parts.partial_fit(X[rows], y[rows], classes=[0, 1])
    whole = kind(missing="indicator", model="last", shuffle=False).fit(X, y)
    assert np.array_equal(parts.coef_, whole.coef_)


@pytest.mark.parametrize("kind", ESTIMATORS, ids=lambda kind: kind.__name__)
def test_by_default_nan_is_an_error(kind: Any) -> None:
    with pytest.raises(ValueError, match=r"NaN.*missing=\"indicator\""):
        kind().fit([[1.0, NAN], [0.5, 0.5]], [0, 1])


def test_other_words_are_refused() -> None:
    with pytest.raises(
        ValueError, match="missing='mean' must be None or \"indicator\""
    ):
        rg.sklearn.PerceptronClassifier(missing="mean").fit([[1.0]], [1])
    with pytest.raises(ValueError, match="infinity"):
        rg.sklearn.PerceptronClassifier(missing="indicator").fit(
            [[1.0], [np.inf]], [0, 1]
        )


@pytest.mark.parametrize("name", ["RegressionPanelRegressor", "OGDRegressor"])
def test_labels_that_are_missing_are_no_gaps_to_fill(name: str, rng) -> None:
    X = rng.normal(size=(20, 2))
    y = np.where(np.arange(20) == 7, NAN, X[:, 0])
    for options in ({}, {"missing": "indicator"}):
        with pytest.raises(ValueError, match="Leave out the rows"):
            getattr(rg.sklearn, name)(**options).fit(X, y)


def test_words_that_are_missing_are_no_gaps_to_fill(rng) -> None:
    words = np.array(["a", "b", NAN, "a"], object)
    with pytest.raises(ValueError, match=r"NaN\. Leave out the rows"):
        rg.sklearn.PerceptronClassifier().fit(rng.normal(size=(4, 2)), words)
