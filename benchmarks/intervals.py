"""Prediction sets: misses beside their bound, widths beside those of others, time.

``python -m benchmarks.intervals [--data DIR] [--quick] [--json FILE]``.

1. Coverage: every game of the lab and every set of DIR (which $REGRETLESS_DATA may say
   too) is played with prediction sets of 50%, 90% and 99%. After every round, misses
   must be within the bound: the worst round counts. ``--quick``: 90%, 5,000 rows each.
2. Widths: 90% intervals around the same predictions (those of the regression panel,
   each made before its label) on six streams, by the score of Winkler: the width, and
   20 times the distance of a label outside. MAPIE's ``TimeSeriesRegressor`` (adaptive
   conformal inference with its scores updated) calibrates on the first 500 rows, which
   nobody is scored on; River's ``RegressionJackknife`` with all residuals and with the
   last 1,000. Rows with an unbounded interval are left out, and counted.
3. Time: the panels with sets and without, in one thread, the best of several.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

import regretless as rg
from regretless.algorithms.prediction_sets import IntervalTracker

LEVELS = (0.5, 0.9, 0.99)
LEVEL = 0.9
SKIPPED = 500  # rows that MAPIE calibrates on
BLOCK = 50  # rows between two updates of MAPIE, which takes milliseconds for each
BAR = 1.10
Floats = np.ndarray[Any, np.dtype[np.float64]]
Ends = tuple[Floats, Floats]


@dataclass(frozen=True)
class Covered:
    """What came of the sets on one sequence."""

    name: str
    of: str
    level: float
    rounds: int
    missed: float
    bound: float
    width: float
    unbounded: int
    worst: float

    @property
    def holds(self) -> bool:
        """Whether no round was beyond the bound."""
        return self.worst <= 1.0 + 1e-9 and self.missed <= 1 - self.level + self.bound


def coverage(name: str, learner: Any, level: float, *data: Any) -> Covered:
    """Play a learner with prediction sets."""
    found = rg.play(rg.intervals(learner, level), *data).coverage
    return _judged(name, found)


def _judged(name: str, found: Any) -> Covered:
    return Covered(
        name,
        found.of,
        found.level,
        found.rounds,
        found.share,
        found.bound() / found.rounds,
        found.width,
        found.unbounded,
        found.worst,
    )


def lab(rounds: int | None, levels: tuple[float, ...]) -> Iterator[Covered]:
    """Every game: rows with labels or numbers, votes as rows, numbers alone."""
    for name, kind in rg.games.GAMES.items():
        for level in levels:
            learner = rg.intervals(_learner(kind.kind), level)
            many = rounds or max(kind().natural, 5000)
            if kind.kind == "losses":  # nothing is predicted
                break
            if kind.kind == "numbers":
                y = kind().take(many, learner=rg.FollowTheLeader())["y"]
                tracker = IntervalTracker(level)
                means = np.cumsum(y) / np.arange(1, many + 1)
                tracker.follow(np.concatenate([[0.5], means[:-1]]), y)
                yield _judged(name, tracker.ledger())
                continue
            if not kind.adaptive or rg.games.fits(learner, kind()):
                data = kind().take(many, learner=learner if kind.adaptive else None)
            else:  # what it does to one of its own
                own = rg.WeightedMajority() if kind.kind == "votes" else rg.Perceptron()
                data = kind().take(many, learner=own)
            played = data["X"], data["y"]
            yield _judged(name, rg.play(learner, *played).coverage)


def _learner(kind: str) -> Any:
    if kind == "targets":
        return rg.OGD(rg.Squared(), rg.Constant(0.1), bias=True)
    return rg.AdaGrad(rg.Logistic(), bias=True)


def shared(data: Path, most: int | None, levels: tuple[float, ...]) -> Iterator[Any]:
    """Every set of rows there is, with the default learner."""
    for path in sorted(data.glob("*.svm.gz")):
        rows = _first(path, most)
        amounts = path.name.split(".")[0] in STREAMS
        learner = rg.RegressionPanel() if amounts else rg.Panel()
        for level in levels:
            yield coverage(path.name.split(".")[0], learner, level, *rows)


def _first(path: Path, most: int | None) -> tuple[Any, ...]:
    """The name of the file; or its first rows."""
    if most is None:
        return (path,)
    from sklearn.datasets import load_svmlight_file

    X, y = load_svmlight_file(str(path))[:2]
    return X[:most], y[:most]


STREAMS = ("bike", "cpu_act", "uci_protein", "wind", "rain_ibk", "weather_srft")
"""Four sets of rows, and forecasters of rain and of temperature as features."""


def stream(data: Path, name: str) -> tuple[Floats, Floats]:
    """What the panel predicts of every row, and what came."""
    if name in ("rain_ibk", "weather_srft"):
        import pandas as pd

        table = pd.read_csv(data / f"{name}.csv.gz").dropna()
        first, label = (2, "rain") if name == "rain_ibk" else (7, "observation")
        X, y = table.iloc[:, first:].to_numpy(float), table[label].to_numpy(float)
    else:
        from sklearn.datasets import load_svmlight_file

        X, y = load_svmlight_file(str(data / f"{name}.svm.gz"))[:2]
    return rg.play(rg.RegressionPanel(), X, y, trace=True).scores, y


def ours(said: Floats, y: Floats) -> Ends:
    """The intervals of this library."""
    return IntervalTracker(LEVEL).follow(said, y)


def jackknife(window: int | None) -> Callable[[Floats, Floats], Ends]:
    """Those of River around the same predictions."""
    from river import base, conf

    class Said(base.Regressor):
        """Says what it is shown."""

        def learn_one(self, x: Any, y: Any) -> None: ...

        def predict_one(self, x: Any) -> Any:
            return x["said"]

    def made(said: Floats, y: Floats) -> Ends:
        model: Any = conf.RegressionJackknife(Said(), LEVEL, window)
        ends: list[tuple[float, float]] = []
        for prediction, label in zip(said.tolist(), y.tolist(), strict=True):
            found = model.predict_one({"said": prediction}, with_interval=True)
            ends.append((found.lower, found.upper))
            model.learn_one({"said": prediction}, label)
        low, high = np.array(ends).T
        return low, high

    return made


def adaptive(gamma: float) -> Callable[[Floats, Floats], Ends]:
    """Those of MAPIE around the same predictions."""
    from mapie.regression import TimeSeriesRegressor
    from sklearn.base import BaseEstimator, RegressorMixin

    class Said(RegressorMixin, BaseEstimator):
        """Says what it is shown."""

        def fit(self, X: Any, y: Any) -> Any:
            self.fitted_ = True
            return self

        def predict(self, X: Any) -> Any:
            return np.asarray(X)[:, 0]

    def made(said: Floats, y: Floats) -> Ends:
        X = said[:, None]
        low, high = np.full(y.size, -np.inf), np.full(y.size, np.inf)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model: Any = TimeSeriesRegressor(
                Said().fit(X, y), method="aci", cv="prefit"
            )
            model.fit(X[:SKIPPED], y[:SKIPPED])
            for begin in range(SKIPPED, y.size, BLOCK):
                some = slice(begin, begin + BLOCK)
                _, ends = model.predict(
                    X[some], confidence_level=LEVEL, allow_infinite_bounds=True
                )
                low[some], high[some] = ends[:, 0, 0], ends[:, 1, 0]
                model.update(X[some], y[some])
                model.adapt_conformal_inference(
                    X[some], y[some], gamma=gamma, confidence_level=LEVEL
                )
        return low, high

    return made


@dataclass(frozen=True)
class Score:
    """How good intervals are on one stream."""

    stream: str
    who: str
    winkler: float
    missed: float
    unbounded: int


def judge(name: str, who: str, ends: Ends, y: Floats) -> Score:
    """The mean score of Winkler, over the rows after the first 500."""
    low, high, came = ends[0][SKIPPED:], ends[1][SKIPPED:], y[SKIPPED:]
    beyond = np.maximum(np.maximum(low - came, came - high), 0.0)
    with np.errstate(invalid="ignore"):
        scores = high - low + 2.0 / (1.0 - LEVEL) * beyond
    bounded = np.isfinite(scores)
    missed = float(((came < low) | (came > high)).mean())
    return Score(
        name, who, float(scores[bounded].mean()), missed, int((~bounded).sum())
    )


def compare(data: Path) -> Iterator[list[Score]]:
    """All of them on every stream."""
    everybody = {
        "regretless": ours,
        "River, all residuals": jackknife(None),
        "River, the last 1,000": jackknife(1000),
        "MAPIE, gamma 0.005": adaptive(0.005),
        "MAPIE, gamma 0.05": adaptive(0.05),
    }
    for name in STREAMS:
        said, y = stream(data, name)
        yield [judge(name, who, make(said, y), y) for who, make in everybody.items()]


def extra_time(rows: int = 20_000, repeats: int = 9) -> dict[str, float]:
    """The time of a panel with prediction sets over that without."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(rows, 20))
    y = X[:, 0] + rng.normal(size=rows)
    cases = {
        "regression panel, 20 columns": (rg.RegressionPanel(), X, y),
        "panel, 20 columns": (rg.Panel(), X, y > 0.0),
        "five panels, 20 columns": (rg.Panel(), X, np.digitize(y, [-2, -1, 1, 2])),
    }
    found: dict[str, float] = {}
    for name, (learner, rows_, labels) in cases.items():
        times: dict[bool, list[float]] = {False: [], True: []}
        for _ in range(repeats):
            for sets, taken in times.items():
                plays = rg.intervals(learner, LEVEL) if sets else learner
                began = time.process_time()
                rg.play(plays, rows_, labels)
                taken.append(time.process_time() - began)
        found[name] = min(times[True][1:]) / min(times[False][1:])
    return found


