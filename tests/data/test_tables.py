"""Tables with words: CSV, Parquet and Arrow give what the naive version gives."""

from __future__ import annotations

import csv
import io

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from file_forms import opened, small_blocks
from naive_tables import naive_row
from regretless.data.formats import wide

NUMBERS, WORDS = ["age", "size"], ["city", "color", "shape"]
LETTERS = st.text("ab é,\"'\n|", max_size=4)
ROW = st.fixed_dictionaries(
    {
        "label": st.sampled_from([-1, 1]),
        "city": LETTERS,
        "age": st.none() | st.integers(-3, 3),
        "color": st.none() | LETTERS,
        "size": st.sampled_from([0.0, 0.5, -2.25, 1e-3]),
        "shape": st.sampled_from(["round", "flat"]),
    }
)


def rows_of(source):
    found = []
    for batch in source.batches():
        assert batch.failure is None, batch.failure
        starts, columns, values = batch.rows
        for i in range(batch.targets.size):
            span = slice(starts[i], starts[i + 1])
            assert len(set(columns[span].tolist())) == columns[span].size
            found.append(
                dict(zip(columns[span].tolist(), values[span].tolist(), strict=True))
            )
    return found


def as_csv(rows):
    sink = io.StringIO(newline="")
    writer = csv.DictWriter(sink, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    return sink.getvalue().encode()


def as_arrow(rows):
    kinds = {"label": pa.int64(), "age": pa.int32(), "size": pa.float32()}
    return pa.table(
        {
            name: pa.array([row[name] for row in rows], kinds.get(name, pa.string()))
            for name in rows[0]
        }
    )


@pytest.mark.parametrize("form", ["csv", "parquet", "feather"])
@given(rows=st.lists(ROW, min_size=1, max_size=12), bits=st.sampled_from([1, 3, 18]))
def test_rows_are_the_naive_ones(tmp_path_factory, form, rows, bits):
    path = tmp_path_factory.mktemp("tables") / f"a.{form}"
    if form == "csv":
        path.write_bytes(as_csv(rows))
    elif form == "parquet":
        pa.parquet.write_table(as_arrow(rows), path, use_dictionary=True)
    else:
        pa.feather.write_feather(as_arrow(rows), path)
    for row in rows:
        row["size"] = float(np.float32(row["size"])) if form != "csv" else row["size"]
    columns = [
        ("city", "word"), ("age", "number"), ("color", "word"), ("size", "number"),
        ("shape", "word"),
    ]  # fmt: skip
    source = opened(
        path, bits=bits, columns=columns, threads=0, header=form == "csv" or None
    )
    expected = [naive_row(row, NUMBERS, WORDS, bits) for row in rows]
    assert rows_of(source) == expected
    assert set(source.names) >= {0, 1}.union(*expected)


def test_the_first_word_names_a_feature(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("label,w\n1,a\n0,b\n1,c\n0,d\n")
    source = opened(path, bits=1)
    rows_of(source)
    for name in source.names.values():
        assert name in ("w=a", "w=b", "w=c", "w=d")
    firsts = {}
    for word in "abcd":
        firsts.setdefault(next(iter(naive_row({"w": word}, [], ["w"], 1))), f"w={word}")
    assert dict(source.names) == firsts


@pytest.mark.parametrize("threads", [0, 1, 4])
def test_names_do_not_depend_on_threads(tmp_path, monkeypatch, threads):
    small_blocks(monkeypatch, size=64)
    path = tmp_path / "a.csv"
    path.write_text(
        "label,w\n" + "".join(f"{k % 2},w{k * k % 91}\n" for k in range(300))
    )
    source = opened(path, bits=5, threads=threads)
    rows_of(source)
    straight = opened(path, bits=5, threads=0)
    rows_of(straight)
    assert dict(source.names) == dict(straight.names)
    assert list(source.names) == list(straight.names)


def written(tmp_path, text, name="a.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def only(path, **how):
    source = opened(path, **how)
    (batch,) = source.batches()
    return source, batch


HEADERS = {
    "label,a\n1,2\n": (True, "label", ("a",)),
    "a,Target\n1,2\n": (True, "Target", ("a",)),
    "a,y,class\n1,2,3\n": (True, "y", ("a", "class")),
    "1,2\n0,3\n": (False, "0", ("1",)),
    "1,x\n0,y\n": (False, "0", ("1",)),
    " label , a \n1,2\n": (True, "label", ("a",)),
}


@pytest.mark.parametrize("text", HEADERS)
def test_headers_and_labels(tmp_path, text):
    source, _ = only(written(tmp_path, text), binary=False)
    header, label, names = HEADERS[text]
    assert source.options.header is header
    assert source.options.label == label
    assert tuple(name for name, _ in source.options.columns) == names


def test_columns_by_number(tmp_path):
    source, batch = only(written(tmp_path, "5,1\n6,0\n"), label=-1)
    assert batch.targets.tolist() == [1, -1]
    assert batch.rows.values.tolist() == [5, 6]
    assert source.options.label == "1"
    source, _ = only(written(tmp_path, "a,b\n5,1\n6,0\n"), label="1")
    assert source.options.label == "b"
    with pytest.raises(ValueError, match="there is no column 2: there are 2, from 0"):
        only(written(tmp_path, "5,1\n6,0\n"), label=2)


def test_header_as_told(tmp_path):
    path = written(tmp_path, "a,b\nc,d\n")
    source, batch = only(path, header=False)
    assert batch.targets.tolist() == [-1, 1]
    assert source.classes == ("a", "c")


def test_weights_and_ignored_columns(tmp_path):
    path = written(tmp_path, "id,label,w,x\n7,1,2.5,3\n8,0,1,4\n")
    source, batch = only(path, weight="w", ignore=["id"])
    assert batch.weights.tolist() == [2.5, 1]
    assert source.names == ("x",)
    bad = written(tmp_path, "label,w,x\n1,-2,3\n")
    assert "column 'w': -2.0 is not a weight" in str(only(bad, weight="w")[1].failure)
    bad = written(tmp_path, "label,w,x\n1,,3\n")
    assert "column 'w' has no weight" in str(only(bad, weight="w")[1].failure)


def test_missing(tmp_path):
    path = written(tmp_path, "label,age,city\n1,,\n0,NA,x\n1,3,y\n,3,y\n")
    _, batch = only(path)
    assert np.isnan(batch.targets[3])
    assert batch.rows.starts.tolist() == [0, 1, 2, 4, 6]
    assert str(only(path, missing="refuse")[1].failure).endswith(
        "a.csv:2: column 'age' has no value"
    )


CSV = {
    "label,age,city\n1,2,x\n0,3,y\n0,abc,y\n":
        "a.csv:4: column 'age': 'abc' is not a number (or --categorical age)",
    "label,age\n\n1,2,3\n4\n": "a.csv:3: it has 3 fields, but there are 2 columns",
    "label,age\n1,2\n0,3,4\n": "a.csv:3: it has 3 fields, but there are 2 columns",
    "label,age\n1,2\n\n0\n": "a.csv:4: it has 1 fields, but there are 2 columns",
    'label,t\n1,"a\nb"\n0,c\n0,"d\n':
        "a.csv:5: a quotation mark is opened and never closed",
    'label,t\n1,"a\nb"\n0,c\n0,d\n1,"e\nf","g\n0,h\n':
        "a.csv:7: a quotation mark is opened and never closed",
    "label,age\n1,2\n0,inf\n": "a.csv:3: column 'age': inf is not a finite number",
    "label,ok\n1,true\n0,false\n1,false\n1,3\n": None,
    "label,age\n1,2\n0,3\nx,3\n": "a.csv:4: label 'x' is not a number",
    "label,t\n1,2\n0,3\n1,4\n0,1_000\n":
        "a.csv:5: column 't': '1_000' is not a number (or --categorical t)",
    "label,a,a\n1,2,3\n": "a.csv: two columns are named 'a'",
    "label,a\n\n\n": "a.csv: there is a header but no rows",
    "label,a\n": "a.csv: there is a header but no rows",
}  # fmt: skip


@pytest.mark.parametrize("text", [text for text, line in CSV.items() if line])
def test_bad_csv(tmp_path, text):
    path = written(tmp_path, text)
    try:
        line = str(list(opened(path).batches())[-1].failure)
    except ValueError as error:
        line = str(error)
    assert line.replace(f"{tmp_path}/", "") == CSV[text]


def test_letters_that_are_none(tmp_path):
    path = written(tmp_path, b"label,t\n1,a\n0,\xff\n")
    assert str(only(path)[1].failure).endswith("a.csv:3: column 't' is not UTF-8 text")


def test_skipping_bad_rows_of_csv(tmp_path):
    text = 'label,age,t\n1,2,a\n0,x,b\n1,4,"c\nd"\n1\n0,5,"e"\n'
    source = opened(
        written(tmp_path, text),
        on_bad_rows="skip",
        columns=[("age", "number"), ("t", "word")],
    )
    (batch,) = source.batches()
    assert batch.rows.values[::2].tolist() == [2, 4, 5]
    assert [batch.where(i).rpartition(":")[2] for i in range(3)] == ["2", "4", "7"]
    assert [m.rpartition("a.csv:")[2][0] for m in source.skipped.messages] == ["3", "6"]


def test_a_column_stays_what_it_was(tmp_path, monkeypatch):
    small_blocks(monkeypatch, size=32)
    path = written(tmp_path, "label,a\n" + "1,2\n0,3\n" * 20 + "1,x\n")
    failure = list(opened(path).batches())[-1].failure
    assert str(failure).endswith(
        "a.csv:42: column 'a': 'x' is not a number (or --categorical a)"
    )
    words = written(tmp_path, "label,a\n" + "1,x\n0,y\n" * 20 + "1,2\n")
    source = opened(words)
    assert list(source.batches())[-1].failure is None
    assert "a=2" in source.names.values()


def test_categorical_numbers(tmp_path):
    path = written(tmp_path, "label,zip\n1,00501\n0,501\n")
    source, _ = only(path, categorical=["zip"])
    assert set(source.names.values()) == {"zip=00501", "zip=501"}
    parquet = tmp_path / "a.parquet"
    pa.parquet.write_table(pa.table({"y": [1, 0], "zip": [501, 502]}), parquet)
    source, _ = only(parquet, categorical=["zip"])
    assert set(source.names.values()) == {"zip=501", "zip=502"}


def test_kinds_of_arrow(tmp_path):
    path = tmp_path / "a.parquet"
    table = pa.table(
        {
            "y": pa.array(["no", "yes", "no"]).dictionary_encode(),
            "flag": [True, None, False],
            "word": pa.array(["a", None, "b"]).dictionary_encode(),
            "vector": pa.array([[1, 2], None, [3, 4]], pa.list_(pa.int32(), 2)),
            "list": [[1.5], [2.5], [0.0]],
            "half": pa.array(np.array([1, 2, 3], np.float16)),
            "nothing": pa.nulls(3),
        }
    )
    pa.feather.write_feather(table, path.with_suffix(".arrow"))
    source, batch = only(path.with_suffix(".arrow"), bits=4)
    assert source.classes == ("no", "yes")
    assert source.options.columns == (
        ("flag", "flag"), ("word", "word"), ("vector", "vector:2"),
        ("list", "vector:1"), ("half", "number"), ("nothing", "number"),
    )  # fmt: skip
    assert [source.names[j] for j in range(6)] == [
        "flag", "vector[0]", "vector[1]", "list[0]", "half", "nothing",
    ]  # fmt: skip
    numbers = batch.rows.columns < 6
    assert batch.rows.values[numbers].tolist() == [1, 1, 2, 1.5, 1, 2.5, 2, 3, 4, 3]


def test_slices_of_a_batch(tmp_path, monkeypatch):
    small_blocks(monkeypatch, rows=3)
    words = [f"w{k}" for k in range(10)]
    table = pa.table({"y": [0, 1] * 5, "w": pa.array(words, pa.large_string())})
    path = tmp_path / "a.feather"
    pa.feather.write_feather(table, path)
    source = opened(path)
    found = [source.names[next(iter(row))] for row in rows_of(source)]
    assert found == [f"w={word}" for word in words]


def test_lines_of_rows(tmp_path):
    text = 'label,t\n\n1,"a\nb"\n\n0,c\n'
    _, batch = only(written(tmp_path, text))
    assert [batch.where(i).rpartition(":")[2] for i in range(2)] == ["3", "6"]


def test_lists_of_other_lengths(tmp_path):
    path = tmp_path / "a.parquet"
    pa.parquet.write_table(pa.table({"y": [1, 0], "v": [[1.0, 2.0], [3.0]]}), path)
    assert str(only(path)[1].failure) == (
        f"{path}, row 2: column 'v' has 1 numbers, those above 2"
    )


def test_kinds_of_later_files(tmp_path):
    one, two = tmp_path / "1.parquet", tmp_path / "2.parquet"
    pa.parquet.write_table(pa.table({"y": [1, 0], "a": [1, 2]}), one)
    pa.parquet.write_table(pa.table({"a": ["x", "z"], "y": [1, 0]}), two)
    failure = list(opened([one, two]).batches())[-1].failure
    assert str(failure) == (
        f"{two}: column 'a' holds words, but it was a number before"
    )


def test_rows_are_counted_where_files_say(tmp_path):
    paths = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    for path in paths:
        pa.parquet.write_table(pa.table({"y": [1, 0], "a": [1, 2]}), path)
    assert opened(paths).n_rows == 4
    feather = tmp_path / "a.feather"
    pa.feather.write_feather(pa.table({"y": [1, 0, 1], "a": [1, 2, 3]}), feather)
    assert opened(feather).n_rows == 3
    assert opened(written(tmp_path, "1,2\n")).n_rows is None


@pytest.mark.parametrize("on_bad_rows", ["stop", "skip"])
@pytest.mark.parametrize("line", [1, 2, 500, 2000, 3001])
def test_a_stray_quotation_mark_swallows_nothing(
    tmp_path, monkeypatch, line, on_bad_rows
):
    """Rows before it are handed over, and its line is named, in small blocks too."""
    text = ["label,t,age", *(f"{k % 2},word{k % 5},{k}" for k in range(3000))]
    text[line - 1] = f'"{text[line - 1]}'
    path = written(tmp_path, "\n".join(text))
    for size in (300, 4000, 1 << 21):
        small_blocks(monkeypatch, size)
        batches = list(opened(path, on_bad_rows=on_bad_rows).batches())
        assert str(batches[-1].failure) == (
            f"{path}:{line}: a quotation mark is opened and never closed"
        )
        assert sum(batch.targets.size for batch in batches) == max(line - 2, 0)


FIELDS = [
    "1",
    "-2.5",
    "",
    "NA",
    "nan",
    "inf",
    "1e400",
    "true",
    "False",
    "word",
    "1 ",
    "0x1",
]


def contents_or_error(path, missing):
    source = opened(path, missing=missing, on_bad_rows="skip")
    try:
        batches = list(source.batches())
    except ValueError as error:
        return str(error)
    rows = [
        [column.tobytes() for column in map(np.asarray, batch.rows)]
        for batch in batches
    ]
    return rows, [batch.targets.tolist() for batch in batches], source.skipped.messages


@given(
    st.lists(
        st.lists(st.sampled_from(FIELDS), min_size=4, max_size=4),
        min_size=1,
        max_size=8,
    ),
    st.sampled_from(["zero", "refuse"]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_wide_tables_are_read_like_others(tmp_path_factory, rows, missing, end):
    """All numbers as one column, or column by column."""
    path = tmp_path_factory.mktemp("wide") / "a.csv"
    lines = ["label,a,b,c,d", "1,1,2,3,true", "0,4,5,6,false"]
    lines += [",".join(["1", *row]) for row in rows]
    path.write_text(end.join(lines))
    found = []
    for least in (1, 1000):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(wide, "WIDE", least)
            batches = contents_or_error(path, missing)
        found.append(batches)
    assert found[0] == found[1]
