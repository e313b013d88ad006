"""Labels and columns that are not what they seem: said at once, with what to type."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import regretless as rg
from regretless.cli import main
from regretless.errors import OptionError

N = 300
FORMATS = ["csv", "jsonl", "parquet"]
IDS = [f"c{k:04d}" for k in range(N)]
NO_LABELS = {
    "ids": (IDS, "every row has a label of its own ('c0000', 'c0001'), like ids"),
    "thousands": (
        [f"{k},{k % 7}00" for k in range(1, N + 1)],
        "the labels look like amounts ('1,100'): write plain numbers, such as 1100",
    ),
    "money": ([f"${k}.50" for k in range(N)], "such as 0.50"),
    "areas": ([f"{k} m2" for k in range(N)], "the labels look like amounts ('0 m2')"),
    "shares": ([f"{k % 90}%" for k in range(N)], "the labels look like amounts"),
}
LABELS = {
    "codes": [f"{k % 25}{'abc'[k % 3]}" for k in range(N)],
    "versions": [f"1.{k % 25}.{k % 5}" for k in range(N)],
    "many words": [f"c{k % 140}" for k in range(N)],
    "ordinals": [f"{k % 30}{('th', 'st', 'nd')[k % 3]}" for k in range(N)],
}


def written(kind: str, folder: Path, **columns: Any) -> str:
    frame = pa.table({"x": np.arange(N) % 7 / 7, **columns}).to_pandas()
    path = str(folder / f"a.{kind}")
    if kind == "parquet":
        pq.write_table(pa.Table.from_pandas(frame), path)
    elif kind == "csv":
        frame.to_csv(path, index=False)
    else:
        frame.to_json(path, orient="records", lines=True)
    return path


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("case", NO_LABELS)
def test_words_that_are_no_classes(
    kind: str, case: str, tmp_path: Path, capsys: Any
) -> None:
    labels, said = NO_LABELS[case]
    path = written(kind, tmp_path, y=labels)
    assert main(["train", path]) == 2
    found = capsys.readouterr().err
    assert said in found
    assert "(or --task multiclass, if they are classes)" in found
    assert found.count("\n") == 1
    with pytest.raises(OptionError, match="if they are classes"):
        rg.play(rg.Panel(), np.arange(2.0 * N).reshape(N, 2), labels)


def test_ids_are_classes_for_those_who_say_so(tmp_path: Path, capsys: Any) -> None:
    path = written("csv", tmp_path, y=IDS)
    learner = ["-l", "perceptron", "--task", "multiclass"]
    assert main(["train", path, *learner, "--quiet"]) == 0


@pytest.mark.parametrize("case", LABELS)
def test_words_that_may_be_classes(case: str, tmp_path: Path, capsys: Any) -> None:
    path = written("csv", tmp_path, y=LABELS[case])
    assert main(["train", path, "-l", "perceptron", "--quiet"]) == 0


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("first", [0, 1, -7])
@pytest.mark.parametrize("words", [False, True], ids=["dense", "sparse"])
def test_numbers_of_rows_are_ids(
    kind: str, first: int, words: bool, tmp_path: Path, capsys: Any
) -> None:
    more = {"city": ["Ghent", "Lyon", "Bath"] * (N // 3)} if words else {}
    y = ["a", "b"] * (N // 2)
    path = written(kind, tmp_path, id=np.arange(first, first + N), **more, y=y)
    assert main(["train", path]) == 0
    assert "'id' is new in nearly every row, like ids" in capsys.readouterr().out


@pytest.mark.parametrize("label", [1, 0, "spam"])
def test_one_label_only(label: Any, tmp_path: Path, capsys: Any) -> None:
    path = written("csv", tmp_path, y=[label] * N)
    command = ["train", path, *(["--positive", "spam"] if label == "spam" else [])]
    page = tmp_path / "page.html"
    outputs = ["-o", str(tmp_path / "m.rgl"), "--report", str(page)]
    assert main([*command, *outputs]) == 0
    out = capsys.readouterr().out
    assert f"warning: every label is {label}: there is nothing to tell" in out
    assert f"AUC          none  all rows are {label}" in out
    assert page.stat().st_size > 0
    assert out.count("warning") == 1
    written("csv", tmp_path, y=[*[label] * (N - 1), {1: 0, 0: 1}.get(label, "ham")])
    assert main(command) == 0
    assert "every label" not in capsys.readouterr().out


def test_the_first_warning_is_shown_however_much_is_said(
    tmp_path: Path, capsys: Any
) -> None:
    y = [1 + k * k % 5 for k in range(N)]
    path = written("csv", tmp_path, customer=IDS, y=y)
    more = ["--sets", "90%", "--report", str(tmp_path / "r.html")]
    assert main(["train", path, *more, "-o", str(tmp_path / "m.rgl")]) == 0
    assert "'customer' is new in nearly every row" in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("option", ["--ignore", "--categorical", "--text"])
def test_columns_are_named_one_at_a_time(
    kind: str, option: str, tmp_path: Path, capsys: Any
) -> None:
    path = written(kind, tmp_path, z=np.arange(N), y=[0, 1] * (N // 2))
    assert main(["train", path, option, "x, z"]) == 1
    found = capsys.readouterr().err
    assert "no column 'x, z' (name one column at a time: repeat the option)" in found
    assert main(["train", path, option, "x,zz"]) == 1
    assert "one column at a time" not in capsys.readouterr().err
