"""The figures of forecasts: speed, losses on real forecasts, false and true verdicts.

``python -m benchmarks.forecasts [DIR] [--runs 500] [--only real,shocks,quantiles]``
prints the tables of docs/forecasts.md.

Outcomes are learned when they could have been known: rows of one time together, the
temperatures two rounds late (48-hour forecasts, daily), the rain eight days late.

The real data are not part of the project: ensembleBMA's temperatures (weather_srft),
crch's rain in Innsbruck (rain_ibk) and bookmakers' odds (football_experts6), as CSV
files in the folder that REGRETLESS_DATA names, ../shared/data unless it is set.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import t as student

import regretless as rg

from .figures import Figure, SkippedError

__all__ = ["DATA", "figures"]

DATA = "REGRETLESS_DATA"
ROUNDS = 1_000_000
FORECASTERS = 30
SECOND = 1.0
REPEATS = 5
RULES = ("auto", "ml-poly", "boa", "safe-boa", "eg", "adahedge")
LEVELS = (0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975)
SHOCKS = ((60, 50), (120, 10))
WORSE = {"numbers": (0.25, 0.5, 0.75, 1.0, 1.5), "events": (0.05, 0.1, 0.15, 0.2, 0.25)}


class Game(NamedTuple):
    """A file of forecasts, and how to read it."""

    name: str
    file: str
    truth: str
    loss: str
    lag: int = 1
    outcomes: tuple[str, ...] | None = None


WEATHER = "weather_srft.csv.gz"
RAIN = "rain_ibk.csv.gz"
FOOTBALL = "football_experts6.csv.gz"
HOME_DRAW_AWAY = ("H", "D", "A")
GAMES = (
    Game("temperature", WEATHER, "observation", "absolute", 2),
    Game("temperature", WEATHER, "observation", "squared", 2),
    Game("rain", RAIN, "rain", "absolute", 8),
    Game("rain", RAIN, "rain", "squared", 8),
    Game("football", FOOTBALL, "outcome", "brier", outcomes=HOME_DRAW_AWAY),
    Game("football", FOOTBALL, "outcome", "log", outcomes=HOME_DRAW_AWAY),
)


def figures() -> list[Figure]:
    """Speed on one core, and the default against the best forecaster."""
    return [
        _within_a_second(
            "combine", "combine by AdaHedge, 10^6 rounds x 30 forecasters", _combine
        ),
        _within_a_second("compare", "compare, 10^6 rounds, whole curve", _compare),
        *(
            Figure(
                name=f"{game.name}-{game.loss}",
                what=f"combine's default, {game.name}, {game.loss} loss a row",
                peer="the plain mean and the best forecaster in hindsight",
                bar=1.0,
                better="no slower",
                measure=partial(_losses, game),
                unit="loss",
            )
            for game in GAMES
        ),
    ]


def _within_a_second(name: str, what: str, work: Callable[[], Any]) -> Figure:
    """Seconds of the processor, so that what else the machine does counts less."""

    def measure() -> tuple[float, float]:
        work()
        times: list[float] = []
        for _ in range(REPEATS):
            began = time.process_time()
            work()
            times.append(time.process_time() - began)
        return min(times), SECOND

    return Figure(
        name=name,
        what=what,
        peer="a second",
        bar=1.0,
        better="no slower",
        measure=measure,
        unit="s",
    )


@cache
def _many() -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    p = rng.random(ROUNDS)
    noise = rng.normal(0.0, 0.1, (ROUNDS, FORECASTERS)) * np.linspace(
        0.5, 2.0, FORECASTERS
    )
    y = (rng.random(ROUNDS) < p).astype(np.float64)
    return np.clip(p[:, None] + noise, 0.0, 1.0), y


def _combine() -> Any:
    F, y = _many()
    return rg.forecasts.combine(F, y, by="adahedge")


def _compare() -> Any:
    F, y = _many()
    return rg.forecasts.compare(F[:, 0], F[:, 1], y).table()


def _folder() -> Path:
    return Path(os.environ.get(DATA, "../shared/data"))


@cache
def _read(game: Game) -> Any:
    path = _folder() / game.file
    if not path.exists():
        raise SkippedError(f"there is no {path} (set {DATA}, or give --data)")
    return rg.forecasts.read_forecasts(path, game.truth, outcomes=game.outcomes)


def _played(game: Game, by: str) -> Any:
    return rg.forecasts.combine(_read(game), by=by, loss=game.loss, lag=game.lag)


def _losses(game: Game) -> tuple[float, float]:
    found = _played(game, "auto")
    bar = min(found.ensembles[0], found.best_loss)
    return found.loss / found.rows, bar / found.rows


def real() -> None:
    """Losses on real forecasts, honestly delayed, and who is better."""
    print("\nloss a row")
    heads = ("data", "rounds", "loss", *RULES, "mean", "median", "best one", "best mix")
    print("| " + " | ".join(heads) + " |")
    print("|---" * len(heads) + "|")
    for game in GAMES:
        try:
            runs = [_played(game, by) for by in RULES]
        except SkippedError as reason:
            print(f"{game.name}: skipped, {reason}")
            continue
        first = runs[0]
        others = (*first.ensembles, first.best_loss, first.best_mix.loss)
        every = (*(run.loss for run in runs), *others)
        cells = [f"{total / first.rows:.5f}" for total in every]
        cells[-2] += f" ({first.best})"
        head = (game.name, f"{first.rounds:,}", game.loss)
        print("| " + " | ".join((*head, *cells)) + " |")
        for run in runs:
            run.theorems()  # raises where a bound is violated
    print("\nwho is better")
    for game in GAMES:
        if game.loss in ("squared", "log"):
            continue
        try:
            found = rg.forecasts.compare(_read(game), loss=game.loss, lag=game.lag)
        except SkippedError as reason:
            print(f"{game.name}: skipped, {reason}")
            continue
        print(f"{game.name}: {found.verdict}")


def shocked(
    seed: int, times: int, places: int, worse: float, kind: str
) -> tuple[Any, ...]:
    """Two forecasters at many places that share a shock; b is `worse` by so much.

    Equal ones are as far below as above what can be known.
    """
    rng = np.random.default_rng(seed)
    shape = (times, places)
    if kind == "numbers":
        base, shock = rng.normal(size=shape), rng.normal(size=(times, 1))
        y = base + shock + 0.3 * rng.normal(size=shape)
        a, b = base - 0.5, base + 0.5 + worse
    else:
        base = rng.uniform(0.3, 0.7, shape)
        shock = rng.choice([-0.2, 0.2], (times, 1))
        y = (rng.random(shape) < base + shock).astype(np.float64)
        a, b = base - 0.05, base + 0.05 + worse
    return a.ravel(), b.ravel(), y.ravel(), np.repeat(np.arange(times), places)


def shocks(runs: int) -> None:
    """False decisions of equal forecasters, and the power against Diebold-Mariano."""
    print(f"\ndecided, share of {runs} runs, looking after every round, delta = 0.05")
    print("| kind | times x places | worse by | DM at the end | ranges | bernstein |")
    print("|---" * 6 + "|")
    for kind, sizes in WORSE.items():
        for times, places in SHOCKS:
            for worse in (0.0, *sizes):
                found = np.zeros(3)
                for seed in range(runs):
                    found += _decided(seed, times, places, worse, kind)
                cells = " | ".join(f"{share:.3f}" for share in found / runs)
                print(
                    f"| {kind} | {times} x {places} | {worse:g} | {cells} |", flush=True
                )


def _decided(seed: int, times: int, places: int, worse: float, kind: str) -> Any:
    a, b, y, when = shocked(seed, times, places, worse, kind)
    loss = "absolute" if kind == "numbers" else "brier"
    power = 1 if kind == "numbers" else 2
    gaps = np.abs(a - y) ** power - np.abs(b - y) ** power
    means = gaps.reshape(times, places).mean(axis=1)
    z = means.mean() / (means.std(ddof=1) / np.sqrt(times))
    found = [abs(z) > student.ppf(0.975, times - 1)]
    for method in ("ranges", "bernstein"):
        one = rg.forecasts.compare(a, b, y, loss=loss, time=when, method=method)
        found.append(one.first is not None)
    return np.array(found, np.float64)


def dressed(game: Game) -> Any:
    """Quantiles of every forecaster: its forecast and its own errors known by then."""
    table = _read(game)
    errors = table.y[:, None] - table.values
    known = table.known_rounds(game.lag)
    values = np.full((*table.values.shape, len(LEVELS)), np.nan)
    for t in range(table.rounds):
        past = known <= t
        now = table.round_of == t
        if past.sum() >= 30:
            recent = errors[np.flatnonzero(past)[-20_000:]]
            spread = np.quantile(recent, LEVELS, axis=0).T
            values[now] = table.values[now][:, :, None] + spread
    later = ~np.isnan(values).any(axis=(1, 2))
    when = table.round_of[later]
    return values[later], table.y[later], when


def made_quantiles(seed: int) -> Any:
    """A hub: 12 models, 10 places, 4 weeks ahead; some biased, some too narrow."""
    rng = np.random.default_rng(seed)
    weeks, places, models = 80, 10, 12
    when = np.repeat(np.arange(weeks), places)
    level = np.cumsum(rng.normal(size=(weeks, 1)), axis=0) + rng.normal(size=places)
    truth = (level + rng.normal(size=(weeks, places))).ravel()
    normal = np.array([-1.96, -1.28, -0.674, 0.0, 0.674, 1.28, 1.96])
    bias = rng.normal(0.0, 0.7, models)
    noise = rng.uniform(0.2, 2.0, models)
    width = rng.uniform(0.4, 1.8, models)
    center = (
        level.ravel()[:, None] + bias + rng.normal(size=(len(when), models)) * noise
    )
    return center[:, :, None] + width[:, None] * normal, truth, when


def quantiles() -> None:
    """The weighted interval score against the mean and the median ensemble."""
    print("\nweighted interval score a row")
    print("| data | mixture | separate by quantile | mean | median | best one |")
    print("|---" * 6 + "|")
    for seed in range(5):
        _quantile_line(f"made, seed {seed}", *made_quantiles(seed), lag=4)
    for game in (GAMES[0], GAMES[2]):
        try:
            values, y, when = dressed(game)
        except SkippedError as reason:
            print(f"{game.name}: skipped, {reason}")
            continue
        _quantile_line(f"{game.name}, dressed", values, y, when, lag=game.lag)


def _quantile_line(name: str, values: Any, y: Any, when: Any, lag: int) -> None:
    options: dict[str, Any] = {
        "loss": "wis",
        "levels": LEVELS,
        "time": when,
        "lag": lag,
    }
    one = rg.forecasts.combine(values, y, **options)
    two = rg.forecasts.combine(values, y, separate="quantile", **options)
    every = (one.loss, two.loss, *one.ensembles, one.best_loss)
    print(f"| {name} | " + " | ".join(f"{x / one.rows:.5f}" for x in every) + " |")


def main() -> int:
    """Print the tables of the guide."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.forecasts")
    parser.add_argument("folder", nargs="?", help="where the real data are")
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--only", default="real,shocks,quantiles")
    given = parser.parse_args()
    if given.folder:
        os.environ[DATA] = given.folder
    wanted = given.only.split(",")
    if "real" in wanted:
        real()
    if "shocks" in wanted:
        shocks(given.runs)
    if "quantiles" in wanted:
        quantiles()
    return 0


if __name__ == "__main__":
    sys.exit(main())
