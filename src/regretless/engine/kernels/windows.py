"""Text 64 bytes at a time: which of them are of some kind, as the bits of a word.

One vector instruction compares them all (several, on older machines), and the lowest
bit that is set says where the first one stands. Bounds are the caller's business, as in
``kernels.words``: 64 bytes may be read from any position that is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...parts.generic import instruction
from .llvm import ir, types
from .words import address

WINDOW = 64


def _vector() -> Any:
    return ir.VectorType(ir.IntType(8), WINDOW)


def _all(c: int) -> Any:
    return _vector()([c] * WINDOW)


def _window(choose: Callable[[Any, Any], Any]) -> Any:
    """An instruction that marks those of the 64 bytes from `at` on which are chosen."""

    def define(typing_context: Any, text: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            place = address(context, builder, signature.args[0], *given)
            pointer = builder.bitcast(place, _vector().as_pointer())
            many = builder.load(pointer, align=1)
            return builder.bitcast(choose(builder, many), ir.IntType(WINDOW))

        return types.uint64(text, types.int64), generate

    return instruction(define)


def _any_of(characters: bytes) -> Callable[[Any, Any], Any]:
    def choose(builder: Any, many: Any) -> Any:
        same = [builder.icmp_unsigned("==", many, _all(c)) for c in characters]
        for other in same[1:]:
            same[0] = builder.or_(same[0], other)
        return same[0]

    return choose


def _no_digits(builder: Any, many: Any) -> Any:
    return builder.icmp_unsigned(">", builder.sub(many, _all(ord("0"))), _all(9))


def _name_ends(builder: Any, many: Any) -> Any:
    low = builder.icmp_unsigned("<=", many, _all(ord(" ")))
    return builder.or_(low, _any_of(b":|")(builder, many))


no_digits = _window(_no_digits)
"""Which are no decimal digits."""

name_ends = _window(_name_ends)
"""Which end a name: ':', '|', and all up to the blank, so tab, newline and controls."""

newlines = _window(_any_of(b"\n"))
colons = _window(_any_of(b":"))
blanks = _window(_any_of(b" \t"))


@instruction
def ones(typing_context: Any, bits: Any) -> Any:
    """How many bits are set."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.ctpop(given[0])

    return types.int64(types.uint64), generate
