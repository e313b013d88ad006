"""The mixture of panels of many classes as its page has it: numpy, nothing clever."""

from __future__ import annotations

from typing import Any

import numpy as np

GOLDEN = 0.6180339887498949
NEGLIGIBLE = 0.03


def softmax(z: Any) -> Any:
    """The probabilities."""
    p = np.exp(z - z.max())
    return p / p.sum()


def taken(number: int, g: float) -> float:
    """How often the round of this number counts, whose label had 1 - g."""
    if g >= NEGLIGIBLE:
        return 1.0
    turn = number * GOLDEN % 1.0
    return NEGLIGIBLE / g if turn * NEGLIGIBLE < g else 0.0


class Forecast:
    """A softmax of weighted inputs, learned by Newton's method."""

    def __init__(self, size: int) -> None:
        self.w = np.zeros(size)
        self.w[-1] = 1.0
        self.A = np.eye(size)
        self.loss = 0.0

    def predict(self, inputs: Any) -> Any:
        """The probabilities of the classes, a row of inputs each."""
        self.inputs = inputs[:, -self.w.size :]
        self.p = softmax(self.inputs @ self.w)
        return self.p

    def learn(self, label: int, number: int, c: float) -> None:
        """One step."""
        p = self.p[label]
        self.loss -= np.log(p)
        c = c * taken(number, 1.0 - p)
        gaps = self.inputs - self.p @ self.inputs
        likely = self.p > 0.1
        self.A += c * (gaps[likely] * self.p[likely, None]).T @ gaps[likely]
        self.w += c * np.linalg.solve(self.A, gaps[label])


class Mixture:
    """Two forecasts of what panels say, and how far each is trusted."""

    def __init__(self, members: int) -> None:
        self.own, self.shared = Forecast(2), Forecast(2 * members + 2)
        self.a, self.rounds, self.loss = 0.5, 0, 0.0

    def round(self, m: Any, s: Any, label: int, c: float = 1.0) -> Any:
        """The log-odds of the classes, from their margins and scores; then learn."""
        if len(s) < 3:
            return s
        up, down = np.logaddexp(0.0, s), -np.logaddexp(0.0, -s)
        slopes = np.stack([up, down], axis=1)
        inputs = np.hstack([np.clip(m, -1.0, 1.0), np.clip(m, -12.0, 12.0), slopes])
        own, shared = self.own.predict(inputs), self.shared.predict(inputs)
        p = self.a * own + (1.0 - self.a) * shared
        if label < len(s):
            self.loss -= np.log(p[label])
            for one in (self.own, self.shared):
                one.learn(label, self.rounds, c)
            share = 1.0 / (self.rounds + 2)
            kept = self.a * own[label] / p[label]
            self.a = (1.0 - share) * kept + share / 2.0
            self.rounds += 1
        return np.log(p) - np.log1p(-p)
