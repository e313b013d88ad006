"""Tables as files: CSV, JSON lines or Parquet, as the name of the file says.

A table is written as batches of Arrow. A few rows of text are written by Python alone,
which need not import Arrow. Where there is nothing a cell of CSV is empty, and null in
the others. Numbers read back as the same numbers.

A file is replaced as a whole when all rows are written; standard output (``-``) is
written as rows come.
"""

from __future__ import annotations

import abc
import csv
import io
import json
import math
import re
from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np

from ..data.pyarrow_import import ArrowColumn, RecordBatch, arrow
from .console import write_data

if TYPE_CHECKING:
    from ..data.chunk import Array, Mask

ENDINGS = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
"""What the end of a name says; any other is CSV."""
FEW = 1000  # rows that are not worth an import
GROUP = 1 << 17  # rows of a row group
FORMULA = "=+-@\t\r\n"  # what a spreadsheet computes begins so
NUMBER = re.compile(r"[-+]?[0-9.]+([eE][-+]?[0-9]+)?")
ESCAPED = np.frombuffer(bytes(range(32)) + b'"\\', np.uint8)  # letters of JSON
ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class Column(NamedTuple):
    """A column of a table.

    Attributes
    ----------
    name : str
        As in the header.
    values : ndarray
        Whole numbers, floats (not finite: nothing), texts or whole numbers as objects
        (``""``: nothing), or, where there are `labels`, the number of the label (-1:
        nothing).
    labels : tuple or None
        What the numbers stand for.
    """

    name: str
    values: Array
    labels: tuple[object, ...] | None = None

    def cells(self) -> list[object]:
        """The entries as Python has them; None where there is nothing."""
        values = self.values.tolist()
        if self.labels is not None:
            return [None if k < 0 else self.labels[k] for k in values]
        if self.values.dtype.kind == "f":
            return [number if math.isfinite(number) else None for number in values]
        return [None if one == "" else one for one in values]

    def array(self) -> ArrowColumn:
        """The entries as a column of Arrow."""
        from ..data.formats.arrow_numbers import column_of

        values = self.values
        if self.labels is not None:
            return array_of(self.labels).take(column_of(values, values < 0))
        if values.dtype.kind == "O":
            missing = values == ""
            filled = np.where(missing, values[missing.argmin() :][:1], values)
            return array_of(filled.tolist(), missing)
        return column_of(values, ~np.isfinite(values))


def array_of(values: Sequence[object], missing: Mask | None = None) -> ArrowColumn:
    """Labels or ids as a column of Arrow: numbers, or flags, or all of them texts."""
    from ..data.formats.arrow_numbers import column_of, text_column

    if set(map(type, values)) in ({bool}, {int}, {float}, {int, float}):
        return column_of(np.array(values), missing)
    return text_column(list(map(str, values)), missing)


def record_batch(columns: Iterable[Column]) -> RecordBatch:
    """Columns as a batch of Arrow."""
    arrays = {column.name: column.array() for column in columns}
    return arrow().record_batch(arrays)


def is_screen(output: str | None) -> bool:
    """Whether a table goes to standard output."""
    return output is None or output == "-"


def form_of(output: str | None) -> str:
    """The form of a file: "csv", "jsonl" or "parquet"; ``.gz`` may follow.

    Examples
    --------
    >>> from regretless.cli.table_files import form_of
    >>> form_of("p.parquet"), form_of("p.jsonl.gz"), form_of("p.txt"), form_of(None)
    ('parquet', 'jsonl', 'csv', 'csv')
    """
    name = (output or "").lower().removesuffix(".gz")
    return next((form for end, form in ENDINGS.items() if name.endswith(end)), "csv")


@contextmanager
def table_writer(
    output: str | None, form: str | None = None, *, safe: bool = False
) -> Generator[TableWriter]:
    """What writes a table; a file appears when the block ends well.

    Parameters
    ----------
    output : str or None
        The file; None or "-": standard output.
    form : str or None
        "csv", "jsonl" or "parquet"; None: what the name says.
    safe : bool
        Whether texts of CSV are such that no spreadsheet computes them.
    """
    form = form or form_of(output)
    with ExitStack() as stack:
        stream: Any = SimpleNamespace(write=write_data)
        if output is not None and not is_screen(output):
            from ..engine.storage.atomic import writing

            stream = stack.enter_context(writing(output))
            if output.endswith(".gz") and form != "parquet":
                import gzip

                packed = gzip.GzipFile("", "wb", 6, stream, mtime=0)
                stream = stack.enter_context(packed)
        table: TableWriter
        if form == "csv":
            table = Csv(stream, safe=safe)
        else:
            table = JsonLines(stream) if form == "jsonl" else Parquet(stream)
        yield table
        table.close()


