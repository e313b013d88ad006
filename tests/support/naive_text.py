"""Slow, obvious parsers of LIBSVM and Vowpal Wabbit text: str methods and float().

They read one line at a time and share nothing with the library. A line is a row, or
None (nothing on it), or it raises ValueError.
"""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

DIGITS = set("0123456789")


class NaiveRow(NamedTuple):
    label: float
    weight: float
    columns: list[int]
    values: list[float]
    names: list[str]


def number(token):
    """float(), for plain decimals only."""
    if set(token) - DIGITS - set("+-.eE"):
        raise ValueError(token)
    value = float(token)
    if not math.isfinite(value):
        raise ValueError(token)
    return value


def whole(token):
    if not token or set(token) - DIGITS:
        raise ValueError(token)
    value = 0
    for c in token:
        value = 10 * value + ord(c) - 48
    return value


def strip_end(line):
    """The line as characters 0 to 255, without LF and without the CR before it."""
    text = line.decode("latin-1")
    text = text.removesuffix("\n")
    return text.removesuffix("\r")


def blank_split(text):
    return [word for half in text.split("\t") for word in half.split(" ") if word]


def libsvm(line, base=1, limit=2**26, bits=None):
    words = blank_split(strip_end(line).split("#")[0])
    if not words:
        return None
    label = math.nan
    if ":" not in words[0]:
        label = number(words.pop(0))
    if words and words[0].startswith("qid:"):
        whole(words.pop(0)[4:])
    entries = {}
    last = -1
    for item in words:
        left, right = item.split(":")
        index = whole(left)
        if index <= last or index < base:
            raise ValueError("order")
        last = index
        column = index - base
        if column >= (limit if bits is None else 2**62):
            raise ValueError("too large")
        value = number(right)
        if bits is None:
            entries[column] = value
        else:
            add(entries, column % 2**bits, value)
    return NaiveRow(label, 1.0, list(entries), list(entries.values()), [])


def add(entries, column, value):
    total = entries[column] + value if column in entries else value
    if not math.isfinite(total):
        raise ValueError("overflow")
    entries[column] = total


def murmur3(data, seed):
    """MurmurHash3_x86_32, after its description."""
    mask = 0xFFFFFFFF

    def rotate(x, r):
        return ((x << r) | (x >> (32 - r))) & mask

    h = seed & mask
    full = len(data) // 4
    for i in range(full):
        b = data[4 * i : 4 * i + 4]
        k = b[0] | b[1] << 8 | b[2] << 16 | b[3] << 24
        h ^= (rotate((k * 0xCC9E2D51) & mask, 15) * 0x1B873593) & mask
        h = (rotate(h, 13) * 5 + 0xE6546B64) & mask
    k = 0
    for i, b in enumerate(data[4 * full :]):
        k |= b << (8 * i)
    if k:
        h ^= (rotate((k * 0xCC9E2D51) & mask, 15) * 0x1B873593) & mask
    h ^= len(data)
    h ^= h >> 16
    h = (h * 0x85EBCA6B) & mask
    h ^= h >> 13
    h = (h * 0xC2B2AE35) & mask
    return h ^ (h >> 16)


def vw_hash(name, seed):
    if name and not set(name) - DIGITS:
        return whole(name) + seed
    return murmur3(name.encode("latin-1"), seed)


def vw(line, bits=18, groups=(), left_out=""):
    text = strip_end(line)
    if not blank_split(text):
        return None
    if "|" not in text:
        raise ValueError("no bar")
    front, *spaces = text.split("|")
    label, weight = vw_front(front)
    features = []
    for space in spaces:
        features += vw_space(space)
    features = [each for each in features if each[0] not in left_out]
    linear = features[:]
    for group in groups:
        for chosen in itertools.product(range(len(linear)), repeat=len(group)):
            some = [linear[i] for i in chosen]
            before = zip(group, group[1:], chosen, chosen[1:], strict=False)
            if [letter for letter, *_ in some] == list(group) and all(
                a != b or j >= i for a, b, i, j in before
            ):
                hashed, value = 0, 1.0
                for _, h, one, _ in some:
                    hashed, value = (hashed * 16777619) ^ h, value * one
                name = "*".join(name for *_, name in some)
                features.append(("", hashed, value, name))
    entries = {}
    names = {}
    for _, h, value, name in features:
        if not math.isfinite(value):
            raise ValueError("overflow")
        column = h % 2**bits
        add(entries, column, value)
        names.setdefault(column, name)
    return NaiveRow(
        label, weight, list(entries), list(entries.values()), list(names.values())
    )


