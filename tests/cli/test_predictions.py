"""Files of predictions: one row for each row of the input, joined back exactly."""

from __future__ import annotations

import csv
import gzip
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import regretless as rg
from regretless.cli import main, table_files
from regretless.cli.row_names import UniqueIds
from regretless.cli.table_files import Column, table_writer
from regretless.data import lines

TASKS = {
    "two classes": ("panel", ["ham", "spam"]),
    "two, no probabilities": ("perceptron", [0, 1]),
    "many classes": ("panel", ["a", "b", "c,d"]),
    "amounts": ("regression_panel", None),
}
OUTPUTS = ("p.csv", "p.jsonl", "p.parquet", "p.csv.gz", "-")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(lines, "BLOCK", 3000)  # several batches
    return tmp_path


def rows_of(labels: list[Any] | None, n: int = 150) -> list[dict[str, Any]]:
    dice = random.Random(3)
    found: list[dict[str, Any]] = []
    for k in range(n):
        x, z = round(dice.gauss(0, 1), 3), round(dice.gauss(0, 1), 3)
        label: Any = round(x - z + dice.gauss(0, 0.1), 3)
        if labels is not None:
            label = labels[min(len(labels) - 1, int(abs(x) * 1.3))]
        found.append({"customer": f"c{k:03d}", "x": x, "z": z, "label": label})
    return found


def write(name: str, rows: list[dict[str, Any]]) -> None:
    if name.endswith(".jsonl"):
        Path(name).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    elif name.endswith(".parquet"):
        pq.write_table(pa.Table.from_pylist(rows), name)
    else:
        with Path(name).open("w", newline="") as stream:
            tabs = "\t" if name.endswith(".tsv") else ","
            writer = csv.DictWriter(stream, list(rows[0]), delimiter=tabs)
            writer.writeheader()
            writer.writerows(rows)


def read(name: str, capsys: Any) -> list[dict[str, Any]]:
    """Rows of predictions, numbers as numbers, None where there is nothing."""
    if name.endswith(".parquet"):
        return pq.read_table(name).to_pylist()
    text = capsys.readouterr().out
    if name != "-":
        data = Path(name).read_bytes()
        text = (gzip.decompress(data) if name.endswith(".gz") else data).decode()
    if name.endswith(".jsonl"):
        return [json.loads(line) for line in text.splitlines()]
    found: list[dict[str, Any]] = []
    for row in csv.DictReader(text.splitlines()):
        numbers = {"row", "probability", "score"}
        found.append(
            {
                key: None
                if value == ""
                else float(value)
                if key in numbers or key.startswith(("p_", "score_"))
                else value
                for key, value in row.items()
            }
        )
    return found


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("data", ["a.csv", "a.jsonl", "a.parquet"])
def test_predictions_are_those_of_the_model(task: str, data: str, capsys: Any) -> None:
    learner, labels = TASKS[task]
    rows = rows_of(labels)
    write(data, rows)
    train = ["train", data, "-l", learner, "--id", "customer", "--label", "label"]
    assert main([*train, "-o", "m.rgl", "--quiet"]) == 0
    model = rg.load("m.rgl")
    assert "customer" not in str(model.names)
    X = [{"x": row["x"], "z": row["z"]} for row in rows]
    expected = [str(label) for label in model.predict(X).tolist()]
    asked = ["predict", "m.rgl", data, "--id", "customer", "--quiet", "-o"]
    capsys.readouterr()
    for output in OUTPUTS if data == "a.csv" else OUTPUTS[2:3]:
        assert main([*asked, output]) == 0
        found = read(output, capsys)
        assert [row["customer"] for row in found] == [row["customer"] for row in rows]
        assert all(row["reason"] is None for row in found)
        if labels is None:
            told = [float(row["prediction"]) for row in found]
            np.testing.assert_allclose(told, model.predict(X), rtol=1e-12)
            continue
        assert [str(row["prediction"]) for row in found] == expected
        if model.probabilistic:
            chances = model.predict_proba(X)
            for k, label in enumerate(model.classes):
                assert [row[f"p_{label}"] for row in found] == chances[:, k].tolist()
            assert [row["probability"] for row in found] == chances.max(axis=1).tolist()
        else:
            scores = [row["score"] for row in found]
            np.testing.assert_allclose(scores, model.scores(X), rtol=1e-12)


