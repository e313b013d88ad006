"""Shards own every row once, know their lines, and depend on the files alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import regretless as rg
from file_forms import (
    FORMS,
    TEXT,
    WIDTH,
    compress,
    contents,
    opened,
    small_blocks,
    table,
)
from regretless.data.file_parts import Span, line_after
from regretless.data.input_files import find_places
from regretless.integrations.ray.job_spec import agree
from regretless.integrations.ray.shards import in_rounds, plan_shards
from regretless.integrations.ray.work import Failed, play_shard


def written(folder, rng, forms, rows=60):
    """Files of one format, the rows of one table among them."""
    X, y = table(rng, rows)
    cuts = np.array_split(np.arange(rows), len(forms))
    for (name, form), rows_of in zip(forms.items(), cuts, strict=True):
        (folder / name).write_bytes(form(X[rows_of], y[rows_of]))
    return X, y


def agreed(paths, **how):
    if "vw" in str(paths):
        how.setdefault("bits", 8)
    return agree(rg.Perceptron(), [str(p) for p in paths], rg.ReadOptions(**how), None)


def played(terms, shards):
    """The rows of all shards, one after the other, and where they stand."""
    found = [contents(terms.source(list(shard.spans)), WIDTH) for shard in shards]
    X = np.concatenate([one[0] for one in found])
    y = np.concatenate([one[1] for one in found])
    return X, y, [line for one in found for line in one[2]]


@pytest.mark.parametrize("name", [*TEXT, "a.parquet"])
@pytest.mark.parametrize("wanted", [1, 2, 3, 7, 20])
def test_shards_hold_every_row_once_and_know_their_lines(
    tmp_path, rng, monkeypatch, name, wanted
):
    small_blocks(monkeypatch)
    form = FORMS[name]
    written(tmp_path, rng, {name: form, f"b{name}": form})
    paths = sorted(tmp_path.iterdir())
    terms, places = agreed(paths)
    shards = plan_shards(places, terms.options.format, shards=wanted)
    whole = contents(opened([str(p) for p in paths]))
    full = [s for s in shards if _has_rows(terms, s)]
    X, y, where = played(terms, full)
    if name != "a.jsonl":  # whose features are numbered as they appear
        np.testing.assert_array_equal(X, whole[0])
    np.testing.assert_array_equal(y, whole[1])
    assert where == whole[2]
    assert len(shards) == wanted or name == "a.parquet"
    assert sum(shard.size for shard in shards) == sum(p.stat().st_size for p in paths)


def _has_rows(terms, shard):
    return any(b.targets.size for b in terms.source(list(shard.spans)).batches())


@given(
    lengths=st.lists(st.integers(0, 40), min_size=1, max_size=30),
    cuts=st.lists(st.integers(0, 1300), max_size=6),
    ending=st.sampled_from([b"", b"\n"]),
)
def test_every_line_begins_in_one_span(tmp_path_factory, lengths, cuts, ending):
    text = b"\n".join(b"x" * length for length in lengths) + ending
    path = tmp_path_factory.getbasetemp() / "lines.txt"
    path.write_bytes(text or b"x")
    starts = [0, *(k + 1 for k, letter in enumerate(text) if letter == ord("\n"))]
    with path.open("rb", buffering=0) as file:
        for at in (0, len(text), *cuts, *starts):
            expected = min((k for k in starts if k >= at), default=len(text))
            assert min(line_after(file, at), len(text)) == min(expected, len(text))


def test_a_compressed_file_is_never_cut(tmp_path, rng):
    X, y = table(rng)
    for k in range(3):
        path = tmp_path / f"{k}.svm.gz"
        path.write_bytes(compress(FORMS["a.svm"](X, y), "gzip"))
    places = find_places(str(tmp_path / "*.gz"))
    shards = plan_shards(places, "libsvm", shards=10)
    assert [len(shard.spans) for shard in shards] == [1, 1, 1]
    assert all(shard.spans[0].whole for shard in shards)
    two = plan_shards(places, "libsvm", shards=2)
    assert [len(shard.spans) for shard in two] == [1, 2]  # where their middles lie
    one = plan_shards(places, "libsvm", shards=1)
    assert [span.name for span in one[0].spans] == [place.name for place in places]


def test_the_size_of_shards_decides_their_number(tmp_path, rng):
    X, y = table(rng)
    (tmp_path / "a.svm").write_bytes(FORMS["a.svm"](X, y) * 4)
    places = find_places(str(tmp_path / "a.svm"))
    size = places[0].size
    assert len(plan_shards(places, "libsvm", size=size)) == 1
    assert len(plan_shards(places, "libsvm", size=size - 1)) == 2
    assert len(plan_shards(places, "libsvm", size="file")) == 1
    for bad in (0, -3, 2.5, True):
        with pytest.raises(ValueError, match="shards="):
            plan_shards(places, "libsvm", shards=bad)
    with pytest.raises(ValueError, match="not both"):
        plan_shards(places, "libsvm", shards=2, size=100)


def test_rounds_are_one_after_the_other():
    assert in_rounds(list("abcdef"), 3) == [["a", "b"], ["c", "d"], ["e", "f"]]
    assert in_rounds(list("abcde"), 2) == [["a", "b", "c"], ["d", "e"]]
    assert in_rounds(list("ab"), 5) == [["a"], ["b"]]


def test_a_bad_row_is_named_by_its_line_in_the_file(tmp_path, rng, monkeypatch):
    small_blocks(monkeypatch)
    lines = FORMS["a.svm"](*table(rng)).splitlines()
    lines[50] = b"1 3:abc"
    (tmp_path / "a.svm").write_bytes(b"\n".join(lines))
    terms, places = agreed([tmp_path / "a.svm"])
    shards = plan_shards(places, "libsvm", shards=4)
    found = [play_shard(terms, shard, None, _version())[0] for shard in shards]
    failed = [one for one in found if isinstance(one, Failed)]
    assert len(failed) == 1
    assert str(failed[0].error).startswith(f"{tmp_path / 'a.svm'}:51: ")
    terms, places = agreed([tmp_path / "a.svm"], on_bad_rows="skip")
    found = [play_shard(terms, shard, None, _version())[0] for shard in shards]
    assert sum(one.skipped for one in found) == 1
    assert ":51: " in "".join(line for one in found for line in one.problems)
    assert sum(one.rounds for one in found) == 59


def _version():
    return rg.__version__


@pytest.mark.parametrize("wanted", [2, 3, 4, 5, 6])
def test_a_cut_inside_quotation_marks_is_refused_or_harmless(tmp_path, wanted):
    """A quoted field of many lines, each of which looks like a row."""
    inside = "\n".join(f"1,{k},z" for k in range(40))
    text = f'label,a,b\n1,2,x\n-1,3,"{inside}"\n1,4,y\n'
    (tmp_path / "q.csv").write_text(text)
    terms, places = agreed([tmp_path / "q.csv"])
    shards = plan_shards(places, "csv", shards=wanted)
    found = [play_shard(terms, shard, None, _version())[0] for shard in shards]
    assert any(
        isinstance(one, Failed) and "quoted field" in str(one.error) for one in found
    )
    whole = plan_shards(places, "csv", size="file")
    report = play_shard(terms, whole[0], None, _version())[0]
    assert report.rounds == 3


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_other_columns_are_refused_before_anything_is_learned(tmp_path, rng, kind):
    import pyarrow as pa
    import pyarrow.parquet as pq

    for k, names in enumerate((["label", "a", "b"], ["label", "a", "c"])):
        rows = {name: [1.0, 0.0, 1.0] for name in names}
        path = tmp_path / f"{k}.{kind}"
        if kind == "parquet":
            pq.write_table(pa.table(rows), path)
        else:
            path.write_text(",".join(names) + "\n1,2,3\n0,1,2\n")
    with pytest.raises(ValueError, match=rf"1\.{kind}: there is no column 'b'"):
        agreed([tmp_path / f"0.{kind}", tmp_path / f"1.{kind}"])


def test_files_that_changed_since_they_were_cut_are_refused(tmp_path, rng):
    X, y = table(rng)
    path = tmp_path / "a.svm"
    path.write_bytes(FORMS["a.svm"](X, y))
    terms, places = agreed([path])
    (shard,) = plan_shards(places, "libsvm")
    path.write_bytes(FORMS["a.svm"](X, y) * 2)
    failed = play_shard(terms, shard, None, _version())[0]
    assert "not those that were being read" in str(failed.error)
    path.unlink()
    failed = play_shard(terms, shard, None, _version())[0]
    assert "every worker must see the files" in str(failed.error)
    other = play_shard(terms, shard, None, "0.0.0")[0]
    assert "you have 0.0.0" in str(other.error)


def test_a_span_of_what_cannot_be_cut_is_refused(tmp_path, rng):
    path = tmp_path / "a.svm.gz"
    path.write_bytes(compress(FORMS["a.svm"](*table(rng)), "gzip"))
    with pytest.raises(ValueError, match="part of a compressed file or a pipe"):
        find_places([Span(str(path), 10, 20)])
