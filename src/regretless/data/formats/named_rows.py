"""Rows of a table by the names of its fields, for a model that knows no columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from ...parts.rows import Sparse
from ..chunk import Chunk, Lines
from ..encoding.fault import Fault
from ..encoding.fields import Features, FieldReader
from ..pyarrow_import import RecordBatch
from ..row_errors import Faults
from .columns import table_chunk
from .table_layout import Layout


class NamedRows(Protocol):
    """What makes rows, as wide as a model, of features by name."""

    n_features: int

    @property
    def fields(self) -> FieldReader:
        """What reads the fields of a row."""
        ...

    def rows(self, found: Sequence[Features]) -> Sparse:
        """The rows of these features."""
        ...


def dicts_of(batch: RecordBatch) -> list[dict[str, object]]:
    """The rows of a record batch; nan is None, as in a frame."""
    columns = [
        [None if value != value else value for value in column.to_pylist()]  # noqa: PLR0124
        for column in batch.columns
    ]
    names: list[str] = batch.schema.names
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def named_chunk(
    batch: RecordBatch,
    layout: Layout,
    lines: Lines | None,
    by_name: NamedRows,
) -> Chunk:
    """The rows of a record batch, each read as a dict would be."""
    bare = replace(layout, columns=(), weight=None)
    chunk = table_chunk(batch, bare, None, lines)
    said: dict[int, str] = {}
    found: list[Features] = []
    for i, row in enumerate(dicts_of(batch.select([*dict(layout.columns)]))):
        try:
            found.append(by_name.fields.features(row))
        except Fault as fault:
            said[i] = str(fault)
            found.append({})
    faults = Faults(len(found))
    bad = np.isin(np.arange(len(found)), [*said])
    faults.add(bad, said.__getitem__)
    rows = by_name.rows(found)
    return faults.drop(chunk._replace(rows=rows, n_features=by_name.n_features))