def show_covered(found: list[Covered]) -> str:
    """The sequences as a table; those beyond the bound are named."""
    head = f"{'sequence':<20}{'level':>6}{'rounds':>9}{'missed':>9}{'at most':>9}"
    lines = [f"{head}{'width':>11}{'unbounded':>11}{'worst round':>13}"]
    for one in found:
        most = min(1.0 - one.level + one.bound, 1.0)
        verdict = "" if one.holds else "  VIOLATED"
        lines.append(
            f"{one.name:<20}{one.level:>6.0%}{one.rounds:>9,}{one.missed:>9.2%}"
            f"{most:>9.2%}{one.width:>11.4g}{one.unbounded:>11,}{one.worst:>13.3f}"
            f"{verdict}"
        )
    broken = sum(not one.holds for one in found)
    return "\n".join([*lines, f"{len(found)} sequences, {broken} violations"])


def show_scores(found: list[list[Score]]) -> str:
    """The streams as a table; the ratio is to the best of the others."""
    lines = [f"{'stream':<15}{'who':<24}{'Winkler':>10}{'missed':>9}{'unbounded':>11}"]
    for scores in found:
        lines += [
            f"{one.stream:<15}{one.who:<24}{one.winkler:>10.4g}{one.missed:>9.2%}"
            f"{one.unbounded:>11,}"
            for one in scores
        ]
        best = min(one.winkler for one in scores[1:])
        ratio = scores[0].winkler / best
        verdict = "met" if ratio <= 1.0 else "missed"
        lines.append(f"{'':<15}ours / best of theirs: {ratio:.3f} (bar 1: {verdict})")
    return "\n".join(lines)


