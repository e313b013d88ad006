"""Trainings to be killed and resumed: every format, kind of column and kind of learner.

The tests let a training die inside this process; ``python -m benchmarks.resume`` kills
processes.
"""

from __future__ import annotations

import io
import json
import random
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
from scipy import sparse

import regretless as rg
from file_forms import compress

ROWS = 420
EVERY = "60rows"
BLOCK, BATCH = 2000, 20  # bytes and rows read at a time: small files have many batches
TABLES = ("csv", "csv.gz", "tsv", "jsonl", "jsonl.zst", "parquet", "feather", "arrow")
COLUMNS = ("numbers", "words", "text", "missing", "flags")
SOME = {
    "svm": ("numbers", "missing"),
    "vw": ("numbers", "words", "text"),
    "npz": ("numbers", "flags"),
}
"""The kinds of columns of formats that have not all of them."""
LEARNERS = {
    "panel": ("panel", "binary"),
    "linear": ("adagrad scale=rms", "binary"),
    "many classes": ("perceptron", "multiclass"),
    "many panels": ("panel", "multiclass"),
    "regression": ("ogd loss=squared radius=5", "regression"),
    "regression panel": ("regression-panel", "regression"),
}
WAYS = {
    "plain": (),
    "passes": ("--passes", "2"),
    "holdout": ("--holdout", "7"),
    "weights": ("--class-weight", "{first}=3"),
    "predictions": ("-p", "{out}.txt"),
}


class Case(NamedTuple):
    """One training."""

    format: str
    columns: str
    learner: str
    way: str

    @property
    def file(self) -> str:
        return f"{self.columns}.{self.format}"

    def arguments(self, out: str) -> list[str]:
        """What to type after ``regretless train``, but for checkpoints."""
        learner, task = LEARNERS[self.learner]
        first = {"binary": "no", "multiclass": "c0"}.get(task, "")
        if self.format in SOME:
            first = first and ("0" if task == "multiclass" else "-1")
        way = [
            word.format(first=first, out=out)
            for word in (WAYS[self.way] if first or self.way != "weights" else ())
        ]
        bits = [] if self.format in ("svm", "npz") else ["--bits", "8"]
        if "jsonl" in self.format:
            bits = []
        text = self.columns == "text" and self.format != "vw"
        told = ["--text", "note"] if text else []
        kind = ["-l", learner, "--task", task, "-o", f"{out}.rgl"]
        return [self.named, *kind, *bits, *told, *way]

    @property
    def named(self) -> str:
        return f"{LEARNERS[self.learner][1]}-{self.file}"

    def write(self, folder: Path) -> None:
        """Make its file, unless it is there."""
        path = folder / self.named
        if not path.exists():
            rows, labels = _table(self.columns, LEARNERS[self.learner][1])
            path.write_bytes(_written(self.format, rows, labels))


def all_cases() -> list[Case]:
    """Format x kind of column x kind of learner; the ways are dealt out in turn."""
    pairs = [*product(TABLES, COLUMNS), *((f, c) for f in SOME for c in SOME[f])]
    ways = list(WAYS)
    return [
        Case(form, columns, learner, ways[(i + j) % len(ways)])
        for i, (form, columns) in enumerate(pairs)
        for j, learner in enumerate(LEARNERS)
    ]


def _table(kind: str, task: str) -> tuple[list[dict[str, Any]], list[Any]]:
    """Rows of numbers and of one more kind; labels that depend on them."""
    dice = random.Random(f"{kind} {task}")
    rows: list[dict[str, Any]] = []
    labels: list[Any] = []
    for _ in range(ROWS):
        x = [dice.randrange(-40, 41) / 16 for _ in range(3)]
        row: dict[str, Any] = {"a": x[0], "b": x[1], "c": x[2]}
        pick = dice.randrange(9)
        score = x[0] - x[1] + pick / 4 - 1 + dice.gauss(0.0, 0.4)
        if kind == "words":
            row["city"] = f"town{pick}"
            row["day"] = dice.choice(["mon", "tue", "wed"])
        elif kind == "text":
            words = ["free", "cash", "lunch", "notes", f"word{pick}"]
            row["note"] = " ".join(dice.choices(words, k=4))
        elif kind == "missing":
            row["a"] = None if dice.random() < 0.2 else row["a"]
            row["city"] = None if dice.random() < 0.2 else f"town{pick}"
        elif kind == "flags":
            row["on"] = pick > 4
            row["new"] = dice.random() < 0.5
        rows.append(row)
        labels.append(_label(task, score))
    return rows, labels


