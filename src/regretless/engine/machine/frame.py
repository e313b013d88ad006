"""The frame: what a kernel is given and gives back, as one flat block of words.

    word 0        the address of the machine code
    word 1        the exception to raise if the machine code fails
    words 2...    what the kernel returns, at least one word
    then          the arguments: an array is its address and its shape, a tuple is its
                  members one after the other, and a number is itself

A wrong frame would corrupt memory. So its format is part of the key under which machine
code is kept: the types of all arguments, nested as they are, with the names of the
fields. Arrays are C-contiguous; :meth:`Format.pack` refuses others.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from struct import Struct
from typing import Any, TypeAlias, cast

import numpy as np

from ...parts.generic import implementations, place_of
from ...parts.state import Array

Frame: TypeAlias = "ctypes.Array[ctypes.c_char]"

VERSION = 1
"""Part of every key. It changes whenever the layout does."""

HEAD = 2

NUMBERS: dict[type, str] = {bool: "bool", int: "int", float: "float"}

_CODES = {"i": "q", "u": "Q", "f": "d", "b": "q", "a": "Q"}


def describe(argument: object) -> str:
    """The types that decide the machine code for an argument, as text."""
    if isinstance(argument, np.ndarray):
        array = cast("Array", argument)
        if array.dtype.kind not in "biuf" or not array.dtype.isnative:
            raise TypeError(f"machine code takes no arrays of {array.dtype}")
        return f"{array.dtype.str[1:]}*{array.ndim}"
    if isinstance(argument, tuple):
        items = cast("tuple[object, ...]", argument)
        names = getattr(items, "_fields", None)
        if names is None:
            return f"({','.join(map(describe, items))})"
        inner = [
            f"{name}:{describe(item)}" for name, item in zip(names, items, strict=True)
        ]
        return f"{_name(type(items))}({','.join(inner)})"
    if type(argument) not in NUMBERS:
        raise TypeError(
            f"a part holds {argument!r:.60}: machine code takes numbers (int, float, "
            "bool), arrays and other parts"
        )
    return NUMBERS[type(argument)]


def kinds(argument: object) -> list[type]:
    """The types of all parts in an argument."""
    if not isinstance(argument, tuple):
        return []
    items = cast("tuple[object, ...]", argument)
    inner = [kind for item in items for kind in kinds(item)]
    return [type(items), *inner] if hasattr(items, "_fields") else inner


class PartRaised(RuntimeError):  # noqa: N818 - it is what happened
    """A part raised an exception in machine code, which does not say which one."""

    def __str__(self) -> str:
        """What is known of it."""
        where = f" in {self.args[0]}" if self.args else ""
        return f"a part raised an exception{where}: REGRETLESS_STORE=off shows which"


class Format:
    """How the arguments of a kernel, and what it returns, lie in its frame.

    Parameters
    ----------
    arguments : tuple
        Some arguments of the kernel.
    returns : str
        A letter for each number that is returned: i, u, f or b for int, unsigned, float
        and bool; in parentheses if it is a tuple; empty for None.

    Attributes
    ----------
    first : int
        The word where the arguments begin.
    words : int
        How many words there are.
    leaves : list of (letter, rank, path)
        What each argument is, down to the last number ("f" or "i") or array ("a"), and
        the steps that lead to it: a type of tuple, its length, and which member.
    returns : str
        As it was given.
    """

    def __init__(self, arguments: tuple[object, ...], returns: str) -> None:
        self.returns = returns
        given = returns.strip("()")
        self.leaves = list(_leaves(arguments, ()))
        self.first = HEAD + max(1, len(given))
        self._results = Struct("<" + "".join(_CODES[letter] for letter in given))
        codes = [_CODES[letter] + "q" * rank for letter, rank, _ in self.leaves]
        self._words = Struct("<" + "".join(codes))
        self.words = self.first + self._words.size // 8

    def new(self, address: int) -> Frame:
        """A frame for the machine code at an address, without arguments."""
        frame = ctypes.create_string_buffer(8 * self.words)
        _HEAD.pack_into(frame, 0, address, id(PartRaised))
        return frame

    def pack(self, frame: Frame, arguments: tuple[object, ...]) -> None:
        """Write arguments into a frame. They must outlive it."""
        words: list[object] = []
        _flatten(arguments, words)
        self._words.pack_into(frame, 8 * self.first, *words)

    def result(self, frame: Frame) -> Any:
        """What the kernel has returned."""
        found = self._results.unpack_from(frame, 8 * HEAD)
        if "b" in self.returns:
            letters = zip(self.returns.strip("()"), found, strict=True)
            found = tuple(bool(x) if letter == "b" else x for letter, x in letters)
        if self.returns.startswith("("):
            return found
        return found[0] if found else None


_HEAD = Struct("<qq")


def _name(kind: type) -> str:
    """The name of a part's type.

    One that extends another part names what it overrides: it may override more later.
    """
    name = place_of(kind)
    bases = [base for base in kind.__mro__ if hasattr(base, "_fields")]
    own = [each for base in bases for each in implementations(base)]
    return f"{name}<{','.join(own)}>" if len(bases) > 1 else name


Step = tuple[type, int, int]


def _leaves(
    items: tuple[object, ...], path: tuple[Step, ...]
) -> Iterator[tuple[str, int, tuple[Step, ...]]]:
    for k, item in enumerate(items):
        steps = (*path, (type(items), len(items), k))
        if isinstance(item, np.ndarray):
            yield "a", cast("Array", item).ndim, steps
        elif isinstance(item, tuple):
            yield from _leaves(cast("tuple[object, ...]", item), steps)
        else:
            yield "f" if isinstance(item, float) else "i", 0, steps


def _flatten(items: tuple[object, ...], words: list[object]) -> None:
    for item in items:
        if isinstance(item, np.ndarray):
            array = cast("Array", item)
            if not array.flags.c_contiguous:
                raise ValueError("a kernel was given an array that is not contiguous")
            words.append(array.__array_interface__["data"][0])
            words.extend(array.shape)
        elif isinstance(item, tuple):
            _flatten(cast("tuple[object, ...]", item), words)
        else:
            words.append(item)
