"""A learner that is saved before its second label has come goes on as if it was not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import regretless as rg

EVENTS = 40
PAIRS = [("a", "b"), ("b", "a"), (1, 2), (2, 1), (1, 0), (0, 1), (True, False), (-1, 1)]
LEARNERS: dict[str, Any] = {
    "panel": rg.Panel,
    "perceptron": rg.Perceptron,
    "logistic": lambda: rg.AdaGrad(rg.Logistic()),
    "sets": lambda: rg.intervals(rg.Panel(), 0.8),
}


def events(form: str) -> list[Any]:
    rng = np.random.default_rng(2)
    words = rng.choice(["red", "green", "blue"], size=(EVENTS, 3)).tolist()
    if form == "texts":
        return [" ".join(row) for row in words]
    numbers = rng.normal(size=(EVENTS, 2)).tolist()
    if form == "numbers":
        return [{"x": x, 7: y} for x, y in numbers]
    return [{"x": x, "c": row[0]} for (x, _), row in zip(numbers, words, strict=True)]


@pytest.mark.parametrize("form", ["numbers", "words", "texts"])
@pytest.mark.parametrize("names", PAIRS, ids=str)
@pytest.mark.parametrize("kind", LEARNERS)
def test_saved_while_one_label_is_alone(
    kind: str, names: tuple[Any, Any], form: str, tmp_path: Path
) -> None:
    """Of two labels the smaller is -1, whenever the learner was saved."""
    rng = np.random.default_rng(4)
    weights = rng.choice([1.0, 2.0], size=EVENTS).tolist()
    rows, lead, path = events(form), 12, tmp_path / "learner.rgl"
    alone, saved = LEARNERS[kind](), LEARNERS[kind]()
    for i, x in enumerate(rows):
        if i in (1, 5, lead, lead + 1):
            saved.save(path)
            saved = rg.load_learner(path)
            assert saved.predict_one(x) == alone.predict_one(x)
        label = names[int(i >= lead and (i % 2 == 0))]
        for learner in (alone, saved):
            learner.learn_one(x, label, weights[i])
    assert saved.ledger == alone.ledger
    assert saved.weights == alone.weights
    assert saved.score_one(rows[0]) == alone.score_one(rows[0])
    assert saved.predict_one(rows[0]) == alone.predict_one(rows[0])
    if kind == "sets":
        assert saved.coverage == alone.coverage


@pytest.mark.parametrize("harm", ["starts", "columns", "values", "weights"])
def test_damaged_events_of_the_only_label_are_refused(harm: str) -> None:
    learner = rg.Perceptron()
    for x in events("numbers")[:5]:
        learner.learn_one(x, "a")
    stored = learner.live.state_dict()
    early = stored["early"]
    early[harm] = early[harm][:-1] if harm in ("values", "weights") else early[harm] + 9
    with pytest.raises(ValueError, match=r"out of range|shape"):
        rg.Perceptron().resume(stored)
