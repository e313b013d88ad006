"""The parsers' figures: text to rows on one thread, from memory."""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from regretless.data.file_source import FileSource
from regretless.data.formats.libsvm import LibsvmParser
from regretless.data.formats.vw import VwParser
from regretless.data.read_options import ReadOptions

from .figures import Figure, SkippedError
from .timing import alternate, clock

__all__ = ["figures"]

ROWS = 50_000
WORDS = 30_000
FEATURES = 50_000
MEGA = 1e6

Values = Callable[[np.random.Generator, int], list[str]]


def figures() -> list[Figure]:
    """Megabytes a second against scikit-learn and Vowpal Wabbit."""
    return [
        *(_libsvm(name, values) for name, values in VALUES.items()),
        _vw("vw-numbers", "1 | 7:1 25:2 ...", lambda: vw_numbers("counts")),
        _vw("vw-words", "1 |w word word ...", vw_words),
        *(_gaps(name) for name in SHORT),
    ]


SHORT = {
    "svm": (b"", b"1 1:2\n-1 2:1\n"),
    "vw": (b"", b"1 | a:2\n-1 | b\n"),
    "csv": (b"label,a\n", b"1,2\n-1,1\n"),
    "tsv": (b"label\ta\n", b"1\t2\n-1\t1\n"),
    "jsonl": (b"", b'{"label": 1, "a": 2}\n{"label": -1}\n'),
}
SIZE = 4_000_000  # bytes of a file of short rows, or of empty lines
BETWEEN = 500  # rows with empty lines in between


def _gaps(name: str) -> Figure:
    """A file of empty lines with some rows, against as many bytes of short rows."""
    header, rows = SHORT[name]
    few = rows * (BETWEEN // 2)
    gap = b"\n" * (SIZE // 8) + b"\r\n" * (SIZE // 16)
    texts = (few + (gap + few) * 4, rows * (SIZE // len(rows)))

    def measure() -> tuple[float, float]:
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / f"{k}.{name}" for k in range(2)]
            for path, text in zip(paths, texts, strict=True):
                path.write_bytes(header + text)
            ours, peer = paths
            return alternate(
                lambda: clock(lambda: _read(ours)), lambda: clock(lambda: _read(peer))
            )

    return Figure(
        name=f"empty-lines-{name}",
        what=f"{name}: empty lines between rows",
        peer="the same reader, short rows",
        bar=1.0,
        measure=measure,
        better="no slower",
        unit="MB/s",
        work=lambda: SIZE / MEGA,
    )


def _read(path: Path) -> None:
    source = FileSource(path, ReadOptions(threads=1), binary=True)
    for batch in source.batches():
        assert batch.failure is None


def _counts(rng: np.random.Generator, n: int) -> list[str]:
    return [str(count) for count in rng.geometric(0.6, n)]


def _weights(rng: np.random.Generator, n: int) -> list[str]:
    return [f"{value:.3f}" for value in rng.random(n)]


def _signed(rng: np.random.Generator, n: int) -> list[str]:
    return [f"{value:.6g}" for value in rng.uniform(-1, 1, n)]


def _exact(rng: np.random.Generator, n: int) -> list[str]:
    return [repr(value) for value in rng.random(n).tolist()]


VALUES: dict[str, Values] = {
    "counts": _counts,
    "weights": _weights,
    "signed": _signed,
    "exact": _exact,
}


@cache
def libsvm_text(name: str) -> bytes:
    """Rows of 20 to 80 entries with ascending indices."""
    rng = np.random.default_rng(1)
    lines: list[str] = []
    for _ in range(ROWS):
        n = int(rng.integers(20, 80))
        columns = np.unique(rng.integers(1, FEATURES, n)).tolist()
        values = VALUES[name](rng, len(columns))
        entries = [f"{i}:{v}" for i, v in zip(columns, values, strict=True)]
        lines.append(f"{rng.choice(('+1', '-1'))} {' '.join(entries)}")
    return ("\n".join(lines) + "\n").encode()


@cache
def vw_numbers(name: str) -> bytes:
    """The same rows as Vowpal Wabbit's text."""
    lines = libsvm_text(name).splitlines()
    return b"\n".join(line.replace(b" ", b" | ", 1) for line in lines) + b"\n"


@cache
def vw_words() -> bytes:
    """Rows of words of 3 to 9 letters, a few of them frequent."""
    rng = np.random.default_rng(2)
    letters = list("abcdefghijklmnopqrstuvwxyz")
    words = [
        "".join(rng.choice(letters, int(rng.integers(3, 10)))) for _ in range(WORDS)
    ]
    lines: list[str] = []
    for _ in range(ROWS):
        drawn = (WORDS * rng.random(int(rng.integers(20, 80))) ** 3).astype(int)
        lines.append(f"1 |w {' '.join(words[i] for i in drawn)}")
    return ("\n".join(lines) + "\n").encode()


def _libsvm(name: str, values: Values) -> Figure:
    shown = values(np.random.default_rng(0), 1)[0]

    def measure() -> tuple[float, float]:
        from sklearn.datasets import load_svmlight_file

        text = libsvm_text(name)
        parser = LibsvmParser(zero_based=False)
        return alternate(
            lambda: clock(lambda: parser.parse(text)),
            lambda: clock(lambda: load_svmlight_file(io.BytesIO(text))),
        )

    return Figure(
        name=f"libsvm-{name}",
        what=f"LIBSVM text, values like {shown}",
        peer="sklearn load_svmlight_file",
        bar=8.0,
        measure=measure,
        unit="MB/s",
        work=lambda: len(libsvm_text(name)) / MEGA,
    )


def _vw(name: str, what: str, make: Callable[[], bytes]) -> Figure:
    def measure() -> tuple[float, float]:
        try:
            import vowpalwabbit  # noqa: F401
        except ImportError:
            raise SkippedError("vowpalwabbit is not installed") from None
        text = make()
        parser = VwParser()
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "data.vw"
            file.write_bytes(text)
            command = [sys.executable, "-m", "vowpalwabbit", "--noop", "--quiet"]
            command += ["-d", str(file)]
            return alternate(
                lambda: clock(lambda: parser.parse(text)),
                lambda: clock(lambda: subprocess.run(command, check=True)),
            )

    return Figure(
        name=name,
        what=f"Vowpal Wabbit text, {what}",
        peer="vw --noop, with its start",
        bar=4.0,
        measure=measure,
        unit="MB/s",
        work=lambda: len(make()) / MEGA,
    )
