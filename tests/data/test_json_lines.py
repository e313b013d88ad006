"""JSON lines: objects to rows, and what is wrong with lines that are none."""

from __future__ import annotations

import json

import numpy as np
import pytest

import regretless as rg
from file_forms import opened, small_blocks


def written(tmp_path, *lines):
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(lines))
    return path


def rows_of(source):
    found = []
    for batch in source.batches():
        starts, columns, values = batch.rows
        for i in range(batch.targets.size):
            span = slice(starts[i], starts[i + 1])
            names = [source.names[column] for column in columns[span].tolist()]
            found.append(dict(zip(names, values[span].tolist(), strict=True)))
    return found


def test_values_of_all_kinds(tmp_path):
    source = opened(
        written(
            tmp_path,
            '{"label": 1, "age": 3, "city": "rome", "vip": true, "gone": null}',
            '{"label": 0, "user": {"age": 2.5, "tags": ["a", "b", "a"]}, "v": [1, -2]}',
            '{"label": 1}',
        )
    )
    assert rows_of(source) == [
        {"age": 3, "city=rome": 1, "vip": 1},
        {"user.age": 2.5, "user.tags=a": 2, "user.tags=b": 1, "v[0]": 1, "v[1]": -2},
        {},
    ]
    assert source.names[:3] == ("age", "city=rome", "vip")
    assert source.classes == (0, 1)


@pytest.mark.parametrize("threads", [0, 1, 4])
def test_numbers_of_names_do_not_depend_on_threads(tmp_path, monkeypatch, threads):
    small_blocks(monkeypatch, size=80)
    lines = [f'{{"y": {k % 2}, "n{k * 7 % 31}": {k}}}' for k in range(200)]
    source = opened(written(tmp_path, *lines), threads=threads)
    assert rows_of(source) == [{f"n{k * 7 % 31}": k} for k in range(200)]
    assert source.names == tuple(dict.fromkeys(f"n{k * 7 % 31}" for k in range(200)))


def test_words_as_labels(tmp_path):
    path = written(
        tmp_path, '{"y": "spam", "a": 1}', '{"y": "ham", "a": 2}', '{"a": 3}'
    )
    source = opened(path)
    (batch,) = source.batches()
    assert batch.targets[:2].tolist() == [1, -1]
    assert np.isnan(batch.targets[2])
    assert source.classes == ("ham", "spam")


def test_columns_as_told(tmp_path):
    path = written(tmp_path, '{"click": 1, "w": 2, "id": 7, "zip": 501, "a": 1}')
    source = opened(path, label="click", weight="w", ignore=["id"], categorical=["zip"])
    (batch,) = source.batches()
    assert batch.weights.tolist() == [2]
    assert source.names == ("zip=501", "a")


BAD = {
    "{": "it is not JSON: Expecting property name enclosed in double quotes (column 2)",
    "[1]": "it is not an object: '[1]'",
    '{"y": 1, "a": NaN}': "feature 'a': nan is not a finite number: "
    "None is a missing number",
    '{"y": 1, "a": 1e999}': "feature 'a': inf is not a finite number",
    '{"y": 1, "a": [1, "b"]}': "feature 'a': a list holds numbers or strings, not both",
    '{"y": 1, "a": [[1]]}': "feature 'a[0]': [1] is not a number",
    '{"y": [1]}': "label: [1] is not a number",
    '{"y": NaN}': "label: nan is not a finite number",
    '{"y": 1, "w": -1}': "weight -1.0 is negative",
    '{"y": 1, "w": "x"}': "weight: 'x' is not a number",
}


@pytest.mark.parametrize("line", BAD)
def test_bad_lines(tmp_path, line):
    path = written(tmp_path, '{"y": 1, "w": 1, "a": 1}', "", line)
    (batch,) = opened(path, weight="w").batches()
    assert str(batch.failure) == f"{path}:3: {BAD[line]}"
    assert batch.targets.size == 1


def test_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"y": 1, "a": "\xff"}\n')
    (batch,) = opened(path).batches()
    assert str(batch.failure) == f"{path}:1: it is not UTF-8 text"


def test_which_key_is_the_label(tmp_path):
    with pytest.raises(ValueError, match=r"which key is the label\?.* one of 'a', 'b'"):
        list(opened(written(tmp_path, '{"a": 1, "b": 2}')).batches())


def test_missing_may_be_refused(tmp_path):
    path = written(tmp_path, '{"y": 1, "a": null}')
    (batch,) = opened(path, missing="refuse").batches()
    assert str(batch.failure).endswith("field 'a' has no value")


def test_too_many_names(tmp_path):
    lines = [
        '{"y": 1, "a": 1}',
        '{"y": 0, "b": 1}',
        '{"y": 1, "c": 1}',
        '{"y": 1, "a": 2}',
    ]
    path = written(tmp_path, *lines)
    source = opened(path, max_features=2, on_bad_rows="skip")
    assert rows_of(source) == [{"a": 1}, {"b": 1}, {"a": 2}]
    assert source.names == ("a", "b")
    assert source.skipped.messages == [
        f"{path}:3: there are more features than max_features=2"
    ]


@pytest.mark.parametrize("bits", [2, 6, 20])
def test_hashed_names_are_those_of_events(tmp_path, bits):
    rows = [{"a": k % 3, "b": f"w{k % 7}", "t": ["x", "y", "x"]} for k in range(60)]
    path = written(tmp_path, *(json.dumps({**row, "y": row["a"]}) for row in rows))
    schema = rg.Schema(bits=bits)
    learner = rg.OGD(rg.Squared(), step=0.01)
    events = rg.play(learner, [(row, row["a"]) for row in rows], schema=schema)
    run = rg.play(learner, path, y="y", schema=schema)
    assert run.ledger == events.ledger
    assert run.model("last").n_features <= min(2**bits, 10)
    other = [{"a": 1.5, "b": "never met"}, {"c": 2.0, "t": ["x", "z"]}]
    expected = events.model("last").scores(other).tolist()
    assert run.model("last").scores(other).tolist() == expected
    run.model("last").save(tmp_path / "m.rgl")
    assert rg.load(tmp_path / "m.rgl").scores(other).tolist() == expected