def _label(task: str, score: float) -> Any:
    if task == "regression":
        return round(score, 3)
    if task == "binary":
        return "yes" if score > 0 else "no"
    return f"c{int(score > -1) + int(score > 0.5)}"


def _written(form: str, rows: list[dict[str, Any]], labels: list[Any]) -> bytes:
    kind, _, packed = form.partition(".")
    if packed:
        how = {"gz": "gzip", "zst": "zstd"}[packed]
        return compress(_written(kind, rows, labels), how)
    numbers = [_number(label) for label in labels]
    if kind == "svm":
        return "".join(map(_svm, rows, numbers)).encode()
    if kind == "vw":
        return "".join(map(_vw, rows, numbers)).encode()
    if kind == "npz":
        return _npz(rows, numbers)
    if kind == "jsonl":
        lines = [{"label": y, **row} for row, y in zip(rows, labels, strict=True)]
        return "".join(json.dumps(line) + "\n" for line in lines).encode()
    table = pa.Table.from_pylist(rows).append_column("label", pa.array(labels))
    return _table_bytes(kind, table)


def _table_bytes(kind: str, table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    if kind in ("csv", "tsv"):
        mark = "," if kind == "csv" else "\t"
        style = "needed" if kind == "csv" else "none"
        how = pa.csv.WriteOptions(delimiter=mark, quoting_style=style)
        pa.csv.write_csv(table, sink, how)
        text = sink.getvalue().to_pybytes()
        return text.replace(b'"', b"") if kind == "tsv" else text
    if kind == "parquet":
        pa.parquet.write_table(table, sink, row_group_size=150)
    elif kind == "feather":
        pa.feather.write_feather(table, sink, chunksize=90)
    else:
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table, max_chunksize=70)
    return sink.getvalue().to_pybytes()


def _number(label: Any) -> float:
    if not isinstance(label, str):
        return label
    return {"yes": 1, "no": -1}[label] if label in ("yes", "no") else int(label[1:])


def _svm(row: dict[str, Any], y: float) -> str:
    entries = [
        f"{j}:{v!r}" for j, v in enumerate(row.values(), 1) if isinstance(v, float)
    ]
    return " ".join([str(y), *entries]) + "\n"


def _vw(row: dict[str, Any], y: float) -> str:
    entries = [
        f"{name}:{v!r}"
        if isinstance(v, float)
        else f"{name}={v}".replace(" ", f" {name}=")
        for name, v in row.items()
    ]
    return f"{y} | {' '.join(entries)}\n"


def _npz(rows: list[dict[str, Any]], y: list[float]) -> bytes:
    X = np.array([list(row.values()) for row in rows], float)
    matrix = sparse.csr_array(X)
    sink = io.BytesIO()
    np.savez(
        sink, format=np.array("csr"), shape=np.array(X.shape), data=matrix.data,
        indices=matrix.indices, indptr=matrix.indptr, y=np.array(y),
    )  # fmt: skip
    return sink.getvalue()


def model_bits(path: str | Path) -> tuple[Any, ...]:
    """All that a model says: two of the same bits are the same model."""
    model = rg.load(path)
    bits = _bits(model.arrays())
    return bits, model.facts(), model.certificate, model.names, model.classes


def _bits(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {name: _bits(one) for name, one in tree.items()}
    if isinstance(tree, list | tuple):
        return [_bits(one) for one in tree]
    return tree.tobytes() if hasattr(tree, "tobytes") else tree
