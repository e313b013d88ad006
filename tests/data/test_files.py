"""Files as a source: the same rows however they are stored, read, cut and resumed."""

from __future__ import annotations

import json
import os
import threading
import weakref

import numpy as np
import pytest

import regretless as rg
from file_forms import (
    ENDINGS,
    FORMS,
    ROWS,
    TEXT,
    WIDTH,
    compress,
    contents,
    libsvm,
    opened,
    small_blocks,
    table,
)


@pytest.fixture
def data(rng, monkeypatch):
    small_blocks(monkeypatch)
    return table(rng)


def written(folder, name, data):
    path = folder / name
    path.write_bytes(FORMS[name](*data))
    return path


def same(found, data, name=""):
    X, y = data
    if name == "a.vw":  # hashed: the same numbers under other columns
        assert np.array_equal(np.sort(found[0], axis=1)[:, [0, -1]], ends(X))
    else:
        assert np.array_equal(found[0][:, :WIDTH], X)
    assert np.array_equal(found[1], y)
    assert found[3] is None


def ends(X):
    padded = np.hstack([X, np.zeros((X.shape[0], 1))])
    return np.sort(padded, axis=1)[:, [0, -1]]


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("threads", [0, 1, 2, 4])
def test_the_same_rows_from_every_format_with_any_threads(
    tmp_path, data, name, threads
):
    before = set(threading.enumerate())
    path = written(tmp_path, name, data)
    source = opened(path, threads=threads)
    same(contents(source), data, name)
    assert source.classes == (-1, 1)
    assert source.progress() == (path.stat().st_size, path.stat().st_size)
    same(contents(source), data, name)  # and again
    assert set(threading.enumerate()) <= before


@pytest.mark.parametrize("name", TEXT)
@pytest.mark.parametrize("kind", ENDINGS)
def test_the_same_rows_through_compression(tmp_path, data, name, kind):
    packed = compress(FORMS[name](*data), kind)
    told_by_name = tmp_path / (name + ENDINGS[kind])
    told_by_name.write_bytes(packed)
    same(contents(opened(told_by_name)), data, name)
    told_by_bytes = tmp_path / "packed"
    told_by_bytes.write_bytes(packed)
    same(contents(opened(told_by_bytes)), data, name)


@pytest.mark.parametrize("name", FORMS)
def test_formats_told_by_their_bytes(tmp_path, data, name):
    path = tmp_path / "data"
    path.write_bytes(FORMS[name](*data))
    same(contents(opened(path)), data, name)


@pytest.mark.parametrize("name", FORMS)
def test_several_files_are_one_stream(tmp_path, data, name):
    X, y = data
    for k, part in enumerate(np.array_split(np.arange(ROWS), 3)):
        (tmp_path / f"{k}{name}").write_bytes(FORMS[name](X[part], y[part]))
    paths = sorted(tmp_path.iterdir())
    same(contents(opened(paths)), data, name)
    source = opened(str(tmp_path / f"*{name}"))
    found = contents(source)
    same(found, data, name)
    alone = [contents(opened(path))[2] for path in paths]
    assert found[2] == alone[0] + alone[1] + alone[2]
    assert source.progress()[0] == sum(path.stat().st_size for path in paths)


@pytest.mark.parametrize("name", FORMS)
def test_uris(tmp_path, data, name):
    path = written(tmp_path, name, data)
    same(contents(opened(path.as_uri())), data, name)


@pytest.mark.parametrize("name", [*FORMS, "a.svm.gz", "a.csv.zst"])
def test_going_on_after_any_batch(tmp_path, data, name):
    X, y = data
    paths = []
    form = FORMS[name.removesuffix(".gz").removesuffix(".zst")]
    for k, part in enumerate(np.array_split(np.arange(ROWS), 2)):
        stored = form(X[part], y[part])
        if name.endswith((".gz", ".zst")):
            stored = compress(stored, "gzip" if name.endswith(".gz") else "zstd")
        paths.append(tmp_path / f"{k}{name}")
        paths[-1].write_bytes(stored)
    first = opened(paths, threads=1)
    batches = list(first.batches())
    assert len(batches) > 4
    straight = opened(paths)
    for k, batch in enumerate(straight.batches()):
        mark = json.loads(json.dumps(batch.mark))
        source = opened(paths, threads=2)
        source.seek(mark, straight.names)
        rest = list(source.batches())
        assert len(rest) == len(batches) - k - 1
        for got, expected in zip(rest, batches[k + 1 :], strict=True):
            for mine, theirs in zip(got.rows, expected.rows, strict=True):
                assert np.array_equal(mine, theirs)
            assert np.array_equal(got.targets, expected.targets)
            assert got.n_features == expected.n_features
            assert got.mark == expected.mark
            assert got.where(0) == expected.where(0)
        if rest:
            assert source.names == first.names


