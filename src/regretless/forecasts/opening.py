"""A file of forecasts as columns: CSV (also .gz), TSV, Parquet, standard input."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

from ..data.chunk import Broken
from ..data.format_detection import format_of
from ..data.formats.quotes import open_mark
from ..data.input_files import InputFile, find_places
from ..data.lines import blocks
from ..data.pyarrow_import import arrow
from .columns import Columns

__all__ = ["open_columns"]


def open_columns(path: str | Path) -> Columns:
    """The columns of a file; ValueError in one line where it cannot be read."""
    (place,) = find_places(path)
    name = place.name
    try:
        kind = format_of(place, None)
    except ValueError:
        kind = "csv"  # of one column, perhaps: it will be said what is missing
    if kind not in ("csv", "tsv", "parquet"):
        raise ValueError(f"{name}: forecasts are CSV or Parquet, not {kind}")
    text = kind != "parquet"
    try:
        if text:
            table: Any = _read_text(place, "," if kind == "csv" else "\t")
        else:
            table = arrow("parquet").read_table(place.random())
    except arrow().ArrowInvalid as error:
        raise ValueError(f"{name}: {str(error).splitlines()[0]}") from None
    if table.num_rows == 0:
        raise ValueError(f"{name}: there are no rows")

    def where(row: int) -> str:
        """The first line of a CSV file holds the names."""
        return f"{name}:{row + 2}" if text else f"{name}: row {row}"

    return Columns(table, where, f"{name}: ")


def _read_text(place: InputFile, delimiter: str) -> Any:
    csv = arrow("csv")
    quoted = delimiter == ","  # in TSV a quotation mark is a letter like any other
    try:
        with closing(place.open()) as stream:
            text = b"".join(bytes(piece.data) for piece in blocks(stream))
    except Broken as error:
        raise ValueError(f"{place.name}: {error}") from None
    opened = open_mark(text, len(text), delimiter) if quoted else -1
    if opened >= 0:
        line = text.count(b"\n", 0, opened) + 1
        raise ValueError(
            f"{place.name}:{line}: a quotation mark is opened and never closed"
        )
    return csv.read_csv(
        arrow().BufferReader(text),
        parse_options=csv.ParseOptions(
            delimiter=delimiter,
            quote_char='"' if quoted else False,
            newlines_in_values=quoted,
        ),
    )
