"""A record batch of Arrow to rows: numbers as they are, words and text hashed.

A missing number is 0 (with ``missing="indicator"`` a feature of its own says so, with
``"refuse"`` it makes a bad row); a missing word is the word ``""``; nan and infinity
make a bad row. A missing label is none: the row is only predicted.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from ...engine.kernels.crossed import Field
from ...parts.rows import Dense, Longs, Sparse
from ...parts.state import Floats
from ..chunk import Array, Chunk, Lines, Mask
from ..encoding.dates import WIDTH, date_numbers, moments_of
from ..encoding.hash_index import HashIndex
from ..encoding.hashed_text import weave_rows
from ..encoding.products import LARGEST, TOO_LARGE
from ..encoding.spelled import FALSE, MISSING, TRUE, is_number
from ..pyarrow_import import ArrowColumn, RecordBatch, arrow
from ..row_errors import Faults
from .arrow_numbers import floats_of, letters_of, missing_of, numbers_of
from .crossed_columns import cross_columns, of_bags, of_numbers, of_words
from .table_columns import TableColumns
from .table_layout import Layout, is_dates, is_list, is_words
from .worded_columns import (
    counted_words,
    decoded,
    hash_columns,
    hash_texts_of,
    moments_in,
    text_of,
)


class TableNumbers(NamedTuple):
    """The numbers of a table, a row a row; and where they are missing (and are 0).

    A column of several numbers is missing where its first one is.
    """

    values: Floats
    missing: Mask | None = None


def table_chunk(
    batch: RecordBatch,
    layout: Layout,
    index: HashIndex | None,
    lines: Lines | None = None,
    parsed: TableNumbers | None = None,
) -> Chunk:
    """The rows of a record batch.

    Parameters
    ----------
    batch : pyarrow.RecordBatch
        With the columns of the layout, of the kinds it says.
    layout : Layout
        What the columns are.
    index : HashIndex or None
        The hashed features that have come; None: names are not asked for.
    lines : ndarray or None
        The line of every row; None: they count from 1.
    parsed : TableNumbers or None
        All columns of numbers, where they were read apart; the batch has the others.
    """
    n = batch.num_rows
    faults = Faults(n)
    table = TableColumns(batch, layout, index, faults, [])
    parsed = _with_dates(parsed or _numbers(table), table)
    _check_numbers(parsed, layout, faults)
    plain = _indicated(parsed, layout) if layout.indicates else parsed.values
    numbers = _multiplied(plain, layout, faults) if layout.products else plain
    rows: Dense | Sparse = Dense(numbers.reshape(-1), layout.n_numbers)
    if layout.words or layout.texts:
        slots, bags, crossed = hash_columns(table), hash_texts_of(table), None
        if layout.crossed:
            crossed = cross_columns(table, partial(_field, table, plain))
        rows = weave_rows(numbers, slots, *bags, crossed, presence=layout.presence)
    at: Lines = np.arange(1, n + 1, dtype=np.int64) if lines is None else lines
    weights = None
    if layout.weight is not None:
        weights = _weights(batch.column(layout.weight), layout.weight, faults)
    labels = _labels(batch, layout)
    chunk = Chunk(rows, labels, layout.n_numbers, at, n, weights, names=table.names)
    if layout.group is not None:
        told = batch.column(layout.group).to_pylist()
        chunk = chunk._replace(groups=np.array([str(one) for one in told], object))
    if layout.id is not None:
        chunk = chunk._replace(tags=ids_of(batch.column(layout.id)))
    return faults.drop(chunk)


def _numbers(columns: TableColumns) -> TableNumbers:
    """All numbers of the rows, one after the other."""
    batch, layout, faults = columns.batch, columns.layout, columns.faults
    table = np.zeros((batch.num_rows, sum(layout.numbers.values())))
    absent = None if layout.missing == "zero" else np.zeros(table.shape, np.bool_)
    dates, j = set(layout.dates), 0
    for name, width in layout.numbers.items():
        column = decoded(batch.column(name))
        gaps: Mask | None = missing_of(column) if column.null_count else None
        if is_list(column.type):
            table[:, j : j + width] = _vectors(column, name, width, faults)
        elif name not in dates:
            spelled = is_words(column.type)
            numbers = _spelled(column, name, faults) if spelled else floats_of(column)
            table[:, j] = numbers
            if name in layout.declared and np.isnan(numbers).any():
                gaps = np.isnan(numbers) if gaps is None else gaps | np.isnan(numbers)
                table[gaps, j] = 0.0
        if absent is not None and gaps is not None:
            absent[:, j] = gaps
        j += width
    return TableNumbers(table, absent)


def _spelled(column: ArrowColumn, name: str, faults: Faults) -> Floats:
    """The numbers that words spell, nan where they are missing."""
    words, which = _different(column)
    kinds = [TRUE, FALSE]
    found = [
        next((float(kind is TRUE) for kind in kinds if word in kind), None)
        if not is_number(word) or word.strip() in MISSING
        else float(word)
        for word in words
    ]
    missing = [word.strip() in MISSING for word in words]
    known = np.array([np.nan if one is None else one for one in found])
    bad = np.array([one is None for one in found], np.bool_) & ~np.array(missing, bool)
    faults.add(
        bad[which],
        lambda i: f"column {name!r}: {words[which[i]]!r:.40} is not a number",
    )
    return known[which]


def _different(column: ArrowColumn) -> tuple[list[str], Longs]:
    """The different words of a column, and which of them each row has."""
    told: list[str] = text_of(column).to_pylist()
    words = list(dict.fromkeys(told))
    places = {word: k for k, word in enumerate(words)}
    return words, np.array([places[word] for word in told], np.int64)


def _with_dates(parsed: TableNumbers, columns: TableColumns) -> TableNumbers:
    """The numbers, those of dates among them."""
    batch, layout, (values, absent) = columns.batch, columns.layout, parsed
    for name, j in layout.dates.items():
        numbers, gaps = _dates(batch.column(name), name, columns.faults)
        values[:, j : j + WIDTH] = numbers
        if absent is None and layout.missing != "zero":
            absent = np.zeros(values.shape, np.bool_)
        if absent is not None:
            absent[:, j] = gaps
    return TableNumbers(values, absent)


def _dates(column: ArrowColumn, name: str, faults: Faults) -> tuple[Floats, Mask]:
    """The numbers of a column of dates, or of words that spell them; what is missing.

    A word is read once, however often it comes.
    """
    if not is_dates(column.type):
        words, which = _different(column)
        known = moments_of(words)
        gaps = np.array([word.strip() in MISSING for word in words], np.bool_)[which]
        moments = known[which]
        faults.add(
            np.isnat(moments) & ~gaps,
            lambda i: (
                f"column {name!r}: {words[which[i]]!r:.40} is not a date like those "
                "above (2024-12-31)"
            ),
        )
        return date_numbers(moments), gaps
    moments, gaps = moments_in(column)
    return date_numbers(moments), gaps


def _indicated(parsed: TableNumbers, layout: Layout) -> Floats:
    """The numbers, and for each column where its number is missing."""
    firsts = np.cumsum([0, *layout.numbers.values()][:-1])
    if parsed.missing is None:
        gaps = np.zeros((len(parsed.values), firsts.size))
    else:
        gaps = parsed.missing[:, firsts].astype(np.float64)
    return np.hstack([parsed.values, gaps])


def _multiplied(numbers: Floats, layout: Layout, faults: Faults) -> Floats:
    """The numbers, and behind them their products."""
    found = np.ones((len(numbers), len(layout.products)))
    with np.errstate(over="ignore", invalid="ignore"):
        for j, chosen in enumerate(layout.products):
            for k in chosen:
                found[:, j] *= numbers[:, k]
    bad: Mask = ~(np.abs(found) <= LARGEST)

    def say(i: int) -> str:
        j = int(np.argmax(bad[i]))
        return TOO_LARGE.format(
            layout.names()[len(layout.number_names) + j], found[i, j]
        )

    faults.add(np.any(bad, axis=1), say)
    return np.hstack([numbers, found])


def _field(columns: TableColumns, numbers: Floats, name: str) -> Field:
    """The features of one column."""
    layout = columns.layout
    if name in layout.places:
        places = list(layout.places[name])
        named = [layout.number_names[j] for j in places]
        return of_numbers(named, np.ascontiguousarray(numbers[:, places]))
    column = columns.batch.column(name)
    if name in layout.texts:
        return of_bags(name, counted_words(column, name, layout))
    return of_words(name, *letters_of(text_of(column)))


def _check_numbers(parsed: TableNumbers, layout: Layout, faults: Faults) -> None:
    """Find rows with a number that is not finite, or that must not be missing."""
    values, absent = parsed
    bad: Mask = ~np.isfinite(values)
    if absent is not None and layout.missing == "refuse":
        bad |= absent
    if not bad.any():
        return
    names = [name for name, width in layout.numbers.items() for _ in range(width)]

    def say(i: int) -> str:
        j = int(np.argmax(bad[i]))
        if np.isfinite(values[i, j]):
            return f"column {names[j]!r} has no value"
        return f"column {names[j]!r}: {values[i, j]} is not a finite number"

    faults.add(np.any(bad, axis=1), say)


def _vectors(column: ArrowColumn, name: str, width: int, faults: Faults) -> Floats:
    n = len(column)
    found = arrow("compute").list_value_length(column)
    lengths = floats_of(found, missing=-1.0).astype(np.int64)
    table = np.zeros((n, width))
    right = lengths == width
    table[right] = floats_of(column.filter(arrow().array(right)).flatten()).reshape(
        -1, width
    )
    faults.add(
        (lengths >= 0) & ~right,
        lambda i: f"column {name!r} has {lengths[i]} numbers, those above {width}",
    )
    return table


def _weights(column: ArrowColumn, name: str, faults: Faults) -> Floats:
    weights = floats_of(decoded(column), missing=np.nan)
    faults.add(np.isnan(weights), lambda i: f"column {name!r} has no weight")
    faults.add(
        ~np.isfinite(weights) | (weights < 0.0),
        lambda i: f"column {name!r}: {weights[i]} is not a weight: it is 0 or more",
    )
    return weights


def ids_of(column: ArrowColumn) -> Array:
    """What rows are called: whole numbers as such, all else as texts; "" if missing."""
    types, column = arrow("types"), decoded(column)
    if not column.null_count:
        floats = types.is_floating(column.type)
        if floats or (
            types.is_integer(column.type) and not types.is_uint64(column.type)
        ):
            numbers = numbers_of(column)
            whole = numbers.astype(np.int64)
            if not floats or bool((whole == numbers).all()):
                return whole
    return np.array(text_of(column).to_pylist(), dtype=object)


def _labels(batch: RecordBatch, layout: Layout) -> Array:
    if layout.label is None:
        return np.full(int(batch.num_rows), np.nan)
    column = decoded(batch.column(layout.label))
    if is_words(column.type):
        return np.array([word or None for word in column.to_pylist()], dtype=object)
    try:
        return floats_of(column, missing=np.nan)
    except (ValueError, NotImplementedError):
        what = f"holds {column.type}, not numbers or words"
        raise ValueError(f"the label column {layout.label!r} {what}") from None
