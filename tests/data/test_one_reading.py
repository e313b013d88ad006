"""The same row has the same features, to the bit, whichever way it comes in.

A table of kinds of fields x entrances. The row is the first that a learner has: its
weights are then a multiple of the features of the row.
"""

from __future__ import annotations

import csv
import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

import regretless as rg

NOON = dt.datetime(2024, 3, 12, 12, 30)
ABROAD = dt.datetime(2024, 3, 12, 12, 30, tzinfo=dt.timezone(dt.timedelta(hours=9)))


class Kind(NamedTuple):
    """What a field holds, what its features are, and what is declared of it."""

    value: Any
    features: dict[str, float]
    schema: dict[str, Any] = {}  # noqa: RUF012 - it is never changed
    text: str | None = None  # as a file of text spells it
    only: tuple[str, ...] = ()  # entrances that can say it; (): all


def _declared(kind: str) -> dict[str, Any]:
    return {kind: ["f"]}


OBJECTS = ("jsonl", "events", "dicts", "live")
TYPED = (*OBJECTS, "parquet", "arrow", "pandas", "polars")


def _at(hour: float = 0.0) -> dict[str, float]:
    """The features of March 12th, 2024."""
    years = ((dt.date(2024, 3, 12) - dt.date(2000, 1, 1)).days + hour / 24) / 365.2425
    found = {"f": years, "f weekday": 2.0, "f month": 3.0 + 11 / 31}
    return {**found, "f hour": hour} if hour else found


KINDS: dict[str, Kind] = {
    "number": Kind(2.5, {"f": 2.5}),
    "whole number": Kind(3, {"f": 3.0}),
    "zero": Kind(0.0, {}),
    "number that is declared": Kind(2.5, {"f": 2.5}, _declared("numbers")),
    "boolean": Kind(True, {"f": 1.0}),
    "word": Kind("red", {"f=red": 1.0}),
    "word with marks": Kind("a=b:c|d", {"f=a=b:c|d": 1.0}),
    "word of any script": Kind("Łódź", {"f=Łódź": 1.0}),
    "integer id": Kind(11, {"f=11": 1.0}, _declared("categorical")),
    "word that spells a number": Kind("11", {"f=11": 1.0}, _declared("categorical")),
    "word that spells a date": Kind(
        "2024-03-12", {"f=2024-03-12": 1.0}, _declared("categorical")
    ),
    "NA as a word": Kind("NA", {"f=NA": 1.0}, _declared("categorical"), only=TYPED),
    "no number": Kind(None, {}, _declared("numbers")),
    "no number that is seen": Kind(
        None, {"f is missing": 1.0}, {"numbers": ["f"], "missing": "indicator"}
    ),
    "no word": Kind(None, {"f=": 1.0}, _declared("categorical")),
    "empty word": Kind("", {"f=": 1.0}, _declared("categorical")),
    "date": Kind("2024-03-12", _at()),
    "date that is declared": Kind("2024-03-12", _at(), _declared("dates")),
    "day": Kind(dt.date(2024, 3, 12), _at(), text="2024-03-12"),
    "moment": Kind(NOON, _at(12.5), text="2024-03-12 12:30:00"),
    "moment abroad": Kind(
        ABROAD, _at(3.5), text="2024-03-12T12:30:00+09:00"
    ),
    "text": Kind(
        "Red red, BLUE!", {"f=red": 2.0, "f=blue": 1.0}, {**_declared("text")}
    ),
    "text by presence": Kind(
        "red red blue",
        {"f=red": 1.0, "f=blue": 1.0},
        {**_declared("text"), "presence": True},
    ),
    "pairs of words": Kind(
        "red blue",
        {"f=red": 1.0, "f=blue": 1.0, "f=red blue": 1.0},
        {**_declared("text"), "ngrams": 2},
    ),
    "no text": Kind(None, {}, _declared("text")),
    "ignored": Kind("red", {}, _declared("ignore")),
    "object": Kind({"a": 2.0, "b": "x"}, {"f.a": 2.0, "f.b=x": 1.0}, only=OBJECTS),
    "list of words": Kind(
        ["x", "y", "x"], {"f=x": 2.0, "f=y": 1.0}, only=OBJECTS
    ),
    "list of numbers": Kind(
        [2.0, 3.0],
        {"f[0]": 2.0, "f[1]": 3.0},
        only=(*OBJECTS, "parquet", "arrow", "polars"),
    ),
}  # fmt: skip
ROW = {"one": 1.0}
Weights = dict[str, float]


