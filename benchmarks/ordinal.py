"""Stars taken for amounts: would it help many classes to hear the regression panel?

``python -m benchmarks.ordinal [--data DIR] [--only NAME ...] [--rows N]``. Where labels
are numbers in order, class c gets three inputs: what the panels say of it together,
and how far its number is from what the regression panel predicts,

    z_c = w.[ln p_c, -|c - v|, -(c - v)^2],  from w = (1, 0, 0) on,

a softmax over the classes, learned by Newton's method on the log loss. It predicts each
row before it learns it; errors and log losses are progressive, in file order, of the
rows whose class had come.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

import regretless as rg
from regretless.engine.hypotheses.class_probabilities import class_probabilities

from .accuracy_tasks import load
from .figures import SkippedError

__all__ = ["compare", "main"]


def compare(X: Any, y: Any) -> Any:
    """Errors and log losses: of the panels, and with what the amounts say."""
    panels = rg.play(rg.Panel(), X, y, trace=True)
    heard = rg.play(rg.RegressionPanel(), X, y.astype(float), trace=True).scores
    numbers = np.array(panels.classes, float)
    w, curvature = np.array([1.0, 0.0, 0.0]), np.eye(3)
    found = np.zeros(4)
    rounds = 0
    rounds_of: Any = zip(panels.scores, heard, y, strict=True)
    for scores, v, label in rounds_of:
        known = np.flatnonzero(scores > -np.inf)
        place = np.flatnonzero(numbers[known] == label)
        if not place.size:
            continue
        rounds += 1
        p = class_probabilities(scores[None, known])[0]
        gap = np.abs(numbers[known] - v)
        inputs = np.stack([np.log(np.maximum(p, 1e-300)), -gap, -gap * gap], axis=1)
        told: Any = inputs @ w
        q: Any = np.exp(told - told.max())
        q /= q.sum()
        k = place[0]
        said = (p[k], q[k])
        found += [p.argmax() != k, q.argmax() != k, *-np.log(np.maximum(said, 1e-300))]
        gaps = inputs - q @ inputs
        curvature += (gaps * q[:, None]).T @ gaps
        w += np.linalg.solve(curvature, gaps[k])
    return found / rounds


def main() -> int:
    """Print a table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.ordinal", description=__doc__
    )
    default = os.environ.get("REGRETLESS_DATA", "../shared/data")
    parser.add_argument("--data", type=Path, default=Path(default), metavar="DIR")
    parser.add_argument("--only", nargs="+", default=["womens_reviews"], metavar="NAME")
    parser.add_argument("--rows", type=int, default=None)
    given = parser.parse_args()
    print(f"{'data':<16}{'panels':>9}{'amounts':>9}{'log loss':>11}{'amounts':>9}")
    for name in given.only:
        try:
            X, y = load(name, "many", given.data)
        except SkippedError as reason:
            print(f"{name}: skipped, {reason}", file=sys.stderr)
            continue
        errors = compare(X[: given.rows], y[: given.rows])
        print(name.ljust(16) + "{:9.4f}{:9.4f}{:11.4f}{:9.4f}".format(*errors))
    return 0


if __name__ == "__main__":
    sys.exit(main())
