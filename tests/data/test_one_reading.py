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
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
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
    beside: dict[str, Any] = {}  # noqa: RUF012 - other fields of the row


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


def _crossed(
    crossed: str, f: Any, g: Any, features: dict[str, float], *also: str, **more: Any
) -> Kind:
    """A kind of interactions, of f with g; `also` are more of them."""
    only = more.pop("only", ())
    schema = {"interactions": [crossed, *also], **more}
    return Kind(f, features, schema, only=only, beside={"g": g})


KINDS |= {
    "number by number": _crossed("f*g", 2.5, 3.0, {"f": 2.5, "g": 3.0, "f*g": 7.5}),
    "number by word": _crossed("f*g", 2.5, "x", {"f": 2.5, "g=x": 1.0, "f*g=x": 2.5}),
    "word by number": _crossed("f*g", "x", 2.5, {"f=x": 1.0, "g": 2.5, "f=x*g": 2.5}),
    "word by word": _crossed("f*g", "x", "y", {"f=x": 1.0, "g=y": 1.0, "f=x*g=y": 1.0}),
    "words of any script": _crossed(
        "f*g", "Łódź*", "=a*b", {"f=Łódź*": 1.0, "g==a*b": 1.0, "f=Łódź**g==a*b": 1.0}
    ),
    "integer id by word": _crossed(
        "g*f", 11, "y", {"f=11": 1.0, "g=y": 1.0, "g=y*f=11": 1.0}, categorical=["f"]
    ),
    "flag by number": _crossed("f*g", True, 2.5, {"f": 1.0, "g": 2.5, "f*g": 2.5}),
    "number that is 0 by word": _crossed("f*g", 0.0, "x", {"g=x": 1.0}),
    "no number by word": _crossed("f*g", None, "x", {"g=x": 1.0}, numbers=["f"]),
    "no number that is seen by word": _crossed(
        "f*g",
        None,
        "x",
        {"f is missing": 1.0, "g=x": 1.0, "f is missing*g=x": 1.0},
        numbers=["f"],
        missing="indicator",
    ),
    "no number that is seen by number": _crossed(
        "f*g",
        None,
        2.5,
        {"f is missing": 1.0, "g": 2.5, "f is missing*g": 2.5},
        numbers=["f"],
        missing="indicator",
    ),
    "no word by word": _crossed(
        "f*g", None, "x", {"f=": 1.0, "g=x": 1.0, "f=*g=x": 1.0}, categorical=["f"]
    ),
    "date by word": _crossed(
        "f*g",
        "2024-03-12",
        "x",
        {**_at(), "g=x": 1.0, **{f"{name}*g=x": v for name, v in _at().items()}},
    ),
    "date by number": _crossed(
        "f*g",
        "2024-03-12",
        2.0,
        {**_at(), "g": 2.0, **{f"{name}*g": 2 * v for name, v in _at().items()}},
    ),
    "text by word": _crossed(
        "f*g",
        "Red red, BLUE!",
        "x",
        {"f=red": 2, "f=blue": 1, "g=x": 1, "f=red*g=x": 2, "f=blue*g=x": 1},
        text=["f"],
    ),
    "text by number, by presence": _crossed(
        "f*g",
        "red red",
        2.5,
        {"f=red": 1.0, "g": 2.5, "f=red*g": 2.5},
        text=["f"],
        presence=True,
    ),
    "pairs of words by word": _crossed(
        "g*f",
        "red  Blue",
        "x",
        {"g=x": 1.0}
        | {
            name: 1.0
            for word in ("red", "blue", "red blue")
            for name in (f"f={word}", f"g=x*f={word}")
        },
        text=["f"],
        ngrams=2,
    ),
    "text by itself": _crossed(
        "f*f",
        "a b a",
        "x",
        {"f=a": 2, "f=b": 1, "g=x": 1, "f=a*f=a": 4, "f=a*f=b": 2, "f=b*f=b": 1},
        text=["f"],
    ),
    "no text by word": _crossed("f*g", None, "x", {"g=x": 1.0}, text=["f"]),
    "square": _crossed("f*f", 2.5, 1.0, {"f": 2.5, "g": 1.0, "f*f": 6.25}),
    "three": _crossed(
        "one*f*g",
        2.5,
        "x",
        {"f": 2.5, "g=x": 1.0, "one*f*g=x": 2.5, "f*f*f": 15.625},
        "f*f*f",
    ),
    "one by all": _crossed(
        "f*", 2.5, "x", {"f": 2.5, "g=x": 1.0, "f*one": 2.5, "f*g=x": 2.5}
    ),
    "all by all": _crossed(
        "*",
        "x",
        2.5,
        {"f=x": 1.0, "g": 2.5, "one*f=x": 1.0, "one*g": 2.5, "f=x*g": 2.5},
        "f*g",
    ),
    "object by word": _crossed(
        "f.a*g",
        {"a": 2.0, "b": "y"},
        "x",
        {"f.a": 2.0, "f.b=y": 1.0, "g=x": 1.0, "f.a*g=x": 2.0},
        only=TYPED,
    ),
    "list of words by number": _crossed(
        "f*g",
        ["x", "y", "x"],
        2.5,
        {"f=x": 2.0, "f=y": 1.0, "g": 2.5, "f=x*g": 5.0, "f=y*g": 2.5},
        only=TYPED,
    ),
    "list of numbers by word": _crossed(
        "f*g",
        [2.0, 3.0],
        "x",
        {"f[0]": 2.0, "f[1]": 3.0, "g=x": 1.0, "f[0]*g=x": 2.0, "f[1]*g=x": 3.0},
        only=(*OBJECTS, "parquet", "arrow", "polars"),
    ),
}
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
    row = {**ROW, "f": kind.value, **kind.beside}
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


