"""Text that went wrong: no crash, no byte read out of bounds, no row but good ones.

``python -m benchmarks.fuzz`` does the same at length.
"""

from __future__ import annotations

import sys
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mutants
import naive_text
from guarded import Guarded
from regretless.data.encoding.hash_index import HashIndex
from regretless.data.formats.libsvm import LibsvmParser
from regretless.data.formats.vw import VwParser

LINES = 3000


def check_libsvm(block, zero_based, bits):
    parser = LibsvmParser(zero_based=zero_based, bits=bits)
    read = partial(naive_text.libsvm, base=0 if zero_based else 1, bits=bits)
    naive_text.same_chunk(parser.parse(block), without_mark(bytes(block)), read)


def check_vw(block, bits, groups):
    parser = VwParser(bits=bits, interactions=tuple(map("*".join, groups)))
    chunk = parser.parse(block, HashIndex(parser.bits))
    named = chunk.names
    read = partial(naive_text.vw, bits=bits, groups=groups)
    rows = naive_text.same_chunk(chunk, without_mark(bytes(block)), read)
    assert naive_text.first_of(named) == naive_text.first_names(rows)


def without_mark(block):
    return block.removeprefix(b"\xef\xbb\xbf")


@pytest.mark.parametrize(
    ("zero_based", "bits"), [(False, None), (True, None), (False, 3)]
)
def test_mutated_libsvm(zero_based, bits):
    block = b"\n".join(mutants.mutated(mutants.LIBSVM, LINES, 1))
    check_libsvm(block, zero_based, bits)


@pytest.mark.parametrize(("bits", "groups"), [(18, ()), (4, ("ab", "aa", " a", "abb"))])
def test_mutated_vw(bits, groups):
    block = b"\n".join(mutants.mutated(mutants.VW, LINES, 2))
    check_vw(block, bits, groups)


@given(st.binary(max_size=300))
def test_any_bytes(block):
    check_libsvm(block, False, None)
    check_vw(block, 18, ())


@given(st.text("01.:e-+ \t\n#|'aq", max_size=300))
def test_any_text_of_the_right_letters(text):
    check_libsvm(text.encode(), True, 3)
    check_vw(text.encode(), 4, ("aa",))


@pytest.mark.skipif(sys.platform == "win32", reason="mprotect is not of this system")
@pytest.mark.parametrize("seeds", [mutants.LIBSVM, mutants.VW])
def test_nothing_is_read_behind_the_block(seeds):
    memory = Guarded(1 << 16)
    lines = mutants.mutated(seeds, 400, 3)
    blocks = [b"\n".join(lines[i : i + 8]) for i in range(0, len(lines), 4)]
    blocks += [line + end for line in lines for end in (b"", b"\n")]
    for block in blocks:
        place = memory.put(block)
        check_libsvm(place, False, None)
        check_vw(place, 18, ())


def test_pure_junk_takes_its_time_but_not_more():
    """Every line of it is refused, in words, and counted."""
    block = np.random.default_rng(7).integers(0, 256, 200_000, np.uint8).tobytes()
    check_libsvm(block, False, None)
    check_vw(block, 18, ())
