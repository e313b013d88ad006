"""Names of features to columns: in the order in which they appear, or by their hash."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

from ...engine.feature_names import Names
from ...engine.storage import pack_names, unpack_names
from ...errors import BadRow
from ...parts.documents import Document
from ..schema import Schema
from .fault import Fault
from .fields import Features, FieldReader, Row

__all__ = ["Encoder"]


REMEMBERED = 2**18  # names whose hash is known; then they are forgotten


class Encoder:
    """Names to columns, growing as names appear; or as many as hashes may have.

    Names are hashed where the schema says to how many bits. As in files, several may
    share a column then, and a row has their sum. Of those that came only the last are
    remembered, to be hashed once.

    Parameters
    ----------
    limit : int or None
        How many names there may be.
    schema : Schema or None
        What the fields of events mean; None: what their values are.
    """

    def __init__(self, limit: int | None = None, schema: Schema | None = None) -> None:
        self.numbers: dict[Hashable, int] = {}
        self.limit = limit
        self.read_with(schema or Schema())

    def read_with(self, schema: Schema) -> None:
        """Read fields as the schema says from now on."""
        self.schema, self._fields = schema, FieldReader(schema, self.numbers)
        self.hashes = schema.bits is not None

    @property
    def names(self) -> Names:
        """The names, in order of their columns; of hashed ones, one for each column."""
        if not self.hashes:
            return tuple(self.numbers)
        return {self.numbers[name]: name for name in reversed(self.numbers)}

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self.numbers) if self.schema.bits is None else 2**self.schema.bits

    def state_dict(self) -> Document:
        """The names met so far, as plain data and arrays; and what fields mean."""
        names = pack_names(tuple(self.numbers))
        return {"names": names, "schema": self.schema.as_dict()}

    def load_state(self, stored: Document) -> None:
        """Go on with the names that :meth:`state_dict` packed."""
        self.read_with(Schema.from_dict(stored.get("schema", {})))
        names = tuple(unpack_names(stored["names"]) or ())
        numbers = dict(zip(names, self._columns(names, 0), strict=True))
        if len(numbers) < len(names):
            raise ValueError("a feature is named twice")
        if self.limit is not None and len(names) > self.limit:
            raise ValueError(f"it names more features than n_features={self.limit}")
        self.numbers = numbers
        self.read_with(self.schema)

    def features(self, x: Row, row: int) -> Features:
        """The features of an event (:mod:`.fields`); a bad field is one of its row."""
        try:
            return self._fields.features(x)
        except Fault as fault:
            raise BadRow(row, str(fault)) from None

    def encode(self, x: Row, row: int) -> tuple[list[int], list[float]]:
        """The columns and values of one event; a bad one leaves no names behind."""
        features = self.features(x, row)
        columns = self.add(features, row)
        if not self.hashes:
            return columns, list(features.values())
        found = dict.fromkeys(columns, 0.0)
        for column, value in zip(columns, features.values(), strict=True):
            found[column] += value
        return list(found), list(found.values())

    def add(
        self,
        names: Iterable[Hashable],
        row: int,
        grow: Callable[[list[Hashable]], None] | None = None,
    ) -> list[int]:
        """The columns of these names, new ones included; too many leave none behind.

        `grow` makes room for those that are new, before they are added.
        """
        numbers, names = self.numbers, list(names)
        new = list(dict.fromkeys(name for name in names if name not in numbers))
        known = len(numbers)
        if self.limit is not None and not self.hashes and known + len(new) > self.limit:
            raise BadRow(
                row,
                f"{new[self.limit - known]!r} is feature number {self.limit + 1}, but "
                f"n_features={self.limit} was declared",
            )
        if new and grow is not None:
            grow(new)
        numbers.update(zip(new, self._columns(new, known), strict=True))
        return [numbers[name] for name in names]

    def _columns(self, names: Sequence[Hashable], known: int) -> Sequence[int]:
        """The columns of names that are new."""
        if self.schema.bits is None or not names:
            return range(known, known + len(names))
        from .hashed_text import word_slots

        found: list[int] = word_slots([*map(str, names)], self.schema.bits).tolist()
        return found

    def tidy(self) -> None:
        """Forget the names that were hashed, where they are many."""
        if self.hashes and len(self.numbers) > REMEMBERED:
            self.numbers.clear()

    def forget(self, known: int) -> None:
        """Drop all names but the first `known`."""
        while len(self.numbers) > known:
            self.numbers.popitem()
