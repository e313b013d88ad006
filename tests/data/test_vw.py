"""Vowpal Wabbit text: columns and values as Vowpal Wabbit has them, errors in words."""

from __future__ import annotations

import random
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_text
from regretless.data.encoding.hash_index import HashIndex
from regretless.data.formats.block_parse import TOO_LARGE
from regretless.data.formats.vw import VwParser

TOUCHES = "'1' touches the '|', which makes it a tag: a label needs a blank behind it"
PLAIN = VwParser()
GROUPS = ("ab", "bb", " a", "aab")
CROSSED = VwParser(bits=10, interactions=tuple(map("*".join, GROUPS)))


def parsed(line, parser=PLAIN):
    """Columns and values of the one row of a block."""
    chunk = parser.parse(line)
    assert chunk.problems == ()
    assert chunk.labels.size == 1
    columns, values = chunk.rows.columns.tolist(), chunk.rows.values.tolist()
    return dict(zip(columns, values, strict=True))


def words(line, parser=PLAIN):
    chunk = parser.parse(line, HashIndex(parser.bits))
    named = chunk.names
    assert chunk.labels.size == 0
    assert named == []
    (problem,) = chunk.problems
    assert problem[:2] == (0, 1)
    return problem.what


def test_columns_that_vowpal_wabbit_printed():
    """From ``vw --invert_hash`` of version 9.11, without its constant."""
    line = b"1 2 0.5 'tag|a x y:2 |b z 7:3 |12 q | abc 5 :1.5 :2.5"
    linear = {55432: 1, 42847: 2, 124687: 1, 163338: 3, 237333: 1, 103418: 1}
    linear |= {5: 1, 0: 1.5, 1: 2.5}
    assert parsed(line) == linear
    ab = {80151: 1, 172050: 3, 171394: 2, 66695: 6}
    assert parsed(line, VwParser(interactions=("a*b",))) == linear | ab
    ba = {45366: 3, 52961: 6, 138178: 2, 156693: 1}
    assert parsed(line, VwParser(interactions=("b*a",))) == linear | ba
    aa = {1680: 1, 31047: 2, 253394: 4}
    assert parsed(line, VwParser(interactions=("a*a",))) == linear | aa


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["-q", "ab"],
        ["-q", "bb", "-q", "ca"],
        ["-q", "b:", "-q", "a:"],
        ["-q", "::"],
        ["--cubic", "cab", "--cubic", "bba"],
    ],
)
def test_columns_are_vowpal_wabbits(options, tmp_path):
    pytest.importorskip("vowpalwabbit")
    rng = random.Random(4)
    letters = "abcdefghijXYZ_0123456789-é"
    lines = []
    for _ in range(30):
        spaces = []
        for first in "abc ":
            name = "" if first == " " else first + "".join(rng.choices(letters, k=3))
            own = ["".join(rng.choices(letters, k=rng.randrange(1, 12))) for _ in "123"]
            own += [str(rng.randrange(10 ** rng.randrange(1, 12)))]
            spaces.append(
                f"|{name} " + " ".join(f"{f}:{rng.randrange(1, 9)}" for f in own)
            )
        lines.append(f"{rng.choice((-1, 1))} " + " ".join(spaces))
    data, told = tmp_path / "data.vw", tmp_path / "told"
    data.write_text("\n".join(lines) + "\n")
    command = [sys.executable, "-m", "vowpalwabbit", "-d", data, "--noconstant"]
    command += ["--quiet", "-b", "22", *options, "--invert_hash", told]
    subprocess.run(command, check=True, capture_output=True)
    theirs = {}
    for line in told.read_text().splitlines():
        name, *rest = line.rsplit(":", 2)
        if len(rest) == 2 and rest[0].isdigit() and name:
            theirs[int(rest[0])] = name
    pairs = tuple(
        "*".join(option).removesuffix(":") if option != "::" else "*"
        for option in options
        if option[0] != "-"
    )
    parser = VwParser(bits=22, interactions=pairs)
    chunk = parser.parse(data.read_bytes(), HashIndex(parser.bits))
    named = chunk.names
    assert chunk.problems == ()
    assert len(theirs) > 400
    assert dict(reversed(named)) == theirs


def test_murmur():
    """Published values of MurmurHash3_x86_32."""
    known = {(b"", 0): 0, (b"", 1): 0x514E28B7, (b"test", 0): 0xBA6BD213}
    known |= {
        (b"Hello, world!", 0x9747B28C): 0x24884CBA,
        (b"aaa", 0x9747B28C): 0x283E0130,
    }
    for (data, seed), value in known.items():
        assert naive_text.murmur3(data, seed) == value


