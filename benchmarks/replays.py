"""``python -m benchmarks.replays [ways|natural|cost]``: rows that come again.

ways: pure noise (every classifier errs half of the time) is fed a second time in every
way there is. Counted are certificates that count a replayed row, and first passes that
are certified below 50%, which may happen in 5% of the runs.

natural: tables in one pass, with many copies of few rows among them. Counted are those
that are refused. With ``--data DIR``: the files there, in their order, sorted by their
lines, and shuffled, too.

cost: CPU seconds of a pass over text with fingerprints and without, the least of each.
"""

from __future__ import annotations

import argparse
import gzip
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import regretless as rg
from regretless import sklearn
from regretless.cli import main as command_line
from regretless.data import FileSource
from regretless.errors import NotCertified
from regretless.evidence.fingerprints import Fingerprints

DELTA = 0.05


class Noise:
    """Rows and labels that have nothing to do with each other, and an order."""

    def __init__(self, rng: np.random.Generator) -> None:
        n, width = int(2 ** rng.uniform(6, 11)), int(rng.integers(5, 200))
        self.X = rng.normal(size=(n, width)).round(3)
        self.y = rng.integers(0, 2, n)
        self.order = np.arange(n) if rng.random() < 0.5 else rng.permutation(n)
        self.epochs = int(rng.integers(1, 6))

    def text(self, order: Any) -> str:
        """The rows as a file."""
        lines = (
            f"{self.y[i]} " + " ".join(f"{j + 1}:{x}" for j, x in enumerate(self.X[i]))
            for i in order
        )
        return "\n".join(lines) + "\n"


def partial_fit(noise: Noise) -> Iterator[Any]:
    """Another ``partial_fit`` with the same rows."""
    made = sklearn.PerceptronClassifier()
    made.partial_fit(noise.X, noise.y, classes=[0, 1])
    yield made.certificate_
    for _ in range(noise.epochs):
        for part in np.array_split(noise.order, 5):
            made.partial_fit(noise.X[part], noise.y[part])
    yield getattr(made, "certificate_", None)


def learn_one(noise: Noise) -> Iterator[Any]:
    """The same events."""
    learner = rg.Perceptron()
    rows = [dict(enumerate(row)) for row in noise.X.tolist()]
    for epoch in range(noise.epochs + 1):
        for i in noise.order if epoch else range(len(rows)):
            learner.learn_one(rows[i], int(noise.y[i]))
        if not epoch:
            yield learner.certificate()
    yield _certificate(learner.certificate)


def arrays(noise: Noise) -> Iterator[Any]:
    """An array that holds its rows several times."""
    yield rg.play(rg.Perceptron(), noise.X, noise.y).certificate()
    order = np.concatenate([np.arange(len(noise.y)), *[noise.order] * noise.epochs])
    run = rg.play(rg.Perceptron(), noise.X[order], noise.y[order])
    yield _certificate(run.certificate) or run.model("validated").certificate


def files(noise: Noise) -> Iterator[Any]:
    """The same rows in two files."""
    first, second = _written(noise)
    yield rg.play(rg.Perceptron(), first).certificate()
    run = rg.play(rg.Perceptron(), [first, *[second] * noise.epochs])
    yield _certificate(run.certificate) or run.model("validated").certificate


def initial_model(noise: Noise) -> Iterator[Any]:
    """``train -i`` with a model that has learned the rows."""
    first, second = _written(noise)
    yield rg.play(rg.Perceptron(), first).certificate()
    for _ in range(noise.epochs):
        start = ["-i", "m.rgl"] if Path("m.rgl").exists() else ["-l", "perceptron"]
        command_line(["train", second, *start, "-o", "m.rgl", "--quiet"])
    command_line(["train", first, "-i", "m.rgl", "-o", "again.rgl", "--quiet"])
    yield rg.load("again.rgl").certificate


WAYS: dict[str, Callable[[Noise], Iterator[Any]]] = {
    "partial_fit": partial_fit,
    "learn_one": learn_one,
    "an array": arrays,
    "files": files,
    "train -i": initial_model,
}


def count_ways(runs: int) -> None:
    """Print what is certified on replays of noise."""
    print(f"{'way':12} {'runs':>5} {'replays certified':>18} {'first pass < 50%':>17}")
    for name, way in WAYS.items():
        rng = np.random.default_rng(1)
        counted = below = 0
        for _ in range(runs):
            with tempfile.TemporaryDirectory() as folder:
                os.chdir(folder)
                first, again = way(Noise(rng))
                os.chdir("/")
            counted += again is not None
            below += first.value < 0.5
        print(f"{name:12} {runs:>5} {counted:>18} {below / runs:>17.1%}")


