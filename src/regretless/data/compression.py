"""Compressed files: told from the name or the first bytes, errors in plain words."""

from __future__ import annotations

from typing import Protocol

from .chunk import Broken
from .pyarrow_import import arrow

SUFFIXES = {
    ".gz": "gzip",
    ".zst": "zstd",
    ".zstd": "zstd",
    ".bz2": "bz2",
    ".lz4": "lz4",
}
MAGIC = {
    b"\x1f\x8b": "gzip",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"BZh": "bz2",
    b"\x04\x22\x4d\x18": "lz4",
}


class Bytes(Protocol):
    """A stream of bytes."""

    def readinto(self, buffer: bytearray | memoryview, /) -> int | None:
        """Fill the buffer as far as one read goes; 0 at the end."""
        ...

    def close(self) -> None:
        """Be done."""
        ...


class StoredBytes(Bytes, Protocol):
    """A stream of bytes that says where it stands; those of a file can go elsewhere."""

    def tell(self) -> int:
        """Where it stands."""
        ...

    def seek(self, at: int, /) -> object:
        """Go there."""
        ...


def compression_of(name: str, first: bytes) -> tuple[str | None, str]:
    """The compression of a file, and its name without the ending that told it.

    The bytes decide; the name only settles what an empty file would have been.
    """
    ending = next((end for end in SUFFIXES if name.lower().endswith(end)), "")
    bare = name[: len(name) - len(ending)] if ending else name
    for magic, kind in MAGIC.items():
        if first.startswith(magic):
            return kind, bare
    if ending and first:
        raise ValueError(f"{name}: it is named {ending} but is not {SUFFIXES[ending]}")
    return None, bare


def decompressed(raw: object, kind: str) -> Bytes:
    """The bytes inside a compressed stream."""
    return _Decompressed(arrow().CompressedInputStream(raw, kind), kind)


class _Decompressed:
    """A decompressing stream whose errors say what is the matter."""

    def __init__(self, stream: Bytes, kind: str) -> None:
        self._stream = stream
        self._kind = kind

    def readinto(self, buffer: bytearray | memoryview, /) -> int:
        try:
            return self._stream.readinto(buffer) or 0
        except OSError as error:
            said = str(error)
            if "Truncated" in said:
                what = f"the {self._kind} stream ends in the middle: truncated?"
            elif "failed" in said:
                what = f"the {self._kind} stream is corrupt"
            else:
                raise
            raise Broken(what) from None

    def close(self) -> None:
        self._stream.close()
