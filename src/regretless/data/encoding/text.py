r"""Text to words: the one rule, for events, tables and files alike.

A word is a longest run of letters, digits and underscores (of any script: ``\w+``), in
lower case, each letter on its own. An n-gram is n words that follow each other, with
one blank between them, whatever stood there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

WORD = re.compile(r"\w+")


def lower_case(text: str) -> str:
    """The text in lower case, letter by letter.

    ``str.lower`` does so but for two letters: it makes a capital dotted I two letters,
    and looks at what stands around a capital sigma.
    """
    if not text.isascii():
        text = text.replace("\u0130", "i").replace("\u03a3", "\u03c3")
    return text.lower()


def words_of(text: str, ngrams: int = 1) -> list[str]:
    """The words of a text in order, and the n-grams that end with each.

    Examples
    --------
    >>> words_of("Don't panic: it's 1979!", 2)  # doctest: +NORMALIZE_WHITESPACE
    ['don', 't', 'don t', 'panic', 't panic', 'it', 'panic it', 's', 'it s', '1979',
    's 1979']
    """
    words = WORD.findall(lower_case(text))
    if ngrams == 1:
        return words
    return [
        " ".join(words[i - n : i + 1])
        for i in range(len(words))
        for n in range(min(ngrams, i + 1))
    ]


def count_words(
    text: str, ngrams: int = 1, *, presence: bool = False
) -> dict[str, float]:
    """How often each word (and n-gram) occurs; or 1 for each that does."""
    return counted(words_of(text, ngrams), presence=presence)


def counted(words: Iterable[str], *, presence: bool = False) -> dict[str, float]:
    """How often each occurs, in the order in which they first do."""
    counts: dict[str, float] = {}
    for word in words:
        counts[word] = 1.0 if presence else counts.get(word, 0.0) + 1.0
    return counts
