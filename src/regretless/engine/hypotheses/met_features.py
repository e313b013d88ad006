"""Numbers for the features that rows have had, so that what is known of them is close.

Words are hashed to many more columns than a file has words. What a panel knows of a
feature takes some hundred bytes a class, so it is kept by a number: they are given out
as features come. No result depends on how features are numbered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...parts.rows import Ints, Longs, Rows, Sparse
from ...parts.state import Floats
from ..memory import zeros
from ..storage import Range, checked_array, checked_int
from .matrices import in_range

if TYPE_CHECKING:
    from ...parts.documents import Document
    from ..players.row_player import Call


MET = "met"  # the name of the columns that have come, in files
DIRECT = 2**14  # where more features are declared, those that come are numbered
LEAST = 256  # places of a table
LARGEST = 2**31  # columns are int32


class PlainColumns:
    """Columns that are their own numbers.

    Parameters
    ----------
    n_features : int
        How many there are.
    """

    blank = 0
    """How many features more have a place: 1 stands for all that have no number."""

    def __init__(self, n_features: int) -> None:
        self.room = n_features

    @property
    def count(self) -> int:
        """How many features have a number."""
        return self.room

    @property
    def columns(self) -> Ints:
        """Their columns, in the order of their numbers."""
        return np.arange(self.room, dtype=np.int32)

    def grow(self, n_features: int) -> None:
        """Let more columns come."""
        self.room = max(self.room, n_features)

    def return_to(self, count: int) -> None:
        """Forget all columns but the first `count`."""
        self.room = count

    def numbers(self) -> tuple[Longs, Longs]:
        """The columns with a number, in order, and their numbers."""
        numbers = np.argsort(self.columns)
        return self.columns[numbers].astype(np.int64), numbers

    def spread(self, found: Floats) -> Floats:
        """Numbers of the bias and of all features with a number, among all columns."""
        return found

    def copy(self) -> PlainColumns:
        """One that goes its own way from now on."""
        return PlainColumns(self.room)

    def arrays(self) -> Document:
        """The numbers, for files."""
        return {}

    def meet(self, rows: Rows) -> Rows:
        """As :meth:`find`, but columns that have not come get the next numbers."""
        return rows

    def find(self, rows: Rows) -> Rows:
        """Rows with numbers in place of columns.

        Features that have not come have all the next number.
        """
        return in_range(rows, self.room)

    def numbering(self, rows: Rows, *, learned: bool) -> tuple[list[Call], Rows]:
        """What writes the numbers of the row in these buffers, and where to.

        Again and again, until :meth:`held` are others. A row that is to be learned has
        been met, or it is refused.
        """
        return [], rows

    def held(self) -> tuple[object, ...]:
        """The arrays that such calls hold on to."""
        return ()


class MetFeatures(PlainColumns):
    """From columns to numbers, by an open table in machine code.

    Parameters
    ----------
    n_features : int
        Columns that may come.
    columns : array
        Those that have, in the order of their numbers.
    """

    blank = 1

    def __init__(self, n_features: int, columns: Longs | Ints) -> None:
        super().__init__(n_features)
        self._table, self._columns, self._count = _table_of(columns)

    @property
    def count(self) -> int:
        """How many columns have come."""
        return int(self._count[0])

    @property
    def table(self) -> Longs:
        """The table, as kernels take it (``kernels.met_columns``)."""
        return self._table

    @property
    def columns(self) -> Ints:
        """Those that have come, in the order of their numbers."""
        return self._columns[: self.count]

    def spread(self, found: Floats) -> Floats:
        """Numbers of the bias and of all that have come, among those of all columns."""
        columns = np.r_[0, self.columns.astype(np.int64) + 1]
        return spread_out(found, columns, self.room + 1)

    def copy(self) -> MetFeatures:
        """One that goes its own way from now on."""
        return MetFeatures(self.room, self.columns)

    def arrays(self) -> Document:
        """The numbers, for files."""
        return {"n_features": self.room, MET: self.columns.copy()}

    def return_to(self, count: int) -> None:
        """Forget all columns but the first `count` that have come."""
        from ..kernels.compiled import entry
        from ..kernels.met_columns import forget_columns

        if count < self.count:
            arguments = (self._table, self._columns, self._count, count)
            entry(forget_columns, arguments)(*arguments)

    def meet(self, rows: Rows) -> Rows:
        """As :meth:`find`, but columns that have not come get the next numbers."""
        return self._numbered(rows, new=True)

    def find(self, rows: Rows) -> Rows:
        """Rows with numbers in place of columns."""
        return self._numbered(rows, new=False)

    def look_up(self, columns: Ints, first: int = 0) -> Ints:
        """Numbers of hashed columns, which stand behind the `first` that are numbers.

        ``NEW + column`` is one that has not come. Others may enter columns meanwhile.
        """
        from ..kernels.compiled import entry
        from ..kernels.met_columns import look_up

        numbers = np.empty(columns.size, np.int32)
        arguments = (columns, first, self._table, numbers)
        entry(look_up, arguments)(*arguments)
        return numbers

    def numbers_of(self, columns: Ints) -> Ints:
        """The numbers of columns; those that have not come get the next ones."""
        return self._look(columns, new=True)

    def numbering(self, rows: Rows, *, learned: bool) -> tuple[list[Call], Rows]:
        """What writes the numbers of the row in these buffers, and where to."""
        from ..kernels.compiled import entry
        from ..kernels.met_columns import number_row

        if not isinstance(rows, Sparse):
            raise TypeError("a row that is alone is sparse")
        numbered = rows._replace(columns=np.zeros_like(rows.columns))
        arguments = (rows, self._table, self._count, int(learned), numbered.columns)
        return [(entry(number_row, arguments), arguments)], numbered

    def held(self) -> tuple[object, ...]:
        """The arrays that such calls hold on to."""
        return (self._table,)

    def _numbered(self, rows: Rows, *, new: bool) -> Rows:
        if isinstance(rows, Sparse):
            first, last = int(rows.starts[0]), int(rows.starts[-1])
            numbers = self._look(rows.columns[first:last], new=new)
            return Sparse(rows.starts - first, numbers, rows.values[first:last])
        columns = np.arange(rows.width, dtype=np.int32)
        numbers = self._look(columns, new=new)
        if np.array_equal(numbers, columns):
            return rows
        n = rows.values.size // rows.width
        starts = rows.width * np.arange(n + 1)
        return Sparse(starts, np.tile(numbers, n), rows.values)

    def _look(self, columns: Ints, *, new: bool) -> Ints:
        """The numbers of columns."""
        numbers, at = np.empty(columns.size, np.int32), np.zeros(1, np.int64)
        while True:
            met = (self._table, self._columns, self._count)
            _enter(columns, at, met, numbers, new=new)
            if at[0] == columns.size:
                return numbers
            table, known, count = _table_of(self.columns)  # with more room
            self._table, self._columns, self._count = table, known, count  # in one go


def features_for(n_features: int, first: int = 0) -> PlainColumns:
    """Numbers for so many columns, the `first` of which have theirs in advance."""
    if n_features <= DIRECT:
        return PlainColumns(n_features)
    return MetFeatures(n_features, np.arange(first))


def features_from(arrays: Document, count: int) -> PlainColumns:
    """The numbers of so many features in a file; ValueError if they are bad."""
    if MET not in arrays:
        return PlainColumns(count)
    room = checked_int(arrays, "n_features", 0, LARGEST)
    holds = Range(0, room - 1)
    met = MetFeatures(room, checked_array(arrays, MET, np.int32, (count,), holds))
    if met.count != count:
        raise ValueError("it has met a feature twice")
    return met


def _table_of(columns: Longs | Ints) -> tuple[Longs, Ints, Longs]:
    """A table of columns with room for as many, the columns, and their count."""
    places = LEAST
    while places < 4 * columns.size:
        places *= 2
    met = (
        np.zeros(places, np.int64),
        np.empty(places // 2, np.int32),
        np.zeros(1, np.int64),
    )
    given, numbers = columns.astype(np.int32), np.empty(columns.size, np.int32)
    _enter(given, np.zeros(1, np.int64), met, numbers, new=True)
    return met


def _enter(
    columns: Ints,
    at: Longs,
    met: tuple[Longs, Ints, Longs],
    numbers: Ints,
    *,
    new: bool,
) -> None:
    from ..kernels.compiled import entry
    from ..kernels.met_columns import number_columns

    arguments = (columns, at, *met, int(new), numbers)
    entry(number_columns, arguments)(*arguments)


def spread_out(found: Floats, columns: Longs, width: int) -> Floats:
    """Numbers of these columns among `width`, the others 0; of many classes a row each.

    The classes of a column lie side by side, so that all others take no memory.
    """
    shape = (width, *found.shape[:-1])
    out = zeros(shape, np.dtype(np.float64), scattered=True)
    out[columns] = found.T
    return out.T
