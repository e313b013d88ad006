"""One row alone has the score that it has among others, and in a file: to the bit."""

from __future__ import annotations

import copy
import json
import math
import pickle  # noqa: TID251 - not to load a model
import random
import threading
from collections import UserDict
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import regretless as rg

Event = dict[str, Any]
LEARNERS = {
    "panel": (rg.Panel(), "last"),
    "perceptron": (rg.Perceptron(bias=True), "last"),
    "logistic": (rg.OGD(loss=rg.Logistic()), "mean"),
    "vote": (rg.Perceptron(), "vote"),
    "machine": (rg.KernelPerceptron(), "last"),
    "panels": (rg.OneVersusRest(rg.Panel()), "last"),
    "one versus rest": (rg.OneVersusRest(rg.Perceptron()), "last"),
    "classes": (rg.MulticlassPerceptron(), "last"),
    "amounts": (rg.RegressionPanel(), "last"),
    "linear amounts": (rg.AdaGrad(loss=rg.Squared()), "last"),
}
SOURCES = ("numbers", "events", "csv", "jsonl", "frame")


def events(n: int, words: bool = True) -> list[Event]:
    dice = random.Random(5)
    rows: list[Event] = []
    for _ in range(n):
        row: Event = {"a": round(dice.gauss(0.0, 1.0), 3)}
        if words:
            row["city"] = dice.choice(["rome", "oslo", "bath"])
        rows.append(row | {"n": dice.randint(1, 9), "b": round(dice.random(), 3)})
    return rows


def label(task: str, x: Event) -> Any:
    z = x["a"] + (x.get("city") == "rome") - x["b"]
    if task == "classes":
        return "xyz"[int(z > 0.0) + int(z > 1.0)]
    return round(z, 3) if task == "real" else ["ham", "spam"][z > 0.0]


def learned(name: str, source: str) -> tuple[list[Event], Any]:
    """Rows, and a model that learned them as they come from this source."""
    learner, kind = LEARNERS[name]
    rows = events(120, source != "numbers")
    y = [label(learner.task, x) for x in rows]
    whole = [x | {"y": each} for x, each in zip(rows, y, strict=True)]
    given: dict[str, Any] = {"models": [kind]} if kind != "last" else {}
    if source in ("numbers", "events"):
        data = list(zip(rows, y, strict=True))
        return rows, rg.play(learner, data, **given).model(kind)
    path = Path(f"rows.{source}")
    if source == "jsonl":
        path.write_text("".join(f"{json.dumps(row)}\n" for row in whole))
    frame = pd.DataFrame(whole)
    if source == "csv":
        frame.to_csv(path, index=False)
    if source == "frame":
        return rows, rg.play(learner, frame.drop(columns="y"), y, **given).model(kind)
    return rows, rg.play(learner, path, y="y", **given).model(kind)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", LEARNERS)
def test_one_row_is_one_of_many(name: str, source: str, monkeypatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)
    rows, model = learned(name, source)
    model.save("m.rgl")
    saved = rg.load("m.rgl")
    asked = [*rows, {**rows[0], "new": 1.0}, {**rows[1], "city": "paris"}, {"a": 1}]
    scores, labels = saved.scores(asked).tolist(), saved.predict(asked).tolist()
    assert scores == model.scores(asked).tolist()
    for x, score, said in zip(asked, scores, labels, strict=True):
        found = saved.score_one(x)
        assert (list(found.values()) if saved.many else found) == score
        assert saved.predict_one(x) == said == model.predict_one(UserDict(x))
        if saved.probabilistic:
            chances = saved.predict_proba([x])[0].tolist()
            alone = saved.predict_proba_one(x)
            assert (list(alone.values()) if saved.many else alone) == (
                chances if saved.many else chances[1]
            )
    if source == "frame":
        frame = pd.DataFrame(rows)
        assert saved.scores(frame).tolist() == scores[: len(rows)]
        assert saved.predict_one(frame.iloc[0]) == labels[0]


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", LEARNERS)
def test_effects_are_differences_of_scores(
    name: str, source: str, monkeypatch, tmp_path
) -> None:
    monkeypatch.chdir(tmp_path)
    rows, model = learned(name, source)
    x = {"a": 0.5, "n": 2, "b": 0.25}
    if source in ("csv", "frame"):
        x = rows[0]
    found = model.explain_one(x)
    if model.many:
        found = found[model.classes[0]]
    assert {"a", "n", "b"} <= found.keys()
    if source not in ("csv", "frame"):
        without = model.score_one({"a": 0.5, "n": 2})
        whole = model.score_one(x)
        if model.many:
            whole, without = (each[model.classes[0]] for each in (whole, without))
        assert found["b"] == pytest.approx(whole - without, abs=1e-9)


