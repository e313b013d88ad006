"""The data: sparse text-like rows with labels, and dict events, from fixed seeds.

Shaped like RCV1 after tf-idf: the popularity of words follows Zipf's law, the numbers
of words are anyhow (hashed, or in alphabetical order), values are log-normal and every
row has length one. A Perceptron errs on 7% of the rows of its first pass, as it
does on the largest topic of RCV1.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

__all__ = ["Data", "bags_of_words", "fixed_schema", "text_like"]

ROWS = 200_000
FEATURES = 47_000
DRAWS = 83  # words a row, which leave about 72 different ones
EXPONENT = 1.05
TOPICAL = 0.07  # of the words are about the topic
POSITIVE = 0.47  # of the rows are on topic

Floats = np.ndarray[Any, np.dtype[np.float64]]
Event = tuple[dict[str, float], bool]


class Data(NamedTuple):
    """Rows and their labels, -1 and +1."""

    X: Any
    y: Floats


@cache
def text_like(seed: int = 2) -> Data:
    """200,000 rows with about 72 nonzeros among 47,000 features."""
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(ROWS) < POSITIVE, 1.0, -1.0)
    sizes = rng.lognormal(np.log(DRAWS), 0.4, ROWS).astype(np.int64) + 1
    row = np.repeat(np.arange(ROWS), sizes)

    # A word has a popularity in the language, and another one in its topic.
    language, negative, positive = (rng.permutation(FEATURES) for _ in range(3))
    topical = rng.random(row.size) < TOPICAL
    rank = _zipf(rng.random(row.size))
    word = np.where(
        topical, np.where(y[row] > 0, positive[rank], negative[rank]), language[rank]
    )
    cells = np.sort(row * FEATURES + word)
    rows, columns = np.divmod(cells[np.diff(cells, prepend=-1) > 0], FEATURES)

    values = rng.lognormal(0.0, 0.6, rows.size)
    values /= np.sqrt(np.bincount(rows, values * values, ROWS))[rows]
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=ROWS))])
    X = csr_array(
        (values, columns.astype(np.int32), starts.astype(np.int32)),
        shape=(ROWS, FEATURES),
    )
    return Data(X, y)


def _zipf(uniform: Floats) -> Any:
    """Ranks from 0 on, of which rank r has a probability of about (r+1)^-EXPONENT."""
    power = 1.0 - EXPONENT
    most = (FEATURES + 1.0) ** power
    return ((1.0 + uniform * (most - 1.0)) ** (1.0 / power)).astype(np.int64) - 1


def fixed_schema(n: int, width: int) -> list[Event]:
    """`n` events that all have the same names, as sensors and log lines do."""
    dice = random.Random(3)
    names = [f"sensor_{i}" for i in range(width)]
    return [_labelled({name: dice.gauss(0.0, 1.0) for name in names}) for _ in range(n)]


def bags_of_words(n: int, width: int, known: int = FEATURES) -> list[Event]:
    """`n` events with `width` names each, out of 47,000 or so many."""
    dice = random.Random(4)
    words = [f"word_{i}" for i in range(known)]
    return [
        _labelled({word: dice.gauss(0.0, 1.0) for word in dice.sample(words, width)})
        for _ in range(n)
    ]


def _labelled(x: dict[str, float]) -> Event:
    return x, sum(x.values()) > 0.0
