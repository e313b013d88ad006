"""Is the mean probability of a saved model the rate of the data?

``python -m benchmarks.level [--data DIR] [--only NAME ...] [--repetitions 6] [--rows
5000]``. DIR (or $REGRETLESS_DATA) holds NAME.svm.gz. Each repetition shuffles the rows,
learns one half and predicts the other. *off* is the root mean square of the mean
probability less the rate of all rows; that of the rate of the learned half is chance.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import numpy as np

import regretless as rg

from .saved import rows_of

__all__ = ["main"]

NAMES = ("churn", "electricity", "bank")
LEARNED = "rate of the learned rows"


def main() -> int:
    """Measure, and print a table."""
    asked = command_line()
    print(f"{'':<12} {'':<26} {'off':>7} {'log loss':>9}")
    for name in asked.only or NAMES:
        X, y = rows_of(Path(asked.data) / f"{name}.svm.gz")
        labels = np.asarray(y) == np.max(y)
        for kind, (off, loss) in measured(X, labels, asked).items():
            print(f"{name:<12} {kind:<26} {off:7.4f} {loss:9.4f}")
    return 0


def measured(X, y, asked: argparse.Namespace) -> dict[str, tuple[float, float]]:
    """How far off the level is, and the log loss, of each kind of model."""
    found: dict[str, list[tuple[float, float]]] = {}
    for seed in range(asked.repetitions):
        rows = np.random.default_rng(seed).permutation(len(y))[: asked.rows]
        half = len(rows) // 2
        table, labels = X[rows], y[rows]
        table = table.toarray() if table.shape[1] <= 200 else table
        run = rg.play(rg.Panel(), table[:half], labels[:half], models=["validated"])
        chances = {
            f"{kind} model": run.model(kind).predict_proba(table[half:])[:, 1]
            for kind in ("last", "validated")
        }
        chances[LEARNED] = np.full(len(rows) - half, labels[:half].mean())
        for kind, p in chances.items():
            right = np.where(labels[half:], p, 1.0 - p)
            off = float(p.mean() - labels.mean())
            loss = float(-np.log(right).mean())
            found.setdefault(kind, []).append((off, loss))
    return {
        kind: (float(np.sqrt((offs**2).mean())), float(losses.mean()))
        for kind, (offs, losses) in (
            (kind, np.transpose(each)) for kind, each in found.items()
        )
    }


def command_line() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.level")
    parser.add_argument("--data", default=os.environ.get("REGRETLESS_DATA", "data"))
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--repetitions", type=int, default=6)
    parser.add_argument("--rows", type=int, default=5_000)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
