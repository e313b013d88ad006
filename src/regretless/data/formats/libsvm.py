"""LIBSVM (SVMlight) text: blocks of whole lines to chunks of sparse rows.

    [label] [qid:N] index:value index:value ... [# comment]

Indices ascend and begin at 1, or at 0 for ``zero_based`` files. Blanks are spaces and
tabs; lines end with LF or CRLF; empty lines and lines of nothing but a comment are no
rows. A row without label is one that is predicted and not learned; a row without
entries is a row. ``qid`` is ignored. Zeros that are written down are kept.

Numbers are plain decimals, read exactly as ``float()`` reads them; nan, inf, hex digits
and underscores are refused, as is everything else that is not of this form.
"""

from __future__ import annotations

from ...engine.kernels.libsvm import (
    WIDTH,
    Indices,
    ParsedRows,
    parse_libsvm,
)
from ...engine.kernels.lines import COLONS
from ..chunk import Chunk
from ..encoding.fault import Fault
from .block_parse import BlockParse
from .text_blocks import Text, number, quote

MAX_INDEX = 2**62
TABLE = 1024
DIGITS = frozenset(b"0123456789")


class LibsvmParser:
    """Parses blocks of LIBSVM text. Holds nothing that changes: threads share one.

    Parameters
    ----------
    zero_based : bool
        Whether indices count from 0. The first index is column 0 either way.
    max_features : int
        Columns must be below; it keeps one wrong index from asking for all memory.
    bits : int, optional
        Fold columns into 2^bits: column modulo 2^bits, and the values of a row that
        come to share a column are added up. Then `max_features` does not matter.
    """

    def __init__(
        self, *, zero_based: bool, max_features: int = 2**26, bits: int | None = None
    ) -> None:
        if not 1 <= max_features <= 2**31 - 1:
            raise ValueError(f"max_features={max_features} must be from 1 to 2^31 - 1")
        if bits is not None and not 1 <= bits <= 30:
            raise ValueError(f"bits={bits} must be from 1 to 30")
        self.bits = bits
        self.indices = Indices(
            0 if zero_based else 1,
            max_features if bits is None else MAX_INDEX,
            -1 if bits is None else 2**bits - 1,
        )

    def parse(self, block: Text) -> Chunk:
        """The rows of a block of whole lines, and the lines that are no rows.

        Bad lines are named in ``problems``; the good rows before and after them are all
        there. Lines are counted from 1 within the block.
        """
        return _LibsvmBlock(self, block).run(0 if self.bits is None else 2**self.bits)


class _LibsvmBlock(BlockParse):
    """One block of LIBSVM text."""

    def __init__(self, parser: LibsvmParser, text: Text) -> None:
        seen = 1 if parser.bits is None else TABLE
        super().__init__(parse_libsvm, text, ParsedRows, COLONS, seen)
        self.indices = parser.indices

    def arguments(self) -> tuple[object, ...]:
        """The rules for indices, and where rows go to."""
        return self.indices, self.found

    def respelled(self, line: bytes) -> bytes:
        """A line that the kernel left, or what is wrong with it."""
        return respelled(line, self.indices)

    def run(self, width: int) -> Chunk:
        """The rows of all lines, as wide as they are where no width is given."""
        chunk = super().run(width)
        return chunk._replace(n_features=width or int(self.state[WIDTH]))


def respelled(line: bytes, indices: Indices) -> bytes:
    """A line with numbers as the kernel reads them, or the :class:`Fault` it has."""
    blank = line.partition(b"#")[0].replace(b"\t", b" ")
    tokens = [token for token in blank.split(b" ") if token]
    words: list[str] = []
    if tokens and b":" not in tokens[0]:
        words.append(repr(read_label(tokens.pop(0))))
    if tokens and tokens[0].startswith(b"qid:"):
        query = tokens.pop(0)
        if not is_digits(query[4:]):
            raise Fault(f"{quote(query)}: qid must be a whole number")
        words.append("qid:0")
    last = -1
    for position, token in enumerate(tokens, 1):
        last, value = read_entry(token, position, last, indices)
        words.append(f"{last}:{value!r}")
    return " ".join(words).encode()


def read_label(token: bytes) -> float:
    """The label that `token` is."""
    if b"," in token:
        raise Fault(f"label {quote(token)}: there must be one label, not several")
    return number(token, f"label {quote(token)}")


def read_entry(
    token: bytes, position: int, last: int, indices: Indices
) -> tuple[int, float]:
    """Index and value of the entry `token`, which comes after index `last`."""
    left, colon, right = token.partition(b":")
    where = f"entry {position}, {quote(token)}"
    if not colon:
        raise Fault(f"{where}: there is no colon")
    if not is_digits(left):
        if left[:1] == b"-" and is_digits(left[1:]):
            raise Fault(f"index {left.decode()} is negative")
        raise Fault(f"{where}: index {quote(left)} is not a whole number")
    shown = left.lstrip(b"0").decode() or "0"
    index = int(shown) if len(shown) < 20 else MAX_INDEX + 1
    if index < indices.base:
        raise Fault("index 0: indices count from 1 (unless --zero-based)")
    if index <= last:
        raise Fault(f"index {shown} after {last}: indices must ascend")
    if index - indices.base >= indices.limit:
        raise Fault(too_large(shown, indices))
    return index, number(right, f"value {quote(right)} of index {shown}")


def too_large(shown: str, indices: Indices) -> str:
    """What to say of an index beyond all columns."""
    if len(shown) > 24:
        shown = f"{shown[:20]}..."
    if indices.mask >= 0:
        return f"index {shown} is beyond 2^62"
    return f"index {shown} is beyond max_features={indices.limit} (fold with -b BITS)"


def is_digits(token: bytes) -> bool:
    """Whether `token` is one decimal digit or more, and nothing else."""
    return token != b"" and DIGITS.issuperset(token)
