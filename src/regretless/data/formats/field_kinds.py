"""What the fields of a column of text are: numbers, flags, dates, or words.

A column of which half or more are numbers is one of numbers: others are faults. One is
of dates where all of its fields are, as ISO 8601 writes them.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..encoding.dates import is_date
from ..encoding.spelled import FALSE, MISSING, TRUE, is_number
from ..pyarrow_import import ArrowColumn, RecordBatch, arrow

TRUTHS = TRUE | FALSE | {"1", "0"}
LOOKED_AT = 1000  # fields of a column, to tell numbers from words


def _mostly_numbers(column: ArrowColumn) -> bool:
    """Whether half of the first fields or more are numbers: others are then faults."""
    words = [word for word in column[:LOOKED_AT].to_pylist() if word not in MISSING]
    return 2 * sum(map(is_number, words)) >= len(words)


def plain_kinds(batch: RecordBatch, categorical: tuple[str, ...]) -> RecordBatch:
    """Columns that are neither numbers nor flags nor dates as words."""
    pa, types = arrow(), arrow("types")
    columns: list[ArrowColumn] = []
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        kind = column.type
        plain = types.is_integer(kind) or types.is_floating(kind)
        flags = types.is_boolean(kind) or types.is_null(kind)
        if plain or flags or name in categorical:
            columns.append(column)
        elif types.is_string(kind) and _mostly_numbers(column):
            columns.append(pa.nulls(len(column)))
        elif types.is_date(kind) or types.is_timestamp(kind):
            columns.append(pa.nulls(len(column), pa.date32()))
        else:
            columns.append(pa.nulls(len(column), pa.string()))
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def typed_columns(
    rows: Sequence[Sequence[str]], names: Sequence[str], worded: Sequence[str]
) -> RecordBatch:
    """Columns of the types that the fields of the first rows have, without the fields.

    As :func:`plain_kinds`, for a table that is too wide for Arrow to tell.
    """
    pa = arrow()
    right = [row for row in rows if len(row) == len(names)][:LOOKED_AT]
    kinds = {
        "number": pa.float64(),
        "flag": pa.bool_(),
        "date": pa.date32(),
        "word": pa.string(),
    }
    empty = {kind: pa.nulls(1 if right else 0, of) for kind, of in kinds.items()}
    words = set(worded)
    columns = [
        empty["word" if name in words else _kind(fields)]
        for name, fields in zip(names, zip(*right, strict=True), strict=bool(right))
    ]
    if not right:
        columns = [empty["word"]] * len(names)
    return pa.RecordBatch.from_arrays(columns, names=list(names))


def _kind(fields: Sequence[str]) -> str:
    """What a column with these fields is, as Arrow would tell it."""
    known = [field for field in fields if field not in MISSING]
    numbers = sum(map(is_number, known))
    if numbers < len(known) and TRUTHS.issuperset(known):
        return "flag"
    if known and all(map(is_date, known)):
        return "date"
    return "number" if 2 * numbers >= len(known) else "word"


def refuse_one_column(names: Sequence[str], file: str) -> None:
    """Raise ValueError where a header has one name that looks like several."""
    for sign in ";|\t":
        if len(names) == 1 and sign in names[0]:
            raise ValueError(
                f"{file}: one column, {names[0]!r:.60}: its fields are separated by "
                f"{sign!r}, not by commas (or by tabs, in a .tsv file): write it so"
            )
