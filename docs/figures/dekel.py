"""Dekel's lecture 18 has no figures; these are its theorems."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import regretless as rg

from .chart import LOG, chart, curve


def task(m: int, n: int, seed: int = 0, noise: float = 0.3) -> tuple[Any, Any, Any]:
    """Rows in [-1, 1]^n whose label leans on the first two features."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (m, n))
    u = np.r_[0.5, 0.5, np.zeros(n - 2)]
    return X, np.sign(X @ u + noise * rng.normal(size=m)), u


def descent(m: int = 4000, n: int = 10, B: float = 2.0) -> Any:
    X, y, _ = task(m, n)
    top = float(np.linalg.norm(X, axis=1).max())
    run = rg.play(
        rg.OGD(step="theorem", radius=B, max_norm=top, horizon=m), X, y, trace=True
    )
    best = run.hindsight().u
    t = np.arange(1, m + 1)
    regret = np.cumsum(run.losses - np.maximum(0, 1 - y * (X @ best)))
    return chart(
        curve(t, top * B * np.sqrt(t), "lambda X B sqrt(T)", 1, dash="dot"),
        curve(t, regret, "regret against the best w* of all m rounds", 0),
        x="rounds T",
        y="regret",
    )


def geometry() -> Any:
    sizes, m = [8, 32, 128, 512], 2000
    descent, exponentiated = [], []
    for n in sizes:
        X, y, _ = task(m, n, noise=0.1)
        top = float(np.linalg.norm(X, axis=1).max())
        gd = rg.OGD(step="theorem", radius=1.0, max_norm=top, horizon=m)
        eg = rg.EG(step="theorem", max_entry=1.0, horizon=m)
        descent.append(rg.play(gd, X, y).regret().high)
        exponentiated.append(rg.play(eg, X, y).regret().high)
    tops = [math.sqrt(n * m) for n in sizes]  # |x| <= sqrt(n), at the worst
    return chart(
        curve(sizes, tops, "X B sqrt(m), X = sqrt(n)", 0, dash="dot"),
        curve(sizes, descent, "GD's regret", 0, dots=True),
        curve(
            sizes,
            [math.sqrt(2 * m * math.log(n)) for n in sizes],
            "X sqrt(2 m ln n), X = 1",
            1,
            dash="dot",
        ),
        curve(sizes, exponentiated, "EG's regret", 1, dots=True),
        x="features n, two of which matter",
        y="regret",
        xaxis={**LOG, "ticks": sizes},
        yaxis=LOG,
    )


def conversions() -> Any:
    X, y, _ = task(60_000, 20)
    fresh, truth = X[30_000:], y[30_000:]
    lengths = [250, 500, 1000, 2000, 4000, 8000, 16000]
    kinds = {"last": "w_m, the last", "mean": "mean", "validated": "validated"}
    error: dict[str, list[float]] = {kind: [] for kind in kinds}
    for m in lengths:
        run = rg.play(rg.Perceptron(), X[:m], y[:m], models=list(kinds))
        for kind in kinds:
            wrong = run.model(kind).predict(fresh) != truth
            error[kind].append(float(wrong.mean()))
    return chart(
        *[
            curve(lengths, error[kind], kinds[kind], i, dots=True)
            for i, kind in enumerate(kinds)
        ],
        x="rounds m",
        y="error on 30,000 fresh rows",
        xaxis={**LOG, "form": "~s", "ticks": lengths},
        yaxis={"zero": True},
    )


def certificates(m: int = 20_000) -> Any:
    X, y, _ = task(m, 20, noise=0.02)
    run = rg.play(rg.Perceptron(), X, y)
    n, wrong, _ = run.ledger.curve.T
    kept = n >= 100
    n, wrong = n[kept], wrong[kept]
    anytime = rg.certify.kl_mixture(n, wrong, n_opt=m)
    fixed = [rg.certify.hoeffding(int(a), b) for a, b in zip(n, wrong, strict=True)]
    return chart(
        curve(n, fixed, "Hoeffding-Azuma, each for one n only", 1, dash="dash"),
        curve(n, anytime, "KL mixture, for all n at once", 0),
        curve(n, wrong / n, "mean online error", 2),
        x="rounds",
        y="error",
        xaxis=LOG,
    )