ROWS = [
    {"a": 2.0, "b": 3.5, "c": "x", "d": 11, "t": "Red blue red"},
    {"a": 0.1, "b": None, "c": "é", "d": 12, "t": "b, B red"},
    {"a": -1.5, "b": 0.25, "c": "x", "d": 12, "t": "none"},
    {"a": 3.0, "b": 1.0, "c": "never met", "d": 13, "t": "blue of another"},
]
MADE = ["a*b", "a*c", "c*d", "c*t", "t*t", "a*c*d", "b*b", "d*"]


@pytest.mark.parametrize("bits", [None, 3])  # few bits: words and products collide
@pytest.mark.parametrize("name", ["csv", "tsv", "parquet", "arrow", "pandas", "polars"])
def test_a_model_multiplies_as_its_table_did(
    name: str, bits: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows given to a model as dicts and frames have the scores of rows of a table."""
    monkeypatch.chdir(tmp_path)
    schema = rg.Schema(interactions=MADE, categorical=["d"], text=["t"], bits=bits)
    frame, y = pd.DataFrame(ROWS[:3]), [1, 0, 1]
    made = {"pandas": lambda: frame, "polars": lambda: pl.DataFrame(ROWS[:3])}
    X: Any = made[name]() if name in made else f"t.{name}"
    if name in ("csv", "tsv"):
        frame.assign(y=y).to_csv(X, index=False, sep={"csv": ",", "tsv": "\t"}[name])
    elif name not in made:
        write = parquet.write_table if name == "parquet" else feather.write_feather
        write(pa.Table.from_pandas(frame.assign(y=y)), X)
    learner = rg.OGD(rg.Squared(), step=0.1)
    run = rg.play(learner, X, "y" if isinstance(X, str) else y, schema=schema)
    model = run.model("last")
    model.save("m.rgl")
    loaded = rg.load("m.rgl")
    assert rg.Schema.of_reading(loaded.reading).interactions == tuple(MADE)
    of_frame = rg.play(learner, frame, y, schema=schema).model("last")
    expected = of_frame.scores(pd.DataFrame(ROWS)).tolist()
    for each in (model, loaded):
        for rows in (ROWS, pd.DataFrame(ROWS), pl.DataFrame(ROWS)):
            assert each.scores(rows).tolist() == expected
    live = rg.OGD(rg.Squared(), step=0.1, schema=schema)
    for row, target in zip(ROWS, y, strict=False):
        live.learn_one(row, target)
    assert bits or live.score_one(ROWS[0]) == pytest.approx(expected[0], rel=1e-9)


@pytest.mark.parametrize("key", [b"a", 1.5, None, (1, 2), frozenset([1])])
def test_a_name_is_a_string_or_a_whole_number(key: Any) -> None:
    row = {"one": 1.0, key: 2.0}
    learner = rg.Panel()
    for ask in (
        lambda: learner.learn_one(row, 1),
        lambda: rg.play(rg.Panel(), [row, row], [1, 0]),
        lambda: rg.play(rg.Panel(), [(row, 1)]),
        lambda: rg.play(rg.Panel(), [ROW] * 4, [1, 0] * 2).model("last").predict([row]),
    ):
        with pytest.raises(ValueError, match="a field is a string, not") as found:
            ask()
        assert repr(key)[:5] in str(found.value)
        assert "\n" not in str(found.value)
    assert learner.weights == {}


@pytest.mark.slow
@pytest.mark.parametrize("entrance", ["events", "live", "csv", "jsonl"])
def test_a_million_fields_are_learned(
    entrance: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    row = {"one": 1.0, "f": 2.0, **{f"f{k}": 2.0 for k in range(10**6)}}
    found = ENTRANCES[entrance](row, rg.Schema(), Kind(2.0, {}))
    assert len(found) == 10**6 + 2
    assert found["one"] * 2.0 == found["f7"] == found["f999999"]
