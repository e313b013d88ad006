"""Labels are coded alike wherever rows come from: kinds of labels x entry points.

Of two values the smaller is -1; -1/+1, 0/1 and False/True need not both have come. Many
classes are numbered as they first come. Predictions come back as the labels were given.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import regretless as rg

D = 3
KINDS: dict[str, tuple[Any, Any]] = {
    "words": ("ham", "spam"),
    "capitals": ("Yes", "no"),
    "booleans": (False, True),
    "0/1": (0, 1),
    "-1/+1": (-1, 1),
    "1/2": (1, 2),
    "other numbers": (30, 70),
    "halves": (0.5, 1.5),
}
MANY: dict[str, tuple[Any, ...]] = {
    "words": ("red", "green", "blue"),
    "whole numbers": (4, 1, 7),
}


def rows() -> Any:
    """Rows and the number of the label of each."""
    dice = np.random.default_rng(5)
    X = dice.normal(size=(60, D)).round(3)
    return X, (X[:, 0] - X[:, 1] + 0.3 * dice.normal(size=60) > 0.2).astype(int)


def events(X: Any, labels: list[Any]) -> list[tuple[dict[str, float], Any]]:
    return [
        ({f"x{j}": float(v) for j, v in enumerate(x)}, label)
        for x, label in zip(X, labels, strict=True)
    ]


def frame(X: Any, labels: list[Any]) -> Any:
    table = pd.DataFrame(X, columns=[f"x{j}" for j in range(D)])
    table["label"] = labels
    return table


def _csv(learner: Any, X: Any, labels: list[Any]) -> Any:
    frame(X, labels).to_csv("rows.csv", index=False)
    return rg.play(learner, "rows.csv")


def _jsonl(learner: Any, X: Any, labels: list[Any]) -> Any:
    lines = [json.dumps({**x, "label": label}) for x, label in events(X, labels)]
    Path("rows.jsonl").write_text("\n".join(lines) + "\n")
    return rg.play(learner, "rows.jsonl")


def _parquet(learner: Any, X: Any, labels: list[Any]) -> Any:
    frame(X, labels).to_parquet("rows.parquet")
    return rg.play(learner, "rows.parquet")


def _live(learner: Any, X: Any, labels: list[Any], wrap: Any = lambda y: y) -> Any:
    learner.forget()
    for x, label in events(X, labels):
        learner.learn_one(x, wrap(label))
    assert {learner.predict_one(x) for x, _ in events(X, labels)} <= set(labels)
    return rg.events.run(learner)


ENTRIES: dict[str, Any] = {
    "csv": _csv,
    "jsonl": _jsonl,
    "parquet": _parquet,
    "array": lambda learner, X, labels: rg.play(learner, X, np.array(labels)),
    "list": rg.play,
    "objects": lambda learner, X, labels: rg.play(learner, X, np.array(labels, object)),
    "frame": lambda learner, X, labels: rg.play(learner, frame(X, labels), "label"),
    "pairs": lambda learner, X, labels: rg.play(learner, events(X, labels)),
    "iterator": lambda learner, X, labels: rg.play(learner, iter(events(X, labels))),
    "learn_one": _live,
    "learn_one, numpy": lambda learner, X, labels: _live(
        learner, X, labels, lambda y: np.array([y])[0]
    ),
}
FILES = ("csv", "jsonl", "parquet")
FRAMES = ("frame", "csv", "parquet")
ARRAYS = ("array", "list", "objects")
ESTIMATOR = rg.sklearn.PerceptronClassifier


def _unlabeled(entry: str, X: Any) -> Any:
    """Rows to predict, as this entry names them."""
    if entry in FRAMES:
        return frame(X, [0] * len(X)).drop(columns="label")
    return X if entry in ARRAYS else [x for x, _ in events(X, [0] * len(X))]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("entry", ENTRIES)
def test_two_classes(entry: str, kind: str, first: int) -> None:
    X, numbers = rows()
    begin = int(np.argmax(numbers == first))
    X, numbers = X[begin:], numbers[begin:]  # whichever label comes first
    pair = KINDS[kind]
    if (entry, kind) == ("csv", "booleans"):
        pair = ("False", "True")  # a CSV has words
    coded = rg.play(rg.Perceptron(), X, 2 * numbers - 1)
    run = ENTRIES[entry](rg.Perceptron(), X, [pair[k] for k in numbers])
    assert run.classes == pair
    assert np.array_equal(run.weights, coded.weights)
    assert run.mistakes == coded.mistakes
    found = run.model("last").predict(_unlabeled(entry, X))
    assert found.tolist() == [pair[int(k > 0)] for k in coded.model("last").predict(X)]
    if entry not in FILES:
        assert {type(label) for label in found.tolist()} == {type(pair[0])}


@pytest.mark.parametrize("kind", MANY)
@pytest.mark.parametrize("entry", ENTRIES)
def test_many_classes(entry: str, kind: str) -> None:
    X, _ = rows()
    numbers = (X[:, 0] > -0.5).astype(int) + (X[:, 0] > 0.5)
    names = MANY[kind]
    labels = [names[k] for k in numbers]
    coded = rg.play(rg.MulticlassPerceptron(), X, numbers)
    run = ENTRIES[entry](rg.MulticlassPerceptron(), X, labels)
    assert run.classes == tuple(dict.fromkeys(labels))
    assert np.array_equal(run.weights, coded.weights)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "halves"])
def test_estimators(kind: str) -> None:
    X, numbers = rows()
    pair = KINDS[kind]
    labels = np.array([pair[k] for k in numbers])
    coded = ESTIMATOR(shuffle=False).fit(X, 2 * numbers - 1)
    found = ESTIMATOR(shuffle=False).fit(X, labels)
    later = ESTIMATOR()
    for k in range(0, len(X), 7):
        later.partial_fit(X[k : k + 7], labels[k : k + 7])
    for each in (found, later):
        assert each.classes_.tolist() == list(pair)
        assert each.classes_.dtype == labels.dtype
        assert np.array_equal(each.coef_, coded.coef_)
        assert each.predict(X).dtype == labels.dtype


FORMS: dict[str, Any] = {
    "a list": list,
    "a tuple": tuple,
    "a column": lambda labels: [[label] for label in labels],
    "an array": lambda labels: np.array(labels, object),
    "a Series": lambda labels: pd.Series(labels, dtype=object),
}


@pytest.mark.parametrize("missing", [None, float("nan")], ids=str)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", MANY)
def test_a_missing_label_is_no_class(kind: str, form: str, missing: Any) -> None:
    """Numpy makes a word of a nan that is in a list with words."""
    X, numbers = rows()
    for names in (MANY[kind], MANY[kind][:2]):
        labels = [names[i % len(names)] for i in range(len(numbers))]
        labels[50] = missing
        for learner in (rg.Panel(), rg.OneVersusRest(rg.Perceptron())):
            with pytest.raises(rg.BadRow, match="row 50: label"):
                rg.play(learner, X, FORMS[form](labels))
