"""Names of features to columns: in the order in which they appear, or by their hash."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

from ...engine.feature_names import Names, numbered
from ...engine.storage import KeptNames, checked_int, unpack_names
from ...errors import BadRow
from ...parts.documents import Document
from ..schema import Schema
from .fault import Fault
from .fields import Features, FieldReader, Row
from .hash_index import WIDE

if TYPE_CHECKING:
    from ..hashed_names import HashedNames


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
        if self.hashed is None and schema.bits and schema.columns is None:
            from ..hashed_names import HashedNames

            self.hashed = HashedNames(schema.bits, direct=True)

    @property
    def schema(self) -> Schema:
        """What fields mean, those included that their first value declared."""
        return self._declared.found(self.fields.kinds)

    @property
    def names(self) -> Names:
        """The names, in order of their columns; of hashed ones, one for each column."""
        return self.hashed.names if self.hashed else tuple(self.numbers)

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self.numbers) if self.hashed is None else self.hashed.width

    def state_dict(self) -> Document:
        """The names met so far, as plain data and arrays; and what fields mean."""
        found: Document = {"names": KeptNames(self.names)}
        if self.hashed is not None:
            found["hashed"] = self.hashed.state_dict()
        return found | {"schema": self.schema.as_dict()}

    def load_state(self, stored: Document) -> None:
        """Go on with the names that :meth:`state_dict` packed."""
        self.read_with(Schema.from_dict(stored.get("schema", {})))
        names = unpack_names(stored["names"]) or ()
        numbers = {name: j for j, name in numbered(names, 0)}
        if len(numbers) < len(names):
            raise ValueError("a feature is named twice")
        self.hashed = None
        if "hashed" in stored:
            from ..hashed_names import HashedNames

            how = stored["hashed"]
            bits = checked_int(how, "bits", 1, WIDE)
            first = checked_int(how, "first", 0, 2**31 - 2**bits)
            told = {name: how[name] is True for name in ("vw", "direct")}
            self.hashed = HashedNames(bits, first, names=names, **told)
        elif self.limit is not None and len(names) > self.limit:
            raise ValueError(f"it names more features than n_features={self.limit}")
        self.numbers = numbers
        self.read_with(self.schema)

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
        if self.hashed is None:
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
        limit = self.limit if self.hashed is None else None
        if limit is not None and known + len(new) > limit:
            raise BadRow(
                row,
                f"{new[limit - known]!r} is feature number {limit + 1}, but "
                f"n_features={limit} was declared",
            )
        columns = self._columns(new, row)
        if new and grow is not None:
            grow(new)
        numbers.update(zip(new, columns, strict=True))
        if self.fields.fresh:
            self._found.update(dict.fromkeys(self.fields.fresh, known))
            self.fields.keep()
            # A date has a feature of its field's own name: a number there is no date.
            self.plain = self.plain and "date" not in self.fields.fresh.values()
        return [numbers[name] for name in names]

    def _columns(self, new: list[Hashable], row: int) -> Sequence[int]:
        """The columns of names that are new."""
        known = len(self.numbers)
        if self.hashed is None:
            return range(known, known + len(new))
        try:
            return self.hashed.enter(new) if new else ()
        except ValueError as error:
            raise BadRow(row, str(error)) from None

    def tidy(self) -> None:
        """Forget the names that were hashed, where they are many."""
        forgets = self.hashed is not None and not self.hashed.first
        if forgets and len(self.numbers) > REMEMBERED:
            self.numbers.clear()
            self._found = dict.fromkeys(self._found, -1)

    def mark(self) -> tuple[int, int]:
        """How many names and hashes have come by now, for :meth:`forget`."""
        return len(self.numbers), self.hashed.index.met.count if self.hashed else 0

    def forget(self, mark: tuple[int, int]) -> None:
        """Drop all names and hashes that have come since :meth:`mark`."""
        known, hashes = mark
        if self.hashed is not None:
            self.hashed.index.return_to(hashes)
        while len(self.numbers) > known:
            self.numbers.popitem()
        while self._found and next(reversed(self._found.values())) >= known:
            self.fields.kinds.pop(self._found.popitem()[0])
