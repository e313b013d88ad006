"""Objects of Arrow as columns: the field ``b`` of ``a`` is the column ``a.b``."""

from __future__ import annotations

from collections.abc import Collection

from ..pyarrow_import import RecordBatch, arrow


def flattened(batch: RecordBatch) -> RecordBatch:
    """A record batch whose objects are columns, those within objects too."""
    pa, types = arrow(), arrow("types")
    while any(types.is_struct(field.type) for field in batch.schema):
        table = pa.Table.from_batches([batch]).flatten()
        columns = [column.combine_chunks() for column in table.columns]
        batch = pa.RecordBatch.from_arrays(columns, table.column_names)
    return batch


def object_of(name: str, stored: Collection[str]) -> str:
    """The column that holds a field: itself, or the objects that have it."""
    while name not in stored:
        name = name.rpartition(".")[0]
    return name
