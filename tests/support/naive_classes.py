"""Many classes, slowly and obviously."""

from __future__ import annotations

from typing import Any

import numpy as np


def numbered(y: Any) -> tuple[list[Any], list[int]]:
    """The classes in the order in which they first come, and the number of each y."""
    classes: list[Any] = []
    numbers: list[int] = []
    for label in y:
        if label not in classes:
            classes.append(label)
        numbers.append(classes.index(label))
    return classes, numbers


def is_mistake(scores: Any, label: int, seen: int) -> bool:
    """Unless the label has come before, and beats every other that has."""
    others = [scores[k] for k in range(seen) if k != label]
    return label >= seen or any(not scores[label] > other for other in others)


def mistakes_of(scores: Any, numbers: list[int]) -> list[bool]:
    """Which rounds are mistakes, from the scores of all classes' own learners."""
    found: list[bool] = []
    seen = 0
    for row, label in zip(scores, numbers, strict=True):
        found.append(is_mistake(row, label, seen))
        seen = max(seen, label + 1)
    return found


class MulticlassPerceptron:
    """w_y += x and w_r -= x on a mistake, r the best of the wrong classes."""

    def __init__(self, n_classes: int, n_features: int) -> None:
        self.w = np.zeros((n_classes, n_features))
        self.seen = 0
        self.mistakes = 0
        self.loss = 0.0
        self.hypotheses: list[Any] = []

    def learn(self, x: Any, label: int) -> None:
        self.hypotheses.append(self.w.copy())
        scores = [float(sum(a * b for a, b in zip(w, x, strict=True))) for w in self.w]
        wrong = [k for k in range(self.seen) if k != label]
        rival = max(wrong, key=lambda k: (scores[k], -k)) if wrong else None
        mistaken = is_mistake(scores, label, self.seen)
        if rival is not None:
            self.loss += max(0.0, 1.0 - (scores[label] - scores[rival]))
        elif mistaken:
            self.loss += 1.0
        self.mistakes += mistaken
        if mistaken and rival is not None:
            self.w[label] += x
            self.w[rival] -= x
        self.seen = max(self.seen, label + 1)
