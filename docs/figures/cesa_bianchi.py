"""The figures of Cesa-Bianchi's lecture 16."""

from __future__ import annotations

from typing import Any

import numpy as np

import regretless as rg

from .chart import LOG, chart, curve, points

MARGINS = np.linspace(-2, 2, 401)


def zero_one() -> Any:
    paid = [rg.value(rg.ZeroOne(), margin, 1.0) for margin in MARGINS]
    return chart(
        curve(MARGINS, paid, "zero-one loss"),
        x="y w.x",
        y="loss",
        yaxis={"span": (-0.1, 2.5)},
    )


def surrogates() -> Any:
    paid = [rg.value(rg.ZeroOne(), margin, 1.0) for margin in MARGINS]
    hinge = [rg.value(rg.Hinge(), margin, 1.0) for margin in MARGINS]
    first = np.maximum(0.0, -MARGINS)
    return chart(
        curve(MARGINS, paid, "zero-one"),
        curve(MARGINS, first, "first try, [-y w.x]+", 1, dash="dash"),
        curve(MARGINS, hinge, "hinge, [1 - y w.x]+", 2),
        x="y w.x",
        y="loss",
        yaxis={"span": (-0.1, 3.0)},
    )


def on_mistakes() -> Any:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 5)) / 4
    y = np.sign(X @ np.ones(5) + 0.3 * rng.normal(size=400))
    run = rg.play(rg.Perceptron(), X, y, trace=True)
    margins = y * run.scores
    wrong = np.zeros(400, bool)
    wrong[run.mistake_rounds] = True
    return chart(
        curve(MARGINS, np.maximum(0, 1 - MARGINS), "hinge", 2, width=1),
        points(margins[~wrong], run.losses[~wrong], "right: no update", 0),
        points(
            margins[wrong], run.losses[wrong], "mistake: hinge >= 1", 1, symbol="cross"
        ),
        x="y w_t.x_t",
        y="hinge loss of the round",
        xaxis={"span": (-2.0, 2.0)},
        yaxis={"span": (-0.1, 3.0)},
    )


def convexities() -> Any:
    w = np.linspace(-2, 2, 201)
    at = 0.75
    tangent = at**2 / 2 + at * (w - at)
    return chart(
        curve(w, w**2 / 2, "w^2/2: strongly convex", 0),
        curve(w, tangent + (w - at) ** 2 / 4, "tangent + (w-a)^2/4", 0, dash="dot"),
        curve(w, tangent, "tangent at a = 3/4", 0, dash="dash", width=1),
        curve(w, np.abs(w), "|w|: convex, flat on both sides", 1),
        curve(w, np.exp(w) / 4, "e^w/4: curved, not strongly", 2),
        x="w",
        y="loss",
        yaxis={"span": (-1.0, 2.2)},
        height=360,
    )


def rates(rounds: int = 20_000, games: int = 30) -> Any:
    X, t = np.ones((rounds, 1)), np.arange(1, rounds + 1)
    plain = rg.OGD(loss=rg.Absolute(), step=rg.InverseSqrt(2**0.5), radius=1.0)
    strong = rg.OGD(loss=rg.Squared(), step=rg.InverseTime(2.0))
    straight, curved = np.zeros((2, rounds))
    for seed in range(games):
        y = np.random.default_rng(seed).choice([-1.0, 1.0], rounds)
        heads = np.cumsum(y)
        paid, paid_curved = (
            np.cumsum(rg.play(learner, X, y, trace=True).losses)
            for learner in (plain, strong)
        )
        straight += (paid - (t - np.abs(heads))) / games
        curved += (paid_curved - (t - heads**2 / t)) / games
    few = np.unique(np.geomspace(1, rounds, 200).astype(int)) - 1
    t, straight, curved = t[few], straight[few], curved[few]
    return chart(
        curve(t, np.sqrt(8 * t), "bound sqrt(8 T)", 1, dash="dot"),
        curve(t, straight, "|w - y|: convex", 1),
        curve(t, 4 * (1 + np.log(t)), "bound 4(1 + ln T)", 0, dash="dot"),
        curve(t, curved, "(w - y)^2: strongly convex", 0),
        x="rounds T",
        y=f"regret, mean of {games} games",
        xaxis=LOG,
        yaxis={"span": (0.0, 130.0)},
    )
