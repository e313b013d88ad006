"""The figures of forecasts: speed, and losses on real forecasts.

``python -m benchmarks.forecasts [DIR]`` prints the tables of docs/forecasts.md.

The real data are not part of the project: ensembleBMA's temperatures (weather_srft),
crch's rain in Innsbruck (rain_ibk) and bookmakers' odds (football_experts6), as CSV
files in the folder that REGRETLESS_DATA names, ../shared/data unless it is set.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import regretless as rg

from .figures import Figure, SkippedError

__all__ = ["DATA", "figures"]

DATA = "REGRETLESS_DATA"
ROUNDS = 1_000_000
FORECASTERS = 30
SECOND = 1.0
REPEATS = 5
RULES = ("ml-poly", "boa", "eg", "adahedge")


class Game(NamedTuple):
    """A file of forecasts, and how to read it."""

    name: str
    file: str
    truth: str
    loss: str
    forecasters: tuple[str, ...] | None = None
    outcomes: tuple[str, ...] | None = None


MODELS = ("CMCG", "ETA", "GASP", "GFS", "JMA", "NGPS", "TCWB", "UKMO")
WEATHER = "weather_srft.csv.gz"
RAIN = "rain_ibk.csv.gz"
FOOTBALL = "football_experts6.csv.gz"
HOME_DRAW_AWAY = ("H", "D", "A")
GAMES = (
    Game("temperature", WEATHER, "observation", "absolute", MODELS),
    Game("temperature", WEATHER, "observation", "squared", MODELS),
    Game("rain", RAIN, "rain", "absolute"),
    Game("rain", RAIN, "rain", "squared"),
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
                what=f"combine's default, {game.name}, {game.loss} loss a round",
                peer="the best forecaster in hindsight",
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
    return rg.forecasts.read_forecasts(
        path, game.truth, forecasters=game.forecasters, outcomes=game.outcomes
    )


def _played(game: Game, by: str) -> Any:
    table = _read(game)
    return rg.forecasts.combine(
        table.values, table.y, by=by, loss=game.loss, names=table.names
    )


def _losses(game: Game) -> tuple[float, float]:
    found = _played(game, "ml-poly")
    return found.loss / found.rounds, found.best_loss / found.rounds


def main() -> int:
    """Print the tables of the guide."""
    if len(sys.argv) > 1:
        os.environ[DATA] = sys.argv[1]
    print("loss a round")
    heads = ("data", "loss", *RULES, "best one", "best mix", "10 changes")
    print("| " + " | ".join(heads) + " |")
    print("|---" * len(heads) + "|")
    for game in GAMES:
        try:
            runs = [_played(game, by) for by in RULES]
        except SkippedError as reason:
            print(f"{game.name}: skipped, {reason}")
            continue
        first = runs[0]
        n = first.rounds
        oracles = (first.best_loss, first.best_mix.loss, first.best_sequence.loss)
        cells = [f"{total / n:.5f}" for total in (*(r.loss for r in runs), *oracles)]
        cells[len(RULES)] += f" ({first.best})"
        print("| " + " | ".join((game.name, game.loss, *cells)) + " |")
        for run in runs:
            run.theorems()  # raises where a bound is violated
    print("\nwho is better")
    for game in GAMES:
        if game.loss in ("squared", "log"):
            continue
        try:
            table = _read(game)
        except SkippedError as reason:
            print(f"{game.name}: skipped, {reason}")
            continue
        found = rg.forecasts.compare(
            table.values, y=table.y, loss=game.loss, names=table.names
        )
        print(f"{game.name}: {found.verdict}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
