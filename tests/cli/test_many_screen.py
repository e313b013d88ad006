"""Several learners on the screen: a table, and what it is to be read beside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from regretless import load
from regretless.cli import main


def rows(folder: Path, label: str) -> str:
    rng = np.random.default_rng(3)
    x = rng.normal(size=120).round(3)
    labels = {"two": x > 1.0, "many": np.digitize(x, [-0.3, 0.3]), "amounts": 2 * x}
    lines = [f"{one},{y}" for one, y in zip(x, labels[label], strict=True)]
    (folder / "rows.csv").write_text("\n".join(["x,y", *lines]) + "\n")
    return str(folder / "rows.csv")


@pytest.mark.parametrize("label", ["two", "many", "amounts"])
def test_the_table_has_a_baseline(tmp_path: Path, capsys: Any, label: str) -> None:
    learners = "perceptron, adagrad"
    if label == "amounts":
        learners = "ogd loss=squared step=0.1, ogd loss=squared step=0.01"
    command = ["train", rows(tmp_path, label), "-l", learners]
    assert main(command) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert main([*command, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    baseline = document["baseline"]
    named = {
        "two": f"the majority so far has error {baseline / 1.2:.1f}%",
        "many": f"the most frequent class has error {baseline / 1.2:.1f}%",
        "amounts": f"the running mean has RMSE {baseline:.4g}",
    }
    assert f"Without looking, {named[label]}" in text
    chosen = "RMSE" if label == "amounts" else "error"
    if label == "many":  # one learner a class has probabilities
        chosen = "log loss"
    assert f"The best by {chosen} comes first" in text
    if label == "amounts":
        best = document["runs"][0]
        assert best["rmse"] < baseline
        assert best["r2"] == pytest.approx(1 - (best["rmse"] / baseline) ** 2)
        assert f"{best['rmse']:.4g} {best['mae']:.4g} {best['r2']:.4f}" in text


LOGISTIC = ["--grid", "ogd loss=logistic bias=true eta=0.01,0.1,1"]


@pytest.mark.parametrize("saved", [False, True], ids=["shown", "saved"])
@pytest.mark.parametrize("by", ["", "log-loss", "auc", "error", "loss"])
def test_what_is_saved_is_the_best_by_the_measure(
    tmp_path: Path, capsys: Any, by: str, saved: bool
) -> None:
    kept = str(tmp_path / "m.rgl")
    command = ["train", rows(tmp_path, "two"), *LOGISTIC]
    command += [*(["--best-by", by] if by else []), *(["-o", kept] if saved else [])]
    assert main([*command, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["best_by"] == (by or "log-loss")
    key = {"": "log_loss", "log-loss": "log_loss"}.get(by, by)
    found = [row[key] for row in document["runs"]]
    assert found == sorted(found, reverse=by == "auc")
    assert all(row["auc"] and row["log_loss"] for row in document["runs"])
    if saved:
        first = document["runs"][0]["learner"]
        assert document["model"]["learner"] == first
        assert repr(load(kept).learner) == first
    assert main(command) == 0
    text = " ".join(capsys.readouterr().out.split())
    title = {"": "log loss", "log-loss": "log loss", "auc": "AUC", "loss": "mean loss"}
    assert f"The best by {title.get(by, by)} comes first" in text
    assert ("its model is saved" in text) is saved
    assert "always answering the shares, log loss 0." in text


@pytest.mark.parametrize(
    ("label", "more", "said"),
    [
        ("two", ["-l", "perceptron, ogd", "--best-by", "brier"], "no probabilities"),
        ("two", ["-l", "perceptron, ogd", "--best-by", "mae"], "are compared by"),
        ("amounts", [*LOGISTIC, "--best-by", "auk"], "did you mean 'auc'"),
        ("two", ["-l", "perceptron", "--best-by", "auc"], "among several learners"),
    ],
)
def test_a_measure_that_cannot_be(
    tmp_path: Path, capsys: Any, label: str, more: list[str], said: str
) -> None:
    assert main(["train", rows(tmp_path, label), *more]) == 2
    assert said in capsys.readouterr().err
