"""Names of features to numbers of weights, in the order in which they first appear."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from datetime import date
from typing import TYPE_CHECKING

from ...engine.storage import pack_names, unpack_names
from ...errors import BadRow
from ...parts.documents import Document
from .dates import date_features, is_date
from .plain_numbers import float_of

if TYPE_CHECKING:
    from _typeshed import SupportsItems

__all__ = [
    "Encoder",
    "checked",
    "features_of",
]


class Encoder:
    """Names to feature numbers, growing as names appear.

    Parameters
    ----------
    limit : int or None
        How many names there may be.
    """

    def __init__(self, limit: int | None = None) -> None:
        self.numbers: dict[Hashable, int] = {}
        self.limit = limit

    @property
    def names(self) -> tuple[Hashable, ...]:
        """The names, in order of their numbers."""
        return tuple(self.numbers)

    def state_dict(self) -> Document:
        """The names met so far, as plain data and arrays."""
        return {"names": pack_names(self.names)}

    def load_state(self, stored: Document) -> None:
        """Go on with the names that :meth:`state_dict` packed."""
        names = unpack_names(stored["names"]) or ()
        numbers = {name: j for j, name in enumerate(names)}
        if len(numbers) < len(names):
            raise ValueError("a feature is named twice")
        self.numbers = numbers

    def encode(
        self, x: SupportsItems[Hashable, object], row: int
    ) -> tuple[list[int], list[float]]:
        """The columns and values of one event; a bad one leaves no names behind."""
        features = features_of(x, row)
        columns = self.add(features, row)
        return columns, list(features.values())

    def add(self, names: Iterable[Hashable], row: int) -> list[int]:
        """The columns of these names, new ones included; too many leave none behind."""
        numbers = self.numbers
        known = len(numbers)
        columns = [numbers.setdefault(name, len(numbers)) for name in names]
        if self.limit is not None and len(numbers) > self.limit:
            one_too_many = self.names[self.limit]
            self.forget(known)
            raise BadRow(
                row,
                f"{one_too_many!r} is feature number {self.limit + 1}, but "
                f"n_features={self.limit} was declared",
            )
        return columns

    def forget(self, known: int) -> None:
        """Drop all names but the first `known`."""
        while len(self.numbers) > known:
            self.numbers.popitem()


def features_of(x: SupportsItems[Hashable, object], row: int) -> dict[Hashable, float]:
    """The features of an event that may hold words and gaps, as finite numbers.

    A number is itself, True is 1 and False 0. A string is a category: the feature
    ``name=string``, which is 1. A date, or a string that spells one, is some numbers,
    as in a table (:mod:`.dates`). None is missing: there is no such feature. A string
    that spells a number is refused: nobody can tell which of the two it is.
    """
    features: dict[Hashable, float] = {}
    for name, value in x.items():
        if isinstance(value, date) or (isinstance(value, str) and is_date(value)):
            features |= date_features(str(name), value)
        elif isinstance(value, str):
            word = category(name, value, row)
            features[word] = features.get(word, 0.0) + 1.0
        elif value is not None:
            number = checked(name, value, row)
            features[name] = features[name] + number if name in features else number
    return features


def category(name: object, value: str, row: int) -> str:
    """The name of the feature that a category has."""
    try:
        float(value)
    except ValueError:
        return f"{name}={value}"
    raise BadRow(
        row,
        f"feature {name!r}: {value!r} is a number in quotes: take the quotes off, or "
        f"say {{{f'{name}={value}'!r}: 1}} if it names a category",
    )


def checked(name: object, value: object, row: int) -> float:
    """The value of a feature as a finite number."""
    try:
        number = float_of(value)
    except (TypeError, ValueError, OverflowError):
        raise BadRow(row, f"feature {name!r}: {value!r} is not a number") from None
    if not math.isfinite(number):
        hint = ": None is a missing number" if math.isnan(number) else ""
        raise BadRow(row, f"feature {name!r}: {number} is not a finite number{hint}")
    return number
