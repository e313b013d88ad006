"""Why a line of Vowpal Wabbit text is no row; or the line as the kernel reads it."""

from __future__ import annotations

import math
import re

from ...engine.kernels.hashed import MOST
from ...parts.state import Floats
from ..encoding.fault import Fault
from .text_blocks import NUMBER, number, quote

STOP = re.compile(rb"[\x00-\x20:|]")
CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f]")
BANDIT = re.compile(rb"shared|\d+(:[^:]+){1,2}")


def respelled(line: bytes, kept: Floats, groups: tuple[tuple[int, ...], ...]) -> bytes:
    """A line with numbers as the kernel reads them, or the :class:`Fault` it has."""
    front, bar, rest = line.partition(b"|")
    if not bar:
        raise Fault("there is no '|' before the features")
    letters: list[int] = []
    spaces = [read_space(space, kept, letters) for space in rest.split(b"|")]
    total = sum(math.prod(map(letters.count, group)) for group in groups)
    if total > MOST:
        raise Fault(f"there are {total} interactions, more than {MOST}")
    return b"|".join([read_front(front), *spaces])


def read_front(front: bytes) -> bytes:
    """Label, importance and base, and a tag where there is one, all checked."""
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
    if len(numbers) > 1 and numbers[1] < 0:
        raise Fault(f"importance {quote(tokens[1])} is negative")
    words = [repr(one).encode() for one in numbers]
    return b" ".join([*words, b"'tag" if tag else b""])


def split_tag(front: bytes) -> tuple[list[bytes], bytes]:
    """What stands before the first bar: words, then the tag or nothing."""
    tokens = [token for token in front.replace(b"\t", b" ").split(b" ") if token]
    touches = front[-1:] not in (b"", b" ", b"\t")
    tagged = bool(tokens) and (touches or tokens[-1].startswith(b"'"))
    return tokens, tokens.pop() if tagged else b""


def read_space(space: bytes, kept: Floats, letters: list[int]) -> bytes:
    """A namespace, which begins behind the bar; its letter, once for each feature."""
    head, *tokens = space.replace(b"\t", b" ").split(b" ")
    name, colon, given = head.partition(b":")
    refuse_control(name, "namespace")
    letter, weight = ord(" "), 1.0
    if head:
        if not name:
            raise Fault(f"namespace {quote(head)} has no name")
        letter = name[0]
        if colon:
            weight = number(given, f"weight {quote(given)} of namespace {quote(name)}")
    words = [name + spelled(weight) if colon else name]
    weight *= float(kept[letter])
    for token in filter(None, tokens):
        own, colon, given = token.partition(b":")
        refuse_control(own, "feature")
        value = 1.0
        if colon:
            value = number(given, f"value {quote(given)} of feature {quote(own)}")
        words.append(own + spelled(value) if colon else own)
        if not math.isfinite(value * weight):
            raise Fault(f"the value of feature {quote(own)} is too large for a float64")
        letters += [letter] * (value * weight != 0)
    return b" ".join(words)


def spelled(value: float) -> bytes:
    """A number behind its colon, in the fewest digits."""
    return b":" + repr(value).encode()


def refuse_control(name: bytes, what: str) -> None:
    """Raise a :class:`Fault` if `name` has a byte that no text has."""
    if CONTROL.search(name):
        raise Fault(f"{what} {quote(name)} has a control character")


def text(name: bytes) -> str:
    """A name as it is shown; bytes that are not UTF-8 are escaped."""
    return name.decode("utf-8", "backslashreplace")
