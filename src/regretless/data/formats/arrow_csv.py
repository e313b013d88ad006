"""Text with delimiters to columns of given types, by Arrow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..encoding.spelled import MISSING
from ..pyarrow_import import ArrowSchema, ArrowType, RecordBatch, arrow


def read_csv(
    text: bytes | bytearray | memoryview,
    names: Sequence[str],
    types: Mapping[str, ArrowType],
    *,
    delimiter: str = ",",
    quoted: bool = False,
    empty_lines: bool = False,
    only: Sequence[str] | None = None,
) -> RecordBatch:
    """The columns of whole lines without a header.

    Parameters
    ----------
    text : buffer
        The lines.
    names : sequence of str
        What the columns are called.
    types : mapping
        The Arrow types of columns; those of others are told from their fields.
    delimiter : str
        What separates fields.
    quoted : bool
        Whether fields may be quoted, and may then hold line ends.
    empty_lines : bool
        Whether a line without anything is a row.
    only : sequence of str or None
        The columns to read; None: all.
    """
    pa, files = arrow(), arrow("csv")
    table = files.read_csv(
        pa.BufferReader(pa.py_buffer(text)),
        read_options=files.ReadOptions(
            column_names=names, use_threads=False, block_size=len(text) + 1
        ),
        parse_options=files.ParseOptions(
            delimiter=delimiter,
            quote_char='"' if quoted else False,
            newlines_in_values=quoted,
            ignore_empty_lines=not empty_lines,
        ),
        convert_options=files.ConvertOptions(
            column_types=types, include_columns=only, null_values=MISSING
        ),
    )
    return joined(table.to_batches(), table.schema)


def joined(
    batches: Sequence[RecordBatch], schema: ArrowSchema | None = None
) -> RecordBatch:
    """Batches of the same columns as one."""
    pa = arrow()
    table = pa.Table.from_batches(batches, schema)
    found = table.combine_chunks().to_batches()
    return found[0] if found else pa.RecordBatch.from_pylist([], table.schema)
