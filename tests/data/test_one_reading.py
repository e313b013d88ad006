"""The same row has the same features, to the bit, whichever way it comes in.

A table of kinds of fields x entrances. The row is the first that a learner has: its
weights are then a multiple of the features of the row.
"""

from __future__ import annotations

import csv
import datetime as dt
import json
import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

import regretless as rg
from regretless.data.chunk import Piece
from regretless.data.formats.readers import make_reader

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


DICTS = ("events", "dicts", "live", "numpy")
OBJECTS = ("jsonl", *DICTS)
STORED = ("parquet", "arrow", "pandas", "polars", "table")
TYPED = (*OBJECTS, *STORED)


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
    "amount of an id": Kind(11.0, {"f=11": 1.0}, _declared("categorical"), "11"),
    "half a number": Kind(2.5, {"f=2.5": 1.0}, _declared("categorical")),
    "id beyond the floats": Kind(
        2**53 + 1, {"f=9007199254740993": 1.0}, _declared("categorical")
    ),
    "truth as a word": Kind(True, {"f=true": 1.0}, _declared("categorical"), "true"),
    "day as a word": Kind(
        dt.date(2024, 3, 12), {"f=2024-03-12": 1.0}, _declared("categorical")
    ),
    "moment as a word": Kind(
        NOON,
        {"f=2024-03-12T12:30:00": 1.0},
        _declared("categorical"),
        "2024-03-12T12:30:00",
    ),
    "moment abroad as a word": Kind(
        ABROAD,
        {"f=2024-03-12T03:30:00": 1.0},
        _declared("categorical"),
        only=(*DICTS, *STORED),
    ),
    "number that is spelled": Kind("4.5", {"f": 4.5}, _declared("numbers")),
    "truth as a number": Kind(True, {"f": 1.0}, _declared("numbers")),
    "NA as a number": Kind("NA", {}, _declared("numbers")),
    "NA as a text": Kind("NA", {"f=na": 1.0}, _declared("text")),
    "nan as a number": Kind(math.nan, {}, _declared("numbers"), ""),
    "nan as a word": Kind(math.nan, {"f=": 1.0}, _declared("categorical"), ""),
    "moment that is declared": Kind(
        NOON, _at(12.5), _declared("dates"), "2024-03-12 12:30:00"
    ),
    "no date": Kind(None, {}, _declared("dates")),
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
    "object": Kind({"a": 2.0, "b": "x"}, {"f.a": 2.0, "f.b=x": 1.0}, only=TYPED),
    "object that is left out": Kind(
        {"a": {"b": 2.0}}, {}, _declared("ignore"), only=TYPED
    ),
    "object in an object": Kind({"a": {"b": 2.0}}, {"f.a.b": 2.0}, only=TYPED),
    "object of ids": Kind(
        {"a": 3}, {"f.a=3": 1.0}, {"categorical": ["f.a"]}, only=TYPED
    ),
    "list of words": Kind(["x", "y", "x"], {"f=x": 2.0, "f=y": 1.0}, only=TYPED),
    "list of categories": Kind(
        ["x", "y"], {"f=x": 1.0, "f=y": 1.0}, _declared("categorical"), only=TYPED
    ),
    "text in words": Kind(
        ["Red", "sea"], {"f=Red": 1.0, "f=sea": 1.0}, _declared("text"), only=TYPED
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


def _refusal(entrance: str, value: Any, schema: rg.Schema, text: str | None) -> str:
    """What is said of a row that cannot be learned."""
    with pytest.raises(ValueError, match=r"'f") as found:
        ENTRANCES[entrance]({**ROW, "f": value}, schema, Kind(value, {}, {}, text))
    return str(found.value)


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


def _structured(rows: list[dict[str, Any]]) -> Any:
    """An array with names."""
    kinds = [(name, object) for name in rows[0]]
    return np.array([tuple(row.values()) for row in rows], kinds)


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
    "table": _of_frame(pa.Table.from_pylist),
    "numpy": _of_frame(_structured),
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


BAD: dict[str, Kind] = {
    "word for a number": Kind("x", {}, _declared("numbers")),
    "date for a number": Kind(dt.date(2024, 3, 12), {}, _declared("numbers")),
    "number for a date": Kind(3, {}, _declared("dates")),
    "word for a date": Kind("soon", {}, _declared("dates")),
    "number for a text": Kind(3, {}, _declared("text")),
    "object for a category": Kind({"a": 1.0}, {}, _declared("categorical"), only=TYPED),
    "bytes": Kind(b"abc", {}, only=(*DICTS, *STORED)),
    "bytes for a category": Kind(
        b"abc", {}, _declared("categorical"), only=(*DICTS, *STORED)
    ),
    "bytes for a text": Kind(b"abc", {}, _declared("text"), only=(*DICTS, *STORED)),
    "endless": Kind(math.inf, {}),
    "name that no row has": Kind(2.0, {}, {"categorical": ["ff"]}),
    "name to leave out that no row has": Kind(2.0, {}, {"ignore": ["ff"]}),
    "a word of 10 MB": Kind(
        "x" * 10**7, {}, only=(*OBJECTS, "csv", "parquet", "pandas")
    ),
}
REFUSED = [
    (name, entrance)
    for name, kind in BAD.items()
    for entrance in kind.only or ENTRANCES
]


@pytest.mark.parametrize(("name", "entrance"), REFUSED)
def test_what_is_refused_names_its_field(
    name: str, entrance: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    kind = BAD[name]
    said = _refusal(entrance, kind.value, rg.Schema(**kind.schema), kind.text)
    assert "'f'" in said or "'f[0]'" in said
    assert "\n" not in said
    assert len(said) < 250


@pytest.mark.parametrize("name", [name for name, kind in BAD.items() if not kind.only])
def test_a_bad_event_changes_nothing(name: str) -> None:
    kind = BAD[name]
    learner = rg.Perceptron(schema=rg.Schema(**kind.schema))
    if "name" not in name:
        learner.learn_one(ROW, 1)
    before = learner.weights
    with pytest.raises(ValueError, match="'f'"):
        learner.learn_one({**ROW, "f": kind.value, "new": 1.0}, 0)
    assert learner.weights == before


@pytest.mark.parametrize(
    "roles",
    [
        {"categorical": ["f"], "weight": "f"},
        {"text": ["f"], "dates": ["f"]},
        {"numbers": ["f"], "label": "f"},
        {"ignore": ["f"], "id": "f"},
        {"label": "f", "weight": "f"},
        {"group": "f", "id": "f"},
    ],
)
def test_a_field_is_one_thing(roles: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"'f' is in [a-z]+ and in [a-z]+"):
        rg.Schema(**roles)
    with pytest.raises(ValueError, match=r"'f' is in [a-z]+ and in [a-z]+"):
        rg.ReadOptions.of(roles)


def test_a_schema_has_no_other_fields() -> None:
    with pytest.raises(ValueError, match=r"'catgorical'.*did you mean 'categorical'"):
        rg.Schema.from_json('{"catgorical": ["f"]}')
    for text in ("[]", "{", ""):
        with pytest.raises(ValueError, match="a schema is a JSON object"):
            rg.Schema.from_json(text)


FIRST = [
    ({"f": "A12"}, {"f": 11}, {"f=11"}),
    ({"f": "A12"}, {"f": "2024-01-01"}, {"f=2024-01-01"}),
    ({"f": "A12"}, {"f": None}, {"f="}),
    ({"f": "A12"}, {"f": ["B1", "B2"]}, {"f=B1", "f=B2"}),
    ({"f": ["B1"]}, {"f": "A12"}, {"f=A12"}),
    ({"f": "11"}, {"f": 12}, {"f=12"}),
    ({"f": 11}, {"f": "A12"}, "field 'f' is a number, not 'A12'"),
    ({"f": 11}, {"f": "2024-01-01"}, "field 'f' is a number, not '2024-01-01'"),
    (
        {"f": "2024-01-01"},
        {"f": "soon"},
        r"field 'f' is a date \(2024-12-31\), not 'soon'",
    ),
    ({"g": {"f": 1}}, {"g": {"f": "A12"}}, "field 'g.f' is a number, not 'A12'"),
]


def _events_of(rows: list[dict[str, Any]]) -> Any:
    return rg.play(rg.Perceptron(), [(row, 1) for row in rows])


def _lines_of(rows: list[dict[str, Any]], threads: int) -> Any:
    lines = [json.dumps({**row, "y": 1}) + "\n" for row in rows]
    Path("t.jsonl").write_text("".join(lines))
    return rg.play(rg.Perceptron(), "t.jsonl", options=rg.ReadOptions(threads=threads))


@pytest.mark.parametrize(("first", "later", "found"), FIRST)
@pytest.mark.parametrize("way", ["events", "live", "a block", "blocks", "threads"])
def test_the_first_value_declares_a_field(
    first: dict[str, Any],
    later: dict[str, Any],
    found: Any,
    way: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    between = [{"z": 1.0}] * 40
    if way in ("blocks", "threads"):
        monkeypatch.setattr("regretless.data.lines.BLOCK", 200)

    def learned(rows: list[dict[str, Any]]) -> Any:
        if way == "events":
            return _events_of(rows).named_weights()
        if way != "live":
            return _lines_of(rows, 3 if way == "threads" else 0).named_weights()
        learner = rg.Perceptron()
        for row in rows:
            learner.learn_one(row, 1)
        return learner.weights

    if isinstance(found, str):
        with pytest.raises(ValueError, match=found):
            learned([first, *between, later])
    else:
        before = learned([first, *between])
        assert set(learned([first, *between, later])) - set(before) == found


def test_what_was_found_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    row = {"sku": "A12", "sold": "2024-03-12", "n": 1.0}
    kept = rg.Schema(categorical=["sku"], dates=["sold"])
    run = _lines_of([row], 0)
    assert rg.Schema.of_reading(run.model("last").reading).declared == kept.declared
    assert rg.Schema.of_reading(_events_of([row]).model("last").reading) == kept
    learner = rg.Perceptron()
    learner.learn_one(row, 1)
    assert rg.Schema.of_reading(learner.snapshot().reading) == kept
    learner.save("a.rgl")
    again = rg.load_learner("a.rgl")
    again.learn_one({"sku": 11}, 0)
    assert "sku=11" in again.weights
    with pytest.raises(ValueError, match="'sold' is a date"):
        again.learn_one({"sold": "soon"}, 0)


def test_a_million_fields() -> None:
    learner = rg.Perceptron()
    learner.learn_one({f"f{j}": 1.0 for j in range(10**6)}, 1)
    assert len(learner.weights) == 10**6
    with pytest.raises(ValueError, match="field 'bad' holds bytes"):
        learner.learn_one({**{f"g{j}": 1.0 for j in range(10**6)}, "bad": b""}, 1)
    assert len(learner.weights) == 10**6


def test_a_block_that_was_parsed_too_early_is_read_again() -> None:
    reader = make_reader(
        rg.ReadOptions(format="jsonl", label="y"), {}, labelled=True, frozen=False
    )
    texts = [
        b'{"y": 1, "f": "A12"}\n',
        b'{"y": 1, "f": 11}\n',
        b'{"y": 1, "f": null}\n',
    ]
    pieces = [Piece(memoryview(text), 0, len(text)) for text in texts]
    early = [reader.parse(piece) for piece in pieces]
    for piece, parsed in zip(pieces, early, strict=True):
        reader.merge(reader.settle(parsed, partial(reader.parse, piece)))
    assert [*reader.named.values()] == ["f=A12", "f=11", "f="]
    assert reader.options.categorical == ("f",)
