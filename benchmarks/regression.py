"""The regression panel beside four Vowpal Wabbits, and what a full matrix costs.

``python -m benchmarks.regression [--data DIR] [--json FILE]``. Data: bike.svm.gz of
DIR (which $REGRETLESS_DATA may say too), in file order, and three that are made here.
Errors are progressive: each row is predicted before it is learned, once. VW runs with
its defaults, -b 22; it cuts its predictions to the range of the labels seen so far, and
ours does not. Speeds are rows a second in one thread, of CPU time, the best of five.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

import regretless as rg
from regretless.parts.rows import Dense, Sparse

from .figures import SkippedError
from .vowpal import SQUARED, predictions, write_rows

__all__ = ["Result", "compare", "main", "speeds"]

BAR = 1.00  # the panel's squared error over that of the best of four, on bike
WIDTHS = (50, 500, 2000)
SEED = 7


@dataclass(frozen=True)
class Result:
    """Mean squared errors on one data set."""

    name: str
    rows: int
    running_mean: float
    ours: dict[str, float]
    vowpal: dict[str, float]

    @property
    def ratio(self) -> float:
        """The panel's error over that of the best of the four."""
        return self.ours["panel"] / min(self.vowpal.values())


def learners(width: int) -> dict[str, Any]:
    """The panel, and what it might have been."""
    squared = rg.Squared()
    found = {
        "panel": rg.RegressionPanel(),
        "OGD 0.01": rg.OGD(squared, rg.Constant(0.01), bias=True),
        "AdaGrad rms": rg.AdaGrad(squared, scale="rms", bias=True),
        "AdaGrad implicit": rg.AdaGrad(squared, implicit=True, scale="rms", bias=True),
    }
    if width <= WIDTHS[-1]:
        found["VAW"] = rg.VAW(scale="rms", bias=True)
    return found


def compare(name: str, X: Any, y: Any) -> Result:
    """Play ours and theirs over the same rows."""
    ours: dict[str, float] = {}
    baseline = 0.0
    for label, learner in learners(X.shape[1]).items():
        try:
            ledger = rg.play(learner, X, y).ledger
        except rg.BadRow:  # its weights have overflowed
            ours[label] = float("inf")
            continue
        ours[label] = (ledger.squared_error or 0.0) / len(y)
        baseline = (ledger.running_mean_error or 0.0) / len(y)
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.vw"
        write_rows(X, y, rows)
        theirs = {
            variant: float(np.mean((predictions(rows, options) - y) ** 2))
            for variant, options in SQUARED.items()
        }
    return Result(name, len(y), baseline, ours, theirs)


def problems(data: Path) -> dict[str, tuple[Any, Any]]:
    """Bike where it is there; correlated, drifting, and wide sparse rows."""
    found: dict[str, tuple[Any, Any]] = {}
    path = data / "bike.svm.gz"
    if path.exists():
        from sklearn.datasets import load_svmlight_file

        loaded: Any = load_svmlight_file(str(path))
        found["bike"] = loaded[0], loaded[1]
    rng = np.random.default_rng(SEED)
    n, d = 20_000, 20
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d))
    y = X @ rng.normal(size=d) + 3 * rng.normal(size=n) + 50
    found["correlated"] = sparse.csr_array(X), y
    X = rng.normal(size=(n, d))
    weights = np.cumsum(rng.normal(size=(n, d)) * 0.02, axis=0) + rng.normal(size=d)
    y = (X * weights).sum(axis=1) + rng.normal(size=n)
    found["drifting"] = sparse.csr_array(X), y
    d, nonzeros = 20_000, 40
    columns = (d * rng.random((n, nonzeros)) ** 3).astype(np.int64)
    cells = (np.repeat(np.arange(n), nonzeros), columns.ravel())
    X = sparse.csr_array((np.ones(n * nonzeros), cells), shape=(n, d))
    X.sum_duplicates()
    y = X @ (rng.normal(size=d) * (rng.random(d) < 0.2)) + rng.normal(size=n)
    found["wide sparse"] = X, y
    return found


def speeds() -> dict[str, dict[int, float]]:
    """Rows a second of VAW, dense and with 10 nonzeros, and of the panel, dense."""
    rng = np.random.default_rng(SEED)
    found: dict[str, dict[int, float]] = {}
    for width in WIDTHS:
        n = max(40, 20_000_000 // (width * width))
        X, y = rng.normal(size=(n, width)), rng.normal(size=n)
        dense = Dense(X.reshape(-1), width)
        columns = np.sort(rng.integers(0, width, (n, 10)), axis=1).astype(np.int32)
        starts = np.arange(0, 10 * n + 1, 10)
        thin = Sparse(starts, columns.reshape(-1), rng.normal(size=10 * n))
        for label, learner, rows in (
            ("VAW, dense", rg.VAW(), dense),
            ("VAW, 10 nonzeros", rg.VAW(), thin),
            ("VAW diagonal, dense", rg.VAW(matrix="diagonal"), dense),
            ("panel, dense", rg.RegressionPanel(), dense),
        ):
            found.setdefault(label, {})[width] = _speed(learner, rows, y, width)
    return found


def _speed(learner: Any, rows: Any, y: Any, width: int) -> float:
    best = float("inf")
    for _ in range(5):
        player = learner.player(width)
        player.play(rows, y)  # the matrix fills; the first time it compiles
        began = time.process_time()
        player.play(rows, y)
        best = min(best, time.process_time() - began)
    return len(y) / best


def report(results: list[Result], fast: dict[str, dict[int, float]]) -> str:
    """Two tables."""
    lines: list[str] = []
    for one in results:
        best = min(one.vowpal, key=one.vowpal.__getitem__)
        lines.append(f"{one.name}, {one.rows:,} rows: mean squared error as it comes")
        lines.append(f"  {'the running mean':<24}{one.running_mean:>14,.5g}")
        for label, error in one.ours.items():
            lines.append(f"  {label:<24}{error:>14,.5g}")
        for label, error in one.vowpal.items():
            lines.append(f"  {'VW ' + label:<24}{error:>14,.5g}")
        verdict = f"panel over VW {best}: {one.ratio:.3f}"
        if one.name == "bike":
            verdict += f", bar {BAR:g}: {'met' if one.ratio <= BAR else 'missed'}"
        lines += [f"  {verdict}", ""]
    lines.append("rows a second" + "".join(f"{f'd = {d}':>14}" for d in WIDTHS))
    for label, each in fast.items():
        cells = "".join(f"{each[d]:>14,.0f}" for d in WIDTHS)
        lines.append(f"  {label:<20}{cells}"[: 22 + 14 * len(WIDTHS)])
    return "\n".join(lines)


def main() -> int:
    """Compare, and measure."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.regression", description=__doc__
    )
    default = os.environ.get("REGRETLESS_DATA", "../shared/data")
    parser.add_argument("--data", type=Path, default=Path(default), metavar="DIR")
    parser.add_argument("--json", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    results: list[Result] = []
    try:
        for name, (X, y) in problems(arguments.data).items():
            print(f"{name} ...", file=sys.stderr)
            results.append(compare(name, X, y))
    except SkippedError as reason:
        print(f"skipped, {reason}", file=sys.stderr)
    fast = speeds()
    print(report(results, fast))
    if arguments.json:
        content = {"errors": [asdict(one) for one in results], "rows_a_second": fast}
        arguments.json.write_text(json.dumps(content, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
