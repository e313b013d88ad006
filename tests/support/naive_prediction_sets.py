"""Slow, obvious prediction sets: one round at a time, in the words of the theory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

KNOTS = 9


def gamma(rounds: int) -> float:
    """The step of the round after `rounds` others."""
    epochs = ((256, 0.08), (1024, 0.04), (4096, 0.02), (math.inf, 0.01))
    return next(step for end, step in epochs if rounds < end)


class NaiveQuantile:
    """q, and what became of it."""

    def __init__(self, alpha: float, q: float) -> None:
        self.alpha, self.q = alpha, q
        self.errs: list[bool] = []

    def move(self, outside: bool) -> None:
        self.q += gamma(len(self.errs)) * (outside - self.alpha)
        self.errs.append(outside)

    def worst(self) -> float:
        """The largest share of the bound reached after any round."""
        return max(
            abs(sum(self.errs[:t]) - self.alpha * t) * gamma(t - 1) / 1.08
            for t in range(1, len(self.errs) + 1)
        )


class NaiveIntervals(NaiveQuantile):
    """Intervals whose widths depend on the prediction."""

    def __init__(self, level: float) -> None:
        super().__init__(1.0 - level, 0.5)
        normal = NormalDist().inv_cdf(0.5 + 0.5 * level) / math.sqrt(2.0 / math.pi)
        self.b = {side: [math.log(normal)] * KNOTS for side in ("down", "up")}
        self.visits = [0.0] * KNOTS
        self.predictions: list[float] = []
        self.errors: list[float] = []

    def unit(self) -> float:
        """The mean of |r| but for the first, forgetting 1% a round.

        Those above 20 times the mean before, and above the last, are cut.
        """
        total = weight = 0.0
        known = self.errors[1:]
        for before, r in zip([0.0, *known], known, strict=False):
            most = max(20.0 * total / weight, abs(before)) if total > 0.0 else math.inf
            total, weight = 0.99 * total + min(abs(r), most), 0.99 * weight + 1.0
        return total / weight

    def hats(self, prediction: float) -> list[float]:
        """How much of each knot there is at a prediction."""
        place = 4.0
        known = self.predictions[1:]
        if known and (spread := float(np.std(known))) > 0.0:
            z = (prediction - float(np.mean(known))) / (2.0 * spread)
            place = 4.0 + 4.0 * min(max(z, -1.0), 1.0)
        return [max(0.0, 1.0 - abs(place - k)) for k in range(KNOTS)]

    def halves(self, prediction: float) -> tuple[float, float]:
        hats = self.hats(prediction)
        down, up = (
            self.unit() * math.exp(sum(map(math.prod, zip(hats, b, strict=True))))
            for b in self.b.values()
        )
        return down, up

    def interval(self, prediction: float) -> tuple[float, float]:
        if len(self.errs) < 2 or self.q >= 1.0:
            return -math.inf, math.inf
        down, up = self.halves(prediction)
        stretch = max(self.q, 0.0) / (1.0 - self.q)
        return prediction - down * stretch, prediction + up * stretch

    def learn(self, prediction: float, y: float) -> None:
        low, high = self.interval(prediction)
        missed = not low <= y <= high
        first = len(self.errs) < 2
        empty = self.q < 0.0 and not first
        if not first:
            down, up = self.halves(prediction)
            lean = {
                "down": (prediction - y > down) - 0.5 * self.alpha,
                "up": (y - prediction > up) - 0.5 * self.alpha,
            }
            for k, hat in enumerate(self.hats(prediction)):
                self.visits[k] += hat
                for side, by in lean.items():
                    self.b[side][k] += hat * gamma(int(self.visits[k])) * by
        self.move(missed or empty)
        self.predictions.append(prediction)
        self.errors.append(y - prediction)


class NaiveSets(NaiveQuantile):
    """Sets of classes."""

    def __init__(self, level: float) -> None:
        odds = math.sqrt((1.0 - level) / level)
        super().__init__(1.0 - level, 1.0 / (1.0 + odds))

    def scores(self, chances: Sequence[float]) -> list[float]:
        """sqrt(1 - p) / (sqrt(1 - p) + sqrt(p))."""
        roots = [(math.sqrt(1.0 - p), math.sqrt(p)) for p in chances]
        return [no / (no + yes) for no, yes in roots]

    def inside(self, chances: Sequence[float]) -> set[int]:
        """The set of the definition: it may be empty, or hold any label."""
        if not self.errs:
            return set(range(len(chances)))
        return {k for k, s in enumerate(self.scores(chances)) if s <= self.q}

    def shown(self, chances: Sequence[float]) -> set[int]:
        """What is shown: the likeliest is always in it."""
        best = max(range(len(chances)), key=lambda k: chances[k])
        return self.inside(chances) | {best}

    def learn(self, chances: Sequence[float], label: int) -> None:
        self.move(label not in self.inside(chances))
