"""Arguments into a frame: the words of arrays and numbers, read off Python's objects.

A call of a kernel needs the addresses of some twenty arrays. To ask numpy for them in
Python takes longer than to learn a row. So this kernel reads them where they lie, at
places that are part of the binary interface of Python and numpy. It looks at the type
of everything first. What it does not expect it leaves to ``frame.Format.pack``, which
takes it or complains.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...parts.generic import instruction
from .compiled import kernel
from .event import failed, whole_number
from .llvm import ir, types

FLOAT, INTEGER, ARRAY = range(3)
TYPES = (float, int, np.ndarray, bool)
"""The types that are read here; the last one is an integer as well."""

HEAD = object.__basicsize__
_TYPE = HEAD - 8  # the last word of every object's head
_LENGTH, _MEMBERS = HEAD, tuple.__basicsize__
_REAL = HEAD
_DATA, _DIMENSIONS, _FLAGS = HEAD, HEAD + 16, HEAD + 48
_RANK = HEAD + 8
_HALF = 0xFFFFFFFF
_CONTIGUOUS = 1


@instruction
def word_at(typing_context: Any, address: Any) -> Any:
    """The word at an address."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        place = builder.inttoptr(given[0], ir.IntType(64).as_pointer())
        return builder.load(place, align=4)

    return types.int64(types.int64), generate


@kernel(nogil=False)
def pack_frame(arguments: int, program: Any, kinds: Any, frame: Any) -> int:
    """Write the words of a tuple of arguments; how many leaves were written.

    `program` says for each leaf: what it is, the rank of an array, how deep it lies,
    and on every level the type and the length of the tuple, and which member it is.
    `kinds` are the addresses of `TYPES`. Fewer leaves than there are mean that the next
    one is something else.
    """
    at = k = leaves = 0
    while k < program.size:
        what, rank, depth = program[k], program[k + 1], program[k + 2]
        k += 3
        thing = arguments
        for _ in range(depth):
            if word_at(thing + _TYPE) != program[k]:
                return leaves
            if word_at(thing + _LENGTH) != program[k + 1]:
                return leaves
            thing = word_at(thing + _MEMBERS + 8 * program[k + 2])
            k += 3
        kind = word_at(thing + _TYPE)
        if kind != kinds[what] and not (what == INTEGER and kind == kinds[3]):
            return leaves
        if what == FLOAT:
            frame[at] = word_at(thing + _REAL)
            at += 1
        elif what == INTEGER:
            number = whole_number(thing)
            if number == -1 and failed():
                return leaves
            frame[at] = number
            at += 1
        else:
            flags = word_at(thing + _FLAGS)
            if word_at(thing + _RANK) & _HALF != rank or not flags & _CONTIGUOUS:
                return leaves
            frame[at] = word_at(thing + _DATA)
            shape = word_at(thing + _DIMENSIONS)
            for d in range(rank):
                frame[at + 1 + d] = word_at(shape + 8 * d)
            at += 1 + rank
        leaves += 1
    return leaves
