"""LIBSVM text: rows as they stand, bad lines in words."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_text
from regretless.data.chunk import Problem
from regretless.data.formats.block_parse import TOO_LARGE
from regretless.data.formats.libsvm import LibsvmParser

ONE = LibsvmParser(zero_based=False)
ZERO = LibsvmParser(zero_based=True)
FOLDED = LibsvmParser(zero_based=True, bits=3)


def rows_of(chunk):
    starts = chunk.rows.starts
    return [
        dict(
            zip(
                chunk.rows.columns[lo:hi].tolist(),
                chunk.rows.values[lo:hi].tolist(),
                strict=True,
            )
        )
        for lo, hi in pairwise(starts)
    ]


def words(line, parser=ONE):
    """What is wrong with one line."""
    chunk = parser.parse(line)
    assert chunk.labels.size == 0
    (problem,) = chunk.problems
    assert problem[:2] == (0, 1)
    return problem.what


def test_a_file_with_everything_in_it():
    block = (
        b"+1 1:0.5 3:-2e1\n\n# a comment\n-1 qid:3 2:1 # and why\r\n"
        b"  \t\n0.25\n5:1\t 7:.5 \n1 9:0\n"
    )
    chunk = ONE.parse(block)
    assert rows_of(chunk) == [{0: 0.5, 2: -20}, {1: 1}, {}, {4: 1, 6: 0.5}, {8: 0}]
    np.testing.assert_array_equal(chunk.labels, [1, -1, 0.25, np.nan, 1])
    assert chunk.lines.tolist() == [1, 4, 6, 7, 8]
    assert (chunk.n_lines, chunk.n_features) == (8, 9)
    assert chunk.weights is None
    assert chunk.problems == ()
    assert chunk.rows.starts.dtype == np.int64
    assert chunk.rows.columns.dtype == np.int32
    assert chunk.rows.values.dtype == chunk.labels.dtype == np.float64


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n", b" ", b"\t\r\n", b"#", b" # x"])
@pytest.mark.parametrize("copies", [1, 20])
def test_how_a_block_may_end(end, copies):
    line = b"1 2:3"
    block = b"\n".join([line] * copies) + end
    chunk = ONE.parse(block)
    assert rows_of(chunk) == [{1: 3}] * copies
    assert chunk.n_lines == copies
    for other in (memoryview(block), np.frombuffer(block, np.uint8), bytearray(block)):
        assert rows_of(ONE.parse(other)) == [{1: 3}] * copies


@pytest.mark.parametrize(
    "block", [b"", b"\n", b"\n\n \n", b"#", b"\xef\xbb\xbf", b"\r\n"]
)
def test_nothing(block):
    chunk = ONE.parse(block)
    assert rows_of(chunk) == []
    assert chunk.n_features == 0
    assert chunk.problems == ()
    assert chunk.n_lines == block.count(b"\n") + (block == b"#")


def test_a_byte_order_mark_is_not_text():
    assert rows_of(ONE.parse(b"\xef\xbb\xbf1 2:3\n")) == [{1: 3}]


def test_zero_based():
    assert rows_of(ZERO.parse(b"1 0:5 1:6")) == [{0: 5, 1: 6}]


def test_good_rows_before_and_after_bad_ones():
    chunk = ONE.parse(b"1 1:1\nx\n1 2:2\n1 2\n\n1 3:3")
    assert rows_of(chunk) == [{0: 1}, {1: 2}, {2: 3}]
    assert chunk.problems == (
        Problem(1, 2, "label 'x' is not a number"),
        Problem(2, 4, "entry 1, '2': there is no colon"),
    )
    assert chunk.lines.tolist() == [1, 3, 6]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (b"abc 1:1", "label 'abc' is not a number"),
        (b"nan 1:1", "label 'nan' is not a finite number"),
        (b"1e999 1:1", "label '1e999' is too large for a float64"),
        (b"1,2 1:1", "label '1,2': there must be one label, not several"),
        (b"1 1:1 5;1", "entry 2, '5;1': there is no colon"),
        (b"1 0:1", "index 0: indices count from 1 (unless --zero-based)"),
        (b"1 -4:1", "index -4 is negative"),
        (b"1 x:1", "entry 1, 'x:1': index 'x' is not a whole number"),
        (b"1 1.5:1", "entry 1, '1.5:1': index '1.5' is not a whole number"),
        (b"1 :1", "entry 1, ':1': index '' is not a whole number"),
        (b"1 9:1 7:1", "index 7 after 9: indices must ascend"),
        (b"1 9:1 9:1", "index 9 after 9: indices must ascend"),
        (
            b"1 99999999:1",
            "index 99999999 is beyond max_features=67108864 (fold with -b BITS)",
        ),
        (
            b"1 " + b"9" * 50 + b":1",
            f"index {'9' * 20}... is beyond max_features=67108864 (fold with -b BITS)",
        ),
        (b"1 5:nan", "value 'nan' of index 5 is not a finite number"),
        (b"1 5:-Inf", "value '-Inf' of index 5 is not a finite number"),
        (b"1 5:", "value '' of index 5 is missing"),
        (b"1 5: 3", "value '' of index 5 is missing"),
        (b"1 5:1e999", "value '1e999' of index 5 is too large for a float64"),
        (b"1 5:1:2", "value '1:2' of index 5 is not a number"),
        (b"1 5:1\x00", "value '1\\x00' of index 5 is not a number"),
        (b"1 5:\xff\xfe", "value '\\xff\\xfe' of index 5 is not a number"),
        (b"1 1:1\r2:1", "value '1\\r2:1' of index 1 is not a number"),
        (b"1 qid:x 1:1", "'qid:x': qid must be a whole number"),
        (b"1 qid: 1:1", "'qid:': qid must be a whole number"),
        (b"1 1:1 qid:3", "entry 2, 'qid:3': index 'qid' is not a whole number"),
        (b"x" * 99, "label '" + "x" * 30 + "...' is not a number"),
    ],
)
def test_words(line, what):
    assert words(line) == what
    assert words(line + b"\n") == what
    assert words(line + b"\r\n" if b"\r" not in line else line) == what


def test_columns_are_folded_and_added_up():
    chunk = FOLDED.parse(b"1 0:1 3:2 8:10 11:20 99999999999:4\n2 7:1 15:-1\n")
    assert rows_of(chunk) == [{0: 11, 3: 22, 7: 4}, {7: 0}]
    assert chunk.n_features == 8
    assert "beyond 2^62" in words(b"1 4611686018427387904:1", FOLDED)
    assert words(b"1 1:1e308 9:1e308", FOLDED) == TOO_LARGE


def test_a_row_longer_than_the_table_of_its_columns():
    entries = [f"{i}:{i % 7}" for i in range(0, 70000, 7)]
    block = ("1 " + " ".join(entries) + "\n-1 1:1\n").encode()
    for bits in (3, 20):
        parser = LibsvmParser(zero_based=True, bits=bits)
        read = partial(naive_text.libsvm, base=0, bits=bits)
        naive_text.same_chunk(parser.parse(block), block, read)


def test_bad_rows_leave_no_trace_in_the_table_of_columns():
    """Rows given up when their columns are in it must not fill it for good."""
    bad = b"".join(b"1 %d:1e308 %d:1e308\n" % (i, i + 2**14) for i in range(1024))
    chunk = LibsvmParser(zero_based=True, bits=14).parse(bad + b"1 5:1 7:2\n")
    assert len(chunk.problems) == 1024
    assert rows_of(chunk) == [{5: 1, 7: 2}]


@pytest.mark.parametrize(
    "options", [{"max_features": 0}, {"max_features": 2**31}, {"bits": 0}, {"bits": 31}]
)
def test_options_are_checked(options):
    with pytest.raises(ValueError, match="must be from 1 to"):
        LibsvmParser(zero_based=False, **options)


numbers = st.one_of(
    st.integers(-99, 99).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(-10, 10).map("{:.3f}".format),
)
blanks = st.sampled_from([" ", "  ", "\t", " \t "])


def line_of(label, blank, columns, values, end):
    entries = [f"{i}:{v}" for i, v in zip(sorted(columns), values, strict=False)]
    return blank.join([label, *entries]) + end


lines = st.builds(
    line_of,
    numbers,
    blanks,
    st.sets(st.integers(1, 2**26), max_size=12),
    st.lists(numbers, min_size=12, max_size=12),
    st.sampled_from(["", " ", "\r", " # x:y", "#"]),
)


@given(st.lists(lines, max_size=30))
def test_good_lines_are_read_as_the_slow_parser_reads_them(given_lines):
    block = "\n".join(given_lines).encode()
    chunk = ONE.parse(block)
    assert chunk.problems == ()
    naive_text.same_chunk(chunk, block, naive_text.libsvm)
    columns = chunk.rows.columns
    assert chunk.n_features == (columns.max() + 1 if columns.size else 0)


@pytest.mark.parametrize(
    "number",
    [
        *("5e-324", "4.9406564584124654e-324", "2.2250738585072011e-308", "1e-320"),
        *("1.7976931348623157e308", "-8.98846567431158e307", "1e-340", "2.47e-324"),
        *("9007199254740993.00000000000000000001", "0." + "0" * 40 + "1" * 30),
    ],
)
def test_numbers_at_the_ends_are_read_exactly(number):
    assert rows_of(ONE.parse(f"1 2:{number}\n".encode())) == [{1: float(number)}]


def test_a_query_without_a_label():
    chunk = ONE.parse(b"qid:3 1:2\nqid:3\n1 qid:4 1:+2e0\n")
    assert rows_of(chunk) == [{0: 2}, {}, {0: 2}]
    assert np.isnan(chunk.labels).tolist() == [True, True, False]