@pytest.mark.parametrize("task", TASKS)
def test_progressive_predictions_are_those_of_the_run(task: str, capsys: Any) -> None:
    learner, labels = TASKS[task]
    rows = rows_of(labels)
    write("a.csv", rows)
    options = rg.ReadOptions(label="label", ignore=["customer"])
    made = {"panel": rg.Panel, "perceptron": rg.Perceptron}
    who = made.get(learner, rg.RegressionPanel)()
    run = rg.play(who, "a.csv", options=options, trace=True)
    train = ["train", "a.csv", "-l", learner, "--id", "customer", "-p"]
    for output in ("p.jsonl", "p.parquet", "-"):
        capsys.readouterr()
        assert main([*train, output]) == 0
        found = read(output, capsys)
        assert [row["customer"] for row in found] == [row["customer"] for row in rows]
        assert all(row["reason"] is None for row in found[1:])
        if labels is None:
            assert [float(row["prediction"]) for row in found] == run.scores.tolist()
        elif len(labels) == 2:
            told = [str(run.classes[int(score > 0)]) for score in run.scores]
            assert [str(row["prediction"]) for row in found] == told
        else:
            # No class had come before the first row; later all of them have columns.
            assert found[0]["prediction"] is None
            assert found[0]["reason"] == "no class had come yet"
            told = [str(run.classes[k]) for k in run.scores.argmax(axis=1)]
            assert [row["prediction"] for row in found[1:]] == told[1:]
            assert set(found[0]) >= {f"p_{label}" for label in labels}
            late = [[row[f"p_{label}"] or 0.0 for label in labels] for row in found[1:]]
            np.testing.assert_allclose(np.sum(late, axis=1), 1.0)


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize(
    "aside", [["--seal", "20%"], ["--holdout", "5"], []], ids=["seal", "holdout", "all"]
)
def test_rows_that_are_not_predicted_have_a_line_and_a_reason(
    kind: str, aside: list[str], capsys: Any
) -> None:
    rows = rows_of(["ham", "spam"])
    broken = {20, 21, 149} if kind != "parquet" else {20, 149}
    for k in broken:
        rows[k]["z"] = float("inf") if kind == "parquet" else "much"
    if kind == "jsonl":  # a word is a feature there, and two lines cannot be read
        write("a.jsonl", rows)
        text = Path("a.jsonl").read_text().replace('"much"', "[1, []]")
        Path("a.jsonl").write_text(text)
    else:
        write(f"a.{kind}", rows)
    train = ["train", f"a.{kind}", "-l", "perceptron", "--on-bad-rows", "skip", *aside]
    assert main([*train, "--id", "customer", "--quiet", "-p", "p.csv"]) == 0
    found = read("p.csv", capsys)
    assert [row["customer"] for row in found] == [row["customer"] for row in rows]
    for k, row in enumerate(found):
        assert (row["reason"] is None) == (row["prediction"] is not None)
        assert (k in broken) == bool(row["reason"] and "'z" in row["reason"])
    others = [
        row["reason"] for row in found if row["reason"] and "'z" not in row["reason"]
    ]
    assert bool(others) == bool(aside)
    assert all("sealed" in why or "held out" in why for why in others)


def test_a_row_that_the_learner_refuses_has_a_line(capsys: Any) -> None:
    Path("a.svm").write_text("1 1:1\n-1 1:-1\n1 1:1e200\n-1 1:-2\n1 1:1\n")
    train = ["train", "a.svm", "-l", "perceptron", "--on-bad-rows", "skip", "--quiet"]
    assert main([*train, "-p", "p.csv"]) == 0
    found = read("p.csv", capsys)
    assert [row["row"] for row in found] == [1, 2, 3, 4, 5]
    assert [row["prediction"] is None for row in found] == [False] * 2 + [True] + [
        False
    ] * 2
    assert found[2]["reason"]


