"""Bad input: every one gives one line that says where and what; nothing is silent."""

from __future__ import annotations

import gzip
import os
import re

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import regretless as rg
from file_forms import FORMS, compress, libsvm, opened, saved, small_blocks, table
from regretless.data import lines


def failure_of(path, **how):
    """The one line that reading a file ends with."""
    try:
        batches = list(opened(path, **how).batches())
    except (ValueError, OSError, TypeError) as error:
        return str(error)
    assert batches, "nothing was read, and nothing was said"
    assert batches[-1].failure is not None, "all was read without complaint"
    return str(batches[-1].failure)


def said(tmp_path, name, content, **how):
    """What is said about a file with this content, without the folder."""
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    line = failure_of(path, **how)
    assert "\n" not in line
    return line.replace(f"{tmp_path}/", "")


LIBSVM = {
    "1 1:1\nx 1:1\n": "a.svm:2: label 'x' is not a number",
    "1 1:1\n1 2\n": "a.svm:2: entry 1, '2': there is no colon",
    "1 1:1\n1 -2:1\n": "a.svm:2: index -2 is negative",
    "1 1:1\n1 3:1 2:1\n": "a.svm:2: index 2 after 3: indices must ascend",
    "1 1:1\n1 99999999:1\n": "a.svm:2: index 99999999 is beyond max_features=67108864",
    "1 1:1\n1 2:nan\n": "a.svm:2: value 'nan' of index 2 is not a finite number",
    "1 1:1\n1 2:inf\n": "a.svm:2: value 'inf' of index 2 is not a finite number",
    "1 1:1\nnan 2:1\n": "a.svm:2: label 'nan' is not a finite number",
    "1 1:1\n1 2:1\0\n": r"a.svm:2: value '1\x00' of index 2 is not a number",
    "1 1:1\n-1 1:1\n3 1:1\n": "a.svm:3: label 3 is a third value after -1 and 1",
}


@pytest.mark.parametrize("text", LIBSVM, ids=LIBSVM.values())
@pytest.mark.parametrize("threads", [0, 2])
def test_libsvm(tmp_path, text, threads):
    assert said(tmp_path, "a.svm", text, threads=threads).startswith(LIBSVM[text])


def test_binary_junk(tmp_path, rng):
    junk = b"\x00\x01\xfe" + rng.bytes(5000)
    assert said(tmp_path, "a.svm", junk).startswith("a.svm:1: ")
    assert said(tmp_path, "a", junk).startswith(
        "a: its format cannot be told from its name or first line; "
        "say --format (format=), one of libsvm, vw, csv"
    )
    for name in ("a.parquet", "a.arrow", "a.npz"):
        assert said(tmp_path, name, junk).startswith(f"{name}: it is not a")
    assert said(tmp_path, "a.csv", junk) == "a.csv:1: it is not UTF-8 text"
    assert said(tmp_path, "a.jsonl", junk).startswith("a.jsonl:1: it is not JSON")
    assert said(tmp_path, "a.vw", junk).startswith("a.vw:1: ")


