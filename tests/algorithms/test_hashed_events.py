"""Events whose names are hashed: columns as in files, and no more than there are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import live_games
import regretless as rg
from regretless.data.encoding import encoder
from regretless.data.encoding.hashed_text import word_slots

SCHEMA = rg.Schema(bits=6)
LEARNERS: dict[str, Any] = {
    "Perceptron": rg.Perceptron(schema=SCHEMA),
    "AROW": rg.AROW(schema=SCHEMA),
    "EG": rg.EG(schema=SCHEMA),
    "KernelPerceptron": rg.KernelPerceptron(budget=20, schema=SCHEMA),
    "Panel": rg.Panel(schema=SCHEMA),
    "RegressionPanel": rg.RegressionPanel(schema=SCHEMA),
    "of classes": rg.MulticlassPerceptron(schema=SCHEMA),
    "lanes": rg.OneVersusRest(rg.Perceptron(schema=SCHEMA)),
    "in turn": rg.OneVersusRest(rg.AROW(schema=SCHEMA)),
    "panels": rg.OneVersusRest(rg.Panel(schema=SCHEMA)),
}


def event(i: int) -> dict[str, Any]:
    """Two new names, a word, a number."""
    return {f"n{i}": 1.0, f"m{i}": 0.5, "user": f"u{i % 7}", "price": (i % 11) / 10}


def label(learner: Any, i: int) -> Any:
    """What is learned of it."""
    if learner.task == "classes":
        return "abc"[i * i % 3]
    return i % 11 > 5 if learner.task == "binary" else i % 11 - 4.0


def said(score: Any) -> list[float]:
    """A score, or those of all classes."""
    return list(score.values()) if isinstance(score, dict) else [score]


@pytest.mark.parametrize("kind", LEARNERS)
def test_any_learner_goes_on_from_a_file_and_its_model_says_the_same(
    kind: str, tmp_path: Path
) -> None:
    learner, straight = (replace(LEARNERS[kind]) for _ in range(2))
    for i in range(90):
        if i == 40:
            learner.save(tmp_path / "live.rgl")
            learner = rg.load_learner(tmp_path / "live.rgl")
        for each in (learner, straight):
            each.predict_one(event(i + 1))
            each.learn_one(event(i), label(each, i))
    assert live_games.state(learner) == live_games.state(straight)
    assert learner.live.player.n_features == 64
    x = event(95)  # has names that have not come
    model = learner.snapshot()
    model.save(tmp_path / "model.rgl")
    for one in (model, rg.load(tmp_path / "model.rgl")):
        found = np.ravel(one.scores([x]))
        np.testing.assert_allclose(found, said(learner.score_one(x)), rtol=1e-14)


@pytest.mark.parametrize("kind", LEARNERS)
def test_names_may_be_forgotten(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    learner, twin = replace(LEARNERS[kind]), replace(LEARNERS[kind])
    for i in range(60):
        monkeypatch.setattr(encoder, "REMEMBERED", 2**18)
        twin.learn_one(event(i), label(twin, i))
        expected = twin.score_one(event(i + 1))
        monkeypatch.setattr(encoder, "REMEMBERED", 20)
        learner.learn_one(event(i), label(learner, i))
        assert learner.score_one(event(i + 1)) == expected
    assert len(learner.live.encoder.numbers) < 30
    assert len(twin.live.encoder.numbers) > 120


@pytest.mark.parametrize("kind", ["Perceptron", "Panel", "panels"])
def test_a_refused_event_leaves_nothing_behind(kind: str) -> None:
    learner = replace(LEARNERS[kind])
    for i in range(20):
        learner.learn_one(event(i), label(learner, i))
    before = live_games.state(learner)
    for bad in ({"new": 1.0, "n1": float("nan")}, {"newer": [["x"]]}):
        with pytest.raises(rg.BadRow):
            learner.learn_one(bad, label(learner, 1))
    assert live_games.state(learner) == before


def test_words_have_the_columns_that_they_have_in_files(tmp_path: Path) -> None:
    path, schema = tmp_path / "words.csv", rg.Schema(bits=10, label="y")
    words = [{"user": f"u{i % 9}", "shop": f"s{i % 4}", "y": i % 2} for i in range(80)]
    lines = [",".join(map(str, row.values())) for row in words]
    path.write_text("\n".join(["user,shop,y", *lines, ""]))
    run = rg.play(rg.Perceptron(), path, schema=schema)
    learner = rg.Perceptron(schema=schema)
    for row in words:
        learner.learn_one(row, row["y"])
    weights = learner.weights
    assert {name: weights[name] for name in weights if weights[name]} == {
        name: w for name, w in run.named_weights().items() if w
    }
    (column,) = word_slots(["user=u3"], 10).tolist()
    assert learner.live.encoder.numbers["user=u3"] == column


def test_names_that_share_a_column_are_added_up() -> None:
    learner, one = (rg.Perceptron(schema=rg.Schema(bits=1)) for _ in range(2))
    names = [f"n{k}" for k in range(12)]
    slots = word_slots(names, 1)
    for _ in range(2):  # the second time all are known
        learner.learn_one(dict.fromkeys(names, 1.0), True)
        learner.learn_one({names[0]: 1.0}, False)
        first = [int(np.argmax(slots == k)) for k in (0, 1)]
        sums = {names[at]: float(sum(slots == slots[at])) for at in first}
        one.learn_one(sums, True)
        one.learn_one({names[0]: 1.0}, False)
    weights = learner.live.player.weights().tolist()
    assert weights == one.live.player.weights().tolist()
    assert len(weights) == 2


def test_a_played_stream_of_dicts_is_hashed_too() -> None:
    events = [(event(i), i % 2) for i in range(50)]
    run = rg.play(rg.Perceptron(), events, schema=SCHEMA)
    learner = replace(LEARNERS["Perceptron"])
    for x, y in events:
        learner.learn_one(x, y)
    assert run.weights.tolist() == learner.live.player.weights().tolist()
