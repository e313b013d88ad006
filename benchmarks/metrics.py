"""What progressive metrics cost, and how far their sketch is from the truth.

``python -m benchmarks.metrics [sketch] [cost] [--rows N] [--repeats K]``.

**sketch**: N scores of two classes (default 10^6; the figure in the docs is of 10^8),
in streams that are easy and hard: smooth, rare positives, scores whose scale grows,
that drift away, that come sorted, and a large offset with small differences. Scores are
whole numbers below 2^24 (times a power of two), so that the true AUC and the true
average precision are counted exactly beside it.

**cost**: training from text with and without metrics, in turn, the best of K, in CPU
seconds of all threads: the default panel on messages, and a Perceptron on the same and
on short LIBSVM rows.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import regretless as rg
from regretless.cli.messages import write_messages
from regretless.data.file_source import FileSource
from regretless.data.read_options import ReadOptions
from regretless.evidence.metrics import RankTable
from regretless.runs.session import Session

from .timing import alternate

__all__ = ["cost", "main", "sketch"]

LEVELS = 2**24
BLOCK = 50_000
Floats = np.ndarray[Any, np.dtype[np.float64]]
Stream = Callable[[np.random.Generator, float, int], tuple[Floats, Any]]


def smooth(rng: np.random.Generator, done: float, n: int) -> tuple[Floats, Any]:
    yes = rng.random(n) < 0.4
    return rng.normal(size=n) + yes, yes


def rare(rng: np.random.Generator, done: float, n: int) -> tuple[Floats, Any]:
    yes = rng.random(n) < 0.001
    return rng.normal(size=n) + 2.0 * yes, yes


def growing(rng: np.random.Generator, done: float, n: int) -> tuple[Floats, Any]:
    scores, yes = smooth(rng, done, n)
    return (0.01 + done) * scores, yes


def drifting(rng: np.random.Generator, done: float, n: int) -> tuple[Floats, Any]:
    scores, yes = smooth(rng, done, n)
    return 0.3 * scores + 4.0 * (done - 0.5), yes


def rising(rng: np.random.Generator, done: float, n: int) -> tuple[Floats, Any]:
    scores = 8.0 * (done - 0.5) + np.sort(rng.random(n)) * 1e-2
    return scores, rng.random(n) < 0.1 + 0.8 * done


def offset(rng: np.random.Generator, done: float, n: int) -> tuple[Floats, Any]:
    scores, yes = smooth(rng, done, n)
    return scores * 1e-2 + 3.9, yes


STREAMS: dict[str, Stream] = {
    "smooth": smooth,
    "rare positives": rare,
    "scale grows": growing,
    "drifts away": drifting,
    "comes sorted": rising,
    "large offset": offset,
}


def blocks(stream: Stream, rows: int) -> Iterator[tuple[Any, Any]]:
    """Scores as whole numbers below LEVELS, and whether each row is positive."""
    rng = np.random.default_rng(0)
    for done in range(0, rows, BLOCK):
        n = min(BLOCK, rows - done)
        scores, yes = stream(rng, done / rows, n)
        spread = (np.clip(scores, -8.0, 8.0) + 8.0) * ((LEVELS - 1) / 16.0)
        yield spread.astype(np.int64), yes


def sketch(rows: int) -> list[tuple[str, ...]]:
    """Each stream: the sketch beside the truth."""
    found: list[tuple[str, ...]] = []
    for name, stream in STREAMS.items():
        table = RankTable()
        counts = np.zeros((2, LEVELS), np.int64)
        seconds = 0.0
        for levels, yes in blocks(stream, rows):
            scores, targets = levels * 2.0**-10, yes.astype(np.float64)
            began = time.process_time()
            table.feed(scores, targets)
            seconds += time.process_time() - began
            np.add.at(counts[0], levels[~yes], 1)
            np.add.at(counts[1], levels[yes], 1)
        auc, precision = truth(counts)
        found.append(
            (
                name,
                f"{abs(table.auc() - auc):.1e}",
                f"{table.auc_lost():.1e}",
                f"{abs(table.average_precision() - precision):.1e}",
                f"{table.nbytes / 1e6:.2f} MB",
                f"{seconds / rows * 1e9:.0f} ns",
            )
        )
        print("  ".join(found[-1]), file=sys.stderr)
    return found


def truth(counts: Any) -> tuple[float, float]:
    """AUC and average precision of counts at every level."""
    no, yes = counts.astype(np.float64)
    below = np.cumsum(no) - 0.5 * no
    auc = float((yes * below).sum() / (yes.sum() * no.sum()))
    hits, every = yes[::-1].cumsum(), (yes + no)[::-1].cumsum()
    some = yes[::-1] > 0
    precision = (yes[::-1][some] * (hits[some] / every[some])).sum() / yes.sum()
    return auc, float(precision)


def trained(learner: Any, path: Path, *, measure: bool) -> float:
    """One pass from text, as ``train`` makes it; the CPU seconds that it took."""
    began = time.process_time()
    source = FileSource([str(path)], ReadOptions(), binary=True)
    game = Session(learner, source, measure=measure)
    for batch in source.batches():
        game.take(batch)
    run = game.run()
    if measure:
        run.metrics.as_dict()
    return time.process_time() - began


def cost(repeats: int) -> list[tuple[str, ...]]:
    """Each learner on each file, with metrics and without."""
    found: list[tuple[str, ...]] = []
    with tempfile.TemporaryDirectory() as folder:
        messages, short = Path(folder) / "messages.vw", Path(folder) / "short.svm"
        write_messages(messages, 200_000, 0)
        write_short(short, 500_000)
        cases = (
            ("the panel, messages", rg.Panel(), messages, 200_000),
            ("Perceptron, messages", rg.Perceptron(), messages, 200_000),
            ("Perceptron, ten entries a row", rg.Perceptron(), short, 500_000),
        )
        for name, learner, path, rows in cases:
            on, off = alternate(
                lambda a=learner, p=path: trained(a, p, measure=True),
                lambda a=learner, p=path: trained(a, p, measure=False),
                repeats,
            )
            each = f"{(on - off) / rows * 1e9:.0f} ns"
            cells = (name, f"{off:.3f} s", f"{on:.3f} s", f"{on / off - 1.0:+.1%}")
            found.append((*cells, each))
            print("  ".join(found[-1]), file=sys.stderr)
    return found


def write_short(path: Path, n: int) -> None:
    """LIBSVM rows with ten entries of a thousand columns."""
    rng = np.random.default_rng(0)
    columns = np.sort(rng.integers(1, 1000, size=(n, 10)), axis=1)
    columns += np.arange(10)  # so that none comes twice
    weights = rng.normal(size=1100)
    labels = np.where(weights[columns].sum(axis=1) > 0.0, "1", "-1")
    with path.open("w") as file:
        for label, row in zip(labels.tolist(), columns.tolist(), strict=True):
            file.write(f"{label} {' '.join(f'{j}:1' for j in row)}\n")


def shown(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A table in Markdown."""
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> int:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("what", nargs="*", choices=["sketch", "cost", []])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=7)
    given = parser.parse_args()
    if not given.what or "sketch" in given.what:
        head = (
            "scores",
            "AUC off by",
            "pairs lost / 2",
            "AP off by",
            "memory",
            "a row",
        )
        print(f"{given.rows:,} rows\n\n{shown(head, sketch(given.rows))}\n")
    if not given.what or "cost" in given.what:
        head = ("from text", "without", "with metrics", "more", "a row")
        print(shown(head, cost(given.repeats)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
