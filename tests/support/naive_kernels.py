"""The kernel Perceptron, slow and obvious."""

from __future__ import annotations

import numpy as np


def rbf(gamma):
    return lambda a, b: float(np.exp(-gamma * ((a - b) ** 2).sum()))


def polynomial(degree, c):
    return lambda a, b: float((a @ b + c) ** degree)


def linear(a, b):
    return float(a @ b)


class KernelPerceptron:
    """All rows that were erred on, in a list; the oldest goes when it is too long."""

    def __init__(self, kernel, budget=None):
        self.kernel, self.budget = kernel, budget
        self.kept = []
        self.scores, self.mistakes, self.updates = [], [], 0
        self.first_eviction = None

    def score(self, x):
        return sum(alpha * self.kernel(z, x) for z, alpha in self.kept)

    def learn(self, x, y, weight=1.0):
        score = self.score(x)
        self.scores.append(score)
        self.mistakes.append(y * score <= 0.0)
        if self.mistakes[-1] and weight > 0.0:
            self.updates += 1
            self.kept.append((x, y * weight))
            if self.budget is not None and len(self.kept) > self.budget:
                self.kept.pop(0)
                if self.first_eviction is None:
                    self.first_eviction = len(self.scores)

    def norm(self):
        square = sum(
            alpha * beta * self.kernel(x, z)
            for x, alpha in self.kept
            for z, beta in self.kept
        )
        return np.sqrt(max(square, 0.0))
