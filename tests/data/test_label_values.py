"""Words that not every file can hold are no labels, however they come in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import regretless as rg

BAD = ["a\0", "\0", "a\0b", "\udc80", "x\ud800"]
LEARNERS = [rg.Perceptron(), rg.OneVersusRest(rg.Perceptron()), rg.Panel()]


def _of_file(learner: Any, labels: list[str], folder: Path) -> None:
    path = folder / "rows.jsonl"
    rows = [{"x": float(i), "label": label} for i, label in enumerate(labels)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    rg.play(learner, str(path))


def _of_list(learner: Any, labels: list[str], folder: Path) -> None:
    rg.play(learner, np.ones((len(labels), 1)), labels)


def _of_objects(learner: Any, labels: list[str], folder: Path) -> None:
    rg.play(learner, np.ones((len(labels), 1)), np.array(labels, object))


def _of_events(learner: Any, labels: list[str], folder: Path) -> None:
    for i, label in enumerate(labels):
        learner.learn_one({"x": float(i)}, label)


@pytest.mark.parametrize("enter", [_of_file, _of_list, _of_objects, _of_events])
@pytest.mark.parametrize("bad", BAD, ids=repr)
@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_a_label_that_no_file_can_hold(
    enter: Any, bad: str, learner: Any, tmp_path: Path
) -> None:
    learner.forget()
    for labels in (["b", "a", bad], [bad, "b"], ["a", bad, "a"]):
        with pytest.raises(ValueError, match=r"no file of text can hold|only one"):
            enter(learner, labels * 5, tmp_path)
        learner.forget()