def number_model() -> Any:
    data = [(x, label("binary", x)) for x in events(60, words=False)]
    return rg.play(rg.Panel(), data).model("last")


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("name", LEARNERS)
def test_a_number_that_is_not_finite_is_refused_by_name(
    name: str, bad: float, monkeypatch, tmp_path
) -> None:
    monkeypatch.chdir(tmp_path)
    _, model = learned(name, "numbers")
    asks = [model.predict_one, model.score_one, lambda x: model.predict([x])]
    for ask in (*asks, model.explain_one):
        with pytest.raises(ValueError, match=r"feature 'b': .* is not a finite number"):
            ask({"a": 1.0, "b": bad})
    assert model.predict_one({"a": 1.0}) == model.predict([{"a": 1.0}])[0]


def test_a_learner_refuses_it_too_and_stays_as_it_was() -> None:
    for learner in (rg.Panel(), rg.KernelPerceptron(), rg.MulticlassPerceptron()):
        for x in events(30, words=False):
            learner.learn_one(x, label("binary", x))
        before = learner.score_one({"a": 1.0})
        for ask, given in ((learner.score_one, ()), (learner.learn_one, ("ham",))):
            with pytest.raises(ValueError, match=r"feature 'a': .* is not a finite"):
                ask({"a": math.nan}, *given)
        assert learner.score_one({"a": 1.0}) == before


def test_rows_without_names_and_arrays() -> None:
    X = np.random.default_rng(0).normal(size=(80, 4))
    model = rg.play(rg.Panel(), X, X[:, 0] > 0).model("last")
    assert model.predict_one(X[0]) == model.predict(X[:1])[0]
    sparse = {0: float(X[0, 0]), 3: float(X[0, 3])}
    assert model.score_one(sparse) == model.scores([sparse])[0]
    with pytest.raises(TypeError, match="by number, not by name"):
        model.predict_one({"a": 1.0})
    with pytest.raises(ValueError, match="this takes one row, not 2"):
        model.predict_one(X[:2])


def test_a_row_that_is_longer_than_any_before() -> None:
    wide = {f"w{k}": 1.0 for k in range(1000)}
    model = rg.play(rg.Panel(), [(wide, 1), ({"w1": 2.0}, 0)] * 9).model("last")
    for x in ({"w1": 2.0}, wide, {**wide, "new": 1.0}, {"w2": 1.0}):
        assert model.score_one(x) == model.scores([x])[0]


def test_a_model_that_has_predicted_one_row_can_be_copied() -> None:
    model = number_model()
    score = model.score_one({"a": 1.0})
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert other.score_one({"a": 1.0}) == score


@pytest.mark.parametrize("name", LEARNERS)
def test_threads_that_ask_at_once_do_not_meet(name: str, monkeypatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)
    rows, model = learned(name, "events")
    alone = [model.score_one(x) for x in rows]
    ready, same = threading.Barrier(4), list[bool]()

    def ask() -> None:
        ready.wait()
        for _ in range(5):
            same.append([model.score_one(x) for x in rows] == alone)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert same == [True] * 20


def test_one_row_in_a_file_has_the_same_probability(monkeypatch, tmp_path) -> None:
    from regretless.cli import main

    monkeypatch.chdir(tmp_path)
    rows, model = learned("panel", "csv")
    model.save("m.rgl")
    assert main(["predict", "m.rgl", "rows.csv", "-o", "p.jsonl", "--quiet"]) == 0
    found = [json.loads(line) for line in Path("p.jsonl").read_text().splitlines()]
    alone = [model.predict_proba_one(x) for x in rows]
    assert alone == [each["p_spam"] for each in found]
