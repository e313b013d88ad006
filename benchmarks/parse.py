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

from regretless.data.formats.libsvm import LibsvmParser
from regretless.data.formats.vw import VwParser

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
    ]


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
                lambda: clock(lambda: parser.parse(text, None)),
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
