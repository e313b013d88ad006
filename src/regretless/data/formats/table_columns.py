"""Columns of a table that become rows, and what is found out on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...parts.rows import Longs
from ..chunk import Array
from ..encoding.hash_index import HashIndex
from ..pyarrow_import import RecordBatch
from ..row_errors import Faults
from .table_layout import Layout


class TableColumns(NamedTuple):
    """The columns of a record batch, and what is found out about its rows.

    Attributes
    ----------
    batch : pyarrow.RecordBatch
        With the columns of the layout, of the kinds it says.
    layout : Layout
        What the columns are.
    known : HashIndex or None
        The hashed features that have come; None: names are not asked for.
    faults : Faults
        The rows that are bad.
    names : list of (feature, name)
        The hashed features that are new.
    """

    batch: RecordBatch
    layout: Layout
    known: HashIndex | None
    faults: Faults
    names: list[tuple[int, str]]

    def call(
        self, slots: Array, words: Callable[[Longs], list[str]], width: int = 1
    ) -> None:
        """Name features that are new by the words at their places, column by column."""
        if self.known is not None:
            new = self.known.fresh(slots)
            new = new[np.argsort(new % width, kind="stable")]
            self.names.extend(zip(slots[new].tolist(), words(new), strict=True))
