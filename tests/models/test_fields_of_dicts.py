"""A field of a dict is read as in a file, or it is an error that names the field."""

from __future__ import annotations

import csv
import datetime as dt
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

import regretless as rg
from regretless.cli import main

ROWS = 200
DICE = random.Random(7)


def day() -> str:
    return f"2024-0{DICE.randint(1, 9)}-1{DICE.randint(0, 9)}"


class Case(NamedTuple):
    """What a field held while it was learned, and what a dict has for it."""

    learned: Callable[[], Any]
    given: Any
    options: tuple[str, ...] = ()
    formats: tuple[str, ...] = ("csv", "jsonl")
    error: bool = False


def words() -> str:
    return DICE.choice(["good news today", "a bad day", "the day, the night"])


def city() -> str:
    return DICE.choice(["rome", "oslo"])


def code() -> int:
    return DICE.choice([1, 2, 30])


INDICATOR = ("--missing", "indicator")
CASES = {
    "text": Case(words, "a good day", ("--text", "field")),
    "no text": Case(words, None, ("--text", "field")),
    "integer category": Case(code, 30, ("--categorical", "field")),
    "new integer category": Case(code, 7, ("--categorical", "field")),
    "category in quotes": Case(
        lambda: str(code()), "2", ("--categorical", "field"), ("jsonl",)
    ),
    "category that is a date": Case(day, "2024-03-12", ("--categorical", "field")),
    "amount for a category": Case(code, 2.5, ("--categorical", "field"), ("csv",)),
    "list of numbers for a category": Case(
        code, [2.5], ("--categorical", "field"), error=True
    ),
    "object": Case(
        lambda: {"os": city(), "n": DICE.random()},
        {"os": "rome", "n": 0.5},
        formats=("jsonl",),
    ),
    "list of words": Case(
        lambda: DICE.sample(["red", "blue", "green"], 2),
        ["red", "blue"],
        formats=("jsonl",),
    ),
    "list of numbers": Case(
        lambda: [DICE.random(), DICE.random()],
        [0.5, 0.25],
        formats=("jsonl",),
    ),
    "date": Case(day, "2024-03-12"),
    "time": Case(lambda: f"{day()} 0{DICE.randint(1, 9)}:30:00", "2024-03-12 05:30:00"),
    "no date": Case(day, "soon", formats=("csv",), error=True),
    "number for a date": Case(day, 3.5, formats=("csv",), error=True),
    "number": Case(DICE.random, 0.25),
    "whole number": Case(lambda: DICE.randint(0, 9), 4),
    "missing number": Case(DICE.random, None),
    "missing number that is seen": Case(
        lambda: DICE.choice([0.5, 1.5, None]), None, INDICATOR
    ),
    "word for a number": Case(DICE.random, "rome", error=True),
    "list for a number": Case(DICE.random, [1.0], formats=("csv",), error=True),
    "flag": Case(lambda: DICE.choice([True, False]), True),
    "word for a flag": Case(
        lambda: DICE.choice([True, False]), "yes", formats=("csv",), error=True
    ),
    "word": Case(city, "rome"),
    "new word": Case(city, "paris"),
    "missing word": Case(city, None),
    "amount for a word": Case(city, 2.5, formats=("csv",)),
}
TABLE = [(name, kind) for name, case in CASES.items() for kind in case.formats]


def write(path: str, rows: list[dict[str, Any]]) -> None:
    if path.endswith("jsonl"):
        Path(path).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        return
    with Path(path).open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def learned(kind: str, case: Case, learner: str) -> Any:
    """A model of a file with this field, and one beside it."""
    rows: list[dict[str, Any]] = []
    for _ in range(ROWS):
        y = DICE.randint(0, 1)
        row = {"age": DICE.gauss(y, 1.0), "field": case.learned()}
        rows.append({**row, "y": ["no", "yes"][y]})
    write(f"t.{kind}", rows)
    command = ["train", f"t.{kind}", "--label", "y", "-l", learner, "-o", "m.rgl"]
    assert main([*command, "--quiet", *case.options]) == 0
    return rg.load("m.rgl")


def of_file(kind: str, row: dict[str, Any], capsys: Any) -> float:
    """The score that the row has in a file."""
    write(f"p.{kind}", [row])
    capsys.readouterr()
    assert main(["predict", "m.rgl", f"p.{kind}", "--json"]) == 0
    return float(json.loads(capsys.readouterr().out)["predictions"][0]["score"])


