"""Streams of bytes as others take them, and what is done with one at its beginning."""

from __future__ import annotations

from io import RawIOBase
from typing import TYPE_CHECKING

from .compression import Bytes

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


class Readable:
    """A stream of bytes with ``read``."""

    closed = False

    def __init__(self, stream: Bytes) -> None:
        self._stream = stream

    def read(self, size: int) -> bytes:
        """So many bytes, or all there are."""
        # Step by step: a damaged file may ask for more than there is in the world.
        found = bytearray()
        while step := min(size - len(found), 1 << 20):
            more = fill(self._stream, step)
            found += more
            if len(more) < step:
                break
        return bytes(found)

    def close(self) -> None:
        """Be done."""
        self.closed = True
        self._stream.close()


class Rejoined(RawIOBase):
    """A pipe of which the first bytes were read already."""

    def __init__(self, first: bytes, rest: Bytes) -> None:
        self._first = memoryview(first)
        self._rest = rest
        self._past = 0

    def readable(self) -> bool:
        """Whether it can be read."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fill the buffer as far as one read goes; 0 at the end."""
        room = memoryview(buffer)
        if not self._first:
            got = self._rest.readinto(room) or 0
        else:
            got = min(len(self._first), len(room))
            room[:got] = self._first[:got]
            self._first = self._first[got:]
        self._past += got
        return got

    def tell(self) -> int:
        """How many bytes have been read."""
        return self._past

    def close(self) -> None:
        """Be done."""
        super().close()
        self._rest.close()


def fill(raw: Bytes, size: int) -> bytes:
    """The first `size` bytes, or all there are."""
    buffer = bytearray(size)
    view = memoryview(buffer)
    filled = 0
    while filled < size and (got := raw.readinto(view[filled:])):
        filled += got
    return bytes(view[:filled])


def skip(stream: Bytes, count: int) -> None:
    """Read so many bytes, and forget them."""
    buffer = memoryview(bytearray(min(count, 1 << 20)))
    while count and (got := stream.readinto(buffer[:count])):
        count -= got
