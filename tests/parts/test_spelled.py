"""Parts as people spell them: in learners, estimators and on the command line alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import regretless as rg
from regretless.cli.grammar import parse_learner

SAME = {
    "ogd step=0.1": (rg.OGD(step=0.1), rg.OGD(step=rg.Constant(0.1))),
    "ogd step=adaptive": (rg.OGD(step="adaptive"), rg.OGD(step=rg.Adaptive(1.0))),
    "ogd step=inverse-sqrt(0.5)": (
        rg.OGD(step="inverse_sqrt(0.5)"),
        rg.OGD(step=rg.InverseSqrt(0.5)),
    ),
    "ogd loss=logistic": (rg.OGD(loss="logistic"), rg.OGD(loss=rg.Logistic())),
    "adagrad loss=pinball(0.9)": (
        rg.AdaGrad(loss="pinball(0.9)"),
        rg.AdaGrad(loss=rg.Pinball(0.9)),
    ),
}


@pytest.mark.parametrize("text", SAME)
def test_a_spelled_part_is_that_part(text: str) -> None:
    spelled, given = SAME[text]
    assert spelled == given == parse_learner(text)
    assert repr(spelled) == repr(given)


@pytest.mark.parametrize("step", ["adaptive", 0.1, "constant(0.1)", None])
def test_estimators_know_the_same_names(step: Any) -> None:
    X, y = [[1.0, 0.0], [0.0, 1.0]] * 5, [0, 1] * 5
    model = rg.sklearn.OGDClassifier(step=step, shuffle=False)
    assert model.fit(X, y).predict(X).tolist() == y


def test_errors_list_the_choices() -> None:
    with pytest.raises(ValueError, match="no step 'fast': choose among adaptive"):
        rg.OGD(step="fast")
    with pytest.raises(
        ValueError, match=r"no loss 'log' .did you mean 'logistic'.*: choose"
    ):
        rg.AdaGrad(loss="log")
    with pytest.raises(ValueError, match=r"it is written constant\(eta\)"):
        rg.OGD(step="constant(a)")
    with pytest.raises(ValueError, match="no step 'fast': choose among adaptive"):
        rg.sklearn.OGDClassifier(step="fast").fit([[1.0], [0.0]], [0, 1])


def test_one_row_is_predicted_as_one_of_many() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    labels = np.where(X[:, 0] > 0, "yes", "no")
    model = rg.play(rg.Perceptron(), X, labels).model("last")
    assert [model.predict_one(x) for x in X[:5]] == model.predict(X[:5]).tolist()
    texts = rg.play(rg.Perceptron(), ["good day", "bad day"] * 9, [1, 0] * 9).model()
    assert texts.predict_one("a good one") == 1
    with pytest.raises(ValueError, match="one row"):
        model.predict_one(X[:2])


@pytest.mark.parametrize("classes", [2, 3])
def test_a_panel_says_what_features_do(classes: int) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(600, 3))
    y = np.digitize(X[:, 1], [-0.4, 0.4] if classes == 3 else [0.0])
    effects = rg.sklearn.PanelClassifier().fit(X, y).feature_effects_
    assert effects.shape == ((3,) if classes == 2 else (3, 3))
    top = np.atleast_2d(effects)[-1]  # of the largest label
    assert top.argmax() == 1