class TableWriter(abc.ABC):
    """Writes rows to a stream, a batch at a time; all batches have the same columns."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, columns: list[Column]) -> None:
        """Write the rows of these columns."""
        self.write_batch(record_batch(columns))

    @abc.abstractmethod
    def write_batch(self, batch: RecordBatch) -> None:
        """Write a batch of Arrow."""

    def close(self) -> None:  # noqa: B027 - text needs no end
        """No more rows will come."""


class TextWriter(TableWriter):
    """A table as text: Python writes it until a batch has more than FEW rows."""

    _few = True

    def write(self, columns: list[Column]) -> None:
        """Write the rows of these columns."""
        self._few = self._few and len(columns[0].values) <= FEW
        if not self._few:
            super().write(columns)
            return
        names = [column.name for column in columns]
        rows = zip(*(column.cells() for column in columns), strict=True)
        self._stream.write(self._lines(names, rows).encode())

    @abc.abstractmethod
    def _lines(self, names: list[str], rows: Iterable[Sequence[object]]) -> str:
        """A few rows as text."""


class Csv(TextWriter):
    """CSV with a header; texts are quoted where one of the batch has to be.

    Parameters
    ----------
    stream : binary stream
        To write into.
    safe : bool
        Whether no text may be a formula.
    """

    def __init__(self, stream: BinaryIO, *, safe: bool) -> None:
        super().__init__(stream)
        self._safe = safe
        self._begun = False

    def _lines(self, names: list[str], rows: Iterable[Sequence[object]]) -> str:
        text = io.StringIO()
        rows = rows if self._begun else [names, *rows]
        rows = [list(map(no_formula, row)) for row in rows] if self._safe else rows
        csv.writer(text, lineterminator="\n").writerows(rows)
        self._begun = True
        return text.getvalue()

    def write_batch(self, batch: RecordBatch) -> None:
        """Write a batch of Arrow, below the header."""
        self._stream.write(self._lines(batch.schema.names, []).encode())
        arrays = list(map(self._array, batch.columns))
        batch = arrow().record_batch(arrays, batch.schema.names)
        try:
            text = _csv(batch, "none")
        except arrow().ArrowInvalid:
            text = _csv(batch, "needed")
        self._stream.write(text)

    def _array(self, column: ArrowColumn) -> ArrowColumn:
        """A column as it is to be read: flags as Python calls them, no formulas."""
        types = arrow("types")
        if types.is_boolean(column.type):
            return arrow("compute").if_else(column, "True", "False")
        if self._safe and types.is_string(column.type):
            return array_of([no_formula(text or "") for text in column.to_pylist()])
        return column


def _csv(batch: RecordBatch, quotes: str) -> bytes:
    """The lines of a batch; ArrowInvalid where a text needs quotes."""
    text, csv_files = arrow().BufferOutputStream(), arrow("csv")
    options = csv_files.WriteOptions(include_header=False, quoting_style=quotes)
    csv_files.write_csv(batch, text, options)
    return text.getvalue().to_pybytes()


class JsonLines(TextWriter):
    """A JSON object a line."""

    def _lines(self, names: list[str], rows: Iterable[Sequence[object]]) -> str:
        objects = (dict(zip(names, row, strict=True)) for row in rows)
        return "".join(f"{ENCODER.encode(one)}\n" for one in objects)

    def write_batch(self, batch: RecordBatch) -> None:
        """Write a batch of Arrow: the cells of a row and what is between them."""
        pieces: list[Any] = []
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            before = "," if pieces else "{"
            pieces += [f"{before}{ENCODER.encode(name)}:", _json(column)]
        joined = arrow("compute").binary_join_element_wise(*pieces, "}\n", "")
        _, ends, letters = joined.buffers()
        if batch.num_rows:
            size = int(np.frombuffer(ends, np.int32)[batch.num_rows])
            self._stream.write(letters[:size].to_pybytes())


def _json(column: ArrowColumn) -> ArrowColumn:
    """The entries of a column as JSON."""
    from ..data.formats.arrow_numbers import letters_of, missing_of, text_column

    compute = arrow("compute")
    if not arrow("types").is_string(column.type):
        return compute.fill_null(compute.cast(column, arrow().string()), "null")
    if np.isin(letters_of(column)[1], ESCAPED).any():
        inner = [ENCODER.encode(text or "")[1:-1] for text in column.to_pylist()]
        column = text_column(inner, missing_of(column))
    quoted = compute.binary_join_element_wise('"', column, '"', "")
    return compute.fill_null(quoted, "null")


class Parquet(TableWriter):
    """A Parquet file, of which a row group is written when there are enough rows."""

    _file: Any = None

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__(stream)
        self._waiting: list[RecordBatch] = []

    def write_batch(self, batch: RecordBatch) -> None:
        """Write a batch of Arrow."""
        if self._file is None:
            self._file = arrow("parquet").ParquetWriter(self._stream, batch.schema)
        elif batch.schema != self._file.schema:
            raise ValueError(
                f"the ids in column {batch.schema.names[0]!r} are whole numbers above "
                "and texts here: write .csv or .jsonl, where each is what it is"
            )
        self._waiting.append(batch)
        if sum(one.num_rows for one in self._waiting) >= GROUP:
            self._flush()

    def _flush(self) -> None:
        self._file.write_table(arrow().Table.from_batches(self._waiting))
        self._waiting = []

    def close(self) -> None:
        """Write what waits, and the end of the file."""
        if self._waiting:
            self._flush()
        if self._file is not None:
            self._file.close()


def no_formula(cell: object) -> object:
    """A cell, behind an apostrophe where it is a text that a spreadsheet computes.

    Examples
    --------
    >>> from regretless.cli.table_files import no_formula
    >>> no_formula("=1+1"), no_formula("-spam"), no_formula("-1.5"), no_formula("spam")
    ("'=1+1", "'-spam", '-1.5', 'spam')
    """
    if not isinstance(cell, str) or cell[:1] not in FORMULA or not cell:
        return cell
    return cell if NUMBER.fullmatch(cell) else f"'{cell}"
