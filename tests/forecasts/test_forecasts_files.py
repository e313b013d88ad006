"""One table, whatever holds it: every format, compressed, in parts, frames."""

import gzip
import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pytest

from regretless.errors import BadRow
from regretless.forecasts import combine, compare, read_forecasts

ROWS = {
    "date": ["2024-01-01", "2024-01-01", "2024-01-03", "2024-01-04"],
    "station": ["007", "NA", "007", "Ulm"],
    "ann": ["0.25", "0.5", "", "1"],
    "bob": ["0.1", "1e-3", "0.75", "0"],
    "truth": ["yes", "no", "", "yes"],
}
TYPED = {
    **ROWS,
    "date": np.array(ROWS["date"], "datetime64[ns]"),
    "ann": [0.25, 0.5, None, 1.0],
    "bob": [0.1, 1e-3, 0.75, 0.0],
    "truth": [True, False, None, True],
}


def delimited(columns, path, delimiter=","):
    rows = [columns, *zip(*columns.values(), strict=True)]
    text = "".join(delimiter.join(row) + "\n" for row in rows)
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "wt", encoding="utf-8") as file:
        file.write(text)
    return path


def json_lines(columns, path):
    rows = [
        {k: v for k, v in zip(columns, row, strict=True) if v is not None}
        for row in zip(*columns.values(), strict=True)
    ]
    path.write_text("".join(json.dumps(row, default=str) + "\n" for row in rows))
    return path


def parts(write, ending, columns, folder):
    for k in range(2):
        half = {name: column[2 * k : 2 * k + 2] for name, column in columns.items()}
        write(half, folder / f"part{k}{ending}")
    return f"{folder}/part*{ending}"


def feather(columns, path):
    pyarrow.feather.write_feather(pd.DataFrame(columns), path)
    return path


def parquet(columns, path):
    pd.DataFrame(columns).to_parquet(path)
    return path


def stream(columns, path):
    table = pa.Table.from_pandas(pd.DataFrame(columns))
    with pa.ipc.new_stream(path, table.schema) as writer:
        for batch in table.to_batches(max_chunksize=3):
            writer.write(batch)
    return path


FILES = {
    "csv": lambda at: delimited(ROWS, at / "f.csv"),
    "csv.gz": lambda at: delimited(ROWS, at / "f.csv.gz"),
    "tsv": lambda at: delimited(ROWS, at / "f.tsv", "\t"),
    "json lines of words": lambda at: json_lines(ROWS, at / "f.jsonl"),
    "json lines": lambda at: json_lines(TYPED, at / "f.jsonl"),
    "parquet": lambda at: parquet(TYPED, at / "f.parquet"),
    "parquet of words": lambda at: parquet(ROWS, at / "f.parquet"),
    "arrow": lambda at: feather(TYPED, at / "f.arrow"),
    "arrow stream": lambda at: stream(TYPED, at / "f.arrow"),
    "csv in parts": lambda at: parts(delimited, ".csv", ROWS, at),
    "json lines in parts": lambda at: parts(json_lines, ".jsonl", TYPED, at),
    "parquet in parts": lambda at: parts(parquet, ".parquet", TYPED, at),
}
FRAMES = {
    "pandas": lambda: pd.DataFrame(TYPED),
    "pandas of words": lambda: pd.DataFrame(ROWS),
    "polars": lambda: pl.DataFrame(TYPED),
    "polars of words": lambda: pl.DataFrame(ROWS),
}


def check(table):
    nan = np.nan
    expected = [[0.25, 0.1], [0.5, 1e-3], [nan, 0.75], [1.0, 0.0]]
    np.testing.assert_array_equal(table.values, expected)
    np.testing.assert_array_equal(table.y, [1.0, 0.0, nan, 1.0])
    assert table.names == ("ann", "bob")
    assert table.groups.tolist() == ["007", "NA", "007", "Ulm"]
    assert table.times.dtype.kind == "M"
    assert (table.times == np.array(ROWS["date"], "datetime64[D]")).all()


@pytest.mark.parametrize("kind", FILES)
def test_every_file_holds_the_same_table(kind, tmp_path):
    check(read_forecasts(FILES[kind](tmp_path)))


@pytest.mark.parametrize("kind", FRAMES)
def test_every_frame_holds_the_same_table(kind):
    check(combine(FRAMES[kind](), "truth").table)


SPOILED = {
    "ann": ("x", "column 'ann': 'x' is not a number"),
    "truth": ("maybe", "the outcome 'maybe' is not a number"),
    "station": ("", "column 'station' is empty"),
    "date": ("soon", "column 'date': 'soon' is not a date like '2024-01-01'"),
}


