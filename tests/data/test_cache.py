"""The cache: the same rows the second time, never those of another file."""

from __future__ import annotations

import json
import os

import numpy as np
import pytest

from file_forms import FORMS, contents, opened, small_blocks, table
from regretless.data.cache import CacheReader


@pytest.fixture
def data(rng, monkeypatch):
    small_blocks(monkeypatch)
    return table(rng)


def is_cached(source):
    return isinstance(source._reader, CacheReader)


@pytest.mark.parametrize("name", FORMS)
def test_the_same_rows_the_second_time(tmp_path, data, name):
    paths = [tmp_path / f"{k}{name}" for k in range(2)]
    for path in paths:
        path.write_bytes(FORMS[name](*data))
    plain = opened(paths)
    expected = contents(plain)
    marks = [batch.mark for batch in plain.batches()]
    writing = opened(paths, cache=True)
    assert not is_cached(writing)
    contents(writing)
    assert is_cached(writing)  # a second look already reads the cache
    source = opened(paths, cache=True)
    assert is_cached(source)
    for mine, theirs in zip(contents(source)[:3], expected[:3], strict=True):
        assert np.array_equal(mine, theirs)
    assert [batch.mark for batch in source.batches()] == marks
    assert dict(source.named) == dict(plain.named)
    assert source.options == plain.options
    assert source.classes == plain.classes
    assert source.n_features == plain.n_features
    assert source.progress()[0] == sum(path.stat().st_size for path in paths)


def test_going_on_in_the_cache_from_a_mark_of_the_file(tmp_path, data):
    path = tmp_path / "a.svm"
    path.write_bytes(FORMS["a.svm"](*data))
    marks = [json.loads(json.dumps(batch.mark)) for batch in opened(path).batches()]
    list(opened(path, cache=True).batches())
    for k, mark in enumerate(marks):
        source = opened(path, cache=True)
        source.seek(mark)
        assert [batch.mark for batch in source.batches()] == marks[k + 1 :]


def test_words_weights_and_missing_labels(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("y,w,city\nno,1,a\nyes,2,b\n,3,\n")
    list(opened(path, cache=True, weight="w").batches())
    source = opened(path, cache=True, weight="w")
    (batch,) = source.batches()
    assert is_cached(source)
    assert batch.targets[:2].tolist() == [-1, 1]
    assert np.isnan(batch.targets[2])
    assert batch.weights.tolist() == [1, 2, 3]
    assert batch.where(2).endswith("a.csv:4")
    assert set(source.named.values()) == {"city=a", "city=b", "city="}


def test_a_cache_of_something_else_is_not_used(tmp_path, data):
    path = tmp_path / "a.svm"
    path.write_bytes(FORMS["a.svm"](*data))
    list(opened(path, cache=True).batches())
    assert is_cached(opened(path, cache=True))
    assert is_cached(opened(path, cache=True, threads=1, on_bad_rows="skip"))
    assert not is_cached(opened(path, cache=True, bits=4))
    assert not is_cached(opened(path))
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    assert not is_cached(opened(path, cache=True))


@pytest.mark.parametrize("damage", [b"", b"junk", None])
@pytest.mark.filterwarnings("ignore:.*the cache is damaged")
def test_a_damaged_cache_is_made_anew(tmp_path, data, damage):
    path = tmp_path / "a.svm"
    path.write_bytes(FORMS["a.svm"](*data))
    list(opened(path, cache=True).batches())
    cache = tmp_path / "a.svm.rgcache"
    cache.write_bytes(cache.read_bytes()[:-100] if damage is None else damage)
    source = opened(path, cache=True)
    assert not is_cached(source)
    assert np.array_equal(contents(source)[1], data[1])
    assert is_cached(opened(path, cache=True))


def test_nothing_is_left_of_what_was_not_finished(tmp_path, data):
    path = tmp_path / "a.svm"
    path.write_bytes(FORMS["a.svm"](*data))
    source = opened(path, cache=True)
    batches = source.batches()
    next(batches)
    batches.close()
    assert os.listdir(tmp_path) == ["a.svm"]  # noqa: PTH208
    assert np.array_equal(contents(source)[1], data[1])  # and it starts afresh
    again = opened(path, cache=True)
    assert is_cached(again)
    marks = [batch.mark for batch in opened(path).batches()]
    assert [batch.mark for batch in again.batches()] == marks


def test_files_with_bad_rows_are_not_kept(tmp_path):
    path = tmp_path / "a.svm"
    path.write_text("1 1:1\nx\n-1 2:1\n")
    source = opened(path, cache=True, on_bad_rows="skip")
    list(source.batches())
    assert os.listdir(tmp_path) == ["a.svm"]  # noqa: PTH208
    assert source.skipped.count == 1
    assert not is_cached(opened(path, cache=True))
