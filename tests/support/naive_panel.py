"""The panel as its page says it, slow and obvious: dictionaries and float64."""

from __future__ import annotations

import functools
import math
from collections import defaultdict

import numpy as np

import naive_forest

EIGHT = (
    [("hinge", 40.0), ("hinge", 0.3), ("logistic", 0.1), ("logistic", 1.0)],
    [4.0, 1.0],
)
FOUR = ([("hinge", 40.0)], [4.0])
NEGLIGIBLE = 0.03
GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


def repeats(g: float, rounds: int) -> float:
    """How often a gradient of size g counts: a share g/e of the rounds, e/g times."""
    if g >= NEGLIGIBLE:
        return 1.0
    return NEGLIGIBLE / g if rounds * GOLDEN % 1.0 * NEGLIGIBLE < g else 0.0


def sigma(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x)) if x > -700.0 else 0.0


def clip(x: float, limit: float) -> float:
    return max(-limit, min(limit, x))


def solve(eta: float, ym: float, pull: float) -> float:
    """u = eta sigma(-(ym + pull u)), by halving."""
    low, high = 0.0, eta
    for _ in range(200):
        u = 0.5 * (low + high)
        if u > eta * sigma(-(ym + pull * u)):
            high = u
        else:
            low = u
    return 0.5 * (low + high)


class AdaGrad:
    """One member: a loss, a rate."""

    def __init__(self, loss: str, eta: float) -> None:
        self.loss, self.eta = loss, eta
        self.w: dict = defaultdict(float)
        self.G: dict = defaultdict(float)

    def margin(self, v: dict) -> float:
        return sum(self.w[j] * v[j] for j in v)

    def learn(self, v: dict, m: float, y: float, rounds: int) -> None:
        ym = y * m
        g = 1.0 if self.loss == "hinge" else sigma(-ym)
        times = 1.0 if self.loss == "hinge" else repeats(g, rounds)
        if times == 0.0 or (self.loss == "hinge" and 1.0 - ym <= NEGLIGIBLE):
            return
        for j, value in v.items():
            self.G[j] += (times * g * value) ** 2
        moving = [j for j in v if self.G[j] > 0.0]
        pull = sum(v[j] ** 2 / math.sqrt(self.G[j]) for j in moving)
        if self.loss == "hinge":
            u = min(self.eta, (1.0 - ym) / pull)
        else:
            u = solve(times * self.eta, ym, pull)
        for j in moving:
            self.w[j] += y * u * v[j] / math.sqrt(self.G[j])


class Coin:
    """Coin betting, every slot for itself."""

    def __init__(self) -> None:
        self.theta: dict = defaultdict(float)
        self.wealth: dict = defaultdict(float)
        self.reach: dict = defaultdict(float)
        self.lengths: list[float] = []

    def weight(self, j) -> float:
        return (16.0 + self.wealth[j]) * self.theta[j] / (1.0 + self.reach[j])

    def margin(self, v: dict) -> float:
        lengths = [*self.lengths, sum(x * x for x in v.values())]
        dot = sum(self.weight(j) * v[j] for j in v)
        return clip(dot / (sum(lengths) / len(lengths)), 50.0)

    def learn(self, v: dict, m: float, y: float) -> None:
        times = repeats(sigma(-y * m), len(self.lengths))
        self.lengths.append(sum(x * x for x in v.values()))
        for j, value in v.items():
            g = -y * times * sigma(-y * m) * value
            self.wealth[j] = max(-16.0, self.wealth[j] - g * self.weight(j))
            self.theta[j] -= g
            self.reach[j] += abs(g)


