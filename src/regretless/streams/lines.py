"""Cut a stream of bytes into blocks of whole lines, without looking at the lines."""

from __future__ import annotations

from collections.abc import Generator

from .chunk import Broken, Piece
from .compression import Bytes

__all__ = ["BLOCK", "LONGEST", "blocks"]

BLOCK = 1 << 20  # bytes a block; reading and cutting run at memory speed from here on
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

    A block has `size` bytes or fewer, or is one line that is longer (`longest` at most). With `quoted`, no
    block ends inside quotation marks, so that a quoted field may span lines (but not
    blocks).
    """
    size, longest = size or BLOCK, longest or LONGEST
    rest: bytes | bytearray = b""
    begin, room = at, size
    while True:
        buffer = bytearray(max(room, len(rest) + 1))
        buffer[: len(rest)] = rest
        filled = _fill(stream, buffer, len(rest))
        ended = filled < len(buffer)
        cut = filled if ended else _cut(buffer, filled, quoted)
        if not cut and not ended:
            if filled > longest:
                raise Broken(f"the line is longer than {_human(longest)}", in_line=True)
            rest, room = buffer, min(2 * filled, max(filled, longest) + 1)
            continue
        first = len(MARK) if begin == 0 and buffer.startswith(MARK) else 0
        view = memoryview(buffer)
        if cut > first:
            yield Piece(view[first:cut], begin + first, begin + cut)
        if ended:
            return
        rest, room = bytes(view[cut:filled]), size
        begin += cut


def _fill(stream: Bytes, buffer: bytearray, filled: int) -> int:
    """Read until the buffer is full or the stream has ended."""
    view = memoryview(buffer)
    while filled < len(buffer):
        got = stream.readinto(view[filled:])
        if not got:
            break
        filled += got
    return filled


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
