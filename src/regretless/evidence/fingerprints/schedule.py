"""Which rows are hashed: all of the first 4,096, then fewer, at last one in 32.

Rows are chosen in blocks by their number alone, so the choice does not depend on what
they say. Within a stretch of blocks the chosen one is random: rows that come again
after any number of others meet blocks that were chosen before.
"""

from __future__ import annotations

from collections.abc import Iterator

BLOCK = 64  # rows
ALL = 64  # blocks at the start
RAREST = 32


def chosen(first: int, last: int) -> Iterator[tuple[int, int]]:
    """Ranges of the rows from `first` to `last` (excluded) that are hashed, in order.

    Examples
    --------
    >>> from regretless.evidence.fingerprints.schedule import chosen
    >>> list(chosen(100, 4000))
    [(100, 4000)]
    >>> sum(end - begin for begin, end in chosen(2**20, 2**21)) / 2**20 == 1 / 32
    True
    """
    start = ALL * BLOCK
    if first < start:
        yield first, min(last, start)
        first = start
    block = first // BLOCK
    while block * BLOCK < last:
        width = min(RAREST, 1 << max(1, (block // ALL).bit_length()))
        stretch = block // width * width
        block = stretch + _draw(stretch) % width
        begin, end = max(first, block * BLOCK), min(last, (block + 1) * BLOCK)
        if begin < end:
            yield begin, end
        block = stretch + width


def _draw(number: int) -> int:
    """A number that looks random: the finalizer of SplitMix64."""
    word = (number + 0x9E3779B97F4A7C15) % 2**64
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    word = (word ^ word >> 27) * 0x94D049BB133111EB % 2**64
    return word ^ word >> 31
