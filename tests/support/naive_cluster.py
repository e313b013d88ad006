"""Slow, obvious versions of what a cluster does, in plain numpy."""

from __future__ import annotations

import numpy as np


def mixed_perceptron(rounds, w):
    """McDonald's distributed Perceptron over rounds of shards (X, y), from w.

    Returns the final weights, the mean of all hypotheses that predicted, the mistakes
    and losses of each shard, and for each row (round, shard, mistake).
    """
    mistakes, trail, hypotheses = [], [], []
    for n, shards in enumerate(rounds):
        ends, sizes = [], []
        for i, (X, y) in enumerate(shards):
            here, errors = w.copy(), 0
            for x, label in zip(X, y, strict=True):
                hypotheses.append(here.copy())
                wrong = label * (here @ x) <= 0
                trail.append((n, i, wrong))
                if wrong:
                    here = here + label * x
                    errors += 1
            ends.append(here)
            sizes.append(len(y))
            mistakes.append(errors)
        w = np.average(ends, axis=0, weights=sizes)
    return w, np.mean(hypotheses, axis=0), mistakes, trail


def weighted_sums(rounds, trail, u):
    """M, c and H of the theorems of mixing: every row counts the share of its shard."""
    M = c = H = 0.0
    rows = [(x, y) for shards in rounds for X, Y in shards for x, y in zip(X, Y)]  # noqa: B905
    for (n, i, wrong), (x, y) in zip(trail, rows, strict=True):
        share = len(rounds[n][i][1]) / sum(len(Y) for _, Y in rounds[n])
        hinge = max(0.0, 1.0 - y * (u @ x))
        M += share * wrong
        c += share * hinge
        H += share * hinge * wrong
    return M, c, H


def penalized_objective(X, y, u, strength):
    """The penalized hinge loss."""
    return np.maximum(0.0, 1.0 - y * (X @ u)).sum() + 0.5 * strength * (u @ u)
