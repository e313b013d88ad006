"""What a row of a narrow table costs the panels, with their forest and without.

``python -m benchmarks.narrow [--columns N ...] [--rows N]``: made rows, dense, in
memory; CPU time of the best of five passes, taken in turn. The bars are 4 times the
time without the forest, and 6 us a row of 20 columns and two classes.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

import numpy as np

import regretless as rg
from regretless.parts.rows import Dense

__all__ = ["main", "seconds"]

REPEATS = 5
BATCH = 4096
MOST = 4.0


def seconds(learner: Any, X: Any, y: Any) -> float:
    """CPU time of one pass."""
    rows, columns = X.shape
    player = learner.player(columns)
    began = time.process_time()
    for first in range(0, rows, BATCH):
        some = X[first : first + BATCH]
        player.play(Dense(some.reshape(-1), columns), y[first : first + BATCH])
    return time.process_time() - began


def main() -> int:
    """Print a table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.narrow", description=__doc__
    )
    parser.add_argument("--columns", type=int, nargs="+", default=[6, 10, 20, 50])
    parser.add_argument("--rows", type=int, default=20_000)
    arguments = parser.parse_args()
    rng = np.random.default_rng(0)
    print("us a row     columns   no forest       panel   ratio")
    for columns in arguments.columns:
        X = rng.normal(size=(arguments.rows, columns))
        noise = 0.5 * rng.normal(size=len(X))
        amounts = np.abs(X[:, 0]) + X[:, 1] * X[:, 2] + noise
        signs = np.where(amounts > 0.8, 1.0, -1.0)
        for name, kind, y in (
            ("two classes", rg.Panel, signs),
            ("amounts", rg.RegressionPanel, amounts),
        ):
            pair = kind(forest=False), kind()
            taken = np.array(
                [[seconds(each, X, y) for each in pair] for _ in range(REPEATS + 1)]
            )
            alone, whole = taken[1:].min(axis=0) / len(X) * 1e6
            met = "met" if whole <= MOST * alone else "missed"
            numbers = f"{alone:12.2f}{whole:12.2f}{whole / alone:8.2f}"
            print(f"{name:<12}{columns:8}{numbers}  <= {MOST:g}: {met}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
