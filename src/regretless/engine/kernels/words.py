"""Text eight bytes at a time: machine words that kernels read, count and multiply.

numba has no way to load eight bytes from any address, to count zeros, or to take the
upper half of a product, so those few instructions are spelled out for LLVM here.
Positions are int64, words are uint64; the first byte of the text is the lowest of the
word.

None of these looks at bounds. Callers promise that `SPARE` bytes may be
read from any position that is asked for; ``kernels.lines`` says how that is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...parts.generic import compiled, instruction
from .llvm import ir, types

SPARE = 64

_ZEROS = np.uint64(0x3030303030303030)
_LOW_SEVEN = np.uint64(0x7F7F7F7F7F7F7F7F)
_TO_HIGH_BIT = np.uint64(0x7676767676767676)
_HIGH_BITS = np.uint64(0x8080808080808080)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_PAIRS = np.uint64(0x00FF00FF00FF00FF)
_FOURS = np.uint64(0x0000FFFF0000FFFF)
_TENS = np.uint64(10 * 2**8 + 1)
_HUNDREDS = np.uint64(100 * 2**16 + 1)
_MYRIADS = np.uint64(10000 * 2**32 + 1)
_8, _16, _32 = np.uint64(8), np.uint64(16), np.uint64(32)


def address(context: Any, builder: Any, kind: Any, text: Any, at: Any) -> Any:
    """Where `text`, an array of type `kind`, has its byte `at`."""
    array = context.make_array(kind)(context, builder, text)
    return builder.gep(array.data, [at])


@instruction
def byte(typing_context: Any, text: Any, at: Any) -> Any:
    """The byte of `text` at position `at`."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        place = address(context, builder, signature.args[0], *given)
        return builder.zext(builder.load(place), ir.IntType(64))

    return types.int64(text, types.int64), generate


@instruction
def word(typing_context: Any, text: Any, at: Any) -> Any:
    """The eight bytes of `text` from position `at` on, the first one lowest."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        place = address(context, builder, signature.args[0], *given)
        wide = builder.bitcast(place, ir.IntType(64).as_pointer())
        return builder.load(wide, align=1)

    return types.uint64(text, types.int64), generate


def _zeros(name: str) -> Callable[..., Any]:
    """LLVM's count of zeros `name`; 64 for no bits at all."""

    def counter(typing_context: Any, bits: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            count = getattr(builder, name)
            return count(given[0], ir.IntType(1)(0))

        return types.int64(types.uint64), generate

    return counter


leading_zeros = instruction(_zeros("ctlz"))
trailing_zeros = instruction(_zeros("cttz"))


@instruction
def high_product(typing_context: Any, a: Any, b: Any) -> Any:
    """The upper 64 bits of the 128 bits of a * b."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        double = ir.IntType(128)
        product = builder.mul(*(builder.zext(factor, double) for factor in given))
        return builder.trunc(builder.lshr(product, double(64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), generate


@instruction
def as_float(typing_context: Any, bits: Any) -> Any:
    """The float64 that has these bits."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.bitcast(given[0], ir.DoubleType())

    return types.float64(types.uint64), generate


@compiled
def digits(eight: Any) -> int:
    """How many of the word's bytes, from the first, are decimal digits: 0 to 8.

    A byte is a digit where its bits, but for those of '0', make at most 9; adding 0x76
    to seven bits carries into the eighth for 10 and more.
    """
    bits = eight ^ _ZEROS
    others = (((bits & _LOW_SEVEN) + _TO_HIGH_BIT) | bits) & _HIGH_BITS
    return trailing_zeros(others) >> 3


@compiled
def leading_naughts(text: Any, at: int) -> int:
    """How many of the eight bytes from `at` on, from the first, are '0'."""
    return trailing_zeros(word(text, at) ^ _ZEROS) >> 3


@compiled
def digits_value(eight: Any, n: int) -> int:
    """The number that the first n digits of the word spell, 1 <= n <= 8.

    Shifted up, the digits have zeros before them; then pairs, fours and all eight are
    put together with one product each.
    """
    w = (eight << np.uint64(64 - 8 * n)) & _NIBBLES
    w = ((w * _TENS) >> _8) & _PAIRS
    w = ((w * _HUNDREDS) >> _16) & _FOURS
    return np.int64((w * _MYRIADS) >> _32)  # pyright: ignore[reportReturnType]
