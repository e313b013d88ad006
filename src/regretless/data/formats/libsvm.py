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

import math
from typing import NamedTuple

import numpy as np

from ...engine.kernels.compiled import entry
from ...engine.kernels.libsvm import (
    AT,
    DONE,
    END,
    ENTRIES,
    LINE,
    LOOK,
    ROWS,
    WIDTH,
    Indices,
    ParsedRows,
    parse_libsvm,
)
from ...engine.kernels.lines import COLONS
from ...parts.rows import Longs, Sparse
from ..chunk import Chunk, Problem
from ..encoding.fault import Fault
from .text_blocks import Text, number, open_block, quote

MAX_INDEX = 2**62
TABLE = 1024
DIGITS = frozenset(b"0123456789")


class LibsvmRow(NamedTuple):
    """A line as Python reads it."""

    label: float
    columns: list[int]
    values: list[float]


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
        opened = open_block(block)
        n, most = opened.n_lines, int(opened.counts[COLONS])
        found = ParsedRows(
            np.zeros(n + 1, np.int64),
            np.empty(most, np.int32),
            np.empty(most, np.float64),
            np.empty(n, np.float64),
            np.empty(n, np.int64),
        )
        state = np.zeros(6, np.int64)
        seen = np.full(1 if self.bits is None else TABLE, -1, np.int64)
        problems: list[Problem] = []
        for text, size in opened.stretches:
            state[AT] = 0
            arguments = (text, size, self.indices, found, seen, state)
            kernel = entry(parse_libsvm, arguments)
            while (why := kernel(*arguments)) != DONE:
                if why == LOOK:
                    line = text[state[AT] : state[END]].tobytes()
                    self._look(line, found, state, problems)
                else:
                    seen = np.full(2 * seen.size, -1, np.int64)
                    arguments = (text, size, self.indices, found, seen, state)
        rows, entries = int(state[ROWS]), int(state[ENTRIES])
        return Chunk(
            Sparse(
                found.starts[: rows + 1],
                found.columns[:entries],
                found.values[:entries],
            ),
            found.labels[:rows],
            int(state[WIDTH]) if self.bits is None else 2**self.bits,
            found.lines[:rows],
            n,
            problems=tuple(problems),
        )

    def _look(
        self, line: bytes, found: ParsedRows, state: Longs, problems: list[Problem]
    ) -> None:
        """See to a line that the kernel left: a problem, or a row after all."""
        state[AT] = state[END]
        state[LINE] += 1
        k, first = int(state[ROWS]), int(state[ENTRIES])
        try:
            row = read_line(line, self.indices)
        except Fault as fault:
            problems.append(Problem(k, int(state[LINE]), str(fault)))
            return
        last = first + len(row.columns)
        found.labels[k] = row.label
        found.lines[k] = state[LINE]
        found.columns[first:last] = row.columns
        found.values[first:last] = row.values
        found.starts[k + 1] = last
        state[ROWS] = k + 1
        state[ENTRIES] = last
        state[WIDTH] = max([int(state[WIDTH]), *(c + 1 for c in row.columns)])


def read_line(line: bytes, indices: Indices) -> LibsvmRow:
    """A line that has a row, as Python reads it, or the :class:`Fault` it has."""
    line = line.removesuffix(b"\n").removesuffix(b"\r").partition(b"#")[0]
    tokens = [token for token in line.replace(b"\t", b" ").split(b" ") if token]
    label = math.nan
    if tokens and b":" not in tokens[0]:
        label = read_label(tokens.pop(0))
    if tokens and tokens[0].startswith(b"qid:"):
        query = tokens.pop(0)
        if not is_digits(query[4:]):
            raise Fault(f"{quote(query)}: qid must be a whole number")
    columns: dict[int, float] = {}
    last = -1
    for position, token in enumerate(tokens, 1):
        index, value = read_entry(token, position, last, indices)
        last = index
        column = index - indices.base
        if indices.mask >= 0:
            column &= indices.mask
            value = columns.get(column, 0.0) + value if column in columns else value
            if not math.isfinite(value):
                raise Fault(f"the values that fold into column {column} overflow")
        columns[column] = value
    return LibsvmRow(label, list(columns), list(columns.values()))


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