def test_tags_of_vowpal_wabbit_and_numbers(capsys: Any) -> None:
    Path("a.vw").write_text("1 'ann|a x\n-1 |a y\n1 'b,ob|a x\n" * 10)
    train = ["train", "a.vw", "-l", "perceptron", "--bits", "8", "-o", "m.rgl"]
    assert main([*train, "-p", "p.csv", "--quiet"]) == 0
    assert main(["predict", "m.rgl", "a.vw", "-o", "q.jsonl", "--quiet"]) == 0
    for found in (read("p.csv", capsys), read("q.jsonl", capsys)):
        assert [row["tag"] for row in found] == ["ann", None, "b,ob"] * 10
        assert [row["row"] for row in found] == list(range(1, 31))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--id", "nobody"], "there is no id column 'nobody'"),
        (["--id", "x"], "--id x: row"),
        (["--id", "prediction"], "--id prediction: predictions have a column of that"),
        (["--id", "p_spam"], "--id p_spam: predictions have a column of that name"),
    ],
)
def test_an_id_that_cannot_be_joined_is_refused(
    options: list[str], said: str, capsys: Any
) -> None:
    rows = rows_of(["ham", "spam"])
    for k, row in enumerate(rows):
        row.update(prediction=f"q{k}", p_spam=f"r{k}", x=k // 2)
    write("a.csv", rows)
    assert main(["train", "a.csv", "-l", "perceptron", "-o", "m.rgl", "--quiet"]) == 0
    Path("p.csv").write_text("what was there")
    asked = ["predict", "m.rgl", "a.csv", "-o", "p.csv", *options]
    trained = ["train", "a.csv", "-l", "perceptron", "-p", "p.csv", *options]
    for command in (asked, trained):
        capsys.readouterr()
        assert main(command) == 1
        error = capsys.readouterr().err
        assert said in error
        assert len(error.splitlines()) == 1
        assert Path("p.csv").read_text() == "what was there"


def test_ids_keep_their_type(capsys: Any) -> None:
    rows = rows_of(["ham", "spam"])
    for k, row in enumerate(rows):
        row["customer"] = 7 * k
    write("a.parquet", rows)
    train = ["train", "a.parquet", "-l", "perceptron", "--id", "customer", "--quiet"]
    assert main([*train, "-o", "m.rgl", "-p", "t.parquet"]) == 0
    asked = ["predict", "m.rgl", "a.parquet", "--id", "customer", "-o", "p.parquet"]
    assert main([*asked, "--quiet"]) == 0
    for name in ("p.parquet", "t.parquet"):
        table = pq.read_table(name)
        assert table.schema.field("customer").type == pa.int64()
        assert table.column("customer").to_pylist() == [7 * k for k in range(150)]


def test_many_rows_are_written_as_few_are(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = np.random.default_rng(0)
    n = 300
    columns = [
        Column("row", np.arange(n)),
        Column("id", np.array(['a"b', "c,d", "", "e\nf", "g"] * 60, object)),
        Column("plain", np.array(["a", "", "b", "=c", "-1"] * 60, object)),
        Column("whole", np.array([7, "", 8, 9, -1] * 60, object)),
        Column("label", dice.integers(-1, 3, n), ("x", 'y"', "2")),
        Column("flag", dice.integers(-1, 2, n), (False, True)),
        Column("amount", dice.integers(-1, 2, n), (2, 1.5)),
        Column("nothing", np.full(n, -1), ()),
        Column("number", np.where(dice.random(n) < 0.1, np.inf, dice.normal(size=n))),
    ]
    none = [column._replace(values=column.values[:0]) for column in columns]
    found: list[list[list[dict[str, Any]]]] = []
    for few in (n, 0):
        monkeypatch.setattr(table_files, "FEW", few)
        for name, safe in (("a.csv", False), ("s.csv", True), ("a.jsonl", False)):
            with table_writer(name, safe=safe) as table:
                table.write(none)
                table.write(columns)
        objects = list(map(json.loads, Path("a.jsonl").read_text().splitlines()))
        found.append([rational("a.csv"), rational("s.csv"), objects])
    assert found[0] == found[1]
    plain, safe, objects = found[0]
    assert [row["id"] for row in objects[:3]] == ['a"b', "c,d", None]
    assert [row["id"] for row in plain[:5]] == ['a"b', "c,d", "", "e\nf", "g"]
    assert [row["plain"] for row in plain[:5]] == ["a", "", "b", "=c", "-1"]
    assert [row["plain"] for row in safe[:5]] == ["a", "", "b", "'=c", "-1"]
    assert [row["whole"] for row in objects[:3]] == [7, None, 8]
    assert {row["flag"] for row in objects} == {False, True, None}
    assert {row["flag"] for row in plain} == {"False", "True", ""}
    assert {row["amount"] for row in objects} == {2, 1.5, None}
    known = [x if np.isfinite(x) else None for x in columns[-1].values]
    assert [row["number"] for row in objects] == known


def rational(name: str) -> list[dict[str, Any]]:
    """Rows of CSV whose floats are numbers: they may be spelled in several ways."""
    with Path(name).open(newline="") as stream:
        rows: list[dict[str, Any]] = list(csv.DictReader(stream))
    for row in rows:
        row |= {key: row[key] and float(row[key]) for key in ("number", "amount")}
    return rows


def test_numbers_read_back_as_the_same_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = np.random.default_rng(1)
    bits = dice.integers(0, 2**64, 5000, np.uint64).view(np.float64)
    sizes = dice.random(5000) * 10.0 ** dice.integers(-9, 18, 5000)
    numbers = np.concatenate(
        [bits[np.isfinite(bits)], sizes, 10.0 ** np.arange(-9, 18)]
    )
    for few in (0, numbers.size):
        monkeypatch.setattr(table_files, "FEW", few)
        for name in ("a.csv", "a.jsonl", "a.parquet"):
            with table_writer(name) as table:
                table.write([Column("x", numbers), Column("y", numbers)])
        lines = Path("a.csv").read_text().splitlines()[1:]
        objects = map(json.loads, Path("a.jsonl").read_text().splitlines())
        told = [
            [float(line.partition(",")[0]) for line in lines],
            [row["y"] for row in objects],
            pq.read_table("a.parquet").column("x").to_pylist(),
        ]
        for one in told:
            assert np.array(one, float).tobytes() == numbers.tobytes()


def test_ids_that_come_again_are_found_whenever_they_do() -> None:
    drawn = np.random.default_rng(2).permutation(5000)
    for again in (1, 777, 4999):
        numbers = drawn.copy()
        numbers[again] = numbers[again // 2]
        for ids in (numbers, np.array([f"u{k}" for k in numbers], object)):
            unique = UniqueIds("user")
            last = again // 170 * 170
            for k in range(0, last, 170):
                unique.feed(ids[k : k + 170], k + 1)
            with pytest.raises(ValueError, match=f"row {again + 1:,} has the id"):
                unique.feed(ids[last : last + 170], last + 1)


def test_standard_output_is_for_one_thing(capsys: Any) -> None:
    write("a.csv", rows_of(["ham", "spam"]))
    train = ["train", "a.csv", "-l", "perceptron", "-p", "-"]
    for more, said in (
        (["--json"], "both write to standard output"),
        (["--checkpoint", "c.ck"], "-p - does not go with --checkpoint"),
    ):
        assert main([*train, *more]) == 2
        shown = capsys.readouterr()
        assert said in shown.err + shown.out
    assert main(train) == 0
    shown = capsys.readouterr()
    assert len(shown.out.splitlines()) == 151
    assert "mistakes" in shown.err


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("task", TASKS)
def test_rows_that_the_model_has_learned_are_told(
    task: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    learner, labels = TASKS[task]
    rows = rows_of(labels, 300)
    write(f"old.{form}", rows[:200])
    write(f"new.{form}", rows[200:])
    asked = ["--label", "label", "--id", "customer", "-l", learner, "-o", "m.rgl"]
    assert main(["train", f"old.{form}", *asked, "--quiet"]) == 0
    for name, known in (("old", True), ("new", False)):
        capsys.readouterr()
        assert main(["predict", "m.rgl", f"{name}.{form}", "-o", "p.csv"]) == 0
        said = capsys.readouterr().err
        assert ("the model has learned rows that are among these" in said) == known
        assert ("certified" not in said) or not known
        assert main(["predict", "m.rgl", f"{name}.{form}", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["learned_before"] == known


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet"])
@pytest.mark.parametrize("role", ["--ignore", "--weight", "--group"])
def test_rows_to_predict_need_features_only(kind: str, role: str, capsys: Any) -> None:
    rows = rows_of(["ham", "spam"])
    for k, row in enumerate(rows):
        row["day"] = 1 + k % 5
    write(f"a.{kind}", rows)
    train = ["train", f"a.{kind}", "--ignore", "customer", role, "day"]
    sealed = ["--seal", "20%"] * (role == "--group")
    assert main([*train, *sealed, "-o", "m.rgl", "--quiet"]) == 0
    write(f"b.{kind}", [{"x": row["x"], "z": row["z"]} for row in rows])
    for data in ("a", "b"):
        assert main(["predict", "m.rgl", f"{data}.{kind}", "-o", f"{data}.out"]) == 0
    assert Path("a.out").read_text() == Path("b.out").read_text()
    if role == "--ignore":  # nor does whoever goes on learning need them
        write(
            f"c.{kind}",
            [{key: row[key] for key in ("x", "z", "label")} for row in rows],
        )
        assert main(["train", f"c.{kind}", "-i", "m.rgl", "--quiet"]) == 0
    capsys.readouterr()
