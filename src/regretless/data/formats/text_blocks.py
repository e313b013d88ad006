"""What readers of text share: blocks as arrays, numbers, and words for bad tokens."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from ...engine.kernels.compiled import entry
from ...engine.kernels.lines import NEWLINES, SAFE, survey
from ...engine.kernels.words import SPARE
from ...parts.rows import Longs
from ..encoding.fault import Fault

if TYPE_CHECKING:
    import numpy.typing as npt


Bytes: TypeAlias = "npt.NDArray[np.uint8]"
Text: TypeAlias = "bytes | bytearray | memoryview | Bytes"

NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
QUOTED = 30
BOM = (0xEF, 0xBB, 0xBF)


class TextBlock(NamedTuple):
    """A block of text in stretches that kernels may read without looking at bounds.

    Each stretch is an array and how much of it to read: up to and with a newline that
    has ``SPARE`` bytes behind it.
    """

    stretches: tuple[tuple[Bytes, int], ...]
    n_lines: int
    counts: Longs


def open_block(block: Text) -> TextBlock:
    """`block` (bytes, or an array of them), nearly all of it where it is.

    The last lines, where there is no room behind, are copied. A byte order mark at the
    beginning is not text.
    """
    text = np.frombuffer(block, np.uint8) if len(block) else np.empty(0, np.uint8)
    if text.size >= 3 and tuple(text[:3].tolist()) == BOM:
        text = text[3:]
    counts = np.zeros(4, np.int64)
    arguments = (text, counts)
    entry(survey, arguments)(*arguments)
    safe = int(counts[SAFE])
    stretches = [(text, safe)] if safe else []
    n_lines = int(counts[NEWLINES])
    rest = text.size - safe
    if rest:
        tail = np.zeros(rest + 1 + SPARE, np.uint8)
        tail[:rest] = text[safe:]
        if tail[rest - 1] != ord("\n"):
            tail[rest] = ord("\n")
            rest += 1
            n_lines += 1
        stretches.append((tail, rest))
    return TextBlock(tuple(stretches), n_lines, counts)


def quote(token: bytes) -> str:
    """The token in quotes, bytes that are no text escaped, and not too long."""
    shown = token if len(token) <= QUOTED else token[:QUOTED]
    text = shown.decode("utf-8", "backslashreplace")
    text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return f"'{text}'" if shown is token else f"'{text}...'"


def number(token: bytes, what: str) -> float:
    """The float64 nearest to `token`, or a :class:`Fault` about `what`."""
    if NUMBER.fullmatch(token) is None:
        if token.lower().lstrip(b"+-") in (b"nan", b"inf", b"infinity"):
            raise Fault(f"{what} is not a finite number")
        raise Fault(f"{what} is not a number" if token else f"{what} is missing")
    value = float(token)
    if not math.isfinite(value):
        raise Fault(f"{what} is too large for a float64")
    return value
