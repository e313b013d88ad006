"""Balanced classes: every class counts as much as any other."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import regretless as rg
from regretless.cli import main
from regretless.data.class_weights import WeightedClasses
from regretless.data.file_source import FileSource


def written(labels: list[Any], folder: Path) -> str:
    path = folder / "rows.csv"
    dice = random.Random(1)
    rows = [f"{dice.gauss(0, 1):.3f},{label}" for label in labels]
    path.write_text("\n".join(["x,label", *rows]) + "\n")
    return str(path)


def naive(labels: list[Any]) -> list[float]:
    """The weights, one row after the other."""
    counts: dict[Any, int] = {}
    found: list[float] = []
    for label in labels:
        if label == "":
            found.append(1.0)
            continue
        counts[label] = counts.get(label, 0) + 1
        found.append(sum(counts.values()) / (len(counts) * counts[label]))
    return found


@pytest.mark.parametrize("names", [("no", "yes"), ("a", "b", "c", "d")])
def test_weights_are_those_of_the_rows_so_far(
    names: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("regretless.data.lines.BLOCK", 200)
    dice = random.Random(3)
    labels = [*names[:2], *dice.choices(names, [9, *[1] * (len(names) - 1)], k=200)]
    labels[50] = ""
    path, many = written(labels, tmp_path), len(names) > 2
    files = FileSource(path, rg.ReadOptions(), binary=not many, many=many)
    source = WeightedClasses(files, many=many)
    for _ in range(2):  # each time from the start
        batches = [batch.weights for batch in source.batches()]
        assert len(batches) > 2
        found = np.concatenate([one for one in batches if one is not None])
        np.testing.assert_allclose(found, naive(labels), rtol=1e-15)


def test_a_rare_class_is_found(tmp_path: Path, capsys: Any) -> None:
    dice = random.Random(2)
    labels, lines = [], ["x,z,label"]
    for _ in range(3000):
        x = dice.gauss(0, 1)
        labels.append("rare" if dice.random() < 0.06 * (1 + (x > 1) * 8) else "usual")
        lines.append(f"{x:.3f},{dice.gauss(0, 1):.3f},{labels[-1]}")
    path, model = tmp_path / "r.csv", str(tmp_path / "m.rgl")
    path.write_text("\n".join(lines))
    X = np.loadtxt(path, delimiter=",", skiprows=1, usecols=(0, 1))
    found: list[float] = []
    for more in ([], ["--class-weight", "balanced"]):
        train = ["train", str(path), "--positive", "rare", "-o", model, *more]
        assert main([*train, "-l", "ogd loss=logistic step=0.05 bias=true"]) == 0
        flags = rg.load(model).predict(X) == "rare"
        found.append(float(flags[np.array(labels) == "rare"].mean()))
    assert found[1] > found[0] + 0.3
    assert "class weights are in use" in capsys.readouterr().out


@pytest.mark.parametrize("given", [["balanced", "a=2"], ["heavy"]])
def test_other_words_are_refused(given: list[str], tmp_path: Path, capsys: Any) -> None:
    path = written(["a", "b"] * 5, tmp_path)
    options = [word for one in given for word in ("--class-weight", one)]
    assert main(["train", path, *options]) == 2
    assert "write LABEL=WEIGHT, or balanced alone" in capsys.readouterr().err


def unbalanced() -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 2))
    rare = rng.random(3000) < 1 / (1 + np.exp(3 - 2 * X[:, 0]))
    return X, np.where(rare, "rare", "usual")


@pytest.mark.parametrize(
    "weights", ["balanced", {"rare": 8.0}], ids=["balanced", "dict"]
)
def test_an_estimator_weighs_rows_and_predicts_the_likeliest(
    weights: Any,
) -> None:
    X, y = unbalanced()
    kind = rg.sklearn.PanelClassifier
    plain = kind(random_state=0).fit(X, y)
    found = kind(class_weight=weights, random_state=0).fit(X, y)
    assert (found.predict(X) == "rare").mean() > 2 * (plain.predict(X) == "rare").mean()
    told = found.predict_proba(X)
    assert found.classes_.tolist() == ["rare", "usual"]
    np.testing.assert_array_equal(found.predict(X), found.classes_[told.argmax(axis=1)])
    np.testing.assert_allclose(found.run_.model("last").predict_proba(X), told)
    np.testing.assert_allclose(told.sum(axis=1), 1.0)
    factors = weights
    if weights == "balanced":
        counts = {label: int((y == label).sum()) for label in ("rare", "usual")}
        factors = {label: y.size / (2 * count) for label, count in counts.items()}
    each = np.array([factors.get(label, 1.0) for label in y])
    other = kind(random_state=0).fit(X, y, sample_weight=each)
    np.testing.assert_array_equal(
        found.decision_function(X), other.decision_function(X)
    )


def test_what_estimators_refuse_as_class_weights() -> None:
    X, y = unbalanced()
    balanced = rg.sklearn.PerceptronClassifier(class_weight="balanced")
    with pytest.raises(ValueError, match="needs all rows at once"):
        balanced.partial_fit(X, y)
    for bad in ("heavy", 3, {"rare": -1.0}):
        with pytest.raises(ValueError, match="class_weight"):
            rg.sklearn.PerceptronClassifier(class_weight=bad).fit(X, y)
