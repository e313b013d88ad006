"""Files of predictions: CSV, JSON lines or Parquet, as the name of the file says.

A file is replaced as a whole when all rows are written; standard output (``-``) is
written as rows come.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

import numpy as np

from .console import write_data
from .predicted_columns import Column
from .predicted_text import csv_header, csv_lines, json_lines

if TYPE_CHECKING:
    from ..data import Batch
    from ..data.chunk import Array
    from ..parts.state import Bools, Floats

ENDINGS = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
"""What the end of a name says; any other is CSV."""
GROUP = 1 << 17  # rows of a row group
MOST = 1 << 24  # ids that are compared


def is_screen(output: str | None) -> bool:
    """Whether predictions go to standard output."""
    return output is None or output == "-"


def form_of(output: str | None) -> str:
    """The form of a file: "csv", "jsonl" or "parquet"; ``.gz`` may follow.

    Examples
    --------
    >>> from regretless.cli.predicted_files import form_of
    >>> form_of("p.parquet"), form_of("p.jsonl.gz"), form_of("p.txt"), form_of(None)
    ('parquet', 'jsonl', 'csv', 'csv')
    """
    name = (output or "").lower().removesuffix(".gz")
    return next((form for end, form in ENDINGS.items() if name.endswith(end)), "csv")


class ColumnWriter(Protocol):
    """What columns are written to."""

    def write(self, columns: list[Column]) -> None:
        """Write some rows; every call has the same columns."""
        ...

    def close(self) -> None:
        """No more rows will come."""
        ...


@contextmanager
def table_writer(
    output: str | None, form: str | None = None, *, safe: bool = False
) -> Generator[ColumnWriter]:
    """What writes tables of predictions; a file appears when the block ends well.

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
        if is_screen(output):
            table: ColumnWriter = Text(write_data, form, safe=safe)
        else:
            from ..engine.storage.atomic import writing

            assert output is not None
            stream: Any = stack.enter_context(writing(output))
            if output.endswith(".gz") and form != "parquet":
                import gzip

                packed = gzip.GzipFile("", "wb", 6, stream, mtime=0)
                stream = stack.enter_context(packed)
            if form == "parquet":
                table = Parquet(stream)
            else:
                table = Text(stream.write, form, safe=safe)
        yield table
        table.close()


class Text:
    """CSV with a header, or JSON lines."""

    def __init__(
        self, write: Callable[[bytes], object], form: str, *, safe: bool
    ) -> None:
        self._write = write
        self._csv = form == "csv"
        self._safe = safe
        self._begun = False

    def write(self, columns: list[Column]) -> None:
        """Write some rows, below the header."""
        if self._csv and not self._begun:
            self._write(csv_header(columns, safe=self._safe))
        self._begun = True
        if len(columns[0].values) and self._csv:
            self._write(csv_lines(columns, safe=self._safe))
        elif len(columns[0].values):
            self._write(json_lines(columns))

    def close(self) -> None:
        """There is nothing to end with."""


class Parquet:
    """A Parquet file: whole numbers, floats and texts, null where there is nothing."""

    def __init__(self, stream: BinaryIO) -> None:
        from ..data.pyarrow_import import arrow

        self._arrow = arrow
        self._stream = stream
        self._writer: Any = None
        self._waiting: list[Any] = []
        self._rows = 0

    def write(self, columns: list[Column]) -> None:
        """Take some rows; a row group is written when there are enough."""
        pa = self._arrow()
        arrays = [_array(column) for column in columns]
        schema = None if self._writer is None else self._writer.schema
        if schema is None:
            fields = zip([column.name for column in columns], arrays, strict=True)
            schema = pa.schema([(name, array.type) for name, array in fields])
            self._writer = self._arrow("parquet").ParquetWriter(self._stream, schema)
        try:
            self._waiting.append(pa.record_batch(arrays, schema=schema))
        except (ValueError, TypeError):
            raise ValueError(
                f"the ids in column {columns[0].name!r} are whole numbers above and "
                "texts here: write .csv or .jsonl, where each is what it is"
            ) from None
        self._rows += len(arrays[0])
        if self._rows >= GROUP:
            self._flush()

    def _flush(self) -> None:
        self._writer.write_table(self._arrow().Table.from_batches(self._waiting))
        self._waiting, self._rows = [], 0

    def close(self) -> None:
        """Write what waits, and the end of the file."""
        if self._writer is not None:
            if self._waiting:
                self._flush()
            self._writer.close()


