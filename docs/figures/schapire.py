"""The figures of Schapire's lecture 15."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import regretless as rg

from .chart import LOG, band, chart, curve


def ballots(rounds: int, N: int, k: int, seed: int = 0) -> tuple[Any, Any, Any]:
    """Votes of N, the majority of the first k of them, and the panel itself."""
    drawn = np.random.default_rng(seed).choice([-1.0, 1.0], (rounds, N))
    panel = np.r_[np.full(k, 1.0 / k), np.zeros(N - k)]
    return drawn, np.sign(drawn @ panel), panel


def exponential(eta: float = 1.0) -> Any:
    x = np.linspace(-1.25, 1.25, 201)
    inside = np.linspace(-1, 1, 101)
    chord = (1 + inside) / 2 * math.exp(eta) + (1 - inside) / 2 * math.exp(-eta)
    return chart(
        curve(x, np.exp(eta * x), "e^(eta x)", 0, width=3),
        curve(inside, chord, "the line through its ends", 1, width=3),
        x="x",
        y="eta = 1",
    )


def potential(N: int = 101, k: int = 5) -> Any:
    X, y, panel = ballots(1500, N, k)
    learner = rg.NormalizedWinnow.for_margin(1 / k)
    run = rg.play(learner, X, y, trace=True)
    path = run.weight_path[[0, *run.mistake_rounds + 1]]
    members = panel > 0
    distance = np.log(panel[members] / path[:, members]) @ panel[members]
    i = np.arange(len(path))
    drop = learner.eta / k - math.log(math.cosh(learner.eta))
    return chart(
        curve(i, distance, "RE(u || w) after i mistakes", 0, dots=True),
        curve(i, distance[0] - drop * i, "falls by C at least", 1, dash="dot"),
        x="mistakes i",
        y="relative entropy",
        yaxis={"zero": True},
    )


def panel(k: int = 5) -> Any:
    sizes = [25, 51, 101, 201, 401, 801]
    made: dict[str, list[int]] = {"Perceptron made": [], "Winnow made": []}
    for N in sizes:
        X, y, _ = ballots(4000, N, k, seed=N)
        winnow = rg.NormalizedWinnow.for_margin(1 / k)
        learners = rg.Perceptron(), winnow
        for name, learner in zip(made, learners, strict=True):
            made[name].append(rg.play(learner, X, y).mistakes)
    bounds = {
        "N k": [N * k for N in sizes],
        "2 k^2 ln N": [2 * k**2 * math.log(N) for N in sizes],
    }
    return chart(
        *[
            curve(sizes, b, name, i, dash="dot")
            for i, (name, b) in enumerate(bounds.items())
        ],
        *[
            curve(sizes, m, name, i, dots=True)
            for i, (name, m) in enumerate(made.items())
        ],
        x="experts N",
        y="mistakes",
        xaxis={**LOG, "ticks": sizes},
        yaxis=LOG,
    )


def interview() -> Any:
    day = rg.forecasts.simulate_interview(days=1000, seed=1)
    found = rg.forecasts.compare(day.alice, day.bob, day.rain)
    table = found.table().to_pydict()
    truth = (day.alice - day.truth) ** 2 - (day.bob - day.truth) ** 2
    t = np.arange(1, 1001)
    return chart(
        *band(t, table["lcb"], table["ucb"], "interval, valid on all days", 0),
        curve(t, np.cumsum(truth) / t, "the truth, which nobody sees", 1),
        curve([1, 1000], [0, 0], "equal", grey=True, width=1),
        x="day",
        y="Alice's loss less Bob's, mean",
        yaxis={"span": (-0.15, 0.2)},
    )
