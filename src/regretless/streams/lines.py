"""Cut a stream of bytes into blocks of whole lines, without looking at the lines."""

from __future__ import annotations

from collections.abc import Generator

from .chunk import Broken, Piece
from .compression import Bytes

__all__ = ["BLOCK", "LONGEST", "blocks"]

BLOCK = 1 << 21  # bytes a block: what is done once a block no longer shows
LONGEST = 1 << 26  # bytes a line may have
MARK = b"\xef\xbb\xbf"  # the byte order mark that some programs put in front of UTF-8


def blocks(
    stream: Bytes,
    *,
    at: int = 0,
    size: int | None = None,
    longest: int | None = None,
    quoted: bool = False,
) -> Generator[Piece]:
    """Cut `stream`, which stands at the byte `at` of its file, into blocks.

    A block has `size` bytes or fewer, or begins with a line that is longer (`longest`
    at most). With `quoted`, no block ends inside quotation marks, so that a quoted
    field may span lines (but not blocks). Where the stream breaks off, the whole lines
    before are handed over first.
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
        cut = filled if ended else _cut(buffer, filled, quoted)
        if not cut and not ended and broken is None:
            if filled > longest:
                raise Broken(f"the line is longer than {_human(longest)}", in_line=True)
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


def _cut(buffer: bytearray, filled: int, quoted: bool) -> int:
    """Where the last line that is whole ends."""
    end = buffer.rfind(b"\n", 0, filled) + 1
    if quoted and buffer.count(b'"', 0, end) % 2:
        # The last mark opened a field that goes on: cut before its line. Where that
        # leaves nothing the mark is a stray one.
        opened = buffer.rfind(b'"', 0, end)
        end = buffer.rfind(b"\n", 0, opened) + 1 or end
    return end


def _human(size: int) -> str:
    return f"{size >> 20} MB" if size >= 1 << 20 else f"{size:,} bytes"