@pytest.mark.parametrize("name", ["a.parquet", "a.feather", "a.arrow", "a.npz"])
def test_half_a_file(tmp_path, rng, name):
    whole = FORMS[name](*table(rng, 500))
    assert said(tmp_path, name, whole[: len(whole) // 2]).startswith(f"{name}: it ")


def test_accepted(tmp_path):
    plain = b"1 1:1\n-1 2:3\n1 1:2 2:1\n"
    expected = read(tmp_path, plain)
    assert read(tmp_path, plain.replace(b"\n", b"\r\n")) == expected
    assert read(tmp_path, plain.removesuffix(b"\n")) == expected
    assert read(tmp_path, b"\xef\xbb\xbf" + plain) == expected
    assert read(tmp_path, plain.replace(b"\n", b"\n\n")) == expected
    assert (
        read(tmp_path, gzip.compress(plain[:10]) + gzip.compress(plain[10:]))
        == expected
    )


def read(tmp_path, content):
    path = tmp_path / "a.svm"
    path.write_bytes(content)
    (batch,) = opened(path).batches()
    assert batch.failure is None
    return [part.tolist() for part in (*batch.rows, batch.targets)]


@pytest.mark.parametrize("kind", ["gzip", "zstd"])
def test_truncated(tmp_path, rng, monkeypatch, kind):
    small_blocks(monkeypatch, size=1 << 12)
    data = libsvm(*table(rng, 2000))
    packed = compress(data, kind)
    end = {"gzip": ".gz", "zstd": ".zst"}[kind]
    line = said(tmp_path, f"a.svm{end}", packed[: len(packed) * 3 // 4])
    assert line == f"a.svm{end}: the {kind} stream ends in the middle: truncated?"
    with pytest.raises(rg.BadRow, match="ends in the middle") as error:
        rg.play(rg.Perceptron(), tmp_path / f"a.svm{end}")
    whole = data.count(b"\n", 0, len(data) // 2)
    assert (error.value.run.rounds > whole / 2) or kind == "zstd"


@pytest.mark.parametrize("kind", ["gzip", "zstd"])
def test_corrupt(tmp_path, rng, kind):
    packed = bytearray(compress(rng.bytes(10_000) + b"\n", kind))
    packed[40:60] = b"\xff" * 20
    packed[-8:] = b"\0" * 8
    end = {"gzip": ".gz", "zstd": ".zst"}[kind]
    line = said(tmp_path, f"a.svm{end}", bytes(packed))
    assert line.startswith(f"a.svm{end}:")


def test_corrupt_is_said(tmp_path):
    packed = bytearray(compress(b"1 1:1\n" * 5000, "gzip"))
    packed[12:24] = b"\xff" * 12
    assert said(tmp_path, "a.gz", bytes(packed), format="libsvm") == (
        "a.gz: the gzip stream is corrupt"
    )


def test_misnamed(tmp_path):
    assert said(tmp_path, "a.svm.gz", "1 1:1\n") == (
        "a.svm.gz: it is named .gz but is not gzip"
    )


def test_empty(tmp_path):
    for name in ("a.svm", "a.csv", "a.parquet", "a.svm.gz"):
        assert said(tmp_path, name, b"") == f"{name}: the file is empty"
    for name, content in {"b.svm": b"\n\n", "b.svm.gz": gzip.compress(b"")}.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ValueError, match="there are no rows to learn from"):
            rg.play(rg.Perceptron(), tmp_path / name)
    assert said(tmp_path, "a.csv", "label,x\n") == (
        "a.csv: there is a header but no rows"
    )
    assert said(tmp_path, "a.csv", "\n\n") == (
        "a.csv: there are no lines but empty ones"
    )


def test_a_long_line(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "LONGEST", 1 << 20)
    content = b"1 1:1\n-1 2:1\n" + b"x" * (3 << 20)
    assert said(tmp_path, "a.svm", content) == ("a.svm:3: the line is longer than 1 MB")


def test_names(tmp_path):
    (tmp_path / "clicks.svm").write_text("1 1:1\n")
    missing = tmp_path / "click.svm"
    assert failure_of(missing) == (
        f"{missing}: there is no such file; did you mean {tmp_path / 'clicks.svm'}?"
    )
    nowhere = tmp_path / "none" / "a.svm"
    assert failure_of(nowhere) == (
        f"{nowhere}: there is no such file: there is no folder {nowhere.parent}"
    )
    assert failure_of(tmp_path) == (
        f"{tmp_path}: it is a directory; give its files, such as {tmp_path}/*.svm"
    )
    assert failure_of(f"{tmp_path}/*.csv") == f"{tmp_path}/*.csv: no file matches"
    assert failure_of([]) == "there are no files to read"
    assert failure_of(["-", "-"]) == "- is standard input: it can be read once"
    assert failure_of(3) == "3 is not the name of a file"
    assert failure_of(["a.svm", 3]) == "3 is not the name of a file"
    uri = missing.as_uri()
    assert failure_of(uri) == f"{uri}: there is no such file"
    assert "it is a directory" in failure_of(tmp_path.as_uri())
    assert failure_of("nothing://a/b").startswith("nothing://a/b: it cannot be opened")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_permission(tmp_path):
    path = tmp_path / "a.svm"
    path.write_text("1 1:1\n")
    path.chmod(0)
    assert failure_of(path) == f"{path}: you may not read it (permission denied)"


def test_permission_in_words(tmp_path, monkeypatch):
    path = tmp_path / "a.svm"
    path.write_text("1 1:1\n")

    def refuse(name, **_):
        raise PermissionError(13, "Permission denied", name)

    monkeypatch.setattr("regretless.data.input_files.FileIO", refuse)
    assert failure_of(path) == f"{path}: you may not read it (permission denied)"


def test_parquet_without_labels(tmp_path):
    path = tmp_path / "a.parquet"
    pa.parquet.write_table(pa.table({"age": [1, 2], "city": ["a", "b"]}), path)
    assert failure_of(path) == (
        f"{path}: which column is the label? Say --label (in Python: y=), one of "
        "'age', 'city'"
    )
    assert failure_of(path, label="click") == (
        f"{path}: there is no label column 'click'; the columns are 'age', 'city'"
    )


def test_columns_that_are_no_features(tmp_path):
    path = tmp_path / "a.parquet"
    rows = pa.table({"y": [0, 1], "s": [b"a", b"b"]})
    pa.parquet.write_table(rows, path)
    assert re.fullmatch(
        rf"{path}: column 's' holds binary, which is no number, date, word or "
        r"vector: leave it out \(--ignore s; of a frame, drop it\)",
        failure_of(path),
    )
    nothing = f"{path}: there are no columns but the label"
    assert failure_of(path, ignore=["s"]) == nothing
    rows = pa.table({"y": [0, 1], "s": [{"a": 1}, {"a": 2}]})
    pa.parquet.write_table(rows, path)
    assert failure_of(path, ignore=["s"]) == nothing


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("kind", ["parquet", "npz"])
def test_numbers_without_end(tmp_path, value, kind):
    path = tmp_path / f"a.{kind}"
    column = np.array([1.0, value, 2.0])
    if kind == "parquet":
        rows = pa.table({"y": [0, 1, 0], "x": pa.array(column)})
        pa.parquet.write_table(rows, path)
        name = "'x'"
    else:
        path.write_bytes(saved(X=column[:, None], y=np.array([0, 1, 0])))
        name = "0"
    assert failure_of(path) == (
        f"{path}, row 2: column {name}: {value} is not a finite number"
    )


def test_a_pipe_cannot_be_read_anywhere(tmp_path, rng):
    packed = gzip.compress(b"PAR1" + rng.bytes(100))
    line = said(tmp_path, "a.parquet.gz", packed)
    assert line == (
        "a.parquet.gz: this format cannot be read through gzip: decompress the file"
    )


def test_options_refuse():
    for bad, message in {
        "format='xml'": "format='xml': it is one of libsvm, vw, csv",
        "missing='mean'": "missing='mean': it is one of zero, indicator, refuse",
        "on_bad_rows='x'": "on_bad_rows='x': it is one of stop, skip",
        "bits=40": "bits=40: it is from 1 to 30",
        "bits=1.5": "bits=1.5: it is a whole number",
        "threads=-1": "threads=-1: it is from 0 to 256",
        "delimiter=',,'": "delimiter=',,': it is one ASCII character",
        "categorical='a'": "categorical='a': give a list of names",
        "categorical=[1]": r"categorical=\[1\]: it is a list of names",
        "max_features=0": "max_features=0: it is from 1 to",
    }.items():
        with pytest.raises((ValueError, TypeError), match=message):
            eval(f"opened('x', {bad})")
    from regretless.data.read_options import ReadOptions

    with pytest.raises(ValueError, match="there is no 'nothing' in a ReadOptions"):
        ReadOptions.from_dict({"nothing": 1})


def test_files_and_labels(tmp_path):
    path = tmp_path / "a.svm"
    path.write_text("1 1:1\n")
    with pytest.raises(TypeError, match="files bring their own labels"):
        rg.play(rg.Perceptron(), path, [1])


X, Y = np.ones((3, 2)), np.array([1, -1, 1])
CSR = {
    "format": np.array("csr"),
    "shape": np.array([3, 2]),
    "data": np.ones(3),
    "indices": np.array([0, 1, 0]),
    "indptr": np.array([0, 1, 2, 3]),
    "y": Y,
}
ARCHIVES = {
    "the labels 'y' hold complex128, not numbers or words": {"X": X, "y": Y + 1j},
    "the labels 'y' hold [('a', '<i8')], not numbers": {
        "X": X, "y": np.array([(1,), (2,), (3,)], [("a", "i8")])
    },
    "the labels 'y' hold datetime64[D], not numbers": {
        "X": X, "y": np.array(["2020-01-01"] * 3, "M8[D]")
    },
    "the labels 'y' have the shape (2, 2), not one a row": {
        "X": np.ones((4, 2)), "y": np.ones((2, 2))
    },
    "X is not a matrix of numbers": {"X": X + 1j, "y": Y},
    "names are not one a column of X": {"X": X, "y": Y, "names": np.array(["a"])},
    "data are not a matrix of numbers": {**CSR, "data": np.ones(3) + 1j},
    "it is not a sparse matrix: ": {**CSR, "indptr": np.array([0, 1, 3])},
    "the matrix ": {**CSR, "indptr": np.array([0, 1, 9, 3])},
    "there is no array 'indices' of a csr matrix": {
        name: array for name, array in CSR.items() if name != "indices"
    },
    "there is no array 'indptr' of a csr matrix": {
        name: array for name, array in CSR.items() if name != "indptr"
    },
    "there is no array 'col' of a coo matrix": {
        **CSR, "format": np.array("coo"), "row": np.arange(3)
    },
    "there is neither X nor a sparse matrix; the arrays are y": {"y": Y},
    "there are no labels 'y'; the arrays are X": {"X": X},
    "sparse format 'bsr': save it as csr": {**CSR, "format": np.array("bsr")},
}  # fmt: skip


@pytest.mark.parametrize("what", ARCHIVES)
def test_archives(tmp_path, what):
    line = said(tmp_path, "a.npz", saved(**ARCHIVES[what]))
    assert line.startswith(f"a.npz: {what}")


def test_an_archive_that_lost_a_member(tmp_path):
    """The directory at its end still names it."""
    content = saved(X=X, y=Y)
    second = content.index(b"PK\x03\x04", 4)
    line = said(tmp_path, "a.npz", content[:second] + b"????" + content[second + 4 :])
    assert line == "a.npz: it is not an archive of NumPy arrays (without objects)"


@pytest.mark.parametrize(
    "text", ['{"y":1,"a":1,"a":2}', '{"y":1,"b":{"a":1,"c":2,"a":3}}']
)
def test_a_key_twice(tmp_path, text):
    lines = f'{{"y":0,"a":1}}\n{text}\n'
    assert said(tmp_path, "a.jsonl", lines) == "a.jsonl:2: it has the key 'a' twice"
