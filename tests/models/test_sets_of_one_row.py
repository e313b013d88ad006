"""A saved model has the prediction set of one row, as it has those of many."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import regretless as rg

TASKS = {
    "amounts": (rg.RegressionPanel(), lambda z: z),
    "linear": (rg.OGD(rg.Squared(), rg.Constant(0.01)), lambda z: z),
    "two classes": (rg.Panel(), lambda z: "up" if z > 0.0 else "down"),
    "many classes": (rg.Panel(), lambda z: "abcd"[int(np.digitize(z, [-1, 0, 1]))]),
}


def events(n: int = 500) -> list[dict[str, Any]]:
    rng = np.random.default_rng(0)
    return [
        {"a": float(a), "b": float(b), "city": city}
        for a, b, city in zip(
            *rng.normal(size=(2, n)), rng.choice(["Ghent", "Bath"], n), strict=True
        )
    ]


@pytest.mark.parametrize("task", TASKS)
def test_one_row_is_one_of_many(task: str, tmp_path: Path) -> None:
    learner, label = TASKS[task]
    if task == "many classes":
        learner = rg.OneVersusRest(learner)
    X = events()
    y = [label(x["a"] - x["b"]) for x in X]
    run = rg.play(rg.intervals(learner, 0.9), list(zip(X, y, strict=True)))
    run.model().save(tmp_path / "m.rgl")
    model = rg.load(tmp_path / "m.rgl")
    for x in X[:20]:
        if model.classes is None:
            found = model.predict_interval_one(x)
            assert [found.low, found.high] == model.predict_interval([x])[0].tolist()
            assert found.low <= model.predict_one(x) <= found.high
            with pytest.raises(ValueError, match="predict_interval gives intervals"):
                model.predict_set_one(x)
            continue
        inside = model.predict_set([x])[0]
        named = {model.classes[k] for k in np.flatnonzero(inside)}
        assert model.predict_set_one(x) == named
        assert model.predict_one(x) in named
        with pytest.raises(ValueError, match="predict_set gives their sets"):
            model.predict_interval_one(x)


def test_a_model_without_sets_says_how_to_have_them() -> None:
    X = events(50)
    model = rg.play(rg.RegressionPanel(), [(x, x["a"]) for x in X]).model()
    for ask in (model.predict_interval_one, model.predict_set_one):
        with pytest.raises(ValueError, match="has no prediction sets: train with"):
            ask(X[0])
