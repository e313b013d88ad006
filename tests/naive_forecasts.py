"""Slow, obvious versions of the comparison of forecasters, written from the theory."""

import math

import numpy as np
from scipy.integrate import quad


def loss(name, f, y):
    """What one forecast costs: a number, a probability, or a list of probabilities."""
    if name in ("absolute", "pinball"):
        return abs(f - y) * (0.5 if name == "pinball" else 1.0)
    if name == "squared" or (np.ndim(f) == 0 and name == "brier"):
        return (f - y) ** 2
    p = np.array([1 - f, f]) if np.ndim(f) == 0 else np.array(f, float)
    y = int(y)
    if name == "brier":
        return sum((p[c] - (c == y)) ** 2 for c in range(len(p)))
    if name == "log":
        p = np.clip(p, 1e-3, 1 - 1e-3 if np.ndim(f) == 0 else 1)
        return -math.log(p[y] / p.sum())
    return 1 - p[y] / math.sqrt(sum(x * x for x in p))


def half_width(name, a, b, low=None, high=None):
    """Half the range of the difference of two losses over all outcomes, by trying."""
    if name in ("absolute", "pinball"):
        tries = [min(a, b) - 1, a, b, max(a, b) + 1]
    elif name == "squared":
        tries = [low, high]
    else:
        tries = range(2 if np.ndim(a) == 0 else len(a))
    found = [loss(name, a, y) - loss(name, b, y) for y in tries]
    return (max(found) - min(found)) / 2


def evidence(S, V, rho):
    """The one-sided mixture, by numerical integration over the bets."""

    def mixed(c):
        density = math.sqrt(2 * rho / math.pi) * math.exp(-c * c * rho / 2)
        return density * math.exp(c * S - c * c * V / 2)

    return quad(mixed, 0, np.inf, limit=200)[0]


def adjust(log):
    """The adjuster of a running maximum: the mixture of k m^(1-k) over k in (0, 1)."""
    return quad(lambda k: k * math.exp(log * (1 - k)), 0, 1)[0]


def compare(name, A, B, y, delta, rho=1.0, lag=1, low=None, high=None):
    """Mean differences, half the width of the interval, and both e-values, by round."""
    S, V = [0.0] * lag, [0.0] * lag
    top = [[1.0, 1.0] for _ in range(lag)]
    rows = []
    n = total = 0
    for t, (a, b, o) in enumerate(zip(A, B, y, strict=True)):
        if np.isnan(a).any() or np.isnan(b).any():
            continue
        n += 1
        k = t % lag
        D = loss(name, a, o) - loss(name, b, o)
        total += D
        S[k] += D
        V[k] += half_width(name, a, b, low, high) ** 2
        r = rho / lag
        wide = sum(
            math.sqrt((v + r) * (math.log(1 + v / r) + 2 * math.log(lag / delta)))
            for v in V
            if v > 0
        )
        e = [[evidence(-s, v, r), evidence(s, v, r)] for s, v in zip(S, V, strict=True)]
        if lag > 1:
            top = np.maximum(top, e)
            e = np.mean([[adjust(math.log(m)) for m in two] for two in top], axis=0)
        else:
            e = e[0]
        rows.append((total / n, wide / n, *e))
    return np.array(rows)
