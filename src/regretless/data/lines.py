"""Cut a stream of bytes into blocks of whole lines, without looking at the lines."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import closing

from .chunk import Broken, Piece
from .compression import Bytes
from .formats.quotes import last_row_end, open_mark

BLOCK = 1 << 21  # bytes a block: what is done once a block no longer shows
LONGEST = 1 << 26  # bytes a line may have
MARK = b"\xef\xbb\xbf"  # the byte order mark that some programs put in front of UTF-8
EMPTY = re.compile(rb"\n*+(?:(?:\r\n)++\n*+)*+")  # lines


def blocks(
    stream: Bytes,
    *,
    at: int = 0,
    size: int | None = None,
    longest: int | None = None,
    delimiter: str | None = None,
) -> Generator[Piece]:
    """Cut `stream`, which stands at the byte `at` of its file, into blocks.

    A block has `size` bytes or fewer, or begins with a line that is longer (`longest`
    at most). With a `delimiter`, fields may be quoted, and may then hold line ends: no
    block ends inside one. Where the stream breaks off, or a quotation mark is never
    closed, the whole lines (or rows) before are handed over first. The last line of a
    `torn` stream is left out: it was unfinished.
    """
    size, longest = size or BLOCK, longest or LONGEST
    rest: bytes | bytearray = b""
    begin, room = at, size
    while True:
        while room <= len(rest):
            room *= 2  # as if the rest were read anew: blocks do not depend on the past
        buffer = bytearray(min(room, max(len(rest), longest) + 1))
        buffer[: len(rest)] = rest
        filled, broken = _fill(stream, buffer, len(rest))
        ended = filled < len(buffer) and broken is None
        if ended and getattr(stream, "torn", False):
            filled = _cut(buffer, filled, delimiter)  # how it goes on is unknown
        if ended and delimiter is not None:
            broken = _never_closed(buffer, filled, delimiter)
            ended = broken is None
        cut = filled if ended else _cut(buffer, filled, delimiter)
        if not cut and not ended and broken is None:
            if filled > longest:
                raise _too_long(buffer, longest, delimiter)
            rest = buffer
            continue
        first = len(MARK) if begin == 0 and buffer.startswith(MARK) else 0
        view = memoryview(buffer)
        if cut > first:
            yield Piece(view[first:cut], begin + first, begin + cut)
        if broken is not None:
            raise broken
        if ended:
            return
        rest, room = bytes(view[cut:filled]), size
        begin += cut


def filled(pieces: Generator[Piece]) -> Generator[Piece]:
    """The pieces from their first line on that is not empty; those that have one."""
    above = 0
    with closing(pieces):
        try:
            for piece in pieces:
                text, empty = skip_empty(piece.data)
                above += empty
                if text:
                    yield piece._replace(data=text, above=above)
                    above = 0
        except Broken as error:
            error.below += above
            raise


def skip_empty(text: memoryview) -> tuple[memoryview, int]:
    """The text behind its first lines that are empty, and how many those are."""
    match = EMPTY.match(text)
    end = match.end() if match else 0
    return text[end:], bytes(text[:end]).count(b"\n")


def _fill(stream: Bytes, buffer: bytearray, filled: int) -> tuple[int, Broken | None]:
    """Read until the buffer is full, or the stream has ended or breaks off."""
    view = memoryview(buffer)
    try:
        while filled < len(buffer):
            got = stream.readinto(view[filled:])
            if not got:
                break
            filled += got
    except Broken as error:
        return filled, error
    return filled, None


def _cut(buffer: bytearray, filled: int, delimiter: str | None) -> int:
    """Where the last line (or row) that is whole ends."""
    if delimiter is None:
        return buffer.rfind(b"\n", 0, filled) + 1
    return last_row_end(buffer, filled, delimiter)


def _never_closed(buffer: bytearray, end: int, delimiter: str) -> Broken | None:
    """What to say of the end of the data, if it is inside quotation marks."""
    opened = open_mark(buffer, end, delimiter)
    if opened < 0:
        return None
    row = last_row_end(buffer, opened, delimiter)
    what = "a quotation mark is opened and never closed"
    return Broken(what, in_line=True, below=buffer.count(b"\n", row, opened))


def _too_long(buffer: bytearray, longest: int, delimiter: str | None) -> Broken:
    lines = buffer.count(b"\n")
    if delimiter is None or not lines:
        return Broken(f"the line is longer than {_human(longest)}", in_line=True)
    opened = open_mark(buffer, len(buffer), delimiter)
    return Broken(
        f"a quotation mark is opened and not closed within {_human(longest)}",
        in_line=True,
        below=buffer.count(b"\n", 0, max(opened, 0)),
    )


def _human(size: int) -> str:
    return f"{size >> 20} MB" if size >= 1 << 20 else f"{size:,} bytes"
