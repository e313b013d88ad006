"""Curves, a forest and two stacks on top of a linear panel, slow and obvious."""

from __future__ import annotations

import math

import numpy as np

import naive_forest

RATES = (0.3, 1.0, 3.0)


class AmountForest(naive_forest.Forest):
    """Trees whose targets are what is left of the labels."""

    every, evidence = 8, 6.0

    def __init__(self) -> None:
        super().__init__()
        for root in self.roots:
            root.prior[:] = 0.0
        self.told: dict[int, list[float]] = {}  # (sum, squares) of each leaf

    def target(self, trial, y: float) -> float:
        return y

    def differ(self, y: float, before: float) -> bool:
        return True

    def spread(self, leaf) -> float:
        total, squares = self.told[id(leaf)]
        mean, square = total / leaf.rows, squares / leaf.rows
        return square - mean * mean if square - mean * mean > 1e-9 * square else 0.0

    def remember(self, leaf, y: float) -> None:
        leaf.seen += 1
        leaf.total[0] += y
        mine = self.told.setdefault(id(leaf), [0.0, 0.0])
        mine[0] += y
        mine[1] += y * y

    def inherit(self, leaf, child, trial, side: int) -> None:
        here = trial.sides[side]
        child.seen, child.total[0] = len(here), sum(here)
        squares = self.spread(leaf) * len(here) + sum(here) ** 2 / len(here)
        self.told[id(child)] = [sum(here), squares]


class Ridge:
    """Least squares with |w - w_0|^2, solved anew in every round."""

    def __init__(self) -> None:
        self.rows: list[dict] = []
        self.labels: list[float] = []

    def predict(self, x: dict) -> float:
        keys = sorted({k for row in self.rows for k in row} | set(x), key=str)
        X = np.array([[row.get(k, 0.0) for k in keys] for row in self.rows])
        X = X.reshape(len(self.rows), len(keys))
        w = np.linalg.solve(X.T @ X + np.eye(len(keys)), X.T @ np.array(self.labels))
        return float(w @ [x.get(k, 0.0) for k in keys])

    def learn(self, x: dict, y: float) -> None:
        self.rows.append(x)
        self.labels.append(y)


class VAW(Ridge):
    """The same with a matrix that the row to come has entered."""

    def foresee(self, x: dict) -> float:
        keys = sorted(x)
        X = np.array([[row[k] for k in keys] for row in [*self.rows, x]])
        w = X[:-1].T @ np.array(self.labels)
        w = np.linalg.solve(X.T @ X + np.eye(len(keys)), w)
        return float(w @ X[-1])


class LateRidge(Ridge):
    """The same with the weights of the round at which it was last solved."""

    def __init__(self) -> None:
        super().__init__()
        self.solved = Ridge()

    def predict(self, x: dict) -> float:
        return self.solved.predict(x)

    def learn(self, x: dict, y: float) -> None:
        super().learn(x, y)
        n = len(self.solved.rows)
        if len(self.rows) > n + n // 8:
            self.solved.rows, self.solved.labels = self.rows[:], self.labels[:]


class Tracker:
    """Normalized least mean squares with AdaGrad's rates."""

    def __init__(self, eta: float) -> None:
        self.eta, self.w, self.G = eta, {}, {}

    def predict(self, x: dict) -> float:
        return sum(self.w.get(k, 0.0) * v for k, v in x.items())

    def learn(self, x: dict, y: float) -> None:
        gap = y - self.predict(x)
        for k, v in x.items():
            self.G[k] = self.G.get(k, 0.0) + v * v
        pull = sum(v * v / math.sqrt(self.G[k]) for k, v in x.items())
        u = self.eta * gap / (1.0 + self.eta * pull)
        for k, v in x.items():
            self.w[k] = self.w.get(k, 0.0) + u * v / math.sqrt(self.G[k])


class SecondLayer:
    """The whole: ``learn`` returns what was said before the label was seen."""

    def __init__(self) -> None:
        self.columns: dict[int, list[float]] = {}
        self.rounds = 0
        self.members = [*(Tracker(eta) for eta in RATES), LateRidge()]
        self.forest = AmountForest()
        self.stacks = [VAW(), VAW()]
        self.labels: list[float] = []

    def hats(self, x: dict) -> dict:
        found = {"bias": 1.0}
        for j, past in self.columns.items():
            values = np.array([*past, x.get(j, 0.0)])
            if np.ptp(values) == 0.0:
                continue
            z = (values[-1] - values.mean()) / values.std()
            z = math.floor((min(max(z, -3.0), 3.0) + 3.0) * 2**20 + 0.5) / 2**20
            slot = min(int(z), 5)
            found |= {(j, slot): 1.0 - (z - slot), (j, slot + 1): z - slot}
        return {k: v for k, v in found.items() if v > 0.0}

    def cut(self, x: float) -> float:
        return min(max(x, min(self.labels)), max(self.labels)) if self.labels else x

    def scale(self) -> tuple[float, float]:
        """The mean of the labels so far, and their first difference."""
        others = [abs(y - self.labels[0]) for y in self.labels if y != self.labels[0]]
        mean = float(np.mean(self.labels)) if self.labels else 0.0
        return mean, others[0] if others else 0.0

    def combine(self, stack: VAW, said: list[float]) -> tuple[dict, float, float]:
        """The row of a stack, the mean of it, and what is said in all."""
        mean, unit = self.scale()
        z = {k: (q - mean) / unit if unit else 0.0 for k, q in enumerate(said)}
        center = sum(z.values()) / len(z)
        return z, center, self.cut(mean + unit * (center + stack.foresee(z)))

    def learn(self, x: dict, base: float, y: float) -> float:
        for j in x:
            self.columns.setdefault(j, [0.0] * self.rounds)
        hats, (mean, unit) = self.hats(x), self.scale()
        first = self.labels[0] if self.labels else y  # which nobody hears about
        said = [base, *(member.predict(hats) + first for member in self.members)]
        q = [self.cut(each) for each in said]
        z1, center1, s1 = self.combine(self.stacks[0], q)
        lanes, means = self.forest.margins(x)
        more = [self.cut(s1 + m) for m in (lanes[0], means[0])]
        z2, center2, found = self.combine(self.stacks[1], [*q, *more])
        for stack, z, center in zip(
            self.stacks, (z1, z2), (center1, center2), strict=True
        ):
            stack.learn(z, (y - mean) / (unit or 1.0) - center)
        for member in self.members:
            member.learn(hats, y - first)
        rest = y - s1 if self.labels else 0.0
        self.forest.move(x, 0, 1.0, lambda pull: (rest - lanes[0]) / (1.0 + pull))
        self.forest.grow(x, rest)
        for j, past in self.columns.items():
            past.append(x.get(j, 0.0))
        self.rounds += 1
        self.labels.append(y)
        return found
