"""A part of a file, so that several machines can read one file.

Of a text file a span owns the lines that begin in its bytes, wherever they end, so that
spans which lie end to end own every line once, and no line ends are searched in
advance. Of a Parquet file it owns rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from .chunk import Broken
from .compression import Bytes, StoredBytes

LOOK = 1 << 16  # bytes looked at for the end of a line
COUNTED = 1 << 22
MARK = ord('"')
NEWLINE = ord("\n")


class Span(NamedTuple):
    """A file, or the part of one that lies between two positions.

    Attributes
    ----------
    name : str
        The file's.
    begin, end : int or None
        Bytes of a text file, rows of a Parquet file; the end is None for all the rest.
    rows : bool
        Whether positions are rows.
    """

    name: str
    begin: int = 0
    end: int | None = None
    rows: bool = False

    @property
    def whole(self) -> bool:
        """Whether it is all of the file."""
        return self.begin == 0 and self.end is None


class Limited:
    """So many bytes of a stream: more are not read, and fewer are an error.

    A file may be written to while it is read. What is read is what it was at the
    beginning.

    Parameters
    ----------
    stream : stream of bytes
        A file.
    left : int
        How many bytes there are to be.
    counted : bool
        Whether quotation marks are counted.
    last : bool
        Whether the file ended here when it was opened.

    Attributes
    ----------
    marks : int
        How many quotation marks have gone by, where they are counted.
    torn : bool
        Whether the last line was unfinished then, and has been continued since.
    """

    def __init__(
        self,
        stream: StoredBytes,
        left: int,
        *,
        counted: bool = False,
        last: bool = False,
    ) -> None:
        self._stream = stream
        self._left = left
        self._counted = counted
        self._last = last
        self.marks = 0
        self.torn = False

    def readinto(self, buffer: bytearray | memoryview, /) -> int:
        """Fill the buffer as far as one read goes; 0 at the end."""
        room = memoryview(buffer)[: self._left]
        if not len(room):
            return 0
        got = self._stream.readinto(room) or 0
        if not got:
            raise Broken(f"it became shorter: {self._left:,} bytes are missing")
        self._left -= got
        if self._counted:
            text = np.frombuffer(room[:got], np.uint8)
            self.marks += int(np.count_nonzero(text == MARK))
        if not self._left and self._last and room[got - 1] != NEWLINE:
            more = bytearray(1)
            self.torn = bool(self._stream.readinto(more)) and more[0] != NEWLINE
        return got

    def tell(self) -> int:
        """Where the file stands."""
        return self._stream.tell()

    def close(self) -> None:
        """Be done."""
        self._stream.close()


def line_after(stream: StoredBytes, at: int) -> int:
    """Where the first line that begins at `at` or later begins; the end if none does.

    Parameters
    ----------
    stream : stream of bytes
        That can seek.
    at : int
        A byte of the file.
    """
    if at <= 0:
        return 0
    stream.seek(at - 1)
    passed = at - 1
    for text in _pieces(stream, LOOK):
        found = bytes(text).find(b"\n")
        if found >= 0:
            return passed + found + 1
        passed += len(text)
    return passed


def count_bytes(stream: StoredBytes, end: int, letter: int) -> int:
    """How often a byte occurs before the position `end` of a stream."""
    limited = Limited(stream, end)
    return sum(
        int(np.count_nonzero(np.frombuffer(text, np.uint8) == letter))
        for text in _pieces(limited, COUNTED)
    )


def _pieces(stream: Bytes, size: int) -> Iterator[memoryview]:
    buffer = memoryview(bytearray(size))
    while got := stream.readinto(buffer):
        yield buffer[:got]
