"""Blocks of whole lines: nothing is lost, nothing is cut, nothing is too long."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regretless.data.chunk import Broken
from regretless.data.formats.quotes import open_mark
from regretless.data.lines import blocks


class Dripping(io.BytesIO):
    """A stream that returns less than was asked for, as pipes do."""

    def readinto(self, buffer):
        return super().readinto(memoryview(buffer)[:7])


def cut(data, **options):
    return list(blocks(io.BytesIO(data), **options))


texts = st.text(alphabet='ab\n"\r,', max_size=80).map(str.encode)


@given(texts, st.integers(1, 30))
def test_blocks_are_the_file_cut_at_lines(data, size):
    pieces = cut(data, size=size)
    assert b"".join(bytes(piece.data) for piece in pieces) == data
    for piece in pieces[:-1]:
        assert bytes(piece.data).endswith(b"\n")
    for piece in pieces:
        assert data[piece.begin : piece.end] == bytes(piece.data)


long_lines = st.lists(st.integers(0, 40), max_size=12).map(
    lambda lengths: b"".join(b"x" * n + b"\n" for n in lengths)
)


@given(texts | long_lines, st.integers(1, 30))
def test_reading_on_from_the_end_of_a_block(data, size):
    pieces = cut(data, size=size)
    for k, piece in enumerate(pieces):
        rest = list(blocks(io.BytesIO(data[piece.end :]), at=piece.end, size=size))
        assert rest == pieces[k + 1 :]


def test_short_reads_are_filled_up():
    data = b"some lines\n" * 50
    dripping = list(blocks(Dripping(data), size=64))
    assert dripping == cut(data, size=64)


def test_no_final_newline():
    assert [bytes(p.data) for p in cut(b"a\nb", size=2)] == [b"a\n", b"b"]


def test_the_mark_of_utf8_is_no_text():
    (piece,) = cut(b"\xef\xbb\xbf1 1:2\n")
    assert bytes(piece.data) == b"1 1:2\n"
    assert (piece.begin, piece.end) == (3, 9)
    (inside,) = cut(b"a\n\xef\xbb\xbfb\n")
    assert bytes(inside.data) == b"a\n\xef\xbb\xbfb\n"
    assert cut(b"\xef\xbb\xbf") == []


@pytest.mark.parametrize("size", range(8, 20))
def test_quoted_fields_stay_whole(size):
    data = b'1,"a\nb"\n2,c\n' * 5
    pieces = cut(data, size=size, delimiter=",")
    assert len(pieces) > 1
    for piece in pieces:
        assert bytes(piece.data).count(b'"') % 2 == 0


def test_a_stray_quotation_mark_does_not_swallow_the_file():
    data = b'1,5" pipe\n' + b"2,x\n" * 100
    assert max(len(piece.data) for piece in cut(data, size=20, delimiter=",")) <= 20


def naive_open_mark(data):
    """Letter by letter: where the field begins that is open at the end, or -1."""
    state, opened = "begin", -1
    for k, letter in enumerate(data.decode()):
        if state == "begin" and letter == '"':
            state, opened = "quoted", k
        elif state == "quoted":
            state = "mark" if letter == '"' else "quoted"
        elif state == "mark" and letter == '"':
            state = "quoted"
        else:
            state = "begin" if letter in ",\r\n" else "field"
    return opened if state == "quoted" else -1


@given(texts)
def test_where_a_mark_is_open(data):
    assert open_mark(data, len(data), ",") == naive_open_mark(data)


@given(texts, st.integers(1, 30))
def test_no_block_begins_inside_quotation_marks(data, size):
    pieces, broken = [], None
    try:
        pieces.extend(blocks(io.BytesIO(data), size=size, delimiter=","))
    except Broken as error:
        broken = error
    opened = naive_open_mark(data)
    assert (opened >= 0) == (broken is not None)
    read = b"".join(bytes(piece.data) for piece in pieces)
    assert data.startswith(read)
    for piece in pieces:
        assert naive_open_mark(bytes(piece.data)) < 0
    if broken is None:
        assert read == data
    else:
        line = broken.line_after(read.count(b"\n"))
        assert line == data.count(b"\n", 0, opened) + 1


def test_a_mark_that_is_never_closed_is_not_looked_for_forever():
    data = b'1,a\n2,"b\n' + b"3,c\n" * 400
    with pytest.raises(Broken, match="not closed within 1,000 bytes") as error:
        cut(data, size=20, longest=1000, delimiter=",")
    assert error.value.line_after(1) == 2


def test_a_line_longer_than_a_block_is_whole():
    data = b"a\n" + b"b" * 100 + b"\nc\n"
    assert any(bytes(p.data).startswith(b"b" * 100 + b"\n") for p in cut(data, size=8))


class BrokenOff(io.BytesIO):
    """A stream that breaks off at its end."""

    def readinto(self, buffer):
        got = super().readinto(buffer)
        if not got:
            raise Broken("broken off")
        return got


def test_lines_before_the_end_of_a_broken_stream_are_handed_over():
    seen = []
    with pytest.raises(Broken, match="broken off"):
        seen.extend(
            bytes(p.data) for p in _seen(blocks(BrokenOff(b"a\nb\nc"), size=4), seen)
        )
    assert b"".join(seen) == b"a\nb\n"


def _seen(pieces, seen):
    for piece in pieces:
        seen.append(bytes(piece.data))
    return ()


class Endless:
    """A line without end, which counts what was asked of it."""

    asked = 0

    def readinto(self, buffer):
        self.asked += len(buffer)
        return len(buffer)


def test_a_line_that_is_too_long_is_refused_before_it_is_read():
    stream = Endless()
    with pytest.raises(Broken, match="the line is longer than 1 MB") as error:
        list(blocks(stream, size=1 << 10, longest=1 << 20))
    assert error.value.in_line
    assert stream.asked <= (1 << 20) + 1


@pytest.mark.parametrize("extra", [0, 1])
def test_the_longest_line(extra):
    data = b"a" * (99 + extra) + b"\n"
    if extra:
        with pytest.raises(Broken, match="longer than 99 bytes"):
            cut(data, size=10, longest=99)
    else:
        assert len(cut(data, size=10, longest=99)) == 1