def _array(column: Column) -> Any:
    """A column as an array of Arrow."""
    from ..data.pyarrow_import import arrow

    pa = arrow()
    values = column.values
    if column.labels is not None:
        whole = bool(column.labels) and all(
            label.__class__ is int for label in column.labels
        )
        labels: Any = list(column.labels) if whole else list(map(str, column.labels))
        known = pa.array(labels, pa.int64() if whole else pa.string())
        return known.take(pa.array(values, mask=values < 0))
    if values.dtype == object:
        plain = [None if one == "" else one for one in values]
        if any(one.__class__ is not int for one in plain if one is not None):
            plain = [None if one is None else str(one) for one in plain]
        return pa.array(plain, pa.string() if _texts(plain) else pa.int64())
    return pa.array(values, mask=np.isnan(values) if values.dtype.kind == "f" else None)


def _texts(values: Sequence[object]) -> bool:
    return any(isinstance(one, str) for one in values) or not any(
        one is not None for one in values
    )


class UniqueIds:
    """Raises ValueError at the first id that has come before.

    Parameters
    ----------
    name : str
        The column.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._known: list[Array] = []  # sorted; each at most half of the one before
        self._count = 0

    def feed(self, ids: Array, first: int) -> None:
        """Compare the ids of the next rows, which are numbered from `first` on."""
        if self._count >= MOST or not len(ids):
            return
        codes = ids
        if ids.dtype == object:
            codes = np.fromiter(map(hash, ids), np.int64, len(ids))
        ranked = np.sort(codes)
        again = bool((ranked[1:] == ranked[:-1]).any())
        if again or any(_among(ranked, known).any() for known in self._known):
            row = self._row(codes)
            raise ValueError(self._said(ids[row], first + row))
        self._count += ranked.size
        self._known.append(ranked)
        while len(self._known) > 1 and self._known[-2].size < 2 * self._known[-1].size:
            last = self._known.pop()
            self._known[-1] = np.sort(np.concatenate([self._known[-1], last]))

    def _row(self, codes: Array) -> int:
        """The first of these rows whose id has come before."""
        again = np.ones(codes.size, np.bool_)
        again[np.unique(codes, return_index=True)[1]] = False
        for known in self._known:
            again |= _among(codes, known)
        return int(again.argmax())

    def _said(self, found: object, row: int) -> str:
        what = f"the id {found!s:.40} a second time"
        if isinstance(found, str) and not found:
            what = "no id, as a row before it"
        return (
            f"--id {self._name}: row {row:,} has {what}: predictions could not be "
            "joined by it (without --id they have row numbers)"
        )


class NoIdTwice:
    """A watcher of a training that writes no predictions: no id comes twice.

    Parameters
    ----------
    name : str
        The column.
    """

    scored = False

    def __init__(self, name: str) -> None:
        self._unique, self._rows = UniqueIds(name), 0

    def after(self, batch: Batch, scores: Floats | None, session: object) -> None:
        """Compare the ids of a batch."""
        if batch.inputs is not None and batch.inputs.ids is not None:
            self._unique.feed(batch.inputs.ids, self._rows + 1)
            self._rows += batch.inputs.n

    def last(self, session: object) -> None:
        """Nothing is left to do."""


def _among(codes: Array, known: Array) -> Bools:
    """Which of the codes are in a sorted array."""
    places = known.searchsorted(codes)
    return known[places.clip(max=known.size - 1)] == codes
