"""The factorization machine, slow and obvious: sums over pairs, one row at a time."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

MASK = 2**64 - 1


def scramble(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def first_factor(seed, feature, f):
    """Between -0.05 and 0.05."""
    golden = 0x9E3779B97F4A7C15
    start = scramble((seed + golden) & MASK)
    bits = scramble((start + (1024 * feature + f + 1) * golden) & MASK)
    return 0.1 * ((bits >> 11) * 2.0**-53 - 0.5)


def logistic_arrival(score, y, length):
    """The slope at the score that a step of this slope leads to, by bisection."""
    low, high = 0.0, 1.0  # of -slope y
    for _ in range(200):
        mid = (low + high) / 2
        margin = y * score + mid * length
        if mid < 1.0 / (1.0 + math.exp(min(margin, 700.0))):
            low = mid
        else:
            high = mid
    return -y * low


class FactorizationMachine:
    def __init__(self, d, rank, eta=0.2, seed=0, amounts=False, bias=True):
        self.d, self.rank, self.eta, self.seed = d, rank, eta, seed
        self.amounts, self.bias = amounts, bias
        self.unit = None if amounts else 1.0
        self.b, self.b_squares = 0.0, 0.0
        self.w, self.w_squares = np.zeros(d), np.zeros(d)
        self.V, self.V_squares = np.zeros((d, rank)), np.zeros((d, rank))
        self.largest = np.zeros(d)

    def see(self, x):
        size = np.maximum(self.largest, np.abs(x))
        return np.where(size > 0.0, x / np.where(size > 0.0, size, 1.0), 0.0)

    def inner_score(self, z):
        pairs = combinations(np.flatnonzero(z), 2)
        return (
            self.b
            + self.w @ z
            + sum((self.V[i] @ self.V[j]) * z[i] * z[j] for i, j in pairs)
        )

    def score(self, x):
        return (self.unit or 1.0) * self.inner_score(self.see(x))

    def learn(self, x, y, weight=1.0):
        """The score and the loss before, and then a step."""
        z = self.see(x)
        unit = self.unit or abs(y) or 1.0
        inner = self.inner_score(z)
        score, label = unit * inner, y / unit
        if self.amounts:
            loss, slope = (score - y) ** 2, 2.0 * (inner - label)
        else:
            loss, slope = np.logaddexp(0.0, -y * score), -y / (1 + math.exp(y * score))
        if y:
            self.unit = unit
        g = weight * slope
        if g:
            total = z @ self.V
            d_V = np.array([z[i] * (total - z[i] * self.V[i]) for i in range(self.d)])
            d_b = float(self.bias)
            self.b_squares += (g * d_b) ** 2
            self.w_squares += (g * z) ** 2
            self.V_squares += (g * d_V) ** 2

            def divided(d, squares):
                root = np.sqrt(np.where(squares > 0.0, squares, 1.0))
                return np.where(squares > 0.0, d / root, 0.0)

            to_b = self.eta * divided(d_b, self.b_squares)
            to_w = self.eta * divided(z, self.w_squares)
            to_V = 0.25 * self.eta * divided(d_V, self.V_squares)
            length = weight * (to_b * d_b + to_w @ z + (to_V * d_V).sum())
            if self.amounts:
                step = 2.0 * (inner - label) / (1.0 + 2.0 * length)
            else:
                step = logistic_arrival(inner, y, length)
            self.b -= weight * step * float(to_b)
            self.w -= weight * step * to_w
            self.V -= weight * step * to_V
        for i in np.flatnonzero(z):
            if self.largest[i] == 0.0:
                self.V[i] += [
                    first_factor(self.seed, int(i), f) for f in range(self.rank)
                ]
        self.largest = np.maximum(self.largest, np.abs(x))
        return score, weight * loss

    def weights(self):
        size = np.where(self.largest > 0.0, self.largest, 1.0)
        return (self.unit or 1.0) * self.w / size