def test_a_mark_is_of_its_files(tmp_path, data):
    path = written(tmp_path, "a.svm", data)
    mark = next(opened(path).batches()).mark
    path.write_bytes(path.read_bytes() + b"1 1:1\n")
    with pytest.raises(ValueError, match=r"a\.svm had [\d,]+ bytes and has"):
        opened(path).seek(mark)
    other = written(tmp_path, "a.csv", data)
    with pytest.raises(ValueError, match=r"a\.svm was there, .*a\.csv is"):
        opened(other).seek(mark)


class Counted(np.ndarray):
    """An array that is counted as long as it lives."""

    alive = 0
    most = 0

    def count(self):
        Counted.alive += 1
        Counted.most = max(Counted.most, Counted.alive)
        weakref.finalize(self, Counted.forget)
        return self

    @staticmethod
    def forget():
        Counted.alive -= 1


@pytest.mark.parametrize("threads", [0, 2])
def test_few_chunks_are_alive_however_long_the_file(
    tmp_path, rng, monkeypatch, threads
):
    small_blocks(monkeypatch)
    path = tmp_path / "a.svm"
    path.write_bytes(libsvm(*table(rng, 3000)))
    source = opened(path, threads=threads)
    parse = source._reader.parse

    def counting(piece):
        parsed = parse(piece)
        rows = parsed.rows
        mine = rows._replace(values=rows.values.view(Counted).count())
        return parsed._replace(rows=mine)

    monkeypatch.setattr(source._reader, "parse", counting)
    Counted.alive = Counted.most = 0
    blocks = sum(1 for _ in source.batches())
    assert blocks > 100
    # Those under way, one in each worker's hands, the learner's and the next.
    assert Counted.most <= (2 * threads + 1) + threads + 2


def test_playing_a_file_is_playing_its_rows(tmp_path, data):
    X, y = data
    arrays = rg.play(rg.Perceptron(), X, y)
    for name in ("a.svm", "a.csv", "b.npz"):
        run = rg.play(rg.Perceptron(), written(tmp_path, name, data))
        assert run.mistakes == arrays.mistakes
        assert np.array_equal(run.weights, arrays.weights)
        assert run.regret() == pytest.approx(arrays.regret())


def test_y_names_the_label_column(tmp_path, data):
    path = written(tmp_path, "a.csv", data)
    run = rg.play(rg.OGD(loss=rg.Squared()), str(path), "x0")
    assert run.names == ("label", "x1", "x2", "x3", "x4")


def test_bad_rows_are_skipped_and_counted(tmp_path):
    path = tmp_path / "a.svm"
    path.write_text("1 1:1\nx 1:1\n-1 2:1\n7 1:1\n1 0:1\n1 3:1\n")
    source = opened(path, on_bad_rows="skip", zero_based=False)
    _, y, where, failure = contents(source)
    assert y.tolist() == [1, -1, 1]
    assert [w.rpartition(":")[2] for w in where] == ["1", "3", "6"]
    assert failure is None
    assert source.skipped.count == 3
    assert [m.split(":")[1] for m in source.skipped.messages] == ["2", "4", "5"]
    many = tmp_path / "b.svm"
    many.write_text("1 1:1\n" + "x\n" * 25)
    source = opened(many, on_bad_rows="skip")
    list(source.batches())
    assert source.skipped.count == 25
    assert len(source.skipped.messages) == 10


def test_a_bad_row_stops_after_the_rows_before_it(tmp_path):
    path = tmp_path / "a.svm"
    path.write_text("1 1:1\n-1 2:1\n\n1 3\n1 1:1\n")
    with pytest.raises(rg.BadRow, match=r"a\.svm:4: .*there is no colon") as error:
        rg.play(rg.Perceptron(), path)
    assert error.value.run.rounds == 2
    assert error.value.row == 2


def test_rows_of_all_lengths_are_skipped(tmp_path):
    path = tmp_path / "a.svm"
    path.write_text("1 1:1 2:2\n-1\n5 1:9\n1 3:3\n5 1:9 2:9 3:9\n-1 1:4 2:5 3:6\n")
    X, y, where, _ = contents(opened(path, on_bad_rows="skip"), 3)
    assert X.tolist() == [[1, 2, 0], [0, 0, 0], [0, 0, 3], [4, 5, 6]]
    assert y.tolist() == [1, -1, 1, -1]
    assert where[-1].endswith(":6")


def test_the_code_of_labels_goes_on(tmp_path, monkeypatch):
    """Which of 1 and 2 is +1 is known from before: alone, 2 would not say."""
    small_blocks(monkeypatch, size=16)
    path = tmp_path / "a.svm"
    path.write_text("1 1:1\n2 1:1\n" + "2 1:1\n" * 9)
    mark = next(opened(path).batches()).mark
    source = opened(path)
    source.seek(mark)
    _, y, _, failure = contents(source, 1)
    assert failure is None
    assert y.tolist() == [1] * 9
    assert source.classes == (1, 2)


