"""Rows that tempt a certificate to be false, and fresh rows that say the truth.

Each adversity draws a table, the file boundaries in it, and a function that draws
fresh rows of what comes next. Labels are -1 and 1; the last column is a user's number
where there are users.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

COLUMNS = 6
ROWS = 4_000
FRESH = 6_000


class World(NamedTuple):
    """A table, what comes after it, and where a second file begins."""

    X: Any
    y: Any
    fresh: Callable[[], tuple[Any, Any]]
    seam: int | None = None


def rows(rng: Any, n: int, noise: Any = 0.2) -> tuple[Any, Any]:
    """Independent rows; a share `noise` of the labels is turned."""
    X = rng.normal(size=(n, COLUMNS))
    y = np.where(X[:, 0] - X[:, 1] + 0.5 * X[:, 2] * X[:, 3] > 0.0, 1, -1)
    return X, np.where(rng.random(n) < noise, -y, y)


def honest(rng: Any, n: int) -> World:
    """Rows that are new and in random order."""
    return World(*rows(rng, n), lambda: rows(rng, FRESH))


def sorted_by_label(rng: Any, n: int) -> World:
    """All rows of one class first."""
    X, y = rows(rng, n)
    order = np.argsort(y, kind="stable")
    return World(X[order], y[order], lambda: rows(rng, FRESH))


def sorted_by_feature(rng: Any, n: int) -> World:
    """In the order of the column that says most."""
    X, y = rows(rng, n)
    order = np.argsort(X[:, 0])
    return World(X[order], y[order], lambda: rows(rng, FRESH))


def blocks(rng: Any, n: int) -> World:
    """Blocks of 200 rows, each with its own share of errors."""

    def draw(m: int) -> tuple[Any, Any]:
        shares = rng.choice([0.02, 0.3], m // 200 + 1)
        return rows(rng, m, np.repeat(shares, 200)[:m])

    return World(*draw(n), lambda: draw(20 * FRESH))


def last_tenth(rng: Any, n: int) -> World:
    """Labels become much noisier in the last tenth, and stay so."""
    noise = np.where(np.arange(n) < 0.9 * n, 0.05, 0.35)
    return World(*rows(rng, n, noise), lambda: rows(rng, FRESH, 0.35))


def slow_drift(rng: Any, n: int) -> World:
    """Noise grows from 5% to 15% over the file, which has 12,000 rows or more."""
    n *= 3
    noise = 0.05 + 0.1 * np.arange(n) / n
    return World(*rows(rng, n, noise), lambda: rows(rng, FRESH, 0.15))


def daily_cycle(rng: Any, n: int) -> World:
    """Twenty days; at night there are few positives and little noise."""

    def days(m: int) -> tuple[Any, Any]:
        light = 0.5 + 0.5 * np.sin(2.0 * np.pi * np.arange(m) / (n / 20))
        X, y = rows(rng, m, 0.05 + 0.2 * light)
        dark = rng.random(m) > 0.3 + 0.7 * light
        return X, np.where(dark, -1, y)

    return World(*days(n), lambda: days(FRESH // n * n + n))


def _again(how: str, rng: Any, n: int) -> World:
    a, b = rows(rng, n * 6 // 10, 0.35), rows(rng, n * 2 // 10, 0.35)
    X, y = b if how != "first" else (a[0][: n // 5], a[1][: n // 5])
    order = rng.permutation(len(y)) if how == "shuffled" else np.arange(len(y))
    if how == "rounded":
        X = X.round(2)
    parts = [a, b, (X[order], y[order])]
    table, labels = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
    seam = len(labels) - len(y)
    return World(table, labels, lambda: rows(rng, FRESH, 0.35), seam)


def retried_first(rng: Any, n: int) -> World:
    """The first rows come again at the end."""
    return _again("first", rng, n)


def retried_last(rng: Any, n: int) -> World:
    """The last file comes again."""
    return _again("last", rng, n)


def retried_shuffled(rng: Any, n: int) -> World:
    """The last file comes again in another order."""
    return _again("shuffled", rng, n)


def rounded_copies(rng: Any, n: int) -> World:
    """The last file comes again with two decimals."""
    return _again("rounded", rng, n)


def _copied(rng: Any, n: int, times: Any) -> World:
    X, y = rows(rng, n, 0.35)
    numbers = rng.permutation(np.repeat(np.arange(n), times(y)))[:n]
    return World(X[numbers], y[numbers], lambda: rows(rng, FRESH, 0.35))


def minority_twice(rng: Any, n: int) -> World:
    """Every row of one class stands there twice, shuffled."""
    return _copied(rng, n, lambda y: np.where(y > 0, 2, 1))


def every_row_thrice(rng: Any, n: int) -> World:
    """A join has multiplied the rows, shuffled."""
    return _copied(rng, n // 2, lambda y: np.full(y.size, 3))


def users(rng: Any, n: int) -> World:
    """Forty users with tastes of their own, shuffled; fresh rows are of new users."""

    def draw(m: int, people: int) -> tuple[Any, Any]:
        who = rng.integers(0, people, m)
        marks = rng.normal(size=(people, COLUMNS))
        taste = rng.choice([-1, 1], people)
        X = marks[who] + 0.1 * rng.normal(size=(m, COLUMNS))
        return X, np.where(rng.random(m) < 0.1, -taste[who], taste[who])

    return World(*draw(n, 40), lambda: draw(FRESH, 2_000))


ADVERSITIES: dict[str, Callable[[Any, int], World]] = {
    one.__name__: one
    for one in (
        honest,
        sorted_by_label,
        sorted_by_feature,
        blocks,
        last_tenth,
        slow_drift,
        daily_cycle,
        retried_first,
        retried_last,
        retried_shuffled,
        rounded_copies,
        minority_twice,
        every_row_thrice,
        users,
    )
}
NOT_TOLD = ("users",)
"""Those that nothing in the rows tells from honest ones: the docs list them."""
