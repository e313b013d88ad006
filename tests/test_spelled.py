"""Parts as people spell them: in learners, estimators and on the command line alike."""

from __future__ import annotations

from typing import Any

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
    assert rg.sklearn.OGDClassifier(step=step).fit(X, y).predict(X).tolist() == y


def test_errors_list_the_choices() -> None:
    with pytest.raises(ValueError, match="no step 'fast': choose among adaptive"):
        rg.OGD(step="fast")
    with pytest.raises(ValueError, match=r"no loss 'log': choose among .*logistic"):
        rg.AdaGrad(loss="log")
    with pytest.raises(ValueError, match=r"it is written constant\(eta\)"):
        rg.OGD(step="constant(a)")
    with pytest.raises(ValueError, match="no step 'fast': choose among adaptive"):
        rg.sklearn.OGDClassifier(step="fast").fit([[1.0], [0.0]], [0, 1])
