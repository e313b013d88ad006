"""Nightly training on files, then events: to the same bits as one run over all rows."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import regretless as rg
from regretless.cli import main

Event = dict[str, Any]
FIRST, ALL = 150, 240
TASKS = {
    "two": ("panel", "perceptron", "adagrad loss=logistic", "ftrl-proximal", "arow"),
    "words": ("panel",),
    "three": ("panel", "multiclass-perceptron"),
    "amounts": ("regression-panel", "ogd loss=squared step=0.001"),
}
CASES = [
    (task, learner, end)
    for task, learners in TASKS.items()
    for learner in learners
    for end in (("csv", "jsonl", "vw") if task in ("two", "amounts") else ("csv",))
]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)


def rows_of(task: str, n: int = ALL) -> list[tuple[Event, Any]]:
    """Rows, in which words appear that never came before."""
    dice = random.Random(3)
    found: list[tuple[Event, Any]] = []
    for i in range(n):
        x = {"a": round(dice.gauss(0.0, 1.0), 3)}
        x |= {"city": f"{dice.choice(['rome', 'oslo'])}{i // 40}", "n": i % 5}
        z = x["a"] + x["city"].startswith("rome") - 0.1 * x["n"]
        y: Any = 1 if z > 0.2 else -1
        if task == "words":
            y = "spam" if z > 0.2 else "ham"
        elif task != "two":
            y = round(z, 3) if task == "amounts" else "xyz"[int(z > 0) + int(z > 1)]
        found.append((x, y))
    return found


def write(path: str, rows: list[tuple[Event, Any]]) -> list[str]:
    """The rows as a file; the command's options for its label."""
    if path.endswith("vw"):
        lines = [f"{y} |u a:{x['a']} {x['city']} |n n:{x['n']}" for x, y in rows]
    elif path.endswith("jsonl"):
        lines = [json.dumps(x | {"label": y}) for x, y in rows]
    else:
        lines = [",".join(map(str, (*x.values(), y))) for x, y in rows]
        lines.insert(0, "a,city,n,label")
    Path(path).write_text("".join(f"{line}\n" for line in lines))
    return [] if path.endswith("vw") else ["--label", "label"]


def event(path: str, x: Event) -> Event:
    """The row as a dict of the fields that the file has."""
    if not path.endswith("vw"):
        return dict(x)
    numbers = {"u^a": x["a"], "n^n": x["n"]}
    words = {f"u^{x['city']}": 1}
    found = {"u^a": numbers["u^a"], **words, "n^n": numbers["n^n"]}
    return {name: value for name, value in found.items() if value}


def train(path: str, rows: list[tuple[Event, Any]], learner: str, *more: str) -> str:
    """A model with its state, of a file with these rows."""
    label = write(path, rows)
    named = [] if learner == "panel" else ["-l", *learner.split()]
    saved = f"{path}.rgl"
    command = ["train", path, *label, *named, "-o", saved, "--resumable", "--quiet"]
    assert main([*command, *more]) == 0
    return saved


def said(learner: Any, rows: list[Event]) -> list[Any]:
    return [learner.score_one(x) for x in rows]


@pytest.mark.parametrize(("task", "learner", "end"), CASES)
def test_events_are_the_rows_that_come_next(task, learner, end) -> None:
    rows = rows_of(task)
    first = train(f"first.{end}", rows[:FIRST], learner)
    live = rg.load_learner(first)
    assert live.ledger.rounds == FIRST
    for x, y in rows[FIRST:]:
        live.learn_one(event(end, x), y)
    whole = rg.load_learner(train(f"all.{end}", rows, learner))
    asked = [event(end, x) for x, _ in rows[::7]]
    asked += [{**asked[0], "city": "nowhere"}, {}]
    assert said(live, asked) == said(whole, asked)
    assert live.ledger == whole.ledger
    assert live.weights == whole.weights
    if task != "amounts":
        assert live.certificate() == whole.certificate()
        assert live.predict_one(asked[0]) == whole.predict_one(asked[0])
    live.save("live.rgl")
    later = rg.load_learner("live.rgl")
    for each in (live, later):
        each.learn_one({**asked[1], "city": "later"}, rows[1][1])
    assert said(live, asked) == said(later, asked)
    assert live.snapshot().score_one(asked[0]) == live.score_one(asked[0])


@pytest.mark.parametrize("end", ["csv", "jsonl"])
def test_a_model_of_the_file_says_what_the_learner_says(end) -> None:
    rows = rows_of("two")
    path = train(f"all.{end}", rows, "panel")
    live, model = rg.load_learner(path), rg.load(path)
    for x, _ in rows[:50]:
        assert live.score_one(x) == model.score_one(x) == model.scores([x])[0]


