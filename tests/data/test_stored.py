"""Files of parsed rows, damaged: refused, or the same rows."""

from __future__ import annotations

import json
import random

import numpy as np
import pyarrow as pa
import pytest

import flips
import regretless as rg
from file_forms import contents, libsvm, opened, small_blocks, table
from regretless.data import arrow_rows as stored
from regretless.data.convert import convert_files
from regretless.data.read_options import ReadOptions

FLIPS = 60


@pytest.fixture
def data(rng, monkeypatch):
    small_blocks(monkeypatch)
    return table(rng)


def test_flipped_bits(tmp_path, data):
    dice = random.Random(1)
    for path, how in flips.files(tmp_path, data):
        target = flips.Target(path, how)
        outcomes = {target.check(target.damaged(dice)) for _ in range(FLIPS)}
        assert "refused" in outcomes
        assert target.check(target.whole) == "the same"


@pytest.mark.parametrize("cut", [1, 9, 200, 10**9])
def test_a_file_that_was_cut_is_refused(tmp_path, data, cut):
    path = tmp_path / "a.svm"
    path.write_bytes(libsvm(*data))
    target = flips.Target(path, {})
    assert target.check(target.whole[:-cut]) == "refused"
    assert target.check(target.whole) == "the same"


def changed_form(path, change):
    """A converted file with one thing changed, and right checksums."""
    file = pa.ipc.open_file(pa.py_buffer(path.read_bytes()))
    n = file.num_record_batches - 1
    batches = [file.get_batch(i) for i in range(n)]
    end = json.loads(file.get_batch_with_custom_metadata(n).custom_metadata[b"end"])
    batches, end = change(batches, end)
    for entry, batch in zip(end["index"], batches, strict=False):
        entry[5:] = [stored.checksum(batch)]
    with (
        pa.OSFile(str(path), "wb") as sink,
        pa.ipc.new_file(sink, batches[0].schema) as writer,
    ):
        for batch in batches:
            writer.write_batch(batch)
        empty = pa.RecordBatch.from_pylist([], schema=batches[0].schema)
        writer.write_batch(empty, custom_metadata=stored.with_checksum(end))


def with_column(batches, end, column, k=-1):
    """The last batch with a column out of range."""
    lists = batches[k].column("columns")
    columns = lists.values.to_numpy().copy()
    columns[3] = column
    bad = pa.LargeListArray.from_arrays(lists.offsets, pa.array(columns))
    place = batches[k].schema.get_field_index("columns")
    batches[k] = batches[k].set_column(place, "columns", bad)
    return batches, end


def with_features(batches, end, n):
    """A header with another number of features."""
    end["n_features"] = n
    end["index"] = [[*entry[:4], n, ""] for entry in end["index"]]
    return batches, end


CHANGES = {
    "column out of range": lambda b, e: with_column(b, e, 2**30),
    "negative column": lambda b, e: with_column(b, e, -1),
    "fewer features": lambda b, e: with_features(b, e, 2),
    "negative features": lambda b, e: with_features(b, e, -2),
    "more features than columns have numbers": lambda b, e: with_features(b, e, 2**40),
    "an index of nothing": lambda b, e: (b, {**e, "index": [[0]]}),
    "no names": lambda b, e: (b, {**e, "names": 7}),
    "missing facts": lambda b, e: (b, {k: e[k] for k in ("index", "names")}),
}


@pytest.mark.parametrize("name", CHANGES)
def test_the_bounds_of_files_with_right_checksums_are_checked(tmp_path, data, name):
    (tmp_path / "a.svm").write_bytes(libsvm(*data))
    path = tmp_path / "a.arrow"
    convert_files(str(tmp_path / "a.svm"), str(path), ReadOptions())
    expected = contents(opened(path))
    changed_form(path, lambda batches, end: (batches, end))
    for mine, theirs in zip(contents(opened(path)), expected, strict=True):
        assert np.array_equal(mine, theirs)
    other = tmp_path / "b.arrow"
    convert_files(str(tmp_path / "a.svm"), str(other), ReadOptions())
    changed_form(other, CHANGES[name])
    with pytest.raises(ValueError, match=r"b\.arrow: .*damaged.*convert"):
        rg.play(rg.Perceptron(), other)


def test_the_checksum_sees_every_bit_and_every_place():
    batch = stored.batch_of(next(_chunks()))
    whole = stored.checksum(batch)
    values = batch.column("values").values.to_numpy().copy()
    seen = {whole}
    for k in range(values.size):
        for bit in range(64):
            changed = values.view(np.uint64).copy()
            changed[k] ^= np.uint64(1 << bit)
            seen.add(_with_values(batch, changed.view(np.float64)))
    seen.add(_with_values(batch, values[::-1].copy()))
    signs = values.copy()
    signs[:2] *= -1  # the highest bits of two words, which cancel in a plain sum
    seen.add(_with_values(batch, signs))
    assert len(seen) == values.size * 64 + 3


def _chunks():
    from regretless.data.chunk import Chunk
    from regretless.parts.rows import Sparse

    starts, columns = np.array([0, 2, 5]), np.array([0, 1, 0, 1, 2], np.int32)
    rows = Sparse(starts, columns, np.array([1.5, 2.0, -3.0, 4.0, 0.25]))
    yield Chunk(rows, np.array([1.0, -1.0]), 3, np.array([1, 2]), 2)


def _with_values(batch, values):
    lists = batch.column("values")
    changed = pa.LargeListArray.from_arrays(lists.offsets, pa.array(values))
    place = batch.schema.get_field_index("values")
    return stored.checksum(batch.set_column(place, "values", changed))
