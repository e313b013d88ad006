"""What keeps itself in files: a class says what, and nothing else is written by hand.

What is kept of an attribute follows from what a fresh object has there: an object that
keeps itself is a table, a named tuple one of its fields, and an array from a file has
the type and the shape of the fresh one. What a file may have in its place is declared
beside its name (:attr:`Stored.kept`).

>>> import numpy as np
>>> from regretless.engine.storage import COUNTS, SIZES, Sized, Stored, keep
>>> class Waiting(Stored):
...     kept = keep(rows=COUNTS, _times=Sized("rows", holds=SIZES))
...
...     def __init__(self):
...         self.rows = 0
...         self._times = np.zeros(0)
>>> found = Waiting()
>>> found.load_state({"rows": 2, "times": np.array([0.5, 1.5])})
>>> found.state_dict()
{'rows': 2, 'times': array([0.5, 1.5])}
>>> found.load_state({"rows": -2, "times": np.zeros(2)})
Traceback (most recent call last):
    ...
ValueError: rows=-2 is not a whole number in its range
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias, cast

import numpy as np

from ...parts.documents import Document
from ...parts.state import Array
from .checks import (
    FINITE,
    Range,
    check_kinds,
    checked_array,
    checked_float,
    checked_int,
)
from .randomness import generator_from, generator_state

ALIKE = FINITE
"""As a fresh object has it; numbers are finite."""


class Sized:
    """An array whose sides may have other lengths than those of a fresh one.

    Parameters
    ----------
    *sides : int or str
        Each is a number, or the name of a length: sides of the same name in one object
        are equally long, and as long as a whole number that is kept under the name.
    holds : Range
        What the array may hold.
    """

    def __init__(self, *sides: int | str, holds: Range = FINITE) -> None:
        self.sides, self.holds = sides, holds


class Maybe(NamedTuple):
    """None, or one like what `make` makes."""

    make: Callable[[], object]
    kind: object = ALIKE


class Many(NamedTuple):
    """A list of at most so many, each like what `make` makes."""

    make: Callable[[], object]
    kind: object = ALIKE
    most: int = 2**31


Kinds: TypeAlias = "Mapping[str, object]"
"""Of which kind each attribute is: a Range of numbers, :class:`Sized`, :class:`Many`,
:class:`Maybe`, kinds of the fields of a named tuple by their names, what
:func:`~regretless.engine.storage.check_kinds` takes, or a function of what a fresh
object has and of what the file has."""


def keep(*alike: str, **kinds: object) -> Kinds:
    """Attributes that are kept: some as a fresh object has them, others of a kind."""
    return dict.fromkeys(alike, ALIKE) | kinds


class Stored:
    """An object that is kept in files."""

    kept: ClassVar[Kinds] = {}
    """What is kept: attributes, and of which kind each is; those of bases come first.
    In files they have no underscore."""

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        bases: list[Kinds] = [
            getattr(base, "kept", {}) for base in reversed(cls.__mro__[1:])
        ]
        cls.kept = {
            name: kind for each in (*bases, cls.kept) for name, kind in each.items()
        }

    def state_dict(self) -> Document:
        """All of it, as plain data and arrays, which are its own."""
        return {
            _key(name): dumped(getattr(self, name), kind)
            for name, kind in self.kept.items()
        }

    def load_state(self, stored: Document, /) -> None:
        """Restore from :meth:`state_dict`; raise ``ValueError`` if it is invalid.

        The arrays become its own.
        """
        self.prepare_state(stored)
        lengths: dict[object, int] = {}
        for name, kind in self.kept.items():
            fresh = None if kind is unchecked else getattr(self, name)
            key = _key(name)
            found = restored(fresh, stored, key, kind, lengths)
            if kind is not same:
                setattr(self, name, found)
        self.check_state()

    def prepare_state(self, stored: Document, /) -> None:
        """Become as wide as what is to be restored, where that says what fits."""

    def check_state(self) -> None:
        """Raise ``ValueError`` where what was restored does not fit together."""

    def copy(self) -> Self:
        """As it is now."""
        return copy.deepcopy(self)


def same(fresh: object, value: object) -> object:
    """A kind: exactly what a fresh object has."""
    if dumped(fresh) != value:
        raise ValueError(f"it has {value!r:.40}, not {fresh!r:.40}")
    return fresh


def unchecked(fresh: object, value: object) -> object:
    """A kind: whatever the file has, which a setter or ``check_state`` checks."""
    return value


def dumped(value: Any, kind: object = ALIKE) -> object:
    """An object as plain data and arrays."""
    if hasattr(value, "state_dict"):
        return value.state_dict()
    if isinstance(value, np.random.Generator):
        return generator_state(value)
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        table = cast("Document", value)
        return {
            name: dumped(table[name], each)
            for name, each in _kinds(table, kind).items()
        }
    if isinstance(value, set):
        return sorted(cast("set[str]", value))
    if isinstance(value, list):
        return [dumped(one) for one in cast("list[object]", value)]
    return value


def restored(
    fresh: Any,
    stored: Document,
    name: str,
    kind: object,
    lengths: dict[object, int] | None = None,
) -> object:
    """What :func:`dumped` made of an object like `fresh`, if it is of this kind.

    It stands in a table under this name.
    """
    lengths = {} if lengths is None else lengths
    value = stored[name]
    if isinstance(kind, Maybe):
        made = None if value is None else kind.make()
        found = None if value is None else restored(made, stored, name, kind.kind)
    elif isinstance(kind, Many):
        check_kinds(stored, {name: list})
        if len(value) > kind.most:
            raise ValueError(f"{name} has more than {kind.most:,}")
        found = [restored(kind.make(), {name: one}, name, kind.kind) for one in value]
    elif callable(kind):
        found = kind(fresh, value)
    elif hasattr(fresh, "load_state"):
        fresh.load_state(value)
        found = fresh
    elif isinstance(fresh, np.random.Generator):
        found = generator_from(value)
    elif isinstance(fresh, np.ndarray):
        found = _array(cast("Array", fresh), stored, name, kind, lengths)
    elif hasattr(fresh, "_asdict"):
        found = fresh._replace(**_table(fresh._asdict(), value, kind, lengths))
    elif isinstance(fresh, list):
        pairs = zip(cast("list[object]", fresh), value, strict=True)
        found = [restored(one, {name: each}, name, kind) for one, each in pairs]
    elif isinstance(fresh, dict):
        found = _table(cast("Document", fresh), value, kind, lengths)
    else:
        found = _plain(fresh, stored, name, kind, lengths)
    return found


def _table(
    fresh: Document, stored: Document, kind: object, lengths: dict[object, int]
) -> Document:
    """Values by name; those that are of no kind are not kept."""
    return {
        name: restored(fresh[name], stored, name, each, lengths)
        for name, each in _kinds(fresh, kind).items()
    }


def _kinds(fresh: Document, kind: object) -> Kinds:
    if isinstance(kind, Mapping):
        return cast("Kinds", kind)
    return keep(**dict.fromkeys(fresh, kind))


def _array(
    fresh: Array,
    tree: Document,
    name: str,
    kind: object,
    lengths: dict[object, int],
) -> Array:
    if not isinstance(kind, Sized):
        holds = cast("Range", kind)
        return checked_array(tree, name, fresh.dtype, fresh.shape, holds)
    shape = tuple(
        lengths.get(side) if isinstance(side, str) else side for side in kind.sides
    )
    found = checked_array(tree, name, fresh.dtype, shape, kind.holds)
    lengths.update(zip(kind.sides, found.shape, strict=True))
    return found


def _plain(
    fresh: object,
    tree: Document,
    name: str,
    kind: object,
    lengths: dict[object, int],
) -> object:
    if fresh is None or isinstance(fresh, bool | str):
        kind = kind if fresh is None and kind is not ALIKE else type(fresh)
    elif isinstance(kind, Range) and (kind.whole or isinstance(fresh, int)):
        lengths[name] = checked_int(tree, name, kind.low, kind.high)
        return lengths[name]
    elif isinstance(kind, Range):
        return checked_float(tree, name, kind)
    check_kinds(tree, {name: None if kind is type(None) else kind})
    return tree[name]


def _key(name: str) -> str:
    return name.removeprefix("_")
