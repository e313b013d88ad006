"""Names of features to numbers of weights, in the order in which they first appear."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from ...engine.feature_names import Names
from ...engine.storage import KeptNames, Range, checked_array, unpack_names
from ...errors import BadRow
from ...parts.documents import Document
from ..schema import Schema
from .fault import Fault
from .fields import Features, FieldReader, Row

if TYPE_CHECKING:
    from ..hashed_names import HashedNames

__all__ = ["Encoder"]


class Encoder:
    """Names to feature numbers, growing as names appear.

    Parameters
    ----------
    limit : int or None
        How many names there may be.
    schema : Schema or None
        What the fields of events mean; None: what their values are.

    Attributes
    ----------
    numbers : dict
        The column of each name.
    fields : FieldReader
        What reads the fields of events.
    hashed : HashedNames or None
        What says where new names are, as in files; None: they get the next numbers.
    plain : bool
        Whether an event of known names and numbers is a row as it stands.
    """

    def __init__(self, limit: int | None = None, schema: Schema | None = None) -> None:
        self.numbers: dict[Hashable, int] = {}
        self.limit = limit
        self.hashed: HashedNames | None = None
        self.read_with(schema or Schema())

    def read_with(self, schema: Schema) -> None:
        """Read fields as the schema says from now on."""
        self._declared, self.fields = schema, FieldReader(schema, self.numbers)
        self._found: dict[Hashable, int] = {}  # fields by how many names there were
        self.plain = (
            not schema.interactions and "date" not in self.fields.kinds.values()
        )

    @property
    def schema(self) -> Schema:
        """What fields mean, those included that their first value declared."""
        return self._declared.found(self.fields.kinds)

    @property
    def names(self) -> Names:
        """The names, in order of their numbers; of those that are hashed, by number."""
        return self.hashed.named(self.numbers) if self.hashed else tuple(self.numbers)

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self.numbers) if self.hashed is None else self.hashed.width

    def state_dict(self) -> Document:
        """The names met so far, as plain data and arrays; and what fields mean."""
        found: Document = {"names": KeptNames(tuple(self.numbers))}
        if self.hashed is not None:
            found["columns"] = np.array([*self.numbers.values()], np.int64)
            found["hashed"] = list(self.hashed)
        return found | {"schema": self.schema.as_dict()}

    def load_state(self, stored: Document) -> None:
        """Go on with the names that :meth:`state_dict` packed."""
        names = unpack_names(stored["names"]) or ()
        numbers = {name: j for j, name in enumerate(names)}
        if len(numbers) < len(names):
            raise ValueError("a feature is named twice")
        self.hashed = None
        if "hashed" in stored:
            from ..hashed_names import HashedNames

            bits, first, vw = stored["hashed"]
            self.hashed = HashedNames(bits, first, vw is True)
            holds = Range(0, self.hashed.width - 1)
            columns = checked_array(stored, "columns", np.int64, (len(names),), holds)
            numbers = dict(zip(names, columns.tolist(), strict=True))
        elif self.limit is not None and len(names) > self.limit:
            raise ValueError(f"it names more features than n_features={self.limit}")
        self.numbers = numbers
        self.read_with(Schema.from_dict(stored.get("schema", {})))

    def features(self, x: Row, row: int) -> Features:
        """The features of an event (:mod:`.fields`); a bad field is one of its row."""
        try:
            if not self.numbers:
                self._declared.expect(name for name, _ in x.items())
            return self.ordered(self.fields.features(x))
        except Fault as fault:
            raise BadRow(row, str(fault)) from None

    def ordered(self, found: Features) -> Features:
        """The features of a row in the order in which its columns are summed."""
        if self.hashed is None or not self.hashed.first:
            return found
        # As in a table: numbers in the order of columns, then words as they come.
        first, place = self.hashed.first, self.numbers.get
        order = sorted(found, key=lambda name: min(place(name, first), first))
        return {name: found[name] for name in order}

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
        columns: Iterable[int] = range(known, known + len(new))
        if self.hashed is not None:
            columns = self._hash(new, row)
        elif self.limit is not None and known + len(new) > self.limit:
            raise BadRow(
                row,
                f"{new[self.limit - known]!r} is feature number {self.limit + 1}, but "
                f"n_features={self.limit} was declared",
            )
        if new and grow is not None:
            grow(new)
        numbers.update(zip(new, columns, strict=True))
        if self.fields.fresh:
            self._found.update(dict.fromkeys(self.fields.fresh, known))
            self.fields.keep()
            # A date has a feature of its field's own name: a number there is no date.
            self.plain = self.plain and "date" not in self.fields.fresh.values()
        return [numbers[name] for name in names]

    def _hash(self, new: list[Hashable], row: int) -> list[int]:
        """The columns of new names that are hashed."""
        assert self.hashed is not None
        try:
            return self.hashed.columns(new)
        except ValueError as error:
            raise BadRow(row, str(error)) from None

    def forget(self, known: int) -> None:
        """Drop all names but the first `known`."""
        while len(self.numbers) > known:
            self.numbers.popitem()
        while self._found and next(reversed(self._found.values())) >= known:
            self.fields.kinds.pop(self._found.popitem()[0])
