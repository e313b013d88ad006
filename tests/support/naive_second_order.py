"""The second-order learners once more, with every matrix inverted at every round."""

from __future__ import annotations

import math

import numpy as np

import naive
import naive_adaptive


class Ridge(naive_adaptive.Scaled):
    """Ridge regression on the rows taken in: A = a I + sum x x', b = sum y x."""

    eager = True

    def __init__(self, d, a=1.0, scale=None):
        self.start(d, scale)
        self.A, self.b = a * np.eye(d), np.zeros(d)
        self.q = 0.0

    def weights(self):
        return np.linalg.solve(self.A, self.b)

    def observe_gradient(self, x, score, y, gradient):
        self.q = float(x @ np.linalg.solve(self.A, x))
        self.A = self.A + np.outer(x, x)
        self.b = self.b + y * x

    def move(self, w, gradient, eta):
        pass

    def dual_norm(self, x):
        return math.sqrt(self.q)


class VAW(Ridge):
    loss = ("Squared", ())

    def foresee(self, x, standing):
        return float(self.b @ np.linalg.solve(self.A + np.outer(x, x), x))


class SecondOrderPerceptron(VAW):
    loss = ("Hinge", ())
    conservative = True


class AROW(Ridge):
    """As the paper writes it: a mean and a covariance."""

    eager = False

    def __init__(self, d, r=1.0):
        self.start(d, None)
        self.mu, self.sigma_matrix, self.r = np.zeros(d), np.eye(d), r

    def weights(self):
        return self.mu.copy()

    def observe_gradient(self, x, score, y, gradient):
        across = float(x @ self.sigma_matrix @ x)
        beta = 1.0 / (across + self.r)
        alpha = max(0.0, 1.0 - y * score) * beta
        self.mu = self.mu + alpha * y * self.sigma_matrix @ x
        turned = self.sigma_matrix @ x
        self.sigma_matrix = self.sigma_matrix - beta * np.outer(turned, turned)
        self.q = across / self.r


class ONS(naive.Algorithm):
    """Projects, predicts, and takes the Newton step, one after the other."""

    def __init__(self, d, loss, reach, gamma, eps):
        self.loss, self.reach, self.gamma = loss, reach, gamma
        self.step = ("Constant", (1.0 / gamma,))
        self.A, self.w = eps * np.eye(d), np.zeros(d)
        self.q = 0.0

    def weights(self):
        return self.w.copy()

    def foresee(self, x, standing):
        return float(np.clip(standing, -self.reach, self.reach))

    def observe_gradient(self, x, score, y, gradient):
        turned = np.linalg.solve(self.A, x)
        self.q = float(x @ turned)
        if self.q > 0.0:  # the nearest point, in the norm of A, that says `score`
            self.w = self.w - turned * (float(self.w @ x) - score) / self.q
        self.A = self.A + np.outer(gradient, gradient)

    def move(self, w, gradient, eta):
        self.w = self.w - np.linalg.solve(self.A, gradient) / self.gamma

    def dual_norm(self, x):
        return math.sqrt(self.q)


class DiagonalRidge(Ridge):
    """The same with a diagonal A."""

    loss = ("Squared", ())

    def __init__(self, d, a=1.0):
        self.start(d, None)
        self.a, self.w = np.full(d, a), np.zeros(d)

    def weights(self):
        return self.w.copy()

    def foresee(self, x, standing):
        return standing / (1.0 + float(x @ (x / self.a)))

    def observe_gradient(self, x, score, y, gradient):
        self.q = float(x @ (x / self.a))
        standing = float(self.w @ x)
        self.w = self.w + x / self.a * (y - standing) / (1.0 + self.q)
        self.a = self.a + x * x


class RegressionPanel:
    """Four trackers, a ridge regression on the first features, the mean, and VAW."""

    def __init__(self, d, rates=(0.3, 1.0, 3.0, 10.0), seen=128):
        self.rates, self.seen = rates, seen + 1
        self.history = [[] for _ in range(d)]
        self.trackers = [np.zeros(d + 1) for _ in rates]
        self.G = np.zeros(d + 1)
        self.ridge = Ridge(min(d + 1, self.seen), 0.1)
        self.labels = []
        self.unit = 0.0
        self.stack = VAW(len(rates) + 2, 1.0)
        self.best = self.learned = 0.0

    def say(self, row):
        x = np.r_[1.0, row]
        for j in np.flatnonzero(row):
            self.history[j].append(row[j])
            x[j + 1] = row[j] / np.sqrt(np.mean(np.square(self.history[j])))
        said = [w @ x for w in self.trackers]
        said.append(self.ridge.weights() @ x[: self.seen])
        said.append(np.mean(self.labels) if self.labels else 0.0)
        return x, np.array(said)

    def play(self, X, y):
        scores = []
        for row, label in zip(X, y, strict=True):
            x, z = self.say(row)
            self.unit = self.unit or abs(label)
            unit = self.unit or 1.0
            short = (label - z.mean()) / unit
            told = self.stack.foresee(z / unit, 0.0)
            standing = self.stack.weights() @ z / unit
            scores.append(z.mean() + unit * told)
            self.stack.observe_gradient(z / unit, told, short, None)
            q = self.stack.q
            self.best += (unit * (standing - short)) ** 2 / (1 + q)
            self.learned += (unit * short) ** 2 * q / (1 + q)
            self.G = self.G + x * x
            on = x != 0
            for k, eta in enumerate(self.rates):
                far = np.zeros(x.size)
                far[on] = eta * x[on] / np.sqrt(self.G[on])
                gap = label - self.trackers[k] @ x
                self.trackers[k] = self.trackers[k] + far * gap / (1 + far @ x)
            self.ridge.observe_gradient(x[: self.seen], 0.0, label, None)
            self.labels.append(label)
        return np.array(scores)


def solve(A, b):
    """The x of A x = b, by elimination: exact, where the numbers are fractions."""
    n = len(b)
    rows = [[*line, right] for line, right in zip(A, b, strict=True)]
    for i in range(n):
        for k in range(i + 1, n):
            share = rows[k][i] / rows[i][i]
            rows[k] = [a - share * c for a, c in zip(rows[k], rows[i], strict=True)]
    x = [0] * n
    for i in reversed(range(n)):
        rest = sum(rows[i][j] * x[j] for j in range(i + 1, n))
        x[i] = (rows[i][n] - rest) / rows[i][i]
    return x
