"""Numbers in text: the kernel's float is float()'s, to the last bit."""

from __future__ import annotations

import struct
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regretless.data.formats.libsvm import LibsvmParser
from regretless.engine.kernels.compiled import entry
from regretless.engine.kernels.libsvm import DONE, Indices, ParsedRows, parse_libsvm
from regretless.engine.kernels.words import SPARE

PARSER = LibsvmParser(zero_based=False)


def read(tokens):
    """What the parser makes of each token as a value; None where it refuses it."""
    block = "".join(f"1:{token}\n" for token in tokens).encode()
    chunk = PARSER.parse(block)
    values = dict(zip(chunk.lines.tolist(), chunk.rows.values.tolist(), strict=True))
    return [values.get(i) for i in range(1, len(tokens) + 1)]


def kernel_alone(tokens):
    """How many of the tokens the kernel reads before it needs help, and the values."""
    body = "".join(f"1:{token}\n" for token in tokens).encode()
    text = np.frombuffer(body + bytes(SPARE), np.uint8)
    n = len(tokens)
    found = ParsedRows(
        np.zeros(n + 1, np.int64),
        np.empty(n, np.int32),
        np.empty(n),
        np.empty(n),
        np.empty(n, np.int64),
    )
    state = np.zeros(6, np.int64)
    seen = np.full(1, -1, np.int64)
    arguments = (text, len(body), Indices(1, 2**26, -1), found, seen, state)
    why = entry(parse_libsvm, arguments)(*arguments)
    return why == DONE, found.values[: state[3]].tolist()


def same(tokens):
    got = [None if v is None else v.hex() for v in read(tokens)]
    assert got == [float(token).hex() for token in tokens]


def from_bits(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(finite, min_size=1, max_size=50))
def test_every_way_to_print_a_float(values):
    same([repr(v) for v in values])
    same([f"{v:.17g}" for v in values])
    same([f"{v:.25e}" for v in values])
    same([f"{v:.3f}" for v in values])
    same([f"{v:+.6g}" for v in values])


digit_text = st.text("0123456789", min_size=1, max_size=45)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["", "+", "-"]),
            digit_text,
            st.one_of(st.none(), st.just(""), digit_text),
            st.one_of(st.none(), st.integers(-400, 260)),
        ),
        min_size=1,
        max_size=30,
    )
)
def test_long_digit_strings(parts):
    same(
        [
            sign
            + whole
            + ("" if tail is None else "." + tail)
            + ("" if power is None else f"e{power}")
            for sign, whole, tail, power in parts
        ]
    )


@given(st.integers(1 << 52, 0x7FE << 52), st.integers(-1, 1), st.integers(0, 3))
def test_half_way_between_two_floats(bits, beside, zeros):
    """The exact middle, and a hair to either side: where rounding errs if it errs."""
    low, high = from_bits(bits), from_bits(bits + 1)
    middle = (Fraction(low) + Fraction(high)) / 2
    digits = 0
    while middle.denominator > 1:  # dyadic: so it has an end in decimals
        middle *= 10
        digits += 1
    text = str(middle.numerator) + "0" * zeros
    if beside:
        text = str(int(text) * 10 + beside)
    same([f"{text}e{-digits - zeros - abs(beside)}"])


def test_half_way_with_few_digits():
    """Ties that fit into 19 digits: the kernel decides them by itself."""
    rng = np.random.default_rng(5)
    tokens = []
    for shift in range(1, 11):
        odd = rng.integers(2**52, 2**53, 50).tolist()
        tokens += [str((2 * m + 1) << (shift - 1)) for m in odd]
    tokens += [f"{2 * m + 1}.5" for m in rng.integers(2**50, 2**51, 50).tolist()]
    tokens += ["9007199254740993", "9007199254740995", "9007199254740993e0"]
    tokens = [token for token in tokens if len(token) <= 19]
    done, values = kernel_alone(tokens)
    assert done
    assert values == [float(token) for token in tokens]


def test_the_kernel_decides_ordinary_numbers_alone(rng):
    spread = np.exp(rng.uniform(-600, 600, 2000)) * rng.choice([-1, 1], 2000)
    for style in ("%r", "%.17g", "%.19e", "%.30f", "%.6g", "%.3f"):
        values = spread if style != "%.30f" else rng.normal(size=2000)
        tokens = [style % v for v in values.tolist()]
        done, got = kernel_alone(tokens)
        assert done, style
        assert got == [float(token) for token in tokens], style


def test_extremes():
    same(["0", "-0", "0.0", "-0.0e5", "0e99999999999", "0" * 500, "00000001.50000000"])
    same(["5e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "1e-400"])
    same(["2.2250738585072011e-308", "2.2250738585072014e-308", "1e-99999999999999"])
    same(["1.7976931348623157e308", "1.7976931348623158e308", ".5", "5.", "5.e3"])
    same(["1" + "0" * 308, "0." + "0" * 400 + "1e100", "123456789" * 30])


NOT_NUMBERS = (
    "|.|-|+|e5|1e|1e+|--1|+-1|1.2.3|1e5.5|nan|-inf|infinity|0x10|1_000|1e1_0|1,5|1d5|1f"
    "|\u0661|1e309|-1e309|1.7976931348623159e308"
)


@pytest.mark.parametrize("token", [*NOT_NUMBERS.split("|"), "9" * 400])
def test_refused(token):
    assert read([token]) == [None]