class Panel:
    """The whole panel. ``predict`` looks, ``learn`` plays a round."""

    def __init__(
        self, members: int = 8, view: str = "hat", *, forest: bool = True
    ) -> None:
        self.second_layer = SecondLayer() if forest else None
        rows, curves = EIGHT if members == 8 else FOUR
        self.view = view
        self.seen: dict = defaultdict(list)  # all nonzeros of a feature so far
        self.counts = {1.0: defaultdict(int), -1.0: defaultdict(int)}
        self.rounds = {1.0: 0, -1.0: 0}
        self.on_rows = [AdaGrad(loss, eta) for loss, eta in rows]
        self.on_curves = [AdaGrad("hinge", eta) for eta in curves]
        self.coin = Coin()
        size = 2 * members + 1
        self.w = np.full(size, 1.0 / (size - 1))
        self.w[-1] = 0.0
        self.P = np.eye(size)

    def views(self, x: dict) -> tuple[dict, dict]:
        """View A, scaled to length one; the curves, not scaled."""
        a, curves = {}, {}
        for j, value in x.items():
            values = np.array([*self.seen[j], value])
            mean, deviation = values.mean(), values.std()
            if np.all(values == value):
                mean, deviation = value, 0.0
            a[j] = clip(value / math.sqrt(mean**2 + deviation**2), 5.0)
            z = clip((value - mean) / deviation, 3.0) if deviation > 0.0 else 0.0
            z = math.floor(z * 2**20 + 0.5) / 2**20
            if self.view == "linear":
                curves[j, 0], curves[j, 1] = 1.0, z
            else:
                slot = min(5, math.floor(z + 3.0))
                curves[j, slot] = 1.0 - (z + 3.0 - slot)
                curves[j, slot + 1] = z + 3.0 - slot
        return unit(a), curves

    def bayes(self, x: dict) -> float:
        plus, minus = self.rounds[1.0], self.rounds[-1.0]
        total = math.log((plus + 1) / (minus + 1))
        for j in x:
            total += math.log((self.counts[1.0][j] + 1) / (plus + 2))
            total -= math.log((self.counts[-1.0][j] + 1) / (minus + 2))
        return total

    def margins(self, x: dict) -> tuple[dict, dict, list[float]]:
        a, curves = self.views(x)
        scaled = unit(curves)
        found = [member.margin(a) for member in self.on_rows]
        found += [member.margin(scaled) for member in self.on_curves]
        return a, curves, [*found, self.coin.margin(curves), self.bayes(x)]

    def predict(self, x: dict) -> float:
        _, _, margins = self.margins({"bias": 1.0} | x)
        score = float(self.w @ inputs(margins))
        return (
            score if self.second_layer is None else self.second_layer.predict(x, score)
        )

    def learn(self, x: dict, y: float) -> float:
        """Play a round; return the score that was predicted."""
        x = {j: value for j, value in x.items() if value != 0.0}
        score = self.learn_panel({"bias": 1.0} | x, y)
        return (
            score if self.second_layer is None else self.second_layer.learn(x, score, y)
        )

    def learn_panel(self, x: dict, y: float) -> float:
        """The same without a forest."""
        a, curves, margins = self.margins(x)
        scaled = unit(curves)
        given = inputs(margins)
        score = float(self.w @ given)
        p = sigma(score)
        g = (y > 0) - p
        played = sum(self.rounds.values())
        times = repeats(abs(g), played)
        if times > 0.0:
            h = max(times * p * (1.0 - p), 1e-4)
            lead = self.P @ given
            d = 1.0 / (1.0 + h * given @ lead)
            self.w += times * g * d * lead
            self.P -= h * d * np.outer(lead, lead)
            self.P += np.diag(np.where(np.diag(self.P) < 1.0, 1e-6, 0.0))
        rows, curved = len(self.on_rows), len(self.on_curves)
        for k, member in enumerate(self.on_rows):
            member.learn(a, margins[k], y, played)
        for k, member in enumerate(self.on_curves):
            member.learn(scaled, margins[rows + k], y, played)
        self.coin.learn(curves, margins[rows + curved], y)
        for j, value in x.items():
            self.seen[j].append(value)
            self.counts[y][j] += 1
        self.rounds[y] += 1
        return score


class SecondLayer:
    """A forest on top of the panel's score, and the second stack."""

    def __init__(self, forest: naive_forest.Forest | None = None) -> None:
        self.forest = forest or naive_forest.Forest()
        self.w = [np.zeros(7) for _ in range(self.forest.lanes)]
        self.P = [0.1 * np.eye(7) for _ in range(self.forest.lanes)]

    def inputs(self, x: dict, lane: int, score: float) -> np.ndarray:
        w, means = self.forest.margins(x)
        p = min(max(means[lane], 1e-4), 1.0 - 1e-4)
        return inputs([score, w[lane], math.log(p / (1.0 - p))], far=4.0)

    def predict(self, x: dict, score: float, lane: int = 0) -> float:
        if not self.forest.live:
            return score
        return score + float(self.w[lane] @ self.inputs(x, lane, score))

    def learn(self, x: dict, score: float, y: float) -> float:
        if not self.forest.live:
            return score
        found = self.learn_lane(x, score, y, 0)
        self.forest.grow(x, y)
        return found

    def learn_lane(self, x: dict, score: float, y: float, lane: int) -> float:
        """Learn in one lane; the trees are left as they are."""
        given, rounds = self.inputs(x, lane, score), self.forest.rounds
        found = score + float(self.w[lane] @ given)
        times = repeats(sigma(-y * found), rounds)
        if times > 0.0:
            lead = self.P[lane] @ given
            doubt = given @ lead
            u = solve(times, y * found, doubt)
            p = sigma(y * found + doubt * u)
            h = max(times * p * (1.0 - p), 1e-4)
            self.w[lane] += y * u * lead
            self.P[lane] -= h / (1.0 + h * doubt) * np.outer(lead, lead)
            small = np.diag(self.P[lane]) < 1.0
            self.P[lane] += np.diag(np.where(small, 1e-6, 0.0))
        ym = y * (score + self.forest.margins(x)[0][lane])
        times = repeats(sigma(-ym), rounds)
        if times > 0.0:
            step = functools.partial(solve, times * naive_forest.RATE, ym)
            self.forest.move(x, lane, times * sigma(-ym), lambda pull: y * step(pull))
        return found


def inputs(margins: list[float], far: float = 12.0) -> np.ndarray:
    return np.array(
        [clip(m, 1.0) for m in margins] + [clip(m, far) for m in margins] + [1.0]
    )


def unit(v: dict) -> dict:
    length = math.sqrt(sum(x * x for x in v.values()))
    return {j: x / length for j, x in v.items()}


def play(panel: Panel, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """All scores, in order."""
    return np.array(
        [
            panel.learn(dict(enumerate(row)), label)
            for row, label in zip(X.tolist(), y.tolist(), strict=True)
        ]
    )
