"""Tables of very many columns: all numbers of a block are parsed as one long column.

What Arrow does once for every column of every block takes longer than the numbers that
a wide table has in a block. Here a delimiter becomes a line end, and what is no number
is read apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..chunk import Array, Lines
from ..pyarrow_import import RecordBatch, arrow
from .arrow_csv import read_csv
from .arrow_numbers import floats_of, missing_of
from .columns import TableNumbers
from .table_layout import Layout

WIDE = 1000  # columns from which on a table is wide
FEW = 200  # columns that may be something else than numbers


class CutFields(NamedTuple):
    """A block of lines, each of which has as many fields as there are columns.

    Attributes
    ----------
    text : bytearray
        The lines, each with its end.
    starts, ends : ndarray
        Where every field begins and ends: a row a line, a column a column.
    """

    text: bytearray
    starts: Lines
    ends: Lines

    def lines_of(self, columns: Sequence[int], delimiter: str) -> bytes:
        """Some columns as text; each line begins with a 0, so that none is empty."""
        mark = delimiter.encode()
        text = bytes(self.text)
        edges = [
            zip(self.starts[:, j].tolist(), self.ends[:, j].tolist(), strict=True)
            for j in columns
        ]
        rows = zip(*edges, strict=True) if edges else [()] * len(self.starts)
        return b"".join(
            mark.join([b"0", *(text[begin:end] for begin, end in row)]) + b"\n"
            for row in rows
        )


def cut_fields(text: memoryview, n_columns: int, delimiter: str) -> CutFields | None:
    """Find the fields; None where a line has more or fewer, or any is quoted."""
    lines = bytearray(text)
    if b"\r" in lines:
        lines = lines.replace(b"\r\n", b"\n")
    if b'"' in lines or b"\r" in lines:
        return None
    if not lines.endswith(b"\n"):
        lines += b"\n"
    letters: Array = np.frombuffer(lines, np.uint8)
    edges = np.flatnonzero((letters == ord(delimiter)) | (letters == 10))
    if edges.size % n_columns:
        return None
    ends = edges.reshape(-1, n_columns)
    right = (letters[ends[:, -1]] == 10).all()
    if not right or np.count_nonzero(letters == 10) != len(ends):
        return None
    starts = np.concatenate([[0], edges[:-1] + 1]).reshape(ends.shape)
    return CutFields(lines, starts, ends)


class WidePlan(NamedTuple):
    """Which columns of a wide table are parsed how.

    Attributes
    ----------
    numbers : ndarray of int
        The columns of the features that are numbers or flags, in order; of the first
        feature, where a column of dates has several.
    places : ndarray of int
        Where these features stand among all.
    others : list of int
        Those that are not parsed as numbers.
    flags : list of (str, int)
        The names of flags, and which of the features they are.
    width : int
        How many features there are.
    """

    numbers: Lines
    places: Lines
    others: list[int]
    flags: list[tuple[str, int]]
    width: int


def plan_columns(layout: Layout, names: Sequence[str]) -> WidePlan | None:
    """How to parse a table; None if it is not wide."""
    features = list(layout.numbers)
    if len(features) < WIDE:
        return None
    at = {name: k for k, name in enumerate(names)}
    places = np.cumsum([0, *layout.numbers.values()])
    first = dict(zip(features, places.tolist(), strict=False))
    kinds = dict(layout.columns)
    flags = [(name, first[name]) for name in features if kinds[name] == "flag"]
    plain = {name for name in features if kinds[name] == "number"}
    others = [j for j, name in enumerate(names) if name not in plain]
    if len(others) > FEW:
        return None
    columns = np.array([at[name] for name in features])
    return WidePlan(columns, places[:-1], others, flags, int(places[-1]))


def parse_numbers(fields: CutFields, plan: WidePlan) -> TableNumbers | None:
    """All numbers of a block; None where a field is none."""
    text = bytearray(fields.text)
    for j in plan.others:
        begins, ends = fields.starts[:, j].tolist(), fields.ends[:, j].tolist()
        for begin, end in zip(begins, ends, strict=True):
            text[begin:end] = b"0" * (end - begin)
    letters: Array = np.frombuffer(text, np.uint8)
    letters[fields.ends.reshape(-1)] = 10
    try:
        types = {"x": arrow().float64()}
        numbers = read_csv(text, ["x"], types, empty_lines=True).column("x")
    except ValueError:
        return None
    shape = fields.ends.shape
    absent: Array | None = None
    if numbers.null_count:
        absent = _placed(missing_of(numbers).reshape(shape), plan)
    return TableNumbers(_placed(floats_of(numbers).reshape(shape), plan), absent)


def _placed(fields: Array, plan: WidePlan) -> Array:
    """What was found of the columns, where the features of the table are."""
    if plan.width == plan.numbers.size:
        return np.ascontiguousarray(fields[:, plan.numbers])
    found = np.zeros((len(fields), plan.width), fields.dtype)
    found[:, plan.places] = fields[:, plan.numbers]
    return found


def with_flags(
    numbers: TableNumbers, plan: WidePlan, batch: RecordBatch
) -> TableNumbers:
    """The numbers, and among them the flags, which were read with the others."""
    for name, j in plan.flags:
        flags = batch.column(name)
        if flags.null_count:
            absent = numbers.missing
            if absent is None:
                absent = np.zeros(numbers.values.shape, np.bool_)
            absent[:, j] = missing_of(flags)
            numbers = numbers._replace(missing=absent)
        numbers.values[:, j] = floats_of(flags)
    return numbers
