"""Where a quotation mark is opened and never closed.

A mark opens a field only where the field begins: right behind a delimiter or a line end
(``5" pipe`` is a field like any other). Inside, two marks are a letter, and one closes.
So it is for pyarrow, pandas and Python's csv.
"""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

__all__ = ["last_row_end", "open_mark"]

MARK = ord('"')
BOM = b"\xef\xbb\xbf"


def open_mark(text: bytes | bytearray, end: int, delimiter: str) -> int:
    """Where the field begins that is still open at `end`; -1 if none is.

    The text begins with a row, and is whole at `end`: a row, or the data, ends there.
    """
    if text.find(b'"', 0, end) < 0:
        return -1
    letters = np.frombuffer(text, np.uint8, end)
    marks = np.flatnonzero(letters == MARK)
    opening, closing = marks[0::2], marks[1::2]
    before = letters[opening - 1]
    begins = (before == ord(delimiter)) | (before == 10) | (before == 13)
    begins[0] |= opening[0] == (3 if text.startswith(BOM) else 0)
    # If every second mark stands at the beginning of a field, or is the second one of
    # two, then marks open and close in turn.
    doubled = np.zeros(opening.size, np.bool_)
    doubled[1:] = opening[1:] == closing[: opening.size - 1] + 1
    if not (begins | doubled).all():
        return _open_mark_slowly(text, end, delimiter)
    if opening.size == closing.size:
        return -1
    return int(opening[np.flatnonzero(~doubled)[-1]])


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