def natural_tables(rng: np.random.Generator) -> Iterator[tuple[str, Any]]:
    """Tables without end, each with its kind."""
    while True:
        n, kinds = int(2 ** rng.uniform(6, 13)), int(2 ** rng.uniform(1, 16))
        few = rng.integers(0, kinds, n)
        yield "few distinct rows", few
        yield "the same, sorted", np.sort(few)
        yield "in bursts", np.repeat(few, rng.integers(1, 6, n))[:n]
        yield "heavy tails", rng.zipf(rng.uniform(1.05, 2.5), n) % 10**6
        yield "a few bits", _bits(rng, n)
        yield "half unique", np.where(rng.random(n) < 0.5, few, np.arange(n) + 10**6)
        yield "one row at last", np.where(np.arange(n) < n // 2, np.arange(n), n)


def count_natural(runs: int, data: str | None) -> None:
    """Print which natural tables are refused."""
    rng = np.random.default_rng(2)
    refused: dict[str, int] = {}
    taken: dict[str, int] = {}
    for _, (kind, numbers) in zip(range(runs), natural_tables(rng), strict=False):
        X = np.stack([numbers, numbers % 7, numbers % 3], axis=1).astype(float)
        y = np.where(rng.random(len(X)) < 0.5, numbers % 2, 0)
        found = rg.play(rg.Perceptron(), X, y).replay if len({*y.tolist()}) > 1 else ""
        taken[kind] = taken.get(kind, 0) + 1
        refused[kind] = refused.get(kind, 0) + bool(found)
    for kind, count in taken.items():
        print(f"{kind:20} {refused[kind]:>4} of {count} refused")
    for path in sorted(Path(data).glob("*.svm.gz")) if data else ():
        print(f"{path.name:28} {_orders(path, rng)}")


def _orders(path: Path, rng: np.random.Generator) -> str:
    """What a file of rows is taken for, in three orders."""
    lines = gzip.decompress(path.read_bytes()).decode().splitlines(keepends=True)
    orders = {
        "as it is": lines,
        "sorted": sorted(lines),
        "shuffled": [lines[i] for i in rng.permutation(len(lines))],
        "twice": lines * 2,
    }
    found: list[str] = []
    for name, written in orders.items():
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "rows.svm"
            file.write_text("".join(written))
            seen = Fingerprints()
            source = FileSource(str(file), binary=False)
            for batch in source.batches():
                seen.feed(batch.rows, batch.targets)
            found.append(f"{name}: {'refused' if seen.replay else 'fine'}")
    return ", ".join(found)


def take_costs(rows: int, repeats: int = 7) -> None:
    """Print the price of the fingerprints."""
    rng = np.random.default_rng(3)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.svm"
        with path.open("w") as file:
            for _ in range(rows):
                columns = np.flatnonzero(rng.random(123) < 14 / 123) + 1
                values = rng.integers(1, 100, columns.size)
                entries = zip(columns.tolist(), values.tolist(), strict=True)
                shown = " ".join(f"{j}:{x / 100:g}" for j, x in entries)
                file.write(f"{rng.integers(0, 2)} {shown}\n")
        for learner in (rg.Perceptron(), rg.Panel()):
            times: dict[bool, list[float]] = {True: [], False: []}
            for turn in range(2 * repeats + 2):
                times[turn % 2 == 0].append(
                    _seconds(learner, path, hashed=not turn % 2)
                )
            dear, cheap = (min(times[each][1:]) for each in (True, False))
            print(f"{learner!r:14} {dear:.3f} s, without {cheap:.3f} s: "
                  f"{dear / cheap - 1:+.1%}")  # fmt: skip


def _seconds(learner: Any, path: Path, *, hashed: bool) -> float:
    began = time.process_time()
    if hashed:
        rg.play(learner, str(path))
    else:
        with patch.object(Fingerprints, "feed", lambda *_: None):
            rg.play(learner, str(path))
    return time.process_time() - began


def _certificate(ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except NotCertified:
        return None


def _written(noise: Noise) -> tuple[str, str]:
    Path("a.svm").write_text(noise.text(range(len(noise.y))))
    Path("b.svm").write_text(noise.text(noise.order))
    return "a.svm", "b.svm"


def _bits(rng: np.random.Generator, n: int) -> Any:
    width = int(rng.integers(1, 16))
    bits = rng.random((n, width)) < rng.uniform(0.05, 0.5, width)
    return (bits * 2 ** np.arange(width)).sum(axis=1)


def main() -> int:
    """Take one of the three, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=("ways", "natural", "cost"))
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--rows", type=int, default=300_000, help="of the cost")
    parser.add_argument("--data", metavar="DIR")
    given = parser.parse_args()
    if given.what in (None, "ways"):
        count_ways(given.runs)
    if given.what in (None, "natural"):
        count_natural(given.runs, given.data)
    if given.what in (None, "cost"):
        take_costs(given.rows)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
