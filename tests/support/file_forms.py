"""One small table, written as a file of every format and compression."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
from scipy import sparse

import regretless.data.formats.arrow_ipc
import regretless.data.formats.npz
import regretless.data.formats.parquet
import regretless.data.lines
from regretless.data.file_source import FileSource
from regretless.data.formats.readers import Wanted
from regretless.data.read_options import ReadOptions
from regretless.parts.rows import Dense

ROWS, WIDTH = 60, 5


def small_blocks(monkeypatch, size=300, rows=7):
    """Let blocks be so small that a small file has many."""
    monkeypatch.setattr(regretless.data.lines, "BLOCK", size)
    for module in ("arrow_ipc", "npz", "parquet"):
        monkeypatch.setattr(getattr(regretless.data.formats, module), "ROWS", rows)


def table(rng, rows=ROWS):
    """Numbers that text holds exactly, some zero; labels -1 and 1."""
    X = rng.integers(-8, 9, size=(rows, WIDTH)) / 4
    X[0] = [1, 2, 3, 4, 5]
    return X, np.where(X @ rng.normal(size=WIDTH) > 0, 1, -1)


def libsvm(X, y):
    def line(x, label):
        entries = [f"{j + 1}:{v!r}" for j, v in enumerate(x.tolist()) if v]
        return " ".join([str(label), *entries]) + "\n"

    return "".join(map(line, X, y.tolist())).encode()


def delimited(X, y, mark=","):
    lines = [mark.join(["label", *names()])]
    lines += [
        mark.join([str(label), *map(repr, x)])
        for x, label in zip(X.tolist(), y.tolist(), strict=True)
    ]
    return "\n".join(lines).encode()


def json_lines(X, y):
    rows = zip(X.tolist(), y.tolist(), strict=True)
    return "".join(
        json.dumps({"label": label, **dict(zip(names(), x, strict=True))}) + "\n"
        for x, label in rows
    ).encode()


def vw(X, y):
    return "".join(
        f"{label} |" + "".join(f" {j}:{v!r}" for j, v in enumerate(x) if v) + "\n"
        for x, label in zip(X.tolist(), y.tolist(), strict=True)
    ).encode()


def arrow_table(X, y):
    return pa.table({"label": y, **{n: X[:, j] for j, n in enumerate(names())}})


def buffered(write, *arguments, **options):
    sink = pa.BufferOutputStream()
    write(*arguments, sink, **options)
    return sink.getvalue().to_pybytes()


def arrow_stream(X, y):
    sink = pa.BufferOutputStream()
    data = arrow_table(X, y)
    with pa.ipc.new_stream(sink, data.schema) as writer:
        writer.write_table(data, max_chunksize=11)
    return sink.getvalue().to_pybytes()


def npz(X, y):
    return saved(X=X, y=y, names=np.array(names()))


def sparse_npz(X, y):
    matrix = sparse.csr_array(X)
    return saved(
        format=np.array("csr"), shape=np.array(X.shape), data=matrix.data,
        indices=matrix.indices, indptr=matrix.indptr, y=y,
    )  # fmt: skip


def saved(**arrays):
    import io

    sink = io.BytesIO()
    np.savez(sink, **arrays)
    return sink.getvalue()


def names():
    return [f"x{j}" for j in range(WIDTH)]


FORMS = {
    "a.svm": libsvm,
    "a.csv": delimited,
    "a.tsv": lambda X, y: delimited(X, y, "\t"),
    "a.jsonl": json_lines,
    "a.vw": vw,
    "a.parquet": lambda X, y: buffered(
        pa.parquet.write_table, arrow_table(X, y), row_group_size=25
    ),
    "a.feather": lambda X, y: buffered(
        pa.feather.write_feather, arrow_table(X, y), chunksize=20
    ),
    "a.arrow": arrow_stream,
    "a.npz": npz,
    "b.npz": sparse_npz,
}
TEXT = ["a.svm", "a.csv", "a.tsv", "a.jsonl", "a.vw"]
ENDINGS = {"gzip": ".gz", "zstd": ".zst", "bz2": ".bz2", "lz4": ".lz4"}


def compress(data, kind):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, kind) as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


def opened(
    paths, *, binary=True, n_features=None, names=None, labelled=True, direct=18, **how
):
    """A source; hashed features have the columns of their hashes for numbers."""
    if "vw" in str(paths):
        how.setdefault("bits", 8)
    return FileSource(
        paths, ReadOptions(**how), Wanted(names, labelled=labelled, direct=direct),
        binary=binary, n_features=n_features,
    )  # fmt: skip


def dense(batch, width):
    """The rows of a batch as a matrix."""
    n = batch.targets.size
    if isinstance(batch.rows, Dense):
        return batch.rows.values.reshape(n, -1)
    starts, columns, values = batch.rows
    return sparse.csr_array((values, columns, starts), shape=(n, width)).toarray()


def contents(source, width=WIDTH):
    """All rows, targets and lines of a source, and what stopped it."""
    batches = list(source.batches())
    width = max([width, *(batch.n_features for batch in batches)])
    X = np.concatenate([dense(batch, width) for batch in batches if batch.targets.size])
    y = np.concatenate([batch.targets for batch in batches])
    where = [batch.where(i) for batch in batches for i in range(batch.targets.size)]
    return X, y, where, batches[-1].failure
