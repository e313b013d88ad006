"""Files that are truncated, or grow, while they are read."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

import pytest

import regretless as rg
from file_forms import FORMS, TEXT, compress, opened, small_blocks, table
from regretless.cli import main

ROWS = 400
NAMES = [*FORMS, "a.svm.gz", "a.csv.zst"]


@pytest.fixture
def stored(tmp_path, rng, monkeypatch):
    small_blocks(monkeypatch)
    X, y = table(rng, ROWS)
    for name, write in FORMS.items():
        (tmp_path / name).write_bytes(write(X, y))
    for name, kind in (("a.svm.gz", "gzip"), ("a.csv.zst", "zstd")):
        data = (tmp_path / name).with_suffix("").read_bytes()
        (tmp_path / name).write_bytes(compress(data, kind))
    return tmp_path


def read_while(path, change):
    """How many rows there are, and how it ended, where the file changes on the way."""
    source = opened(path, threads=0)
    batches = source.batches()
    rows = next(batches).targets.size
    change()
    for batch in batches:
        rows += batch.targets.size
        if batch.failure is not None:
            return rows, str(batch.failure)
    return rows, None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("share", [0.0, 0.5, 0.99])
def test_a_file_that_becomes_shorter(stored, name, share):
    path = stored / name
    size = int(path.stat().st_size * share)
    rows, failure = read_while(path, lambda: os.truncate(path, size))
    assert rows <= ROWS
    assert failure is not None
    assert failure.startswith(f"{path}")
    if name in TEXT:
        assert "it became shorter" in failure
        assert rows < ROWS


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_becomes_longer(stored, name):
    """The rows that it had at the start are read, and it is said."""
    path = stored / name
    more = path.read_bytes()
    with pytest.warns(UserWarning, match="it grew while it was read") as told:
        rows, failure = read_while(path, lambda: path.write_bytes(more + b"\n" + more))
    assert (rows, failure) == (ROWS, None)
    assert len(told) == 1
    assert f"the {len(more):,} bytes" in str(told[0].message)


@pytest.mark.parametrize("name", TEXT)
@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_last_line_that_was_unfinished(stored, name, end):
    """Its beginning is no row: nobody knows how it goes on."""
    path = stored / name
    data = path.read_bytes().rstrip(b"\n")
    for cut, right in ((1, ROWS - 1), (0, ROWS)):
        path.write_bytes(data[: len(data) - cut])

        def go_on():
            path.write_bytes(data + b"\n" + data.split(b"\n")[-1] + end)

        with pytest.warns(UserWarning, match="it grew"):
            assert read_while(path, go_on) == (right, None)


@pytest.mark.parametrize("name", TEXT)
def test_a_last_line_without_an_end_is_a_row(stored, name):
    path = stored / name
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert read_while(path, lambda: None) == (ROWS, None)


def test_both_passes_see_the_same_rows(stored):
    path = stored / "a.svm"
    source = opened(path)
    count = [batch.targets.size for batch in source.batches()]
    path.write_bytes(path.read_bytes() * 2)
    with pytest.warns(UserWarning, match="it grew"):
        assert [batch.targets.size for batch in source.batches()] == count
    with warnings.catch_warnings():  # it was said
        warnings.simplefilter("error")
        assert [batch.targets.size for batch in source.batches()] == count
    assert sum(count) == ROWS


@pytest.mark.filterwarnings("always")
def test_the_commands_say_it(stored, capsys, monkeypatch):
    """One line on standard error; shorter files end with 1, and nothing is written."""
    path = stored / "a.svm"
    taken = rg.Perceptron.player

    def grown(self, *arguments):
        path.write_bytes(path.read_bytes() * 2)
        return taken(self, *arguments)

    def cut(self, *arguments):
        os.truncate(path, 5000)
        return taken(self, *arguments)

    train = ["train", str(path), "-l", "perceptron", "--threads", "0", "-o"]
    for change, code, what in ((grown, 0, "it grew"), (cut, 1, "it became shorter")):
        monkeypatch.setattr(rg.Perceptron, "player", change)
        model = stored / f"{code}.rgl"
        assert main([*train, str(model), "--quiet"]) == code
        line = capsys.readouterr().err
        assert line.startswith(f"{path}: {what}")
        assert line.count("\n") == 1
        assert Path(model).exists() == (code == 0)
