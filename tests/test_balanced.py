"""Balanced classes: every class counts as much as any other."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import regretless as rg
from regretless.cli import main
from regretless.data.class_weights import BalancedClasses
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
    source = BalancedClasses(files, many=many)
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
