"""Labels and prediction sets: a label that is alone for a while, and bad ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import regretless as rg
from regretless.errors import BadRow

PAIRS = [("a", "b"), ("b", "a"), (1, 2), (2, 1), (1, 0), (0, 1), (True, False), (-1, 1)]


@pytest.mark.parametrize("lead", [0, 1, 3, 20, 100])
@pytest.mark.parametrize("names", PAIRS, ids=str)
def test_a_label_that_is_alone_at_first_is_covered_as_if_both_were_known(
    names: tuple[Any, Any], lead: int
) -> None:
    """The only label so far may turn out to be -1, and is learned again."""
    rng = np.random.default_rng(lead)
    X = rng.normal(size=(200, 3))
    second = X[:, 0] + rng.normal(size=200) > 0.0
    second[:lead] = False
    y = [names[int(one)] for one in second]
    learner = rg.intervals(rg.Panel(), 0.8)
    for x, label in zip(X.tolist(), y, strict=True):
        learner.learn_one(dict(enumerate(x)), label)
    run = rg.play(rg.intervals(rg.Panel(), 0.8), X, y)
    assert learner.coverage == run.coverage


@pytest.mark.parametrize("label", ["a", 1, 0, True, False, 5])
def test_a_label_that_stays_alone_is_never_outside(label: Any) -> None:
    learner = rg.intervals(rg.Panel(), 0.9)
    for k in range(60):
        learner.learn_one({"x": 1.0, "k": k % 3}, label)
        assert label in learner.predict_set_one({"x": 1.0})
    assert learner.coverage.missed == 0


def fitted(kind: str) -> tuple[Any, Any, Any]:
    """A model with sets, and rows with their labels."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    amounts = X[:, 0] + rng.normal(size=300)
    words = np.array(["low", "middle", "high"])
    labels: dict[str, Any] = {
        "amounts": amounts,
        "two": amounts > 0.0,
        "words": words[np.digitize(amounts, [-1.0, 1.0])],
    }
    y = labels[kind]
    learner = rg.RegressionPanel() if kind == "amounts" else rg.Panel()
    return rg.play(rg.intervals(learner, 0.8), X, y).model(), X, y


KINDS = ["amounts", "two", "words"]


@pytest.mark.parametrize("kind", KINDS)
def test_labels_certify_sets_in_every_form(kind: str) -> None:
    model, X, y = fitted(kind)
    total = model.certify_sets(X, y).total
    assert 0 < total < 100
    for form in (y.tolist(), y[:, None], y.astype(object)):
        assert model.certify_sets(X, form).total == total


@pytest.mark.parametrize("kind", KINDS)
def test_labels_that_certify_nothing_are_refused(kind: str) -> None:
    """None counts as a miss, or as a hit, by mistake."""
    model, X, y = fitted(kind)
    strange = [np.inf, "many"] if kind == "amounts" else []
    for bad in (None, np.nan, *strange):
        some = y.astype(object)
        some[7] = bad
        with pytest.raises(BadRow, match="row 7: label"):
            model.certify_sets(X, some)
    for few in (y[:1], y[:-1], np.concatenate([y, y])):
        with pytest.raises(ValueError, match="X has 300 rows but y has"):
            model.certify_sets(X, few)
    with pytest.raises(ValueError, match="y has 0 dimensions"):
        model.certify_sets(X, y[0])
    with pytest.raises(ValueError, match="zero rounds certify nothing"):
        model.certify_sets(X[:0], y[:0])
