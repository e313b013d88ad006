"""Lines that are empty are no rows, in every text format, wherever they stand."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import regretless as rg
from file_forms import delimited, json_lines, libsvm, opened, small_blocks, table, vw
from regretless.data.formats import delimited as delimited_reader
from regretless.data.formats.row_lines import find_rows

TEXTS = {
    "svm": libsvm,
    "vw": vw,
    "csv": delimited,
    "tsv": lambda X, y: delimited(X, y, "\t"),
    "jsonl": json_lines,
}
BLANK = {"svm": b" \t\n", "vw": b"\t \n", "jsonl": b"  \n"}  # elsewhere a bad row
FORMATS = pytest.mark.parametrize("name", list(TEXTS))


def read(path, **how):
    """The rows, their labels, the line of each; and what ended the stream."""
    rows, labels, lines, failure = [], [], [], ""
    for batch in opened(path, **how).batches():
        n = batch.targets.size
        labels += batch.targets.tolist()
        lines += [int(batch.where(i).rpartition(":")[2]) for i in range(n)]
        width = batch.n_features
        some = batch.rows
        if hasattr(some, "starts"):
            for i in range(n):
                lo, hi = some.starts[i : i + 2]
                row = dict(zip(some.columns[lo:hi], some.values[lo:hi], strict=True))
                rows.append({int(j): float(v) for j, v in row.items() if v})
        else:
            dense = some.values.reshape(n, width).tolist()
            rows += [{j: v for j, v in enumerate(row) if v} for row in dense]
        failure = str(batch.failure or "")
    return rows, labels, lines, failure


@FORMATS
@pytest.mark.parametrize("size", [1 << 21, 300, 16])
def test_they_change_nothing_but_the_numbers_of_lines(
    tmp_path, monkeypatch, rng, name, size
):
    small_blocks(monkeypatch, size=size)
    X, y = table(rng)
    lines = [line + b"\n" for line in TEXTS[name](X, y).splitlines()]
    plain = tmp_path / f"plain.{name}"
    plain.write_bytes(b"".join(lines))
    rows, labels, numbers, _ = read(plain)
    empty = [b"\n", b"\r\n", BLANK.get(name, b"\n")]
    before = rng.integers(0, 4, len(lines) + 1) * rng.integers(0, 2, len(lines) + 1)
    before[[0, 1, 2, 30, -1]] = 700  # more than a block of 300 or 16 bytes
    text, at = b"", []
    for k, line in enumerate([*lines, b""]):
        text += b"".join(empty[i] for i in rng.integers(0, 3, before[k]).tolist())
        at.append(text.count(b"\n") + 1)
        text += line
    path = tmp_path / f"gaps.{name}"
    path.write_bytes(text)
    expected = [at[number - 1] for number in numbers]
    assert read(path) == (rows, labels, expected, "")
    path.write_bytes(text + b"oops! 1 2\n")
    found = read(path)
    assert found[:3] == (rows, labels, expected)
    assert f"gaps.{name}:{at[-1]}: " in found[3]


@FORMATS
def test_a_file_that_has_no_others_says_so(tmp_path, monkeypatch, name):
    small_blocks(monkeypatch, size=64)
    path = tmp_path / f"a.{name}"
    for text in (b"\n" * 1000, b"\r\n" * 1000):
        path.write_bytes(text)
        column = "label" if name in ("csv", "tsv", "jsonl") else None
        with pytest.raises(ValueError, match=r"^(?!.*\n).*there are no (rows|lines)"):
            rg.play(rg.Perceptron(), str(path), column)


@FORMATS
def test_what_the_first_rows_decide_waits_for_them(tmp_path, monkeypatch, name):
    """Indices from 0, the header, the kinds of columns, whether labels are two."""
    small_blocks(monkeypatch, size=64)
    rng = np.random.default_rng(3)
    X, y = table(rng)
    text = TEXTS[name](X, y)
    if name == "svm":
        text = text.replace(b" 1:", b" 0:")
    for gap in (b"\n" * 500, BLANK.get(name, b"") * 500, b"# c\n" * 500):
        if gap.startswith(b"#") and name != "svm":
            continue
        path = tmp_path / f"a.{name}"
        path.write_bytes(gap + text)
        column = "label" if name in ("csv", "tsv", "jsonl") else None
        assert rg.play(rg.Perceptron(), str(path), column).rounds == len(y)


letters = st.text(alphabet='ab\n"\r,', max_size=60).map(str.encode)


@given(letters, st.booleans())
def test_rows_are_found_where_a_reader_of_fields_finds_them(data, quoted):
    found = find_rows(memoryview(data), ",", quoted=quoted)
    if found is None:
        return
    quoting = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
    text = io.StringIO(data.decode(), newline="")
    rows = csv.reader(text, delimiter=",", quoting=quoting)
    lines, line = [], 1
    for row in rows:
        if row:
            lines.append(line)
        line = rows.line_num + 1
    assert found.lines.tolist() == lines
    newlines = [data.count(b"\n", 0, at) for at in found.starts[:-1].tolist()]
    assert (np.array(newlines) + 1).tolist() == lines
    assert found.starts[-1] == len(data)


def test_rows_are_found_nearly_always():
    for text in (b'a,"b\n\nc"\n\n1,2\n', b'"a","b"\r\n\r\n"c""d",1', b"", b"\n", b"a"):
        assert find_rows(memoryview(text), ",", quoted=True) is not None
    for text in (b'5" pipe,"a"\n', b"a\rb\n", b"a\r"):
        assert find_rows(memoryview(text), ",", quoted=True) is None


@pytest.mark.parametrize("bad", [1, 7, 300])
def test_bad_rows_are_found_by_halves_as_one_by_one(tmp_path, monkeypatch, bad):
    rng = np.random.default_rng(bad)
    rows = [f'{k % 2},{k},"w{k}\n\n{k}"' for k in range(3000)]
    for k in rng.choice(len(rows), bad, replace=False).tolist():
        rows[k] = ["1,2", "0,x,y", "a,b,c,d", ",,,,"][k % 4]
    path = tmp_path / "a.csv"
    path.write_text("label,n,w\n\n" + "\n\n".join(rows) + "\n")
    for action in ("skip", "stop"):
        whole = opened(path, on_bad_rows=action)
        found = [list(batch.targets) for batch in whole.batches()], read(path)
        with monkeypatch.context() as patch:
            patch.setattr(delimited_reader, "find_rows", lambda *_, **__: None)
            again = opened(path, on_bad_rows=action)
            slow = [list(batch.targets) for batch in again.batches()], read(path)
        assert found == slow
        assert whole.skipped.messages == again.skipped.messages
        assert whole.skipped.count == again.skipped.count
