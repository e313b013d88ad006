"""Columns of Arrow as arrays of numpy and back, by their buffers.

pyarrow would import pandas for it, and ``pyarrow.compute`` for every cast: together
0.4 s of processor time before the first row, where both take nothing here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...parts.rows import Longs
from ...parts.state import Floats
from ..chunk import Array, Mask
from ..pyarrow_import import Arrow, ArrowColumn, arrow

WHOLE = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
NUMPY = {"double": "float64", "float": "float32", **{name: name for name in WHOLE}}
"""The types of numbers, from Arrow's names to numpy's."""


def numbers_of(column: ArrowColumn) -> Array:
    """Numbers and flags as they are stored, whatever stands where one is missing."""
    n = len(column)
    if str(column.type) == "bool":
        return _bits(column, 1)
    if str(column.type) not in NUMPY:
        return numbers_of(arrow("compute").cast(column, arrow().float64(), safe=False))
    kind = np.dtype(NUMPY[str(column.type)])
    if n == 0:
        return np.zeros(0, kind)
    return np.frombuffer(column.buffers()[1], kind, n, column.offset * kind.itemsize)


def floats_of(column: ArrowColumn, missing: float = 0.0) -> Floats:
    """Numbers and flags as floats, `missing` where there is none."""
    floats = numbers_of(column).astype(np.float64, copy=column.null_count > 0)
    if column.null_count:
        floats[missing_of(column)] = missing
    return floats


def missing_of(column: ArrowColumn) -> Mask:
    """Where there is none."""
    if column.buffers()[0] is None:  # none is missing, or all are
        return np.full(len(column), column.null_count > 0)
    return ~_bits(column, 0)


def _bits(column: ArrowColumn, which: int) -> Mask:
    """The bits of a buffer, one a row."""
    first, n = column.offset, len(column)
    if n == 0:
        return np.zeros(0, np.bool_)
    packed = np.frombuffer(column.buffers()[which], np.uint8)
    return np.unpackbits(packed, bitorder="little")[first : first + n].astype(np.bool_)


def letters_of(words: ArrowColumn) -> tuple[Longs, Array]:
    """Where each word begins in the letters, and the letters."""
    _, offsets, letters = words.buffers()
    kind = np.int64 if str(words.type) == "large_string" else np.int32
    first = words.offset
    begins = np.frombuffer(offsets, kind)[first : first + len(words) + 1]
    if letters is None or letters.size == 0:
        return begins.astype(np.int64), np.empty(0, np.uint8)
    return begins.astype(np.int64), np.frombuffer(letters, np.uint8)


def column_of(numbers: Array, missing: Mask | None = None) -> ArrowColumn:
    """Numbers and flags as a column of Arrow; numbers are not copied."""
    pa, plain = arrow(), np.ascontiguousarray(numbers)
    kind = pa.from_numpy_dtype(plain.dtype)
    data = _packed(plain) if plain.dtype == np.bool_ else pa.py_buffer(plain)
    return pa.Array.from_buffers(kind, plain.size, [_known(missing), data])


def text_column(texts: Sequence[str], missing: Mask | None = None) -> ArrowColumn:
    """Texts as a column of Arrow."""
    pa, letters = arrow(), "".join(texts)
    plain = letters.isascii()
    sizes = map(len, texts) if plain else (len(text.encode()) for text in texts)
    begins = np.cumsum([0, *sizes], dtype=np.int32)
    buffers = [_known(missing), pa.py_buffer(begins), pa.py_buffer(letters.encode())]
    return pa.Array.from_buffers(pa.string(), len(texts), buffers)


def _known(missing: Mask | None) -> Arrow:
    """The bits that say where something is."""
    return None if missing is None or not missing.any() else _packed(~missing)


def _packed(flags: Mask) -> Arrow:
    """Flags as bits."""
    return arrow().py_buffer(np.packbits(flags, bitorder="little"))
