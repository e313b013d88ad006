"""Several learners on the screen: a table, and what it is to be read beside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

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
        "two": f"the majority so far has {baseline} mistakes",
        "many": f"the most frequent class has {baseline} mistakes",
        "amounts": f"the running mean has RMSE {baseline:.4g}",
    }
    assert f"Without looking, {named[label]}" in text
    assert "measured with one learner: -l NAME alone" in text
    if label == "amounts":
        best = document["runs"][0]
        assert best["rmse"] < baseline
        assert best["r2"] == pytest.approx(1 - (best["rmse"] / baseline) ** 2)
        assert f"{best['rmse']:.4g} {best['r2']:.4f}" in text
