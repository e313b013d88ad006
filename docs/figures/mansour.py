"""The figures of Mansour's lecture 5."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import regretless as rg

from .chart import LOG, chart, curve, points


def separable(n: int, margin: float, seed: int = 0) -> tuple[Any, Any, Any]:
    """Points in the plane, their labels, and the unit vector that separates them."""
    rng = np.random.default_rng(seed)
    u = np.array([math.cos(0.9), math.sin(0.9)])
    drawn = rng.uniform(-1, 1, (20 * n, 2))
    X = drawn[np.abs(drawn @ u) >= margin][:n]
    return X, np.sign(X @ u), u


def hyperplane() -> Any:
    X, y, u = separable(60, margin=0.2)
    run = rg.play(rg.Perceptron(), X, y)
    ends = np.array([-1.15, 1.15])
    along = {"u, the separator": u, "w, after one pass": run.weights}
    lines = [
        curve(-ends * v[1] / abs(v).max(), ends * v[0] / abs(v).max(), name, color)
        for color, (name, v) in enumerate(along.items(), start=2)
    ]
    return chart(
        points(*X[y > 0].T, "y = +1", 0),
        points(*X[y < 0].T, "y = -1", 1, symbol="diamond-open"),
        *lines,
        x="x[1]",
        y="x[2]",
        xaxis={"span": (-1.6, 1.6)},
        yaxis={"span": (-1.15, 1.15)},
        square=True,
    )


def bisection() -> Any:
    learner, rounds = rg.Perceptron(bias=True), 14
    low, high, seen = 0.0, 1.0, []
    for t in range(1, rounds + 1):
        x = (low + high) / 2
        says_plus = learner.score_one({"x": x}) > 0
        seen.append((t, low, high, x, says_plus))
        learner.learn_one({"x": x}, not says_plus)  # the adversary says the opposite
        low, high = (x, high) if says_plus else (low, x)
    assert learner.ledger.mistakes == rounds
    t, low, high, x, plus = (np.array(column) for column in zip(*seen, strict=True))
    gaps = np.column_stack
    return chart(
        curve(
            gaps([low, high, np.full(rounds, np.nan)]).ravel(),
            np.repeat(t, 3),
            "where the threshold may be",
            2,
            width=5,
        ),
        points(x[plus], t[plus], "learner says +, adversary -", 0),
        points(x[~plus], t[~plus], "learner says -, adversary +", 1, symbol="diamond"),
        x="x",
        y="round",
        yaxis={"reverse": True, "span": (0.5, rounds + 0.5)},
    )


def disjunctions(k: int = 3) -> Any:
    sizes = [32, 64, 128, 256, 512]
    winnow, perceptron = [], []
    for d in sizes:
        rng = np.random.default_rng(d)
        X = (rng.random((4000, d)) < 0.2).astype(float)
        y = np.where(X[:, :k].any(axis=1), 1, -1)
        winnow.append(rg.play(rg.Winnow(), X, y).mistakes)
        phi = np.column_stack([2 * X, -np.ones(len(X))])
        perceptron.append(rg.play(rg.Perceptron(), phi, y).mistakes)
    bound = [8 * (1 + k * (math.log(d) - 1)) for d in sizes]
    return chart(
        curve(sizes, [(k + 1) * (4 * d + 1) for d in sizes], "(k+1)(4d+1)", dash="dot"),
        curve(sizes, perceptron, "Perceptron made", 0, dots=True),
        curve(sizes, bound, "8(1 + k(ln d - 1))", 1, dash="dot"),
        curve(sizes, winnow, "Winnow made", 1, dots=True),
        x="features d",
        y="mistakes",
        xaxis={**LOG, "ticks": sizes},
        yaxis=LOG,
    )
