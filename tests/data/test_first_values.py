"""A field that is not declared is what its first value says, however rows come."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import regretless as rg
from regretless.data.chunk import Piece
from regretless.data.formats.readers import Wanted, make_reader

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
    ({"f": "2024-01-01"}, {"f": 3.0}, r"field 'f' is a date \(2024-12-31\), not 3.0"),
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
    reader = make_reader(rg.ReadOptions(format="jsonl", label="y"), Wanted())
    texts = [
        b'{"y": 1, "f": "A12"}\n',
        b'{"y": 1, "f": 11}\n',
        b'{"y": 1, "f": null}\n',
    ]
    pieces = [Piece(memoryview(text), 0, len(text)) for text in texts]
    early = [reader.parse(piece) for piece in pieces]
    for piece, parsed in zip(pieces, early, strict=True):
        reader.merge(reader.settle(parsed, partial(reader.parse, piece)))
    assert reader.named == ["f=A12", "f=11", "f="]
    assert reader.options.categorical == ("f",)
