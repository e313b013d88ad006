"""A model scores a row the same, to the bit, whichever way it comes in."""

from __future__ import annotations

import datetime as dt
import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import regretless as rg
from regretless.cli import main

Row = dict[str, Any]
SCHEMA = rg.Schema(categorical=["sku"], text=["note"], numbers=["gap"])
WORDS = ["red", "green", "shoe", "hat", "coat", "wool"]
FILES = ("csv", "jsonl", "parquet", "arrow")
LEARNER = rg.OGD(rg.Logistic(), step=0.1)


def rows(n: int, seed: int, cities: list[str]) -> list[Row]:
    dice = random.Random(seed)
    return [
        {
            "note": " ".join(dice.choices(WORDS, k=3)),
            "city": dice.choice(cities),
            "sku": dice.randint(1, 9),
            "price": dice.random(),
            "gift": dice.random() < 0.5,
            "sold": dt.date(2024, 1, 1) + dt.timedelta(days=dice.randint(0, 300)),
            "gap": None if dice.random() < 0.3 else dice.random(),
        }
        for _ in range(n)
    ]


TRAIN = rows(80, 1, ["rome", "oslo"])
LABELS = [int(row["city"] == "rome") for row in TRAIN]
TEST = rows(40, 2, ["rome", "oslo", "never met", "nor this"])


def write(name: str, given: list[Row]) -> None:
    """The rows as a file of every format."""
    frame = pd.DataFrame(given)
    frame.to_csv(f"{name}.csv", index=False)
    frame.to_parquet(f"{name}.parquet")
    pl.DataFrame(given).write_ipc(f"{name}.arrow", compression="uncompressed")
    lines = [json.dumps(row, default=str) + "\n" for row in given]
    Path(f"{name}.jsonl").write_text("".join(lines))


def live(schema: rg.Schema) -> Any:
    learner = rg.OGD(rg.Logistic(), step=0.1, schema=schema)
    for row, y in zip(TRAIN, LABELS, strict=True):
        learner.learn_one(row, y)
    return learner.snapshot()


def structured(given: list[Row]) -> Any:
    kinds = [(name, object) for name in given[0]]
    return np.array([tuple(row.values()) for row in given], kinds)


WAYS: dict[str, Callable[[list[Row]], Any]] = {
    "dicts": list,
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "table": pa.Table.from_pylist,
    "numpy": structured,
    "records": lambda given: pd.DataFrame(given).to_dict("records"),
}


CROSSED = ("city*price", "sku*note", "gap*price", "sold*city")


