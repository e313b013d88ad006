"""The panel beside the best of seven Vowpal Wabbits, on real data, in file order.

``python -m benchmarks.accuracy [--data DIR] [--only NAME ...] [--json FILE]``. The data
are LIBSVM files DIR/NAME.svm.gz (DIR may be given as $REGRETLESS_DATA too). Errors are
progressive: each row is predicted before it is learned, once, and a tie is a mistake.
The panel has one set of constants for all of them; VW runs with its defaults, -b 22.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import regretless as rg

from .figures import SkippedError
from .vowpal import VARIANTS, predictions, write_rows

__all__ = ["Calibration", "Result", "calibrate", "compare", "main"]

NAMES = (
    "a9a",
    "electricity",
    "spamassassin",
    "subjectivity",
    "pros_cons",
    "nycflights13",
    "phishing",
    "agaricus",
    "bank",
    "airlines2k",
)
EACH_BAR = 1.00  # the panel's errors over those of the best variant, on every data set
MEAN_BAR = 0.87  # and their geometric mean
BINS = 10


@dataclass(frozen=True)
class Calibration:
    """How the panel's probabilities compare with what happened.

    ``bins`` holds (rows, mean probability, share of positives) for ten bins of equal
    width; ``ece`` is the mean gap between the last two, weighed by the rows.
    """

    bins: tuple[tuple[int, float, float], ...]
    ece: float
    brier: float
    log_loss: float


@dataclass(frozen=True)
class Result:
    """One data set."""

    name: str
    rows: int
    variants: dict[str, int]
    panel: int
    calibration: Calibration

    @property
    def best(self) -> int:
        """The errors of the best variant."""
        return min(self.variants.values())

    @property
    def ratio(self) -> float:
        """The panel's errors over those."""
        return self.panel / self.best


def calibrate(scores: Any, y: Any) -> Calibration:
    """Measure the probabilities sigma(scores) against labels -1 and +1."""
    chances = 1.0 / (1.0 + np.exp(-np.clip(scores, -700.0, 700.0)))
    happened = (y > 0).astype(float)
    places = np.minimum((chances * BINS).astype(int), BINS - 1)
    bins: list[tuple[int, float, float]] = []
    for k in range(BINS):
        inside = places == k
        n = int(inside.sum())
        mean = float(chances[inside].mean()) if n else math.nan
        share = float(happened[inside].mean()) if n else math.nan
        bins.append((n, mean, share))
    gaps = [n * abs(mean - share) for n, mean, share in bins if n]
    return Calibration(
        bins=tuple(bins),
        ece=sum(gaps) / len(y),
        brier=float(((chances - happened) ** 2).mean()),
        log_loss=float(np.logaddexp(0.0, -y * scores).mean()),
    )


def compare(path: Path, learner: Any) -> Result:
    """Play the panel and all seven variants over one file."""
    from sklearn.datasets import load_svmlight_file

    loaded: Any = load_svmlight_file(str(path))
    X, labels = loaded[0], loaded[1]
    y = np.where(labels == labels.max(), 1.0, -1.0)
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.vw"
        write_rows(X, y, rows)
        variants = {
            name: int((predictions(rows, options) * y <= 0.0).sum())
            for name, options in VARIANTS.items()
        }
    run = rg.play(learner, X, y, trace=True)
    name = path.name.removesuffix(".svm.gz")
    mistakes = run.mistakes or 0
    return Result(name, len(y), variants, mistakes, calibrate(run.scores, y))


def report(results: list[Result]) -> str:
    """Two tables: errors, and calibration."""
    head = ["data", "rows", *VARIANTS, "best", "panel", "ratio", "bar"]
    table = [head]
    for one in results:
        met = "met" if one.ratio <= EACH_BAR else "missed"
        errors = [f"{count:,}" for count in one.variants.values()]
        last = [f"{one.best:,}", f"{one.panel:,}", f"{one.ratio:.4f}", met]
        table.append([one.name, f"{one.rows:,}", *errors, *last])
    mean = geometric_mean(results)
    met = "met" if mean <= MEAN_BAR else "missed"
    lines = [
        *_aligned(table),
        "",
        f"geometric mean of the ratios {mean:.4f}, bar {MEAN_BAR:g}: {met}",
        "",
        "calibration of the panel's probabilities",
    ]
    table = [
        ["data", "ECE", "Brier", "log loss", *(f"{k / BINS:.1f}-" for k in range(BINS))]
    ]
    for one in results:
        found = one.calibration
        shares = [f"{share:.2f}" if n else "" for n, _, share in found.bins]
        numbers = (found.ece, found.brier, found.log_loss)
        table.append([one.name, *(f"{number:.4f}" for number in numbers), *shares])
    lines += [
        *_aligned(table),
        "",
        "(under each bin of probabilities: the share of positives)",
    ]
    return "\n".join(lines)


def geometric_mean(results: list[Result]) -> float:
    """Of the ratios."""
    return math.exp(sum(math.log(one.ratio) for one in results) / len(results))


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]


def main() -> int:
    """Compare on all data sets that are there."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.accuracy", description=__doc__
    )
    default = os.environ.get("REGRETLESS_DATA", "../shared/data")
    parser.add_argument("--data", type=Path, default=Path(default), metavar="DIR")
    parser.add_argument("--only", nargs="+", default=NAMES, metavar="NAME")
    parser.add_argument("--members", type=int, default=8)
    parser.add_argument("--view", default="hat")
    parser.add_argument("--json", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    learner = rg.Panel(members=arguments.members, view=arguments.view)
    results: list[Result] = []
    for name in arguments.only:
        path = arguments.data / f"{name}.svm.gz"
        try:
            if not path.exists():
                raise SkippedError(f"there is no {path}")
            print(f"{name} ...", file=sys.stderr)
            results.append(compare(path, learner))
        except SkippedError as reason:
            print(f"{name}: skipped, {reason}", file=sys.stderr)
    if not results:
        return 1
    print(report(results))
    if arguments.json:
        arguments.json.write_text(
            json.dumps([asdict(one) for one in results], indent=2)
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
