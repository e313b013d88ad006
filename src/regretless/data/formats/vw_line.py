"""A line of Vowpal Wabbit text as Python reads it, and the words for what is wrong.

The kernel hands over lines that are not well formed, or whose numbers only ``float()``
can tell; so this is the whole format once more, slowly.
"""

from __future__ import annotations

import math
import re
from itertools import pairwise
from typing import NamedTuple

from ...engine.kernels.hashed import MOST, PRIME, Hashing
from ...parts.state import Floats
from ..encoding.fault import Fault
from .block_parse import TextRow
from .text_blocks import NUMBER, number, quote

STOP = re.compile(rb"[\x00-\x20:|]")
CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f]")
BANDIT = re.compile(rb"shared|\d+(:[^:]+){1,2}")
LOW = 2**32 - 1


class Feature(NamedTuple):
    """A feature before its hash is cut to the columns."""

    letter: int
    hashed: int
    value: float
    name: str


def read_line(
    line: bytes, hashing: Hashing, groups: tuple[tuple[int, ...], ...]
) -> TextRow:
    """A line that has a row, or the :class:`Fault` it has."""
    line = line.removesuffix(b"\n").removesuffix(b"\r")
    front, bar, rest = line.partition(b"|")
    if not bar:
        raise Fault("there is no '|' before the features")
    label, weight = read_front(front)
    features = [
        feature
        for space in rest.split(b"|")
        for feature in read_space(space, hashing.kept)
    ]
    columns: dict[int, float] = {}
    names: dict[int, str] = {}
    for feature in [*features, *interactions(features, groups)]:
        column = feature.hashed & hashing.mask
        total = columns.get(column, -0.0) + feature.value
        if not math.isfinite(total):
            raise Fault(f"the values of '{feature.name}' add up to more than a float64")
        columns[column] = total
        names.setdefault(column, feature.name)
    return TextRow(label, columns, weight, names)


def read_front(front: bytes) -> tuple[float, float]:
    """Label and importance; base and tag are checked."""
    tokens, tag = split_tag(front)
    if tag:
        if CONTROL.search(tag):
            raise Fault(f"the tag {quote(tag)} has a control character")
        if not tokens and NUMBER.fullmatch(tag):
            raise Fault(
                f"{quote(tag)} touches the '|', which makes it a tag: "
                "a label needs a blank behind it"
            )
    if len(tokens) > 3:
        raise Fault(f"{quote(tokens[3])} stands where only a tag may, before the '|'")
    if tokens and BANDIT.fullmatch(tokens[0]):
        raise Fault(f"{quote(tokens[0])}: rows of contextual bandits are not read yet")
    told = ("label", "importance", "base")
    numbers = [
        number(token, f"{what} {quote(token)}")
        for what, token in zip(told, tokens, strict=False)
    ]
    label, weight, *_ = [*numbers, 1.0] if numbers else [math.nan, 1.0]
    if weight < 0:
        raise Fault(f"importance {quote(tokens[1])} is negative")
    return label, weight


def split_tag(front: bytes) -> tuple[list[bytes], bytes]:
    """What stands before the first bar: words, then the tag or nothing."""
    tokens = [token for token in front.replace(b"\t", b" ").split(b" ") if token]
    touches = front[-1:] not in (b"", b" ", b"\t")
    tagged = bool(tokens) and (touches or tokens[-1].startswith(b"'"))
    return tokens, tokens.pop() if tagged else b""


def read_space(space: bytes, kept: Floats) -> list[Feature]:
    """The features of a namespace, which begins behind the bar, if it is `kept`."""
    head, *tokens = space.replace(b"\t", b" ").split(b" ")
    name, colon, given = head.partition(b":")
    refuse_control(name, "namespace")
    seed, letter, weight = 0, ord(" "), 1.0
    if head:
        if not name:
            raise Fault(f"namespace {quote(head)} has no name")
        seed, letter = hash_name(name, 0), name[0]
        if colon:
            weight = number(given, f"weight {quote(given)} of namespace {quote(name)}")
    weight *= float(kept[letter])
    prefix = f"{text(name)}^" if name else ""
    features: list[Feature] = []
    nameless = 0
    for token in filter(None, tokens):
        own, colon, given = token.partition(b":")
        refuse_control(own, "feature")
        value = weight
        if colon:
            value *= number(given, f"value {quote(given)} of feature {quote(own)}")
        if not math.isfinite(value):
            raise Fault(f"the value of feature {quote(own)} is too large for a float64")
        hashed = hash_name(own, seed) if own else seed + nameless
        shown = text(own) if own else f":{nameless}"
        nameless += not own
        if value != 0:
            features.append(Feature(letter, hashed, value, prefix + shown))
    return features


def interactions(
    features: list[Feature], groups: tuple[tuple[int, ...], ...]
) -> list[Feature]:
    """The products of the features of namespaces, for all groups asked for."""
    letters = [feature.letter for feature in features]
    total = sum(math.prod(map(letters.count, group)) for group in groups)
    if total > MOST:
        raise Fault(f"there are {total} interactions, more than {MOST}")
    found: list[Feature] = []
    for group in groups:
        some = [(i, one) for i, one in enumerate(features) if one.letter == group[0]]
        for before, letter in pairwise(group):
            some = [
                (j, multiplied(a, b))
                for i, a in some
                for j, b in enumerate(features)
                if b.letter == letter and (letter != before or j >= i)
            ]
        found += [one for _, one in some]
    return found


def multiplied(a: Feature, b: Feature) -> Feature:
    """The product of two features, or of one more."""
    name, value = f"{a.name}*{b.name}", a.value * b.value
    if not math.isfinite(value):
        raise Fault(f"the value of '{name}' is too large for a float64")
    return Feature(0, (a.hashed * PRIME) ^ b.hashed, value, name)


def refuse_control(name: bytes, what: str) -> None:
    """Raise a :class:`Fault` if `name` has a byte that no text has."""
    if CONTROL.search(name):
        raise Fault(f"{what} {quote(name)} has a control character")


def text(name: bytes) -> str:
    """A name as it is shown; bytes that are not UTF-8 are escaped."""
    return name.decode("utf-8", "backslashreplace")


def hash_name(name: bytes, seed: int) -> int:
    """Vowpal Wabbit's hash: the number, if it is one, else MurmurHash3."""
    if name.isdigit():
        return int(name[-32:]) + seed
    return murmur3(name, seed)


def murmur3(data: bytes, seed: int) -> int:
    """MurmurHash3_x86_32."""
    h = seed & LOW
    for at in range(0, len(data), 4):
        four = data[at : at + 4]
        k = int.from_bytes(four, "little") * 0xCC9E2D51 & LOW
        k = (k << 15 | k >> 17) * 0x1B873593 & LOW
        h ^= k
        if len(four) == 4:
            h = (((h << 13 | h >> 19) & LOW) * 5 + 0xE6546B64) & LOW
    h ^= len(data)
    h = (h ^ h >> 16) * 0x85EBCA6B & LOW
    h = (h ^ h >> 13) * 0xC2B2AE35 & LOW
    return h ^ h >> 16
