"""Fields of a row by name to features: the one rule for JSON lines, events and models.

Where the kind of a field is declared (by a schema, or by the columns of the table that
a model learned), the field is read as that, as a file with this column would be:

=========== ==========================================================================
number      itself; True is 1 and False 0; a string that spells a number is one
flag        the same, of true and false
date        four numbers (:mod:`.dates`)
word        the feature ``name=word``, which is 1; without a value ``name=``
text        a feature ``name=word`` for each word, which counts how often it occurs
vector:N    N numbers, ``name[0]``, ``name[1]``, ...
=========== ==========================================================================

words       the features ``name=word`` of a list of strings, each of which counts

Elsewhere the first value of a field declares it: a number or a flag, a string that
spells a date, any other string (``"11"`` too) or a list of strings, which are words.
Later values are read as that. None is missing, a list of numbers is a vector, and the
fields of an object within have its name and a dot in front.

Behind all of these stand the products of fields (:mod:`..interactions`).
"""

from __future__ import annotations

import sys
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from datetime import date
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from ..chunk import Array
from ..interactions import ANY, expanded
from .dates import date_features, date_word, is_date
from .fault import Fault
from .plain_numbers import checked
from .products import products
from .spelled import FALSE, MISSING, TRUE, is_number
from .text import words_of

if TYPE_CHECKING:
    from _typeshed import SupportsItems

    from ..schema import Schema


Features: TypeAlias = "dict[Any, float]"
Row: TypeAlias = "SupportsItems[Any, object]"
LARGEST = sys.float_info.max
SHOWN = 40  # letters of a value that an error shows
LONGEST = 2**16  # bytes of a word
SHORT = LONGEST // 4  # letters of a word that is short enough in any script
PLAIN = (float, int, str)
NAMES: tuple[type, ...] = (str, int, np.integer)
NOTHING = ("NAType", "NaTType")  # what pandas has in place of None


