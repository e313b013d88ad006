"""Predictions of many rows: joined back to their ids, and what a table costs.

Run ``python -m benchmarks.predictions [--rows N] [--repeats K]``. A CSV file of N rows
(10^6) with an id column is learned and predicted in every form, and the rows are
compared with what the model says of them; then the seconds of CPU of ``predict`` are
taken in turn with those of CSV.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pcsv
import pyarrow.json as pjson
import pyarrow.parquet as pq

import regretless as rg
from regretless.cli import main as command

from .timing import alternate

__all__ = ["main"]

COLUMNS = 10
FORMS = ("csv", "jsonl", "parquet")


def written(folder: Path, rows: int) -> pa.Table:
    """The table, which is also in the folder as a file of CSV."""
    dice = np.random.default_rng(0)
    X = dice.normal(size=(rows, COLUMNS)).round(4)
    score = X @ dice.normal(size=COLUMNS) + dice.normal(size=rows)
    columns = {f"x{j}": X[:, j] for j in range(COLUMNS)}
    ids = dice.permutation(rows)
    label = np.where(score > 0, "yes", "no")
    table = pa.table({"customer": ids, **columns, "label": label})
    pcsv.write_csv(table, folder / "rows.csv")
    return table


def joined(path: Path, table: pa.Table, model: object) -> int:
    """How many rows of a file of predictions differ from the model's own, or lack."""
    kinds = {"csv": pcsv.read_csv, "jsonl": pjson.read_json, "parquet": pq.read_table}
    found = kinds[path.suffix[1:]](path)
    numbers = np.asarray(found.column("customer"), np.int64)
    order = np.argsort(numbers)
    expected = np.argsort(np.asarray(table.column("customer")))
    if order.size != expected.size:
        return abs(order.size - expected.size)
    X = np.column_stack([np.asarray(table.column(f"x{j}")) for j in range(COLUMNS)])
    chances = model.predict_proba(X)[expected]
    told = np.column_stack([np.asarray(found.column(f"p_{c}")) for c in model.classes])
    labels = np.asarray(found.column("prediction").to_pylist(), object)[order]
    wrong = (told[order] != chances).any(axis=1)
    wrong |= labels != model.predict(X)[expected]
    return int(wrong.sum())


def predicting(folder: Path, learner: str, *options: str) -> Callable[[], float]:
    """What takes the seconds of CPU of ``predict``."""
    model, data = str(folder / f"{learner}.rgl"), str(folder / "rows.csv")
    asked = ["predict", model, data, "--quiet", *options]

    def taken() -> float:
        began = time.process_time()
        command(asked)
        return time.process_time() - began

    return taken


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table = written(folder, asked.rows)
        print("learner  form      differ   seconds     csv   ratio")
        for learner in ("panel", "perceptron"):
            saved = str(folder / f"{learner}.rgl")
            train = ["train", str(folder / "rows.csv"), "--id", "customer"]
            command([*train, "-l", learner, "-o", saved, "--quiet"])
            model = rg.load(saved)
            for form in FORMS:
                output = folder / f"p.{form}"
                named = ("--id", "customer", "-o", str(output))
                plain = ("--id", "customer", "-o", str(folder / "p.txt"))
                ours, theirs = alternate(
                    predicting(folder, learner, *named),
                    predicting(folder, learner, *plain),
                    asked.repeats,
                )
                differ = joined(output, table, model) if model.probabilistic else "-"
                print(
                    f"{learner:10} {form:8} {differ!s:>5} {ours:8.2f} {theirs:8.2f} "
                    f"{ours / theirs:7.2f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
