"""A seeded stream of messages, spam and not, as Vowpal Wabbit text.

Words are drawn by Zipf's law, tilted word by word in spam and the other way in the
rest; a few words that everybody knows are tilted more. One label in fifty is wrong.
"""

from __future__ import annotations

from itertools import chain, islice, product
from pathlib import Path
from typing import Any

import numpy as np

WORDS = 30  # drawn for each message
VOCABULARY = 20_000
KNOWN = """
free winner cash offer urgent prize click viagra credit guaranteed
meeting thanks schedule regards attached lunch report minutes draft review
"""
SYLLABLES = "ba ce di fo gu ka le mi no pu ra se ti vo za lin mar pel ron sun"
TILT = 0.35  # of an ordinary word
STRONG = 1.2  # of a word that everybody knows
WRONG = 0.02


def write_messages(path: Path, n: int, seed: int) -> None:
    """Write `n` messages with their labels.

    The words and how they lean are the same for every `seed`: two files are two samples
    from one distribution.
    """
    words = _vocabulary()
    known = len(KNOWN.split())
    lean = TILT * np.random.default_rng(0).standard_normal(VOCABULARY)
    lean[:known] = np.repeat([STRONG, -STRONG], known // 2)
    rank = np.random.default_rng(1).permutation(VOCABULARY)
    rank[:known] = np.arange(200, 200 + 10 * known, 10)
    rng = np.random.default_rng(seed)
    spam = rng.random(n) < 0.4
    drawn = np.empty((n, WORDS), np.int64)
    for label in (False, True):
        popularity = np.exp(lean if label else -lean) / (rank + 10.0)
        cumulative = np.cumsum(popularity)[:-1] / popularity.sum()
        chosen = np.flatnonzero(spam == label)
        drawn[chosen] = np.searchsorted(cumulative, rng.random((chosen.size, WORDS)))
    told = np.where(spam ^ (rng.random(n) < WRONG), "1 | ", "-1 | ").astype(object)
    drawn.sort(axis=1)
    new = np.ones(drawn.shape, np.bool_)
    new[:, 1:] = drawn[:, 1:] != drawn[:, :-1]  # a word counts once
    text = words[drawn]
    text[:, 0] = told + text[:, 0]
    last = WORDS - 1 - np.argmax(new[:, ::-1], axis=1)
    text[np.arange(n), last] += "\n"
    # Joined in one piece: the blank before a label belongs to neither.
    path.write_text(" ".join(text[new].tolist()).replace("\n ", "\n"))


def _vocabulary() -> Any:
    """Words to draw from: some that everybody knows, then made-up ones."""
    made = map("".join, product(SYLLABLES.split(), repeat=4))
    return np.array(list(islice(chain(KNOWN.split(), made), VOCABULARY)), object)