ENTRANCES = {
    "f.csv:4": lambda rows, at: read_forecasts(delimited(rows, at / "f.csv")),
    "f.tsv:4": lambda rows, at: read_forecasts(delimited(rows, at / "f.tsv", "\t")),
    "f.jsonl:3": lambda rows, at: read_forecasts(json_lines(rows, at / "f.jsonl")),
    "f.parquet, row 3": lambda rows, at: read_forecasts(
        parquet(rows, at / "f.parquet")
    ),
    "row 2": lambda rows, at: compare(pd.DataFrame(rows), y="truth"),
    "row 2 ": lambda rows, at: compare(pl.DataFrame(rows), y="truth"),
}


@pytest.mark.parametrize("column", SPOILED)
@pytest.mark.parametrize("place", ENTRANCES)
def test_what_is_wrong_is_said_with_its_place(place, column, tmp_path):
    bad, told = SPOILED[column]
    rows = {**ROWS, column: [*ROWS[column][:2], bad, ROWS[column][3]]}
    with pytest.raises(BadRow, match="is") as error:
        ENTRANCES[place](rows, tmp_path)
    assert str(error.value).endswith(f"{place.strip()}: {told}")
    assert "\n" not in str(error.value)


def test_lines_are_counted_through_empty_ones_and_quoted_ones(tmp_path):
    path = tmp_path / "f.csv"
    path.write_text('ann,bob,"tru\nth"\n\n.5,.5,1\n\n".5",.5,1\n.5,.5,7\n')
    found = read_forecasts(path, "tru\nth")
    assert found.place(2) == f"{path}:7"


@pytest.mark.parametrize("name", ["f.csv", "f.tsv", "f.jsonl"])
def test_lines_are_counted_from_block_to_block(name, tmp_path, monkeypatch):
    rows = [(f"0.{k:02}", "0.5", str(k % 2)) for k in range(99)]
    if name == "f.jsonl":
        keys = ("ann", "bob", "truth")
        lines = [json.dumps(dict(zip(keys, row, strict=True))) for row in rows]
    else:
        delimiter = "," if name == "f.csv" else "\t"
        lines = [delimiter.join(row) for row in [("ann", "bob", "truth"), *rows]]
    text = "".join(f"{line}\n" + "\n" * (k % 7) for k, line in enumerate(lines))
    path = tmp_path / name
    path.write_text(text)
    monkeypatch.setattr("regretless.data.lines.BLOCK", 80)
    found = read_forecasts(path)
    stand = [k for k, line in enumerate(text.split("\n"), 1) if line]
    header = name != "f.jsonl"
    assert [found.place(k) for k in range(99)] == [
        f"{path}:{line}" for line in stand[header:]
    ]
    np.testing.assert_array_equal(found.values[:, 0], np.arange(99) / 100)


REFUSED = {
    "f.csv": {
        "a,b,a,truth\n1,1,1,1\n": "f.csv: two columns are named 'a'",
        "a,b,truth\n1,1,1\n1,1\n": "f.csv:3: it has 2 fields, but there are 3 columns",
        "a;b;truth\n1;1;1\n": "separated by ';'",
        "a,b,truth\n": "f.csv: there is a header but no rows",
    },
    "f.jsonl": {
        '{"a": 1}\n{"a": 1, "a": 2}\n': "f.jsonl:2: it has the key 'a' twice",
        '{"a": 1}\n\n{"a"\n': "f.jsonl:3: it is not JSON",
        '{"a": 1}\n[1]\n': "f.jsonl:2: it is not an object",
    },
    "f.svm": {"1 1:0.5\n": "f.svm: the rows of libsvm have no columns"},
    "f.parquet": {"PAR1": "f.parquet: it is not a Parquet file"},
}


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        (name, text, told)
        for name, each in REFUSED.items()
        for text, told in each.items()
    ],
)
def test_files_that_are_no_tables(name, text, told, tmp_path):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(ValueError, match="f\\.") as error:
        read_forecasts(path)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_a_column_that_is_missing_in_a_further_file(tmp_path):
    (tmp_path / "a.csv").write_text("ann,bob,truth\n.5,.5,1\n")
    (tmp_path / "b.csv").write_text("ann,truth\n.5,1\n")
    with pytest.raises(ValueError, match=r"b\.csv: there is no column 'bob'"):
        read_forecasts([tmp_path / "a.csv", tmp_path / "b.csv"])
    (tmp_path / "b.csv").write_text("eve,truth,bob,ann\n.5,0,.25,.75\n")
    found = read_forecasts([tmp_path / "a.csv", tmp_path / "b.csv"])
    assert found.names == ("ann", "bob", "eve")
    np.testing.assert_array_equal(found.values, [[0.5, 0.5, np.nan], [0.75, 0.25, 0.5]])
    assert found.place(1) == f"{tmp_path}/b.csv:2"
