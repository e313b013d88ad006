"""What a row of a narrow table costs the panels, with their forest and without.

``python -m benchmarks.narrow [--columns N ...] [--rows N]``: made rows, dense, in
memory; CPU time of the best of five passes, taken in turn. The bars are 4 times the
time without the forest, and 6 us a row of 20 columns and two classes.

``--before DIR`` compares the defaults with those of an earlier checkout instead: each
in processes of its own, in turn, on one thread, and here on two by the clock as well.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import regretless as rg
from regretless.parts.rows import Dense

__all__ = ["main", "seconds"]

REPEATS = 5
BATCH = 4096
MOST = 4.0
TURNS = 3  # processes of each checkout


def seconds(learner: Any, X: Any, y: Any, clock: Any = time.process_time) -> float:
    """CPU time of one pass, or that of another clock."""
    rows, columns = X.shape
    player = learner.player(columns)
    began = clock()
    for first in range(0, rows, BATCH):
        some = X[first : first + BATCH]
        player.play(Dense(some.reshape(-1), columns), y[first : first + BATCH])
    return clock() - began


def problems(widths: list[int], rows: int) -> Iterator[tuple[str, int, Any, Any, Any]]:
    """Names, widths, the class of the panel, rows, labels."""
    rng = np.random.default_rng(0)
    for columns in widths:
        X = rng.normal(size=(rows, columns))
        noise = 0.5 * rng.normal(size=rows)
        amounts = np.abs(X[:, 0]) + X[:, 1] * X[:, 2] + noise
        signs = np.where(amounts > 0.8, 1.0, -1.0)
        yield "two classes", columns, rg.Panel, X, signs
        yield "amounts", columns, rg.RegressionPanel, X, amounts


def main() -> int:
    """Print a table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.narrow", description=__doc__
    )
    parser.add_argument("--columns", type=int, nargs="+", default=[6, 10, 20, 50])
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--before", type=Path, metavar="DIR")
    parser.add_argument("--defaults", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    made = list(problems(arguments.columns, arguments.rows))
    if arguments.defaults:
        print(json.dumps([defaults(kind, X, y) for _, _, kind, X, y in made]))
        return 0
    if arguments.before is not None:
        compare(made, arguments.before)
        return 0
    print("us a row     columns   no forest       panel   ratio")
    for name, columns, kind, X, y in made:
        pair = kind(forest=False), kind()
        taken = np.array(
            [[seconds(each, X, y) for each in pair] for _ in range(REPEATS + 1)]
        )
        alone, whole = taken[1:].min(axis=0) / len(X) * 1e6
        met = "met" if whole <= MOST * alone else "missed"
        numbers = f"{alone:12.2f}{whole:12.2f}{whole / alone:8.2f}"
        print(f"{name:<12}{columns:8}{numbers}  <= {MOST:g}: {met}", flush=True)
    return 0


def defaults(kind: Any, X: Any, y: Any) -> float:
    """Microseconds a row of the default, by the clock; the best of some passes."""
    taken = [seconds(kind(), X, y, time.perf_counter) for _ in range(REPEATS + 1)]
    return min(taken[1:]) / len(X) * 1e6


def compare(made: list[Any], before: Path) -> None:
    """Print what the defaults take here and in another checkout."""
    earlier = {"PYTHONPATH": str(before / "src"), "OMP_NUM_THREADS": "1"}
    ways = [earlier, {"OMP_NUM_THREADS": "1"}, {"OMP_NUM_THREADS": "2"}]
    command = [sys.executable, "-m", "benchmarks.narrow", *sys.argv[1:], "--defaults"]
    found: Any = [[] for _ in ways]
    for _ in range(TURNS):
        for results, way in zip(found, ways, strict=True):
            run = subprocess.run(
                command, env={**os.environ, **way}, stdout=subprocess.PIPE, check=True
            )
            results.append(json.loads(run.stdout.splitlines()[-1]))
    print("us a row     columns      before        here   ratio  two threads   ratio")
    times = np.min(np.array(found), axis=1).T
    for (name, columns, *_), (then, one, two) in zip(made, times, strict=True):
        numbers = f"{then:12.2f}{one:12.2f}{one / then:8.2f}"
        print(f"{name:<12}{columns:8}{numbers}{two:13.2f}{two / then:8.2f}")


if __name__ == "__main__":
    sys.exit(main())