class FieldReader:
    """What reads the fields of one row after the other.

    Parameters
    ----------
    schema : Schema
        What fields mean. Where it has the columns of a table, other fields are left
        out, and a column without a field has no value.
    known : collection of names
        Features that there are already: a row may spell them, and a field that is one
        is a number.

    Attributes
    ----------
    kinds : dict
        The kinds of fields, declared or found.
    fresh : dict
        Those that the last row would add, as words or dates (:meth:`keep`).
    empty : set
        Fields of unknown kind that had no value.
    """

    def __init__(self, schema: Schema, known: Collection[Hashable] = ()) -> None:
        self.known = known
        self.whole = schema.columns is not None
        # As in a table: words come before the words of texts.
        several = ("text", "words") if self.whole else ()
        kinds = sorted(schema.kinds.items(), key=lambda pair: pair[1] in several)
        self.kinds: dict[Hashable, str] = dict(kinds)
        self.missing = schema.missing
        self.ngrams = schema.ngrams
        self.counted = tuple(f"{name}=" for name in schema.text if schema.presence)
        self.left_out = frozenset(() if self.whole else schema.aside)
        self.crossed = schema.crossed
        if self.whole:
            self.crossed = expanded(self.crossed, schema.kinds)
        self.any_field = any(ANY in group for group in self.crossed)
        self.fresh: dict[Hashable, str] = {}
        self.empty: set[Hashable] = set()

    def keep(self) -> None:
        """Read fields from now on as the last row had them first."""
        self.kinds.update(self.fresh)

    def features(self, row: Row) -> Features:
        """The features of a row as finite numbers; :class:`Fault` if a field is bad."""
        found: Features = {}
        self.fresh = {}
        if not self.crossed:
            if self.whole:
                self._table(lambda _: found, dict(self._flat(row, "")))
            else:
                self._collect(found, row, "")
            return self._once(found)
        parts: dict[str, Features] = {}
        if self.whole:
            flat = dict(self._flat(row, ""))
            self._table(lambda name: parts.setdefault(str(name), {}), flat)
        else:
            for name, value in self._flat(row, ""):
                part = parts.setdefault(str(name), {})
                self._collect(part, {name: value}, "")
        for part in parts.values():
            for name, value in self._once(part).items():
                _add(found, name, value)
        groups = expanded(self.crossed, parts) if self.any_field else self.crossed
        for name, value in products(groups, parts).items():
            _add(found, name, value)
        return found

    def _once(self, found: Features) -> Features:
        """The same, where the words of a text count once if that was asked for."""
        if self.counted:
            for name in found:
                if str(name).startswith(self.counted):
                    found[name] = 1.0
        return found

    def _table(
        self, part: Callable[[Hashable], Features], row: dict[Hashable, object]
    ) -> None:
        """Gather the features of a row of a table, column by column."""
        spelled = [
            name for name in row if name not in self.kinds and name in self.known
        ]
        for name in spelled:
            column = str(name).partition("=")[0]
            _add(part(column), name, checked(f"feature {name!r}", row[name]))
        for name, kind in self.kinds.items():
            value = row.get(name)
            if value is not None or not _spells(spelled, name):
                self._declared(part(name), name, kind, value)

    def _flat(self, row: Row, prefix: str) -> Iterator[tuple[Hashable, object]]:
        """The fields of a row; those of objects within are fields of its own."""
        kinds, left_out = self.kinds, self.left_out
        for key, value in row.items():
            if not isinstance(key, NAMES) and key not in self.known:
                raise Fault(f"the name of a field is a string, not {key!r:.{SHOWN}}")
            name: Hashable = f"{prefix}{key}" if prefix else key
            if name in left_out:
                continue
            plain = isinstance(value, PLAIN) or name in kinds
            if plain or not isinstance(value, Mapping):
                yield name, value
            else:
                inner = cast("Mapping[object, object]", value)
                yield from self._flat(inner, f"{name}.")

    def _collect(self, found: Features, row: Row, prefix: str) -> None:
        """Gather the features of fields; most of them are words, which are quick."""
        kinds, left_out = self.kinds, self.left_out
        for key, value in row.items():
            name: Hashable = f"{prefix}{key}" if prefix else key
            kind = kinds.get(name)
            if kind == "word" and isinstance(value, str) and len(value) < SHORT:
                word = f"{name}={value}"
                found[word] = found[word] + 1.0 if word in found else 1.0
                continue
            if not isinstance(key, NAMES) and key not in self.known:
                raise Fault(f"the name of a field is a string, not {key!r:.{SHOWN}}")
            if name in left_out:
                continue
            if kind is not None:
                self._declared(found, name, kind, value)
            elif isinstance(value, Mapping):
                self._collect(found, cast("Row", value), f"{name}.")
            elif isinstance(value, float | int):
                if not -LARGEST <= value <= LARGEST:
                    checked(f"feature {name!r}", value)  # says what is wrong
                _add(found, name, float(value))
            elif value is None:
                self.empty.add(name)
                self._gap(found, name)
            else:
                self._first(found, name, value)

    def _first(self, found: Features, name: Hashable, value: object) -> None:
        """The features of a field that is not known, or is one of numbers."""
        items = None if isinstance(value, str) else _items(value)
        if type(value).__name__ in NOTHING:
            self._gap(found, name)
        elif name in self.known and (
            isinstance(value, str | date) or (items and isinstance(items[0], str))
        ):
            raise _mistaken(name, "a number", value)
        elif isinstance(value, date) or (isinstance(value, str) and is_date(value)):
            self.fresh[name] = "date"
            _add_date(found, name, value)
        elif isinstance(value, str) or (items and isinstance(items[0], str)):
            if value:
                self.fresh[name] = "word"
            for word in _words(name, value):
                _add(found, f"{name}={word}", 1.0)
        elif items is not None:
            _add_list(found, name, items)
        else:
            _add(found, name, checked(f"feature {name!r}", _no_bytes(name, value)))

    def _declared(
        self, found: Features, name: Hashable, kind: str, value: object
    ) -> None:
        """The features of a field whose kind is known."""
        if kind in ("word", "words"):
            for word in _words(name, value):
                _add(found, f"{name}={word}", 1.0)
        elif kind == "text":
            for word in self._words_of_text(name, value):
                _add(found, f"{name}={word}", 1.0)
        elif _is_missing(value):
            self._gap(found, name)
        else:
            _READ[kind.partition(":")[0]](found, name, kind, value)

    def _words_of_text(self, name: Hashable, value: object) -> Sequence[str]:
        """The words of a text; a list of strings has them already."""
        if isinstance(value, str):
            return words_of(value, self.ngrams)
        items = _items(value)
        if items is None and _is_missing(value):
            return ()
        if items is None or not all(isinstance(item, str) for item in items):
            raise _mistaken(name, "a text", value)
        return [str(item) for item in items]

    def _gap(self, found: Features, name: Hashable) -> None:
        """A number that is missing."""
        if self.missing == "refuse":
            raise Fault(f"field {name!r} has no value")
        if self.missing == "indicator":
            _add(found, f"{name} is missing", 1.0)


def _spells(features: Iterable[Hashable], name: Hashable) -> bool:
    """Whether there is a word of this field among the features."""
    return any(str(feature).startswith(f"{name}=") for feature in features)


def _add(found: Features, name: Hashable, value: float) -> None:
    found[name] = found[name] + value if name in found else value