@pytest.mark.parametrize("task", ["two", "three", "amounts"])
def test_the_learner_of_a_run_goes_on_as_well(task) -> None:
    rows = rows_of(task)
    learner = rg.RegressionPanel() if task == "amounts" else rg.Panel()
    if task == "three":
        learner = rg.OneVersusRest(learner)
    label = write("first.csv", rows[:FIRST]) and "label"
    live = rg.play(learner, "first.csv", y=label).learner
    for x, y in rows[FIRST:]:
        live.learn_one(x, y)
    write("all.csv", rows)
    whole = rg.play(learner, "all.csv", y=label)
    assert live.ledger == whole.ledger
    model = whole.model("last")
    for x, _ in rows[:20]:
        found = live.score_one(x)
        assert found == model.score_one(x)


def test_texts_go_on() -> None:
    texts, y = ["cheap gold now", "lunch at noon"] * 20, [1, 0] * 20
    live = rg.play(rg.Panel(), texts[:20], y[:20]).learner
    for text, label in zip(texts[20:], y[20:], strict=True):
        live.learn_one(text, label)
    live.learn_one("a word that never came", 1)
    again = rg.play(rg.Panel(), [*texts, "a word that never came"], [*y, 1]).learner
    assert live.score_one("cheap lunch") == again.score_one("cheap lunch")


def test_a_checkpoint_goes_on() -> None:
    rows = rows_of("two")
    write("all.csv", rows)

    def stop(session: Any) -> None:
        raise KeyboardInterrupt

    kept: dict[str, Any] = {"checkpoint": "c.ckpt", "every": 1, "on_batch": stop}
    with pytest.raises(KeyboardInterrupt):
        rg.play(rg.Panel(), "all.csv", y="label", **kept)
    live = rg.load_learner("c.ckpt")
    assert live.ledger.rounds == ALL
    live.learn_one(rows[0][0], 1)
    assert live.ledger.rounds == ALL + 1


@pytest.mark.parametrize("task", ["two", "amounts"])
def test_prediction_sets_go_on(task) -> None:
    rows = rows_of(task)
    learner = "regression-panel" if task == "amounts" else "panel"
    sets = "--interval" if task == "amounts" else "--sets"
    live = rg.load_learner(train("f.csv", rows[:FIRST], learner, sets, "90%"))
    for x, y in rows[FIRST:]:
        live.learn_one(x, y)
    whole = rg.load_learner(train("a.csv", rows, learner, sets, "90%"))
    assert live.coverage == whole.coverage


def test_one_label_so_far() -> None:
    rows = [(x, 1) for x, _ in rows_of("two", 40)]
    live = rg.load_learner(train("one.csv", rows, "panel"))
    assert live.predict_one(rows[0][0]) == 1
    assert live.predict_one({"a": -9.0}) == 1  # 0 or -1 has not come
    live.learn_one({"a": -1.0}, 0)
    assert live.ledger.rounds == 41


def refused(path: str) -> str:
    with pytest.raises(ValueError) as found:  # noqa: PT011 - the caller looks at it
        rg.load_learner(path)
    assert "\n" not in str(found.value)
    assert path in str(found.value)
    return str(found.value)


def test_what_cannot_go_on_is_refused() -> None:
    rows = rows_of("two")
    Path("n.svm").write_text("1 1:0.5\n-1 2:1\n" * 20)
    assert main(["train", "n.svm", "-o", "n.rgl", "--resumable", "--quiet"]) == 0
    assert "it knows its features by number" in refused("n.rgl")
    crossed = train("q.vw", rows, "panel", "-q", "un")
    assert "it multiplies namespaces" in refused(crossed)
    weighed = train("w.csv", rows, "panel", "--class-weight", "1=2")
    assert "its classes are weighed" in refused(weighed)
    write("plain.csv", rows)
    assert main(["train", "plain.csv", "-o", "plain.rgl", "--quiet"]) == 0
    assert "a model without the state of its learner" in refused("plain.rgl")
    live = rg.load_learner(train("v.vw", rows, "panel"))
    before = live.score_one({"u^a": 1.0})
    with pytest.raises(ValueError, match="is no feature of Vowpal Wabbit text"):
        live.learn_one({"u^two words": 1.0}, 1)
    assert live.score_one({"u^a": 1.0}) == before
    assert live.ledger.rounds == ALL


def test_made_up_columns_are_refused() -> None:
    from regretless.engine.storage import read_file, write_file

    live = rg.load_learner(train("t.csv", rows_of("two"), "panel"))
    live.learn_one({"a": 1.0}, 1)
    live.save("live.rgl")
    content, _ = read_file("live.rgl", "learner")
    names = content["game"]["encoder"]["names"]
    columns = names["columns"].copy()
    for bad in (np.int32(-1), columns[0], np.int64(2**40)):
        names["columns"] = np.r_[columns[:-1], bad]
        write_file("bad.rgl", "learner", content)
        with pytest.raises(ValueError, match="not a regretless learner"):
            rg.load_learner("bad.rgl")
    names["columns"] = columns
    content["game"]["encoder"]["hashed"]["bits"] = 3
    write_file("bad.rgl", "learner", content)
    with pytest.raises(ValueError, match="not a regretless learner"):
        rg.load_learner("bad.rgl")