def no_control(name):
    if any(c < " " for c in name):
        raise ValueError("control")


def vw_front(front):
    words = blank_split(front)
    tag = None
    if words and (front[-1] not in " \t" or words[-1][0] == "'"):
        tag = words.pop()
        no_control(tag)
    if tag is not None and not words:
        try:
            float(tag)
            numeric = not set(tag) - DIGITS - set("+-.eE")
        except ValueError:
            numeric = False
        if numeric:
            raise ValueError("a label that touches the bar")
    if len(words) > 3:
        raise ValueError("too many")
    numbers = [number(word) for word in words]
    label = numbers[0] if numbers else math.nan
    weight = numbers[1] if len(numbers) > 1 else 1.0
    if weight < 0:
        raise ValueError("negative")
    return label, weight


def vw_space(space):
    head, *words = space.replace("\t", " ").split(" ")
    letter, seed, weight, prefix = " ", 0, 1.0, ""
    if head:
        name, *rest = head.split(":", 1)
        no_control(name)
        if not name:
            raise ValueError("no name")
        letter, seed = name[0], vw_hash(name, 0)
        prefix = name + "^"
        if rest:
            weight = number(rest[0])
    features = []
    nameless = 0
    for word in words:
        if not word:
            continue
        name, *rest = word.split(":", 1)
        no_control(name)
        value = weight * number(rest[0]) if rest else weight
        if not math.isfinite(value):
            raise ValueError("overflow")
        if name:
            h, shown = vw_hash(name, seed), name
        else:
            h, shown = seed + nameless, f":{nameless}"
            nameless += 1
        if value != 0:
            shown = (prefix + shown).encode("latin-1")
            shown = shown.decode("utf-8", "backslashreplace")
            features.append((letter, h, value, shown))
    return features


def parse(block, read):
    """All of a block: rows with their lines, and the lines that are bad."""
    lines = block.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    rows, bad = [], []
    for i, line in enumerate(lines, 1):
        try:
            row = read(line)
        except ValueError:
            bad.append((len(rows), i))
        else:
            if row is not None:
                rows.append((i, row))
    return rows, bad, len(lines)


def same_chunk(chunk, block, read):
    """Assert that `chunk` is what `read` makes of `block`, to the bit; its rows."""
    rows, bad, n_lines = parse(block, read)
    assert chunk.n_lines == n_lines
    assert [(p.before, p.line) for p in chunk.problems] == bad, (block, chunk.problems)
    assert chunk.lines.tolist() == [i for i, _ in rows], block
    starts = chunk.rows.starts.tolist()
    assert starts[0] == 0
    assert len(starts) == len(rows) + 1
    columns = [c for _, row in rows for c in row.columns]
    values = [v for _, row in rows for v in row.values]
    assert starts[1:] == cumulated(len(row.columns) for _, row in rows)
    assert chunk.rows.columns.tolist() == columns, block
    assert [v.hex() for v in chunk.rows.values.tolist()] == [v.hex() for v in values]
    labels = [row.label.hex() for _, row in rows]
    assert [v.hex() for v in chunk.labels.tolist()] == labels, block
    weights = [row.weight for _, row in rows]
    if chunk.weights is None:
        assert set(weights) <= {1.0}
    else:
        assert chunk.weights.tolist() == weights
        assert set(weights) != {1.0}
    return rows


def cumulated(lengths):
    total, sums = 0, []
    for length in lengths:
        total += length
        sums.append(total)
    return sums


def first_of(named):
    """The first name of each column, in the order in which they come."""
    found = {}
    for column, name in named:
        found.setdefault(column, name)
    return list(found.items())


def first_names(rows, known=()):
    """Columns and names as they first occur, but for those in `known`."""
    found = {}
    for _, row in rows:
        for column, name in zip(row.columns, row.names, strict=True):
            if column not in known:
                found.setdefault(column, name)
    return list(found.items())
