"""A learner that is no better than nothing is called that."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

import regretless as rg
from regretless.cli import main


def test_noise_is_no_better_than_the_majority() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 3))
    y = np.where(rng.random(600) < 0.8, 1, -1)
    doubts = rg.play(rg.Perceptron(), X, y).doubts
    assert doubts.better is False
    assert not doubts.diverges
    assert "no better than the majority so far" in doubts.words
    fine = rg.play(rg.Perceptron(), X, np.sign(X[:, 0])).doubts
    assert fine == (True, False, "")


def test_many_classes_and_numbers() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(600, 3))
    y = rng.choice(["a", "b", "c"], 600, p=[0.8, 0.1, 0.1])
    doubts = rg.play(rg.MulticlassPerceptron(), X, y).doubts
    assert "no better than the most frequent class" in doubts.words
    wild = rg.OGD(loss=rg.Squared(), step=rg.Constant(0.9))
    doubts = rg.play(wild, X[:300], X[:300, 0]).doubts
    assert doubts.better is False
    assert doubts.diverges
    assert "diverges" in doubts.words
    assert rg.play(rg.RegressionPanel(), X, X[:, 0]).doubts.words == ""


def test_the_screen_and_json_say_so(
    tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(2)
    text = [
        f"{1 if rng.random() < 0.9 else -1} 1:{rng.normal():.3f}" for _ in range(400)
    ]
    Path("noise.svm").write_text("\n".join(text) + "\n")
    assert main(["train", "noise.svm", "-l", "perceptron"]) == 0
    assert "no better than the majority so far" in capsys.readouterr().out
    assert main(["train", "noise.svm", "-l", "perceptron", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["doubts"]
    assert found["better"] is False
    assert found["words"].startswith("the learner is no better")
