"""The learners that adapt, once more: slow, obvious, written from the theory."""

from __future__ import annotations

import math

import numpy as np

import naive


def arrival(loss, score, y, length):
    """The slope where an implicit step arrives: c = slope(score - c*length)."""
    slope = naive.LOSSES[loss[0]][1]
    low, high = sorted([slope(score, y, *loss[1]), 0.0])
    for _ in range(200):
        c = (low + high) / 2
        if c > slope(score - c * length, y, *loss[1]):
            high = c
        else:
            low = c
    return (low + high) / 2


class Scaled(naive.Algorithm):
    """An algorithm that may see every entry divided by the scale of its feature."""

    scale = None

    def start(self, d, scale):
        self.scale = scale
        self.history = [[] for _ in range(d)]

    def see(self, x):
        if self.scale is None:
            return x
        for j in np.flatnonzero(x):
            self.history[j].append(x[j])
        return x / self.scales()

    def scales(self):
        found = np.ones(len(self.history))
        for j, entries in enumerate(self.history):
            if self.scale == "rms" and entries:
                found[j] = math.sqrt(sum(e * e for e in entries) / len(entries))
            elif self.scale == "max" and entries:
                found[j] = max(abs(e) for e in entries)
        return found


class AdaGrad(Scaled):
    def __init__(self, d, loss, eta=1.0, box=None, implicit=False, scale=None):
        self.start(d, scale)
        self.loss, self.eta, self.box, self.implicit = loss, eta, box, implicit
        self.w, self.squares = np.zeros(d), np.zeros(d)

    def weights(self):
        return self.w.copy()

    def observe_gradient(self, x, score, y, gradient):
        self.squares = self.squares + gradient**2
        self.row = x, score, y

    def rates(self):
        met = self.squares > 0
        return np.where(met, self.eta / np.sqrt(np.where(met, self.squares, 1.0)), 0.0)

    def dual_norm(self, x):
        return math.sqrt(np.sum(self.rates() * x * x))

    def move(self, w, gradient, eta):
        if self.implicit:
            x, score, y = self.row
            gradient = arrival(self.loss, score, y, self.dual_norm(x) ** 2) * x
        self.w = w - self.rates() * gradient
        if self.box is not None:
            self.w = np.clip(self.w, *self.box)


class FTRLProximal(Scaled):
    """Keeps every point and every sigma, and takes the minimum of the whole sum."""

    def __init__(self, d, loss, alpha, beta, l1, l2, radius=math.inf, scale=None):
        self.start(d, scale)
        self.loss, self.radius = loss, radius
        self.alpha, self.beta, self.l1, self.l2 = alpha, beta, l1, l2
        self.gradient, self.squares = np.zeros(d), np.zeros(d)
        self.points, self.sigmas = [], []

    def curvatures(self):
        return (self.beta + np.sqrt(self.squares)) / self.alpha + self.l2

    def weights(self):
        met = self.squares > 0
        if not met.any():
            return np.zeros(met.size)
        centers = np.sum(np.array(self.sigmas) * np.array(self.points), axis=0)
        z = self.gradient - centers
        beyond = np.maximum(np.abs(z) - self.l1, 0.0)
        w = -np.sign(z) * beyond / np.where(met, self.curvatures(), 1.0)
        return np.clip(np.where(met, w, 0.0), -self.radius, self.radius)

    def objective(self, w):
        """What the next point minimizes."""
        near = sum(
            np.sum(sigma * (w - point) ** 2) / 2
            for sigma, point in zip(self.sigmas, self.points, strict=True)
        )
        ridge = (self.l2 + self.beta / self.alpha) / 2
        fixed = self.l1 * np.abs(w).sum() + ridge * float(w @ w)
        return float(self.gradient @ w) + fixed + near

    def observe_gradient(self, x, score, y, gradient):
        after = self.squares + gradient**2
        self.points.append(self.weights())
        self.sigmas.append((np.sqrt(after) - np.sqrt(self.squares)) / self.alpha)
        self.squares = after

    def dual_norm(self, x):
        on = (x != 0) & (self.squares > 0)
        return math.sqrt(np.sum(x[on] ** 2 / self.curvatures()[on]))

    def move(self, w, gradient, eta):
        self.gradient = self.gradient + gradient


class CoinBetting(Scaled):
    """Keeps all coins, and counts the wealth again before every bet."""

    def __init__(self, d, loss, largest=1.0, eps=1.0, scale=None):
        self.start(d, scale)
        self.loss, self.eps, self.d = loss, eps, d
        self.step = ("Constant", (1.0 / largest,))
        self.coins, self.bets = [], []

    def weights(self):
        earned = sum(float(c @ w) for c, w in zip(self.coins, self.bets, strict=True))
        staked = sum(np.linalg.norm(c) for c in self.coins)
        theta = sum(self.coins, np.zeros(self.d))
        return theta * (self.eps + earned) / (1.0 + staked)

    def move(self, w, gradient, eta):
        coin = -eta * gradient
        self.coins.append(coin / max(1.0, np.linalg.norm(coin)))
        self.bets.append(w)


class CoordinateBetting(CoinBetting):
    def weights(self):
        coins, bets = np.array(self.coins), np.array(self.bets)
        if not self.coins:
            return np.zeros(self.d)
        wealth = self.eps + np.sum(coins * bets, axis=0)
        return coins.sum(axis=0) * wealth / (1.0 + np.abs(coins).sum(axis=0))

    def move(self, w, gradient, eta):
        self.coins.append(np.clip(-eta * gradient, -1.0, 1.0))
        self.bets.append(w)


class PassiveAggressive(naive.Algorithm):
    """The three steps as the paper writes them, with the loss before its square."""

    def __init__(self, d, C=None, squared=False, epsilon=None):
        self.C, self.squared, self.epsilon = C, squared, epsilon
        self.loss = ("SquaredHinge" if squared else "Hinge", ())
        if epsilon is not None:
            self.loss = ("EpsilonInsensitive", (epsilon,))
        self.step = ("Constant", (1.0 if C is None else C,))
        self.w = np.zeros(d)

    def weights(self):
        return self.w.copy()

    def observe_gradient(self, x, score, y, gradient):
        self.row = x, score, y

    def move(self, w, gradient, eta):
        x, score, y = self.row
        short, side = max(0.0, 1.0 - y * score), y
        if self.epsilon is not None:
            short, side = abs(score - y) - self.epsilon, np.sign(y - score)
        square = float(x @ x)
        if square == 0.0:
            return
        if self.C is None:
            tau = short / square
        elif self.squared:
            tau = short / (square + 1 / (2 * self.C))
        else:
            tau = min(self.C, short / square)
        self.w = w + tau * side * x