@pytest.mark.parametrize("crossed", [(), CROSSED])
@pytest.mark.parametrize("learned", [*FILES, *WAYS, "live"])
def test_a_row_is_scored_alike(
    learned: str,
    crossed: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    schema = replace(SCHEMA, interactions=crossed)
    write("train", [{**row, "y": y} for row, y in zip(TRAIN, LABELS, strict=True)])
    write("test", TEST)
    if learned in FILES:
        run = rg.play(LEARNER, f"train.{learned}", y="y", schema=schema)
        model = run.model("last")
    elif learned == "live":
        model = live(schema)
    else:
        way = WAYS[learned]
        model = rg.play(LEARNER, way(TRAIN), LABELS, schema=schema).model("last")
    expected = np.array([model.scores([row])[0] for row in TEST])
    assert len({*expected}) > 20
    for name, way in WAYS.items():
        assert (model.scores(way(TEST)) == expected).all(), name
    model.save("m.rgl")
    for form in FILES:
        asked = ["predict", "m.rgl", f"test.{form}", "-o", "p.jsonl", "--scores"]
        assert main([*asked, "--quiet"]) == 0
        told = map(json.loads, Path("p.jsonl").read_text().splitlines())
        assert [one["score"] for one in told] == expected.tolist(), form


def test_a_bad_row_of_another_format_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write("train", [{**row, "y": y} for row, y in zip(TRAIN, LABELS, strict=True)])
    run = rg.play(LEARNER, "train.parquet", y="y", schema=SCHEMA)
    run.model("last").save("m.rgl")
    Path("test.jsonl").write_text('{"price": 1}\n{"price": "dear"}\n')
    assert main(["predict", "m.rgl", "test.jsonl"]) == 1
    assert (
        "test.jsonl:2: field 'price' is a number, not 'dear'" in capsys.readouterr().err
    )
    rg.play(LEARNER, "train.jsonl", y="y", schema=SCHEMA).model("last").save("j.rgl")
    Path("test.csv").write_text("price,gap\n1,2\n1,dear\n")
    assert main(["predict", "j.rgl", "test.csv"]) == 1
    assert "test.csv:3: column 'gap': 'dear' is not a number" in capsys.readouterr().err
    assert main(["predict", "j.rgl", "test.csv", "--on-bad-rows", "skip"]) == 0


def test_a_schema_as_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write("train", [{**row, "y": y} for row, y in zip(TRAIN, LABELS, strict=True)])
    Path("s.json").write_text(SCHEMA.to_json())
    train = ["train", "--label", "y", "-l", "ogd", "--quiet"]
    for form in ("csv", "jsonl"):
        one = [*train, f"train.{form}", "--schema", "s.json", "-o", "a.rgl"]
        assert main(one) == 0
        assert main(["inspect", "a.rgl", "--schema"]) == 0
        told = rg.Schema.from_json(capsys.readouterr().out)
        assert told.kinds["city"] == told.kinds["sku"] == "word"
        assert (told.kinds["sold"], told.kinds["note"], told.label) == (
            "date",
            "text",
            "y",
        )
        Path("again.json").write_text(told.to_json())
        on = [*train, f"train.{form}", "--again", "-i", "a.rgl", "-o", "b.rgl"]
        assert main([*on, "--schema", "again.json"]) == 0
        Path("other.json").write_text('{"text": ["sku"]}')
        assert main([*on, "--schema", "other.json"]) == 1
        said = capsys.readouterr().err
        assert "a.rgl: its data were read with text=['note'], not ['sku']" in said
    crossed = ["--schema", "s.json", "--interactions", "city*price", "-o", "c.rgl"]
    Path("s.json").write_text(replace(SCHEMA, interactions=("sku*note",)).to_json())
    assert main([*train, "train.csv", *crossed]) == 0
    assert main(["inspect", "c.rgl", "--schema"]) == 0
    told = rg.Schema.from_json(capsys.readouterr().out)
    assert told.interactions == ("city*price", "sku*note")
    Path("bad.json").write_text('{"txt": ["note"]}')
    assert main([*train, "train.csv", "--schema", "bad.json"]) == 2
    assert "--schema bad.json: there is no 'txt'" in capsys.readouterr().err
    Path("two.json").write_text('{"label": "city"}')
    assert main([*train, "train.csv", "--schema", "two.json"]) == 2
    assert "label='y', and the schema says 'city'" in capsys.readouterr().err


@pytest.mark.parametrize("form", FILES)
@pytest.mark.parametrize("role", ["id", "weight"])
def test_a_row_without_its_id_or_weight_is_a_bad_row(
    form: str,
    role: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    given = [{"x": 1.0, "c": c, "y": k % 2} for k, c in enumerate([7, 8, None, 9])]
    if role == "id":
        given = [
            {**row, "c": c} for row, c in zip(given, ["a", "b", None, "d"], strict=True)
        ]
    write("t", given)
    train = ["train", f"t.{form}", "--label", "y", f"--{role}", "c", "-l", "ogd"]
    assert main([*train, "-o", "m.rgl"]) == 1
    assert "'c'" in capsys.readouterr().err
    assert not Path("m.rgl").exists()
    assert main([*train, "--on-bad-rows", "skip"]) == 0
    assert "skipped; the first: t." in capsys.readouterr().out


@pytest.mark.parametrize("form", FILES)
def test_no_id_comes_twice(
    form: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write("t", [{"x": 1.0, "c": c, "y": c % 2} for c in (7, 8, 9, 8)])
    train = ["train", f"t.{form}", "--label", "y", "--id", "c", "-l", "ogd"]
    assert main([*train, "-o", "m.rgl"]) == 1
    assert "--id c: row 4 has the id 8 a second time" in capsys.readouterr().err
    assert not Path("m.rgl").exists()