def _add_number(found: Features, name: Hashable, kind: str, value: object) -> None:
    text = value.strip(" \t") if isinstance(value, str) else ""
    flag = TRUE if text in TRUE else FALSE if text in FALSE else ()
    if isinstance(value, date) or _items(value) is not None:
        raise _mistaken(name, f"a {kind}", value)
    if kind == "flag" and not flag and value not in (0, 1, "0", "1"):
        raise _mistaken(name, "a flag", value)
    if isinstance(value, str):
        if not flag and not is_number(text):
            raise _mistaken(name, f"a {kind}", value)
        value = float(flag is TRUE) if flag else float(text)
    try:
        _add(found, name, checked(f"feature {name!r}", value))
    except Fault as fault:
        spelled = "not a finite" in str(fault)
        raise (fault if spelled else _mistaken(name, f"a {kind}", value)) from None


def _add_date(found: Features, name: Hashable, value: date | str) -> None:
    for part, number in date_features(str(name), value).items():
        _add(found, part, number)


def _add_declared_date(
    found: Features, name: Hashable, kind: str, value: object
) -> None:
    if not isinstance(value, date) and not (isinstance(value, str) and is_date(value)):
        raise _mistaken(name, "a date (2024-12-31)", value)
    _add_date(found, name, value)


def _add_vector(found: Features, name: Hashable, kind: str, value: object) -> None:
    items, width = _items(value), int(kind.partition(":")[2])
    if items is None or len(items) != width:
        raise _mistaken(name, f"a list of {width} numbers", value)
    _add_list(found, name, items)


def _add_list(found: Features, name: Hashable, items: Sequence[object]) -> None:
    """A list of numbers has a feature for each."""
    if any(isinstance(item, str) for item in items):
        raise Fault(f"feature {name!r}: a list holds numbers or strings, not both")
    for k, item in enumerate(items):
        _add(found, f"{name}[{k}]", checked(f"feature '{name}[{k}]'", item))


_READ: dict[str, Callable[[Features, Hashable, str, object], None]] = {
    "number": _add_number,
    "flag": _add_number,
    "date": _add_declared_date,
    "vector": _add_vector,
}


def _words(name: Hashable, value: object) -> list[str]:
    """The words of a category, written as in a file; a missing one is ""."""
    items = None if isinstance(value, str) else _items(value)
    if items is not None and not all(isinstance(item, str) for item in items):
        if any(isinstance(item, str) for item in items):
            raise Fault(f"feature {name!r}: a list holds numbers or strings, not both")
        raise _mistaken(name, "a word", value)
    return [_word(name, item) for item in ([value] if items is None else items)]


def _word(name: Hashable, value: object) -> str:
    if isinstance(value, str):
        if 4 * len(value) > LONGEST and len(value.encode(errors="replace")) > LONGEST:
            raise Fault(too_long(name))
        return value
    if _is_missing(value):
        return ""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, NAMES):
        return str(value)
    if isinstance(value, date):
        return date_word(value)
    if isinstance(value, Mapping):
        raise _mistaken(name, "a word", value)  # pyright: ignore[reportUnknownArgumentType]
    number = checked(f"feature {name!r}", _no_bytes(name, value))
    return repr(number).removesuffix(".0").replace("e-0", "e-")  # as Arrow writes it


def too_long(name: Hashable) -> str:
    """What is said of a word that is no name of a category."""
    return f"field {name!r} holds a word of more than {LONGEST:,} bytes: is it text?"


def _no_bytes(name: Hashable, value: object) -> object:
    """A value, but for bytes, which are none of text."""
    if isinstance(value, bytes | bytearray | memoryview):
        raise Fault(f"field {name!r} holds bytes: decode them, as by .decode()")
    return value


def _is_missing(value: object) -> bool:
    """Whether a field has no value, as frames and files say it."""
    if value is None or isinstance(value, str):
        return value is None or value.strip() in MISSING
    try:
        return bool(value != value)  # noqa: PLR0124 - nan is not itself
    except (TypeError, ValueError):  # pandas.NA will not say; an array has many answers
        return type(value).__name__ == "NAType"


def _items(value: object) -> Sequence[object] | None:
    """What a list, a set or an array holds; None if it is none of these."""
    if isinstance(value, np.ndarray):
        array = cast("Array", value)
        return array.tolist() if array.ndim == 1 else None
    if isinstance(value, set | frozenset):
        return sorted(cast("set[object]", value), key=str)
    if isinstance(value, list | tuple):
        return cast("Sequence[object]", value)
    return None


def _mistaken(name: Hashable, kind: str, value: object) -> Fault:
    return Fault(f"field {name!r} is {kind}, not {value!r:.{SHOWN}}")
