"""Fields of a dict, read as the data of a model were; what would not be is refused.

A table has a kind for each column: a number, flag, date, word, text or vector. JSON
lines have none: a value says itself what it is, but for fields that were declared to be
text or categories. Texts, lists and objects within are read in files (and frames), not
in dicts: a field of the model that is one is an error, not left out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ..data.encoding.dates import is_date
from ..errors import BadRow

if TYPE_CHECKING:
    from ..parts.documents import Document

__all__ = ["EventRow", "fields_as_read"]

EventRow: TypeAlias = Mapping[Any, object]

TABLE = "give a frame, model.predict(frame), or a file, 'regretless predict MODEL FILE'"
LINES = "write rows to a file of JSON lines, and 'regretless predict MODEL FILE' it"


def fields_as_read(
    rows: Sequence[EventRow], reading: Document, known: Collection[Hashable]
) -> list[EventRow]:
    """The rows with fields as features, of which numbers, words and dates are left.

    Parameters
    ----------
    rows : sequence of dicts
        Fields by name; a key may also be a feature as the model knows it.
    reading : dict
        How the model's data were read.
    known : collection of names
        The features of the model.
    """
    if reading.get("columns"):
        read = _Table(reading, known).read
    else:
        read = _Lines(reading, known).read
    return [read(row, i) for i, row in enumerate(rows)]


class _Table:
    """Rows of a table: every column has a kind, and other fields are none of it."""

    def __init__(self, reading: Document, known: Collection[Hashable]) -> None:
        self.kinds: dict[str, str] = dict(reading["columns"])
        self.missing = reading.get("missing", "zero")
        self.known = known

    def read(self, row: EventRow, i: int) -> EventRow:
        """The features of a row."""
        found = {
            name: value
            for name, value in row.items()
            if name in self.known and name not in self.kinds
        }
        for name, kind in self.kinds.items():
            value = row.get(name)
            if kind == "word":
                found |= self._word(name, value, row, i)
            elif value is None:
                found |= self._gap(name, kind, i)
            elif not FITS[kind.partition(":")[0]](value):
                raise BadRow(i, _mistaken(name, value, f"is a {_called(kind)}", TABLE))
            else:
                found[name] = value
        return found

    def _word(
        self, name: str, value: object, row: EventRow, i: int
    ) -> dict[str, object]:
        """A word; a missing one is a word too, unless the row spells its feature."""
        if value is None and any(str(key).startswith(f"{name}=") for key in row):
            return {}
        if not _is_word(value):
            raise BadRow(i, _mistaken(name, value, "is a word", TABLE))
        return {f"{name}={'' if value is None else value}": 1.0}

    def _gap(self, name: str, kind: str, i: int) -> dict[str, object]:
        if kind == "text" or self.missing == "zero":
            return {}
        if self.missing == "refuse":
            raise BadRow(i, f"field {name!r} has no value, and the model needs one")
        return {f"{name} is missing": 1.0}


class _Lines:
    """Objects of JSON lines, events, or rows of numbers: a value says what it is."""

    def __init__(self, reading: Document, known: Collection[Hashable]) -> None:
        self.texts = set(reading.get("text", ()))
        self.categories = set(reading.get("categorical", ()))
        self.missing = reading.get("missing", "zero")
        self.known = known

    def read(self, row: EventRow, i: int) -> EventRow:
        """The features of a row."""
        found: dict[Hashable, object] = {}
        for name, value in row.items():
            if name in self.categories:
                found[f"{name}={'' if value is None else value}"] = 1.0
            elif name in self.texts and isinstance(value, str):
                raise BadRow(i, _mistaken(name, value, "is a text", LINES))
            elif value is None:
                found |= self._gap(name, i)
            elif _is_nested(value):
                if self._has(f"{name}.", f"{name}=", f"{name}["):
                    inside = "has features within it"
                    raise BadRow(i, _mistaken(name, value, inside, LINES))
            elif self._is_unknown_word(name, value):
                raise BadRow(i, _mistaken(name, value, "is a number", "give a number"))
            else:
                found[name] = value
        return found

    def _gap(self, name: object, i: int) -> dict[Hashable, object]:
        if self.missing == "refuse":
            raise BadRow(i, f"field {name!r} has no value, and the model needs one")
        return {f"{name} is missing": 1.0} if self.missing == "indicator" else {}

    def _is_unknown_word(self, name: Hashable, value: object) -> bool:
        """Whether it is a word, and the model knows no word there, but a number."""
        if not isinstance(value, str) or name not in self.known or is_date(value):
            return False
        return not self._has(f"{name}=")

    def _has(self, *starts: str) -> bool:
        return any(isinstance(k, str) and k.startswith(starts) for k in self.known)


def _is_nested(value: object) -> bool:
    return isinstance(value, Mapping | list | tuple | set) or (
        isinstance(value, np.ndarray) and value.ndim > 0
    )


def _is_number(value: object) -> bool:
    return not isinstance(value, str | date | bytes) and not _is_nested(value)


def _is_flag(value: object) -> bool:
    return _is_number(value) and value in (0, 1)


def _is_date(value: object) -> bool:
    return isinstance(value, date) or (isinstance(value, str) and is_date(value))


def _is_word(value: object) -> bool:
    """Whether it is one, or would be as it is written in a file: whole numbers are."""
    whole = not isinstance(value, bool) and isinstance(value, int | np.integer)
    return value is None or isinstance(value, str) or whole


def _never(value: object) -> bool:
    return False


FITS: dict[str, Callable[[object], bool]] = {
    "number": _is_number,
    "flag": _is_flag,
    "date": _is_date,
    "text": _never,
    "vector": _never,
}


def _called(kind: str) -> str:
    kind, _, width = kind.partition(":")
    return f"{kind} of {width} numbers" if width else kind


def _mistaken(name: object, value: object, expected: str, instead: str) -> str:
    return f"field {name!r} {expected} for this model, not {value!r:.40}: {instead}"