def test_first_labels_lose_nothing(tmp_path, data):
    path = written(tmp_path, "a.svm", data)
    source = opened(path)
    labels = source.first_labels()
    assert np.array_equal(labels, data[1][: labels.size])
    assert np.array_equal(source.first_labels(), labels)
    same(contents(source), data)


def test_indices_from_zero(tmp_path):
    path = tmp_path / "a.svm"
    path.write_text("1 1:1\n-1 0:2\n")
    source = opened(path)
    assert contents(source)[0][:, :2].tolist() == [[0, 1], [2, 0]]
    assert source.options.zero_based
    path.write_text("1 1:1\n-1 2:2\n")
    source = opened(path)
    assert contents(source)[0][:, :2].tolist() == [[1, 0], [0, 2]]
    assert source.options.zero_based is False


def test_a_late_zero_index_names_the_option(tmp_path, monkeypatch):
    small_blocks(monkeypatch, size=16)
    path = tmp_path / "a.svm"
    path.write_text("1 1:1\n-1 2:2\n" * 4 + "1 0:1\n")
    failure = contents(opened(path))[3]
    assert (
        str(failure) == f"{path}:9: index 0: indices count from 1 (unless --zero-based)"
    )


def test_declared_features(tmp_path, data):
    path = written(tmp_path, "a.svm", data)
    assert opened(path, n_features=9).n_features == 9
    assert next(opened(path, n_features=9).batches()).n_features == 9
    assert "beyond" in str(list(opened(path, n_features=3).batches())[-1].failure)
    table_path = written(tmp_path, "a.csv", data)
    with pytest.raises(ValueError, match="n_features=3 was declared, but the files"):
        list(opened(table_path, n_features=3).batches())


def test_known_names_and_rows_without_labels(tmp_path):
    path = tmp_path / "new.jsonl"
    path.write_text('{"x1": 2, "never seen": 5, "x0": 1}\n{"other": 1}\n')
    source = opened(path, labelled=False, names={0: "x0", 1: "x1"})
    (batch,) = source.batches()
    assert batch.rows.columns.tolist() == [1, 2, 0, 2]  # 2: no name of these
    assert batch.rows.starts.tolist() == [0, 3, 4]
    assert np.isnan(batch.targets).all()


def test_new_data_are_read_as_the_old_were(tmp_path):
    old, new = tmp_path / "old.csv", tmp_path / "new.csv"
    old.write_text("label,age,city\n1,2,rome\n0,3,bonn\n")
    new.write_text("city,size,age\n7,1,2\nrome,1,5\n")
    source = opened(old)
    list(source.batches())
    options = type(source.options).from_dict(
        json.loads(json.dumps(source.options.as_dict()))
    )
    again = opened(new, labelled=False, **options.as_dict())
    (batch,) = again.batches()
    assert batch.n_features == source.n_features
    assert batch.rows.values.tolist() == [2, 1, 5, 1]
    assert again.names[batch.rows.columns[3]] == "city=rome"
    assert source.names[batch.rows.columns[3]] == "city=rome"


def test_files_of_one_stream_have_one_format(tmp_path, data):
    paths = [written(tmp_path, name, data) for name in ("a.svm", "a.csv")]
    with pytest.raises(ValueError, match="files of one stream have one format"):
        opened(paths)


def test_a_later_file_that_fails_keeps_what_was_learned(tmp_path):
    good, bad = tmp_path / "a.csv", tmp_path / "b.csv"
    good.write_text("label,a\n1,2\n0,1\n")
    bad.write_text("label,b\n1,2\n")
    with pytest.raises(rg.BadRow, match=r"b\.csv: there is no column 'a'") as error:
        rg.play(rg.Perceptron(), [good, bad])
    assert error.value.run.rounds == 2


def test_names_are_needed_to_go_on(tmp_path, data):
    path = written(tmp_path, "a.jsonl", data)
    mark = next(opened(path).batches()).mark
    with pytest.raises(ValueError, match="features have names"):
        opened(path).seek(mark)


def test_options_that_mean_nothing_are_refused(tmp_path, data):
    path = written(tmp_path, "a.svm", data)
    with pytest.raises(ValueError, match="label='y' means nothing in libsvm, only in"):
        rg.play(rg.Perceptron(), path, "y")
    with pytest.raises(ValueError, match="zero_based=True means nothing in csv"):
        opened(written(tmp_path, "a.csv", data), zero_based=True)


def test_a_pipe_with_a_name(tmp_path, data):
    """As ``<(command)`` makes them: read once, and nothing is lost by looking."""
    pipe = tmp_path / "a.svm"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(FORMS["a.svm"](*data),))
    writer.start()
    source = opened(pipe)
    writer.join()
    assert not source.rereadable
    same(contents(source), data)
    with pytest.raises(ValueError, match="it was read already, and can be read once"):
        list(source.batches())
