"""Where a quotation mark is opened and never closed.

A mark opens a field only where the field begins: right behind a delimiter or a line end
(``5" pipe`` is a field like any other). Inside, two marks are a letter, and one closes.
So it is for pyarrow, pandas and Python's csv.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ..chunk import Lines

if TYPE_CHECKING:
    from .text_blocks import Bytes


MARK, RETURN = 34, 13
BOM = b"\xef\xbb\xbf"


def open_mark(text: bytes | bytearray, end: int, delimiter: str) -> int:
    """Where the field begins that is still open at `end`; -1 if none is.

    The text begins with a row, and is whole at `end`: a row, or the data, ends there.
    """
    if text.find(b'"', 0, end) < 0:
        return -1
    pairs = mark_pairs(np.frombuffer(text, np.uint8, end), delimiter)
    if pairs is None:
        return _open_mark_slowly(text, end, delimiter)
    opening, closing = pairs
    if opening.size == closing.size:
        return -1
    doubled = opening[1:] == closing[: opening.size - 1] + 1
    return int(opening[np.flatnonzero(np.append(True, ~doubled))[-1]])


def mark_pairs(letters: Bytes, delimiter: str) -> tuple[Lines, Lines] | None:
    """The marks that open and those that close, in turn; None where some are letters.

    If every second mark stands at the beginning of a field, or is the second one of
    two, then marks open and close in turn.
    """
    marks = np.flatnonzero(letters == MARK)
    opening, closing = marks[0::2], marks[1::2]
    before = letters[opening - 1]
    begins = (before == ord(delimiter)) | (before == 10) | (before == RETURN)
    if marks.size:
        begins[0] |= opening[0] == (3 if letters[:3].tobytes() == BOM else 0)
    begins[1:] |= opening[1:] == closing[: opening.size - 1] + 1
    return (opening, closing) if begins.all() else None


def last_row_end(text: bytes | bytearray, end: int, delimiter: str) -> int:
    """Where the last row ends that is whole before `end`; 0 if none is."""
    end = text.rfind(b"\n", 0, end) + 1
    while end and (opened := open_mark(text, end, delimiter)) >= 0:
        end = text.rfind(b"\n", 0, opened) + 1
    return end


def _open_mark_slowly(text: bytes | bytearray, end: int, delimiter: str) -> int:
    """The same, field by field: some marks are letters."""
    for field in _quoted_field(delimiter).finditer(text, 0, end):
        if field[1] is None:
            return field.start()
    return -1


@lru_cache
def _quoted_field(delimiter: str) -> re.Pattern[bytes]:
    edge = re.escape(delimiter).encode()
    return re.compile(
        rb"(?:(?<=[\r\n])|(?<=" + edge + rb")|\A(?:\xef\xbb\xbf)?)"
        rb'"[^"]*+(?:""[^"]*+)*+(")?'
    )
