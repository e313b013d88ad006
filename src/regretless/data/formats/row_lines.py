"""Where the rows of a block of delimited text begin, found without reading fields.

A line that is empty is no row. Inside quotation marks a line end is a letter, so that a
row may have several lines.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..chunk import Lines
from .quotes import RETURN, mark_pairs

NEWLINE = 10


class LineBlock(NamedTuple):
    """A block of lines.

    Attributes
    ----------
    text : memoryview
        Without the header.
    names : tuple of str
        The columns of this file.
    """

    text: memoryview
    names: tuple[str, ...]


class RowLines(NamedTuple):
    """The rows of a block.

    Attributes
    ----------
    starts : ndarray of int64
        Where each begins; and where the text ends.
    lines : ndarray of int64
        The first line of each, from 1.
    """

    starts: Lines
    lines: Lines


def find_rows(text: memoryview, delimiter: str, *, quoted: bool) -> RowLines | None:
    """The rows; None where only a reader of fields can tell.

    It can where quotation marks are letters of some fields, or a line ends with CR.
    """
    letters = np.frombuffer(text, np.uint8)
    newline, back = letters == NEWLINE, letters == RETURN
    if (back & ~np.append(newline[1:], False)).any():
        return None
    starts = np.flatnonzero(np.append(True, newline)[:-1] & ~newline & ~back)
    if quoted:
        pairs = mark_pairs(letters, delimiter)
        if pairs is None:
            return None
        opened, closed = (np.searchsorted(marks, starts) for marks in pairs)
        starts = starts[opened == closed]
    lines = 1 + np.searchsorted(np.flatnonzero(newline), starts)
    return RowLines(np.append(starts, letters.size), lines)


def count_lines(text: memoryview) -> int:
    """How many lines there are."""
    letters = np.frombuffer(text, np.uint8)
    if not letters.size:
        return 0
    return int(np.count_nonzero(letters == NEWLINE) + (letters[-1] != NEWLINE))