@pytest.mark.parametrize("learner", ["panel", "perceptron"])
@pytest.mark.parametrize(("name", "kind"), TABLE)
def test_a_dict_is_read_as_a_file_or_refused(
    name: str, kind: str, learner: str, tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    case = CASES[name]
    model = learned(kind, case, learner)
    row = {"age": 0.5, "field": case.given}
    asked: list[Callable[[], Any]] = [
        lambda: model.predict_one(row),
        lambda: model.predict([row]),
        lambda: model.scores([row, row]),
        lambda: model.explain_one(row),
        lambda: model.explain([row]),
    ]
    if model.probabilistic:
        asked.append(lambda: model.predict_proba([row]))
    if case.error:
        for ask in asked:
            with pytest.raises(ValueError, match="row 0: field 'field'") as caught:
                ask()
            assert "\n" not in str(caught.value)
        return
    score = of_file(kind, row, capsys)
    np.testing.assert_allclose(model.scores([row]), score, rtol=1e-9, atol=1e-9)
    label = "yes" if score > 0.0 else "no"
    assert model.predict_one(row) == label
    assert model.predict([row]).tolist() == [label]
    if model.probabilistic:
        chance = 1.0 / (1.0 + np.exp(-score))
        assert model.predict_proba([row])[0, 1] == pytest.approx(chance)
    for ask in asked:
        ask()


EXTRA = [1.0, "word", "12", None, dt.date(2024, 1, 2), {"a": 1}, ["a"], [1.0]]


@pytest.mark.parametrize("learner", ["panel", "perceptron"])
@pytest.mark.parametrize("extra", EXTRA)
def test_a_field_that_is_no_column_of_the_table_is_left_out(
    extra: Any, learner: str, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    model = learned("csv", CASES["word"], learner)
    row = {"age": 0.5, "field": "rome"}
    assert model.scores([{**row, "other": extra}])[0] == model.scores([row])[0]


@pytest.mark.parametrize("learner", ["panel", "perceptron"])
@pytest.mark.parametrize("extra", EXTRA)
def test_a_field_of_objects_that_is_new_is_a_feature_never_met(
    extra: Any, learner: str, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    model = learned("jsonl", CASES["word"], learner)
    row = {"age": 0.5, "field": "rome"}
    found = model.scores([{**row, "other": extra}])[0]
    assert found == model.scores([{**row, "another": extra}])[0]
    nothing = learner == "perceptron" or extra is None
    assert (found == model.scores([row])[0]) == nothing


@pytest.mark.parametrize("learner", [rg.Panel(), rg.Perceptron()])
@pytest.mark.parametrize(
    "row",
    [
        {"size": 2.0, "city": "rome", "when": "2024-03-12", "member": True},
        {"size": None, "city": "paris", "when": dt.date(2024, 3, 12), "member": False},
        {"size": 1.0, "city": None, "when": None, "member": None},
    ],
)
def test_a_dict_is_read_as_a_row_of_a_frame(learner: Any, row: dict[str, Any]) -> None:
    def frame(rows: list[dict[str, Any]]) -> Any:
        types = {"size": float, "city": "string", "member": "boolean"}
        found = pd.DataFrame(rows).astype(types)
        return found.assign(when=pd.to_datetime(found["when"]))

    rows = [
        {"size": DICE.random(), "city": city(), "when": day(), "member": k % 3 == 0}
        for k in range(ROWS)
    ]
    y = [int(each["size"] > 0.5) for each in rows]
    model = rg.play(learner, frame(rows), y).model("last")
    expected = model.scores(frame([rows[0], row]))[1]
    assert model.scores([row])[0] == pytest.approx(expected, rel=1e-12)


def test_a_feature_may_be_spelled(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    model = learned("csv", CASES["word"], "panel")
    spelled = model.scores([{"age": 0.5, "field=rome": 1.0}])
    assert spelled == model.scores([{"age": 0.5, "field": "rome"}])


def test_a_word_for_a_number_of_an_array_is_an_error() -> None:
    frame = pd.DataFrame({"a": [1.0, 2.0] * 10, "b": [0.0, 1.0] * 10})
    model = rg.play(rg.Panel(), frame, [0, 1] * 10).model("last")
    assert model.predict_one({"a": 2.0, "b": 1.0}) == 1
    with pytest.raises(ValueError, match="field 'a' is a number, not 'two'"):
        model.predict_one({"a": "two", "b": 1.0})