def _plain(value: Any) -> Any:
    """As JSON has it."""
    return value.isoformat() if isinstance(value, dt.date) else value


def _text(kind: Kind) -> str:
    if kind.text is not None or kind.value is None:
        return kind.text or ""
    return str(kind.value)


def _written(name: str) -> Callable[[dict[str, Any], Kind], str]:
    """Write a file of one row, whose label is 1."""

    def table(row: dict[str, Any], kind: Kind) -> str:
        rows = [row]
        if name in ("csv", "tsv"):
            spelled = [{**each, "f": _text(kind)} for each in rows]
            with Path(f"t.{name}").open("w", newline="") as file:
                mark = {"csv": ",", "tsv": "\t"}[name]
                writer = csv.DictWriter(file, list(row), delimiter=mark)
                writer.writeheader()
                writer.writerows(spelled)
        elif name == "jsonl":
            plain = [{k: _plain(v) for k, v in each.items()} for each in rows]
            Path("t.jsonl").write_text("".join(json.dumps(x) + "\n" for x in plain))
        else:
            found = pa.Table.from_pylist(rows)
            write = parquet.write_table if name == "parquet" else feather.write_feather
            write(found, f"t.{name}")
        return f"t.{name}"

    return table


def _of_file(name: str) -> Callable[[dict[str, Any], rg.Schema, Kind], Weights]:
    def read(row: dict[str, Any], schema: rg.Schema, kind: Kind) -> Weights:
        path = _written(name)({**row, "y": 1}, kind)
        return _learned(path, None, schema)

    return read


def _learned(X: Any, y: Any, schema: rg.Schema) -> Weights:
    """The weights after one row."""
    learner = rg.OGD(rg.Squared(), step=0.5)
    if y is None:
        run = rg.play(learner, X, y="y" if isinstance(X, str) else None, schema=schema)
    else:
        run = rg.play(learner, X, y, schema=schema)
    return {name: value for name, value in run.named_weights().items() if value}


def _of_events(row: dict[str, Any], schema: rg.Schema, kind: Kind) -> Weights:
    return _learned(iter([(row, 1)]), None, schema)


def _of_dicts(row: dict[str, Any], schema: rg.Schema, kind: Kind) -> Weights:
    return _learned([row], [1], schema)


def _of_live(row: dict[str, Any], schema: rg.Schema, kind: Kind) -> Weights:
    learner = rg.OGD(rg.Squared(), step=0.5, schema=schema)
    learner.learn_one(row, 1)
    return {name: value for name, value in learner.weights.items() if value}


def _of_frame(make: Callable[..., Any]) -> Callable[..., Weights]:
    def read(row: dict[str, Any], schema: rg.Schema, kind: Kind) -> Weights:
        return _learned(make([row]), [1], schema)

    return read


ENTRANCES: dict[str, Callable[[dict[str, Any], rg.Schema, Kind], Weights]] = {
    **{name: _of_file(name) for name in ("csv", "tsv", "jsonl", "parquet", "arrow")},
    "events": _of_events,
    "dicts": _of_dicts,
    "live": _of_live,
    "pandas": _of_frame(pd.DataFrame),
    "polars": _of_frame(pl.DataFrame),
}
TABLE = [
    (name, entrance)
    for name, kind in KINDS.items()
    for entrance in kind.only or ENTRANCES
]


@pytest.mark.parametrize(("name", "entrance"), TABLE)
def test_a_row_is_read_alike(
    name: str, entrance: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    kind = KINDS[name]
    row = {**ROW, "f": kind.value}
    found = ENTRANCES[entrance](row, rg.Schema(**kind.schema), kind)
    assert set(found) == {"one", *kind.features}
    for feature, value in kind.features.items():
        assert found[feature] / found["one"] == pytest.approx(value, rel=1e-12)
    if kind.only == () or "events" in kind.only:
        expected = ENTRANCES["events"](row, rg.Schema(**kind.schema), kind)
        assert found == expected  # to the bit
