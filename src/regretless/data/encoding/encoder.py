"""Names of features to numbers of weights, in the order in which they first appear."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from ...engine.storage import pack_names, unpack_names
from ...errors import BadRow
from ...parts.documents import Document
from ..schema import Schema
from .fault import Fault
from .fields import Features, FieldReader, Row

__all__ = ["Encoder"]


class Encoder:
    """Names to feature numbers, growing as names appear.

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
        self._declared, self._fields = schema, FieldReader(schema, self.numbers)
        self._found: dict[Hashable, int] = {}  # fields by how many names there were

    @property
    def schema(self) -> Schema:
        """What fields mean, those included that their first value declared."""
        return self._declared.found(self._fields.kinds)

    @property
    def names(self) -> tuple[Hashable, ...]:
        """The names, in order of their numbers."""
        return tuple(self.numbers)

    def state_dict(self) -> Document:
        """The names met so far, as plain data and arrays; and what fields mean."""
        return {"names": pack_names(self.names), "schema": self.schema.as_dict()}

    def load_state(self, stored: Document) -> None:
        """Go on with the names that :meth:`state_dict` packed."""
        names = unpack_names(stored["names"]) or ()
        numbers = {name: j for j, name in enumerate(names)}
        if len(numbers) < len(names):
            raise ValueError("a feature is named twice")
        if self.limit is not None and len(names) > self.limit:
            raise ValueError(f"it names more features than n_features={self.limit}")
        self.numbers = numbers
        self.read_with(Schema.from_dict(stored.get("schema", {})))

    def features(self, x: Row, row: int) -> Features:
        """The features of an event (:mod:`.fields`); a bad field is one of its row."""
        try:
            if not self.numbers:
                self._declared.expect(name for name, _ in x.items())
            return self._fields.features(x)
        except Fault as fault:
            raise BadRow(row, str(fault)) from None

    def encode(self, x: Row, row: int) -> tuple[list[int], list[float]]:
        """The columns and values of one event; a bad one leaves no names behind."""
        features = self.features(x, row)
        columns = self.add(features, row)
        return columns, list(features.values())

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
        if self.limit is not None and known + len(new) > self.limit:
            raise BadRow(
                row,
                f"{new[self.limit - known]!r} is feature number {self.limit + 1}, but "
                f"n_features={self.limit} was declared",
            )
        if new and grow is not None:
            grow(new)
        numbers.update(zip(new, range(known, known + len(new)), strict=True))
        if self._fields.fresh:
            self._found.update(dict.fromkeys(self._fields.fresh, known))
            self._fields.keep()
        return [numbers[name] for name in names]

    def forget(self, known: int) -> None:
        """Drop all names but the first `known`."""
        while len(self.numbers) > known:
            self.numbers.popitem()
        while self._found and next(reversed(self._found.values())) >= known:
            self._fields.kinds.pop(self._found.popitem()[0])