def main() -> int:
    """Measure, and print three tables."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.intervals",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    default = os.environ.get("REGRETLESS_DATA", "../shared/data")
    parser.add_argument("--data", type=Path, default=Path(default), metavar="DIR")
    parser.add_argument("--quick", action="store_true", help="fewer rows and levels")
    parser.add_argument("--json", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    levels = (LEVEL,) if arguments.quick else LEVELS
    most = 5000 if arguments.quick else None
    covered = list(lab(most, levels))
    covered += shared(arguments.data, most, levels)
    print(show_covered(covered), "\n")
    scores: list[list[Score]] = []
    if (arguments.data / "bike.svm.gz").exists():
        scores = list(islice(compare(arguments.data), 1 if arguments.quick else None))
        print(show_scores(scores), "\n")
    else:
        print(f"widths: skipped, {arguments.data} is not there", file=sys.stderr)
    times = extra_time()
    for name, ratio in times.items():
        verdict = "met" if ratio <= BAR else "missed"
        print(f"time with sets / without, {name}: {ratio:.3f} (bar {BAR:g}: {verdict})")
    if arguments.json:
        content = {
            "coverage": [asdict(one) for one in covered],
            "scores": [asdict(one) for some in scores for one in some],
            "time": times,
        }
        arguments.json.write_text(json.dumps(content, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
