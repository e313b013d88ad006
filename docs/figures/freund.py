"""The figures of Freund's lecture."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import regretless as rg

from .chart import LOG, arrow, chart, curve, points
from .mansour import separable

SQUARE = {
    "xaxis": {"span": (-2.0, 2.0)},
    "yaxis": {"span": (-1.45, 1.45)},
    "square": True,
}


def problem() -> Any:
    X, y, V = separable(50, margin=0.15, seed=18)
    R = float(np.linalg.norm(X, axis=1).max())
    g = float((y * (X @ V)).min())
    angle = np.linspace(0, 2 * math.pi, 200)
    across, ends = np.array([-V[1], V[0]]), np.array([[-1.4], [1.4]])
    edges = [
        curve(
            *(ends * across + s * g * V).T,
            f"margin g = {g:.2f}",
            2,
            dash="dash",
        )
        for s in (1, -1)
    ]
    return chart(
        curve(R * np.cos(angle), R * np.sin(angle), f"R = {R:.2f}", grey=True, width=1),
        points(*X[y > 0].T, "y = +1", 0),
        points(*X[y < 0].T, "y = -1", 1, symbol="diamond-open"),
        *edges,
        *arrow((0, 0), V, "V", 3, width=3),
        x="X[1]",
        y="X[2]",
        **SQUARE,
    )


def trace() -> Any:
    X, y, V = separable(50, margin=0.15, seed=18)
    run = rg.play(rg.Perceptron(), X, y, trace=True)
    path = run.weight_path[[0, *run.mistake_rounds + 1]]
    steps = [
        arrow(path[i], path[i + 1], f"W{i + 1} = W{i} + yX", i)
        for i in range(len(path) - 1)
    ]
    return chart(
        *[trace for step in steps for trace in step],
        *arrow((0, 0), V, "V", 2, dash="dash"),
        x="W[1]",
        y="W[2]",
        square=True,
    )


def pythagoras() -> Any:
    X, y, _ = separable(50, margin=0.15, seed=18)
    run = rg.play(rg.Perceptron(), X, y, trace=True)
    t = int(run.mistake_rounds[1])  # the first mistake from a W that is not zero
    W, yX = run.weight_path[t], y[t] * X[t]
    length = {"W": W, "yX": yX, "W + yX": W + yX}
    said = {name: f"{name}, length^2 {v @ v:.2f}" for name, v in length.items()}
    return chart(
        *arrow((0, 0), W, said["W"], 0, width=3),
        *arrow(W, W + yX, said["yX"], 1, width=3),
        *arrow((0, 0), W + yX, said["W + yX"], 2, width=3),
        x="W[1]",
        y="W[2]",
        square=True,
    )


def squeeze() -> Any:
    rng = np.random.default_rng(2)
    V = np.array([1.0, 0.0, 0.0, 0.0])
    X = rng.normal(size=(4000, 4))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    X = X[np.abs(X @ V) >= 0.05]
    y, R, g = np.sign(X @ V), 1.0, 0.05
    run = rg.play(rg.Perceptron(), X, y, trace=True)
    path = run.weight_path[[0, *run.mistake_rounds + 1]]
    i = np.arange(0, 1.15 * len(path))
    return chart(
        curve(i, i * R**2, "at most i R^2", 1, dash="dot"),
        curve(np.arange(len(path)), (path**2).sum(axis=1), "|W_i|^2", 0, width=3),
        curve(np.arange(len(path)), (path @ V) ** 2, "(W_i.V)^2", 2),
        curve(i, (i * g) ** 2, "at least (i g)^2", 2, dash="dot"),
        x="mistakes i",
        y="squared length",
    )


def halving(experts: int = 1024) -> Any:
    rng = np.random.default_rng(0)
    answers = rng.integers(0, 2, 12)
    perfect = rng.integers(0, 2, (12, experts)).astype(float)
    perfect[:, 7] = answers
    left, kept = [experts], np.ones(experts, bool)
    for t, answer in enumerate(answers):
        kept &= perfect[t] == answer
        left.append(int(kept.sum()))
    run = rg.play(rg.Halving(), perfect, answers)
    assert int((run.weights > 0).sum()) == left[-1]
    t = np.arange(13)
    return chart(
        curve(t, left, "experts never wrong", 0, dots=True),
        curve(t[:11], experts / 2.0 ** t[:11], "halved every round", 1, dash="dot"),
        x="round",
        y="experts left",
        yaxis=LOG,
    )


def mean_game(rounds: int = 2000) -> Any:
    t = np.arange(1, rounds + 1)
    spread = np.random.default_rng(0).random(rounds)
    worst, total = np.empty(rounds), 0.0
    for i in range(rounds):
        guess = total / i if i else 0.5
        worst[i] = 0.0 if guess > 0.5 else 1.0  # as far from the guess as can be
        total += worst[i]
    names = {"drawn uniformly": spread, "always the farther end": worst}
    regrets = {}
    for name, y in names.items():
        run = rg.play(rg.FollowTheLeader(), y=y, trace=True)
        regrets[name] = np.cumsum(run.losses / t)  # the identity
        assert abs(regrets[name][-1] - run.ledger.regret) < 1e-6
    return chart(
        curve(t, 1 + np.log(t), "1 + ln T", 2, dash="dot"),
        *[curve(t, r, name, i) for i, (name, r) in enumerate(regrets.items())],
        x="rounds T",
        y="regret",
        xaxis=LOG,
    )


def leader_lost(rounds: int = 200) -> Any:
    slopes = np.r_[0.5, np.resize([-1.0, 1.0], rounds - 1)]
    # |g w - y| with y far away is 10 + g w: a linear loss.
    run = rg.play(
        rg.OGD(loss=rg.Absolute(), step=rg.InverseSqrt(2**0.5), radius=1.0),
        slopes[:, None],
        np.full(rounds, -10.0),
        trace=True,
    )
    leader = -np.sign(np.r_[0.0, np.cumsum(slopes)[:-1]])
    best = -np.abs(np.cumsum(slopes))
    t = np.arange(1, rounds + 1)
    return chart(
        curve(t, np.cumsum(slopes * leader) - best, "follow the leader", 1),
        curve(t, np.cumsum(run.losses - 10.0) - best, "gradient descent", 0),
        curve(t, np.sqrt(8 * t), "sqrt(8 T)", 0, dash="dot"),
        x="rounds T",
        y="regret",
    )
