"""Whether probabilities are true: at rates from 0.1% to 50%, and of many classes.

``python -m benchmarks.probabilities [rates] [classes] [--rows N] [--data DIR]``.

**rates**: made rows, dense and one-hot, whose labels are drawn from a logistic model
with at most half of the base rate's log loss. The panel's mean prediction over the last
half is within 5% of the rate (or two binomial standard errors, if more), its log loss
over all rows within 5% of the true model's, plus (k/2) ln n, k the parameters of it.

**classes**: every LIBSVM file of DIR with many classes, in file order. Each row is
predicted before it is learned. Beside it the rule of version 0.1: no mixture, and
sigma(score) of each class over their sum. ECE is the mean gap between the probability
of the predicted class and how often it was right, ten bins; the first row of a class is
left out.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

import regretless as rg
from regretless.data.file_source import FileSource
from regretless.data.read_options import ReadOptions
from regretless.engine.hypotheses.class_probabilities import class_probabilities
from regretless.parts.panel.class_mixture import LIVE
from regretless.runs.session import Session

__all__ = ["calibration_error", "classes", "made", "main", "rates"]

RATES = (0.001, 0.002, 0.01, 0.03, 0.1, 0.5)
SHARE = 0.48  # of the base rate's log loss that the true model has
NAMES = ("covtype20k", "womens_reviews", "letter", "pendigits")
BINS = 10
BAR = 0.03  # of the calibration error

Floats = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Made:
    """Rows, labels, the true log-odds, and how many numbers the true model has."""

    X: Any
    y: Floats
    truth: Floats
    parameters: int


def made(kind: str, rate: float, rows: int, seed: int = 0) -> Made:
    """Dense rows (ten normal features), or one-hot ones (six fields of ten levels)."""
    rng = np.random.default_rng(seed)
    if kind == "dense":
        weights = rng.normal(size=10)
        table: Any = rng.normal(size=(rows, 10))
        raw = table @ (weights / np.linalg.norm(weights))
        parameters = 11
    else:
        weights = rng.normal(size=(6, 10))
        levels = rng.integers(0, 10, (rows, 6))
        raw = weights[np.arange(6), levels].sum(axis=1)
        columns = (levels + 10 * np.arange(6)).astype(np.int32).ravel()
        starts = np.arange(0, 6 * rows + 1, 6)
        table = csr_array((np.ones(6 * rows), columns, starts), shape=(rows, 60))
        parameters = 55
    scale, bias = _fitted(raw[:100_000], rate)
    truth = scale * raw + bias
    y = np.where(rng.random(rows) < sigma(truth), 1.0, -1.0)
    return Made(table, y, truth, parameters)


def _fitted(raw: Floats, rate: float) -> tuple[float, float]:
    """Scale and bias for this rate of positives and this share of its log loss."""
    base = -(rate * math.log(rate) + (1.0 - rate) * math.log(1.0 - rate))

    def bias(scale: float) -> float:
        def above(b: float) -> float:
            return float(sigma(scale * raw + b).mean()) - rate

        return _bisected(above, 100.0)

    def excess(scale: float) -> float:
        z = scale * raw + bias(scale)
        p = sigma(z)
        paid = p * np.logaddexp(0.0, -z) + (1.0 - p) * np.logaddexp(0.0, z)
        return SHARE - float(paid.mean()) / base

    scale = _bisected(excess, 30.0, 0.0)
    return scale, bias(scale)


def _bisected(f: Any, high: float, low: float | None = None) -> float:
    """Where a growing function is 0."""
    low = -high if low is None else low
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if f(middle) > 0.0 else (middle, high)
    return 0.5 * (low + high)


def sigma(x: Floats) -> Floats:
    """1/(1 + exp(-x))."""
    return 1.0 / (1.0 + np.exp(-np.clip(x, -700.0, 700.0)))


def rates(rows: int, members: int = 8) -> bool:
    """Print a line a rate; whether every bound was met."""
    print(f"{rows:,} made rows a line, Panel(members={members})")
    head = ("data", "rate", "mean/rate", "allowed", "log loss/true", "allowed", "")
    print("{:<8}{:>7}{:>11}{:>9}{:>15}{:>9}  {}".format(*head))
    all_met = True
    for kind in ("dense", "one-hot"):
        for rate in RATES:
            data = made(kind, rate, rows)
            run = rg.play(rg.Panel(members=members), data.X, data.y, trace=True)
            half = rows // 2
            happened = float((data.y[half:] > 0.0).mean())
            said = float(sigma(run.scores[half:]).mean()) / happened
            noise = 2.0 * math.sqrt((1.0 - happened) / happened / (rows - half))
            true = float(np.logaddexp(0.0, -data.y * data.truth).sum())
            most = 1.05 + 0.5 * data.parameters * math.log(rows) / true
            paid = float(np.logaddexp(0.0, -data.y * run.scores).sum()) / true
            allowed = max(0.05, noise)
            met = abs(said - 1.0) <= allowed and paid <= most
            all_met &= met
            print(
                f"{kind:<8}{rate:>7.1%}{said:>11.3f}{allowed:>9.3f}"
                f"{paid:>15.4f}{most:>9.4f}  {'met' if met else 'missed'}",
                flush=True,
            )
    return all_met


def classes(folder: Path, names: tuple[str, ...] = NAMES) -> bool:
    """Print a line a file: before and after; whether every bar was met."""
    head = ("data", "rows", "errors", "ECE 0.1", "ECE", "log loss 0.1", "log loss", "")
    print("{:<16}{:>8}{:>8}{:>9}{:>8}{:>14}{:>10}  {}".format(*head))
    all_met = True
    for name in names:
        path = folder / f"{name}.svm.gz"
        if not path.exists():
            print(f"{name}: skipped, there is no {path}", file=sys.stderr)
            continue
        alone, labels, _ = progressive(path, mixture=False)
        scores, labels, errors = progressive(path)
        came = np.isfinite(scores[np.arange(len(labels)), labels])
        chances = (class_probabilities(each)[came] for each in (alone, scores))
        (e0, l0), (e1, l1) = (measured(p, labels[came]) for p in chances)
        met = e1 <= BAR and l1 <= l0
        all_met &= met
        print(
            f"{name:<16}{len(labels):>8,}{errors:>8,}{e0:>9.4f}{e1:>8.4f}"
            f"{l0:>14.4f}{l1:>10.4f}  {'met' if met else 'missed'}",
            flush=True,
        )
    return all_met


def progressive(path: Path, *, mixture: bool = True) -> tuple[Floats, Any, int]:
    """Scores of every row before its label, the labels, and the mistakes."""
    source = FileSource([str(path)], ReadOptions(), binary=False, many=True)
    game = Session(rg.OneVersusRest(rg.Panel()), source)
    found: list[tuple[Any, Any]] = []
    for batch in source.batches():
        player: Any = game.start(batch)
        player._members.lanes.mixture.numbers[LIVE] = mixture
        scores = game.blank_scores(batch)
        game.take(batch, scores)
        found.append((scores, batch.targets.astype(int)))
    widest = max(scores.shape[1] for scores, _ in found)
    wide = [
        np.pad(s, ((0, 0), (0, widest - s.shape[1])), constant_values=-np.inf)
        for s, _ in found
    ]
    return (
        np.concatenate(wide),
        np.concatenate([targets for _, targets in found]),
        game.run().mistakes or 0,
    )


def measured(chances: Floats, labels: Any) -> tuple[float, float]:
    """The calibration error of the predicted class, and the mean log loss."""
    best = chances.argmax(axis=1)
    paid = -np.log(chances[np.arange(len(labels)), labels])
    return calibration_error(chances.max(axis=1), best == labels), float(paid.mean())


def calibration_error(chances: Floats, right: Any) -> float:
    """ECE: the mean gap between probability and frequency, over bins of equal width."""
    places = np.minimum((chances * BINS).astype(int), BINS - 1)
    gaps = np.bincount(places, chances - right, BINS)
    return float(np.abs(gaps).sum() / len(chances))


def main() -> int:
    """Print what was asked for; 1 where a bound was missed."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.probabilities", description=__doc__
    )
    parser.add_argument("what", nargs="*", help="rates, classes; both unless given")
    parser.add_argument("--rows", type=int, default=10**6)
    parser.add_argument("--members", type=int, default=8)
    default = os.environ.get("REGRETLESS_DATA", "../shared/data")
    parser.add_argument("--data", type=Path, default=Path(default), metavar="DIR")
    arguments = parser.parse_args()
    what = arguments.what or ["rates", "classes"]
    met = True
    if "rates" in what:
        met &= rates(arguments.rows, arguments.members)
    if "classes" in what:
        met &= classes(arguments.data)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
