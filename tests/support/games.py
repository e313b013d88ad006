"""Random data in the styles that break online learners, made from a few small numbers.

Hypothesis draws (and shrinks) a seed, a size and a style; numpy makes the rest.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from learners import Case

STYLES = ("normal", "signs", "sparse", "scales", "repeat", "needle", "flip")


class Game(NamedTuple):
    """Rows and labels."""

    X: np.ndarray
    y: np.ndarray


def rows(rng: np.random.Generator, n: int, d: int, style: str) -> np.ndarray:
    """n rows of d numbers."""
    X = rng.normal(size=(n, d))
    if style == "signs":
        X = rng.integers(-1, 2, size=(n, d)).astype(float)
    elif style == "sparse":
        X *= rng.random((n, d)) < 0.3
    elif style == "scales":
        X *= 10.0 ** rng.uniform(-3, 2, size=d)
    elif style == "repeat":
        X = np.repeat(X[:1], n, axis=0)
    elif style == "needle":
        X = np.eye(d)[rng.integers(d, size=n)] * rng.uniform(0.5, 2, size=(n, 1))
    elif style == "flip":
        X[1::2] = X[: n - n % 2 : 2] * -1.0 if n % 2 == 0 else X[1::2]
    return X


def make_game(
    case: Case, seed: int, n: int, d: int, style: str, noise: float = 0.2
) -> Game:
    """A game that `case` accepts."""
    rng = np.random.default_rng(seed)
    X = rows(rng, n, d, style)
    if math.isfinite(case.high):
        X = X / max(1.0, np.abs(X).max())
    if case.low == 0.0:
        X = np.abs(X)
    u = rng.normal(size=d)
    raw = X @ u + noise * rng.normal(size=n)
    if case.low == 0.0:
        raw -= np.median(raw)
    y = np.where(raw > 0, 1.0, -1.0) if case.binary else raw
    if style == "repeat":
        y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    return Game(X, y)


@st.composite
def games(draw, case: Case, rounds: int = 60, features: int = 12) -> Game:
    """Games for hypothesis."""
    return make_game(
        case,
        draw(st.integers(0, 2**20)),
        draw(st.integers(1, rounds)),
        draw(st.integers(1, features)),
        draw(st.sampled_from(STYLES)),
        draw(st.sampled_from([0.0, 0.2, 5.0])),
    )
