"""A corpus that needs no download: sentences of made-up words, with a topic each.

Words are drawn by Zipf's law, from a common vocabulary and from that of the topic;
letters are drawn too, so that a hashing vectorizer has real work to do.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

__all__ = ["hashed_corpus"]

DOCUMENTS = 50_000
LENGTH = 120  # words of a document, on average
COMMON, TOPICAL = 40_000, 5_000  # words
SHARE = 0.12  # of a document's words that are of its topic


def documents(n: int, seed: int = 0) -> tuple[list[str], Any]:
    """Documents, and which of two topics each has; one in twenty is mislabeled."""
    rng = np.random.default_rng(seed)
    words = np.array(_words(rng, COMMON + 2 * TOPICAL))
    topics = rng.integers(2, size=n)
    lengths = rng.poisson(LENGTH, size=n) + 1
    starts = np.concatenate([[0], np.cumsum(lengths)])
    total = int(starts[-1])
    chosen = _zipf(rng, COMMON, total)
    topical = rng.random(total) < SHARE
    whose = np.repeat(topics, lengths)
    own = COMMON + whose * TOPICAL + _zipf(rng, TOPICAL, total)
    chosen = np.where(topical, own, chosen)
    spoken = words[chosen].tolist()
    texts = [
        " ".join(spoken[begin:end])
        for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    ]
    return texts, np.where(rng.random(n) < 0.05, 1 - topics, topics)


@cache
def hashed_corpus(n: int = DOCUMENTS, bits: int = 20) -> tuple[Any, Any]:
    """The documents through scikit-learn's HashingVectorizer, and their labels."""
    from sklearn.feature_extraction.text import HashingVectorizer

    texts, labels = documents(n)
    return HashingVectorizer(n_features=2**bits).transform(texts), labels


def _words(rng: np.random.Generator, n: int) -> list[str]:
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    drawn = letters[rng.integers(26, size=(n, 8))]
    lengths = rng.integers(3, 9, size=n).tolist()
    rows = drawn.tolist()
    return ["".join(row[:k]) for row, k in zip(rows, lengths, strict=True)]


def _zipf(rng: np.random.Generator, size: int, n: int) -> Any:
    """Numbers below `size`, the k-th drawn about as often as 1/k."""
    ranks = np.exp(rng.random(n) * np.log(size)) - 1.0
    return np.minimum(ranks.astype(np.int64), size - 1)