def test_a_file_with_everything_in_it():
    block = (
        b"1 |a x:2 y\n\n-1 0.5 'tag |a x\r\n| 7 8:0 9:-1e1\n \t \n2 3 4 tag|a:3 x:2 |\n"
    )
    chunk = PLAIN.parse(block, HashIndex(PLAIN.bits))
    named = chunk.names
    x = naive_text.vw_hash("x", naive_text.vw_hash("a", 0)) % 2**18
    np.testing.assert_array_equal(chunk.labels, [1, -1, np.nan, 2])
    np.testing.assert_array_equal(chunk.weights, [1, 0.5, 1, 3])
    y = int(chunk.rows.columns[1])
    assert chunk.rows.starts.tolist() == [0, 2, 3, 5, 6]
    assert chunk.rows.columns.tolist() == [x, y, x, 7, 9, x]
    assert chunk.rows.values.tolist() == [2, 1, 1, 1, -10, 6]
    assert chunk.lines.tolist() == [1, 3, 4, 6]
    assert (chunk.n_lines, chunk.n_features) == (6, 2**18)
    assert named == [(x, "a^x"), (y, "a^y"), (7, "7"), (9, "9")]


def test_weights_of_one_are_none():
    assert PLAIN.parse(b"1 1 |a b\n1 |a b").weights is None


def test_features_that_share_a_column_are_added_up():
    assert parsed(b"1 | 3:1 4:2 3:5") == {3: 6, 4: 2}
    assert parsed(b"1 | 3:1 7:2 11:5", VwParser(bits=2)) == {3: 8}
    assert parsed(b"1 | 3:1 3:-1") == {3: 0}


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (b"1 2 3", "there is no '|' before the features"),
        (b"abc |a x", "label 'abc' is not a number"),
        (b"nan |a x", "label 'nan' is not a finite number"),
        (b"1 x |a x", "importance 'x' is not a number"),
        (b"1 -2 |a x", "importance '-2' is negative"),
        (b"1 2 x |a x", "base 'x' is not a number"),
        (b"1 2 3 4 |a", "'4' stands where only a tag may, before the '|'"),
        (
            b"1|a x",
            TOUCHES,
        ),
        (b"1 |:2 x", "namespace ':2' has no name"),
        (b"1 |a:x y", "weight 'x' of namespace 'a' is not a number"),
        (b"1 |a: y", "weight '' of namespace 'a' is missing"),
        (b"1 |a color:red", "value 'red' of feature 'color' is not a number"),
        (b"1 |a x:", "value '' of feature 'x' is missing"),
        (b"1 |a x:nan", "value 'nan' of feature 'x' is not a finite number"),
        (b"1 |a x:1e400", "value '1e400' of feature 'x' is too large for a float64"),
        (b"1 |a:10 x:1e308", "the value of feature 'x' is too large for a float64"),
        (
            b"1 | 3:1e308 3:1e308",
            TOO_LARGE,
        ),
        (b"1 |a x:1:2", "value '1:2' of feature 'x' is not a number"),
        (b"1 |a x\x00", "feature 'x\\x00' has a control character"),
        (b"1 |a\x01 x", "namespace 'a\\x01' has a control character"),
        (b"1 t\x02|a x", "the tag 't\\x02' has a control character"),
        (b"1 |a x\ry", "feature 'x\\ry' has a control character"),
    ],
)
def test_words(line, what):
    assert words(line) == what
    assert words(line + b"\r\n") == what


def test_products_that_are_refused():
    parser = VwParser(interactions=("a*b",))
    assert words(b"1 |a x:1e200 |b y:1e200", parser) == (TOO_LARGE)
    names = " ".join(map(str, range(2100)))
    line = f"1 |a {names} |b {names}".encode()
    assert words(line, parser) == "there are 4410000 interactions, more than 4194304"


@pytest.mark.parametrize(
    "asked",
    [
        {"interactions": ("ab*c",)},
        {"interactions": ("a*:",)},
        {"interactions": ("é*a",)},
        {"ignore": ("user",)},
        {"keep": ("|",)},
    ],
)
def test_letters_are_checked(asked):
    with pytest.raises(ValueError, match="is not the first letter of a namespace"):
        VwParser(**asked)
    with pytest.raises(ValueError, match="'a' is in keep and in ignore"):
        VwParser(keep=("a",), ignore=("a",))


LINE = b"1 |a x y:2 |b z:3 |c q:5 | abc:7"


@pytest.mark.parametrize(
    ("asked", "groups"),
    [
        (("a*",), ["a ", "aa", "ab", "ac"]),
        (("c*", "a*"), ["a ", "aa", "ab", "ac", "c ", "cb", "cc"]),
        (("b*a", "a*"), ["a ", "aa", "ab", "ac"]),
        (("*",), ["  ", " a", " b", " c", "aa", "ab", "ac", "bb", "bc", "cc"]),
        (("b*a*a",), ["aab"]),
        (("c*a*b", "c*a"), ["cab", "ca"]),
    ],
)
def test_groups_of_any_namespace(asked, groups):
    """As ``compile_interactions`` of Vowpal Wabbit writes them out."""
    parser = VwParser(bits=22, interactions=asked)
    chunk = parser.parse(LINE, HashIndex(parser.bits))
    named = chunk.names
    read = partial(naive_text.vw, bits=22, groups=groups)
    rows = naive_text.same_chunk(chunk, LINE, read)
    assert dict(reversed(named)) == dict(naive_text.first_names(rows))


