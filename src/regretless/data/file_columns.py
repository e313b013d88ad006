"""The columns of files, as they stand there: for what makes no features of them.

Of text all fields are words: what they spell is for the reader of a column to say, who
knows what it is for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import NamedTuple

from .chunk import Lines
from .format_detection import one_format
from .formats.readers import Wanted, make_reader
from .input_files import InputFile, find_places
from .pyarrow_import import ArrowTable, arrow, first_line, unreadable
from .read_options import ReadOptions


class FileColumns(NamedTuple):
    """A table of Arrow, from a row to where it stands, and what the first file is."""

    table: ArrowTable
    where: Callable[[int], str]
    name: str


def file_columns(given: object) -> FileColumns:
    """The rows of files as one table.

    Parameters
    ----------
    given : str, path, or list of them
        What :func:`~.input_files.find_places` takes. A column that is missing in one of
        several files is empty there.
    """
    places = find_places(given)
    try:
        kind = one_format(places, None)
    except ValueError:
        if len(places) > 1:
            raise
        kind = "csv"  # of one column, perhaps: it will be said what is missing
    header = True if kind in ("csv", "tsv") else None
    options = ReadOptions(format=kind, header=header)
    reader = make_reader(options, Wanted(labelled=False))
    tables: list[ArrowTable] = []
    begins: list[int] = []
    stands: list[tuple[InputFile, Lines]] = []
    n = 0
    for place in places:
        for batch, lines in reader.columns(place):
            tables.append(arrow().Table.from_batches([batch]))
            begins.append(n)
            stands.append((place, lines))
            n += batch.num_rows
    if not n:
        raise ValueError(f"{places[0].name}: there are no rows")
    try:
        table = arrow().concat_tables(tables, promote_options="permissive")
    except unreadable() as error:
        raise ValueError(f"{places[0].name}, ...: {first_line(error)}") from None

    def where(row: int) -> str:
        k = bisect_right(begins, row) - 1
        place, lines = stands[k]
        return place.where(int(lines[row - begins[k]]), lined=reader.lined)

    return FileColumns(table, where, places[0].name)
