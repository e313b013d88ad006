"""Large text files of the benchmark's rows, written once a run into a temporary folder.

A file of N GB repeats the first one: the same rows as LIBSVM text and as Vowpal Wabbit
text, byte for byte the same numbers.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile
from functools import cache
from pathlib import Path

from .data import text_like

__all__ = ["folder", "libsvm", "vw"]

GIGA = 10**9
PIECE = 20_000  # rows formatted at a time
LABEL = re.compile(r"^(-?1) ", re.MULTILINE)
SEEDS = 6  # blocks of different rows in the first gigabyte


@cache
def folder() -> Path:
    """Where the files are: a folder of yours, or one that is removed at the end."""
    kept = os.environ.get("BENCHMARK_FILES")
    if kept:
        return Path(kept)
    path = Path(tempfile.mkdtemp(prefix="regretless-benchmark-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


@cache
def libsvm(gigabytes: float = 1) -> Path:
    """`gigabytes` of LIBSVM text."""
    return _of("svm", gigabytes)


@cache
def vw(gigabytes: float = 1) -> Path:
    """The same rows as Vowpal Wabbit text (a little more than so many gigabytes)."""
    return _of("vw", gigabytes)


def _of(kind: str, gigabytes: float) -> Path:
    """A share of the first gigabyte, that gigabyte, or several times the same."""
    if gigabytes < 1:
        return _share(kind, gigabytes)
    return _first(kind) if gigabytes == 1 else _repeated(kind, int(gigabytes))


@cache
def _first(kind: str) -> Path:
    """The first gigabyte in both formats, row by row the same."""
    paths = {name: folder() / f"one.{name}" for name in ("svm", "vw")}
    if all(path.exists() for path in paths.values()):
        return paths[kind]
    with paths["svm"].open("w") as svm, paths["vw"].open("w") as vw_file:
        for seed in range(2, 2 + SEEDS):
            for text in _lines(seed):
                svm.write(text)
                vw_file.write(
                    text.replace("1 ", "1 | ", 1)
                    .replace("\n1 ", "\n1 | ")
                    .replace("\n-1 ", "\n-1 | ")
                )
                if svm.tell() >= GIGA:
                    return paths[kind]
    return paths[kind]


def _lines(seed: int) -> list[str]:
    """Rows as LIBSVM text, in pieces."""
    X, y = text_like(seed)
    names = [f"{j + 1}:" for j in range(X.shape[1])]
    labels = ["-1" if label < 0 else "1" for label in y]
    pieces: list[str] = []
    for begin in range(0, y.size, PIECE):
        rows: list[str] = []
        for i in range(begin, min(begin + PIECE, y.size)):
            lo, hi = X.indptr[i], X.indptr[i + 1]
            entries = zip(
                X.indices[lo:hi].tolist(), X.data[lo:hi].tolist(), strict=True
            )
            features = " ".join([f"{names[j]}{x:.4g}" for j, x in entries])
            rows.append(f"{labels[i]} {features}\n")
        pieces.append("".join(rows))
    return pieces


def _share(kind: str, share: float) -> Path:
    """The first rows: those that have `share` gigabytes as LIBSVM text."""
    path = folder() / f"{share}.{kind}"
    size = 0
    with (
        _first("svm").open("rb") as svm,
        _first(kind).open("rb") as whole,
        path.open("wb") as part,
    ):
        for row, line in zip(svm, whole, strict=True):
            size += len(row)
            if size > share * GIGA:
                break
            part.write(line)
    return path


def _repeated(kind: str, times: int) -> Path:
    path = folder() / f"{times}.{kind}"
    with path.open("wb") as whole:
        for _ in range(times):
            with _first(kind).open("rb") as part:
                shutil.copyfileobj(part, whole, 1 << 22)
    return path