@pytest.mark.parametrize(
    ("asked", "left_out"),
    [({"ignore": ("a", " ")}, "a "), ({"keep": ("a", "b")}, "c ")],
)
def test_namespaces_that_are_not_read(asked, left_out):
    block = LINE + b"\n1.2.3.4 |a\n1 |c 1:2 3:4\n1e-400 |a 7:1 |c:1e-400 8:3"
    groups = ["ab", "bb"] if "keep" in asked else ["bb", "bc"]
    parser = VwParser(interactions=tuple(map("*".join, groups)), **asked)
    chunk = parser.parse(block, HashIndex(parser.bits))
    named = chunk.names
    read = partial(naive_text.vw, groups=groups, left_out=left_out)
    rows = naive_text.same_chunk(chunk, block, read)
    assert naive_text.first_of(named) == naive_text.first_names(rows)


@pytest.mark.parametrize("front", ["shared", "1:0.5:0.2", "0:1"])
def test_rows_of_bandits_are_not_read_yet(front):
    what = f"'{front}': rows of contextual bandits are not read yet"
    assert words(f"{front} |a x".encode()) == what


@pytest.mark.parametrize("bits", [0, 31])
def test_bits_are_checked(bits):
    with pytest.raises(ValueError, match="bits="):
        VwParser(bits=bits)


def test_names_are_those_not_known_yet():
    block = b"1 | 5 abc 5\n1 | 6 70 5\n"
    known = HashIndex(PLAIN.bits)
    named = PLAIN.parse(block, known).names
    assert [name for _, name in named] == ["5", "abc", "6", "70"]
    assert known.width == 0  # to parse enters nothing
    known.numbers(np.array([70, 6], np.int32), {70: "70", 6: "6"})
    named = PLAIN.parse(block, known).names
    assert [name for _, name in named] == ["5", "abc"]
    assert PLAIN.parse(block).names == []


def test_a_bad_line_names_nothing():
    block = b"1 |a x y z:bad\n1 |a y x\n1 |b u:1e-320 |a w\n1 |a u:"
    named = PLAIN.parse(block, HashIndex(PLAIN.bits)).names
    assert [name for _, name in named] == ["a^y", "a^x", "b^u", "a^w"]


def test_interactions_need_more_room_than_the_block_suggests():
    names = " ".join(f"n{i}:{i + 1}" for i in range(40))
    block = f"1 |a {names} |b {names}\n".encode() * 3
    for bits in (10, 20):
        groups = ("ab", "bb")
        parser = VwParser(bits=bits, interactions=tuple(map("*".join, groups)))
        chunk = parser.parse(block, HashIndex(parser.bits))
        named = chunk.names
        read = partial(naive_text.vw, bits=bits, groups=groups)
        rows = naive_text.same_chunk(chunk, block, read)
        assert naive_text.first_of(named) == naive_text.first_names(rows)


names = st.text("abz019_é'#", min_size=1, max_size=12)
values = st.one_of(
    st.just(""),
    st.integers(-9, 9).map(":{}".format),
    st.floats(-1e9, 1e9).map(":{!r}".format),
)
features = st.lists(st.tuples(st.one_of(names, st.just("")), values), max_size=8)
spaces = st.builds(
    lambda name, blank, own: (
        f"|{name}" + "".join(f"{blank}{n}{v}" for n, v in own if n or v)
    ),
    st.one_of(st.just(""), st.sampled_from(["a", "b", "a2", "12", "b:0.5"])),
    st.sampled_from([" ", "  ", "\t"]),
    features,
)
lines = st.builds(
    lambda front, own, end: front + "".join(own) + end,
    st.sampled_from(["", "1 ", "-1 2 ", "1 0.5 3 ", "'t ", "1 't", "1 t", "x"]),
    st.lists(spaces, min_size=1, max_size=4),
    st.sampled_from(["", " ", "\r"]),
)


@given(st.lists(lines, max_size=20))
def test_good_lines_are_read_as_the_slow_parser_reads_them(given_lines):
    block = "\n".join(given_lines).encode()
    for parser, bits, groups in (
        (PLAIN, 18, ()),
        (CROSSED, 10, GROUPS),
    ):
        chunk = parser.parse(block, HashIndex(parser.bits))
        named = chunk.names
        assert chunk.problems == ()
        read = partial(naive_text.vw, bits=bits, groups=groups)
        rows = naive_text.same_chunk(chunk, block, read)
        assert naive_text.first_of(named) == naive_text.first_names(rows)
