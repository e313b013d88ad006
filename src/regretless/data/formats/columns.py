"""A record batch of Arrow to rows: numbers as they are, words and text hashed.

A missing number is 0 (with ``missing="indicator"`` a feature of its own says so, with
``"refuse"`` it makes a bad row); a missing word is the word ``""``; nan and infinity
make a bad row. A missing label is none: the row is only predicted.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from ...engine.kernels.categories import hash_words
from ...engine.kernels.compiled import entry
from ...engine.kernels.crossed import Field
from ...parts.rows import Dense, Ints, Longs, Sparse
from ...parts.state import Floats
from ..chunk import Array, Chunk, Lines, Mask
from ..encoding.dates import WIDTH, date_numbers, moments_of
from ..encoding.hashed_text import hash_texts, weave_rows
from ..encoding.products import LARGEST, TOO_LARGE
from ..encoding.spelled import MISSING
from ..parsed import Parsed
from ..pyarrow_import import ArrowColumn, RecordBatch, arrow
from ..row_errors import Faults
from .arrow_numbers import floats_of, letters_of, missing_of, numbers_of
from .crossed_columns import cross_columns, of_numbers, of_texts, of_words
from .table_layout import Layout, is_dates, is_list, is_words

__all__ = ["TableNumbers", "table_chunk"]


class TableNumbers(NamedTuple):
    """The numbers of a table, a row a row; and where they are missing (and are 0).

    A column of several numbers is missing where its first one is.
    """

    values: Floats
    missing: Mask | None = None


def table_chunk(
    batch: RecordBatch,
    layout: Layout,
    known: Array,
    lines: Lines | None = None,
    parsed: TableNumbers | None = None,
) -> Parsed:
    """The rows of a record batch.

    Parameters
    ----------
    batch : pyarrow.RecordBatch
        With the columns of the layout, of the kinds it says.
    layout : Layout
        What the columns are.
    known : ndarray of uint8
        1 for each feature of words that has its name.
    lines : ndarray or None
        The line of every row; None: they count from 1.
    parsed : TableNumbers or None
        All columns of numbers, where they were read apart; the batch has the others.
    """
    n = batch.num_rows
    faults = Faults(n)
    parsed = _numbers(batch, layout, faults) if parsed is None else parsed
    parsed = _with_dates(parsed, batch, layout, faults)
    _check_numbers(parsed, layout, faults)
    plain = _indicated(parsed, layout) if layout.indicates else parsed.values
    numbers = _multiplied(plain, layout, faults) if layout.products else plain
    rows: Dense | Sparse = Dense(numbers.reshape(-1), layout.n_numbers)
    fresh: list[tuple[int, str]] = []
    if layout.words or layout.texts:
        slots, fresh = _words(batch, layout, known)
        starts, bags, more = _bags(batch, layout, known)
        crossed = None
        fresh += more
        if layout.crossed:
            field_of = partial(_field, batch, layout, plain)
            crossed, more = cross_columns(layout, field_of, known, faults)
            fresh += more
        presence = layout.presence
        rows = weave_rows(numbers, slots, starts, bags, crossed, presence=presence)
    at: Lines = np.arange(1, n + 1, dtype=np.int64) if lines is None else lines
    weights = None
    if layout.weight is not None:
        weights = _weights(batch.column(layout.weight), layout.weight, faults)
    labels = _labels(batch, layout)
    chunk = Chunk(rows, labels, layout.n_features, at, n, weights)
    if layout.group is not None:
        told = batch.column(layout.group).to_pylist()
        chunk = chunk._replace(groups=np.array([str(one) for one in told], object))
    if layout.id is not None:
        chunk = chunk._replace(tags=_ids(batch.column(layout.id)))
    return Parsed(faults.drop(chunk), fresh)


def _numbers(batch: RecordBatch, layout: Layout, faults: Faults) -> TableNumbers:
    """All numbers of the rows, one after the other."""
    table = np.zeros((batch.num_rows, sum(layout.numbers.values())))
    absent = None if layout.missing == "zero" else np.zeros(table.shape, np.bool_)
    dates, j = set(layout.dates), 0
    for name, width in layout.numbers.items():
        column = batch.column(name)
        gaps: Mask | None = missing_of(column) if column.null_count else None
        if is_list(column.type):
            table[:, j : j + width] = _vectors(column, name, width, faults)
        elif name not in dates:
            table[:, j] = floats_of(_decoded(column))
        if absent is not None and gaps is not None:
            absent[:, j] = gaps
        j += width
    return TableNumbers(table, absent)


def _with_dates(
    parsed: TableNumbers, batch: RecordBatch, layout: Layout, faults: Faults
) -> TableNumbers:
    """The numbers, those of dates among them."""
    values, absent = parsed
    for name, j in layout.dates.items():
        values[:, j : j + WIDTH], gaps = _dates(batch.column(name), name, faults)
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
        told: list[str] = _text(column).to_pylist()
        words = list(dict.fromkeys(told))
        places = {word: k for k, word in enumerate(words)}
        which = np.array([places[word] for word in told], np.int64)
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
    plain = arrow("compute").cast(column, arrow().timestamp("us"), safe=False)
    ticks = numbers_of(plain.cast(arrow().int64()))
    gaps = missing_of(plain) if plain.null_count else np.zeros(len(plain), np.bool_)
    moments = ticks.astype("datetime64[us]")
    return date_numbers(np.where(gaps, np.datetime64("NaT"), moments)), gaps


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
        return TOO_LARGE.format(layout.names()[numbers.shape[1] + j], found[i, j])

    faults.add(np.any(bad, axis=1), say)
    return np.hstack([numbers, found])


def _field(batch: RecordBatch, layout: Layout, numbers: Floats, name: str) -> Field:
    """The features of one column."""
    if name in layout.places:
        places = list(layout.places[name])
        named = [layout.number_names[j] for j in places]
        return of_numbers(named, np.ascontiguousarray(numbers[:, places]))
    column = _text(batch.column(name))
    if name in layout.texts:
        return of_texts(name, column.to_pylist(), layout)
    return of_words(name, *letters_of(column))


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


def _decoded(column: ArrowColumn) -> ArrowColumn:
    """The values of a dictionary; any other column as it is."""
    if arrow("types").is_dictionary(column.type):
        return column.dictionary_decode()
    return column


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


def _words(
    batch: RecordBatch, layout: Layout, known: Array
) -> tuple[Ints, list[tuple[int, str]]]:
    """The features of the words, and the names of those that have none."""
    names = layout.words
    width = len(names)
    slots = np.empty(batch.num_rows * width, np.int32)
    if not names:
        return slots, []
    texts: list[tuple[Longs, Array]] = []
    for w, name in enumerate(names):
        offsets, letters = letters_of(_text(batch.column(name)))
        texts.append((offsets, letters))
        prefix = np.frombuffer(f"{name}=".encode(), np.uint8)
        arguments = prefix, offsets, letters, len(known) - 1, slots, w, width
        entry(hash_words, arguments)(*arguments)
    new = np.flatnonzero(known[slots] == 0)
    found, first = np.unique(slots[new], return_index=True)
    return slots, _named(found + layout.n_numbers, new[first], names, texts)


def _bags(
    batch: RecordBatch, layout: Layout, known: Array
) -> tuple[Longs, Longs, list[tuple[int, str]]]:
    """The words of all columns of text, row by row; and the names that are new."""
    starts: list[Longs] = []
    slots: list[Longs] = []
    rows: list[Longs] = []
    fresh: list[tuple[int, str]] = []
    bits = len(known).bit_length() - 1
    for name in layout.texts:
        prefix = f"{name}=" if name else ""
        offsets, letters = letters_of(_text(batch.column(name)))
        found = hash_texts(offsets, letters, prefix, bits, layout.ngrams)
        new = found.fresh(known, letters, prefix)
        fresh += [(slot + layout.n_numbers, word) for slot, word in new]
        starts.append(found.starts)
        slots.append(found.slots)
        lengths = np.diff(found.starts)
        rows.append(np.repeat(np.arange(lengths.size), lengths))
    if not starts:
        return np.zeros(batch.num_rows + 1, np.int64), np.empty(0, np.int64), fresh
    if len(starts) == 1:
        return starts[0], slots[0], fresh
    order = np.argsort(np.concatenate(rows), kind="stable")
    return np.sum(starts, axis=0), np.concatenate(slots)[order], fresh


def _named(
    features: Ints, at: Longs, names: tuple[str, ...], texts: list[tuple[Longs, Array]]
) -> list[tuple[int, str]]:
    """Features, each with the word that stands at this position of the table."""
    rows, which = np.divmod(at, len(names))
    fresh: list[tuple[int, str]] = []
    for w, name in enumerate(names):
        mine = np.flatnonzero(which == w)
        offsets, letters = texts[w]
        for feature, i in zip(features[mine].tolist(), rows[mine], strict=True):
            word = letters[offsets[i] : offsets[i + 1]].tobytes().decode()
            fresh.append((feature, f"{name}={word}"))
    return fresh


def _text(column: ArrowColumn) -> ArrowColumn:
    """A column as words, "" where they are missing."""
    column = _decoded(column)
    if str(column.type) not in ("string", "large_string"):
        column = arrow("compute").cast(column, arrow().large_string())
    return column.fill_null("") if column.null_count else column


def _weights(column: ArrowColumn, name: str, faults: Faults) -> Floats:
    weights = floats_of(_decoded(column), missing=1.0)
    faults.add(
        ~np.isfinite(weights) | (weights < 0.0),
        lambda i: f"column {name!r}: {weights[i]} is not a weight: it is 0 or more",
    )
    return weights


def _ids(column: ArrowColumn) -> Array:
    """What rows are called: whole numbers as such, all else as texts; "" if missing."""
    types, column = arrow("types"), _decoded(column)
    if not column.null_count:
        floats = types.is_floating(column.type)
        if floats or (
            types.is_integer(column.type) and not types.is_uint64(column.type)
        ):
            numbers = numbers_of(column)
            whole = numbers.astype(np.int64)
            if not floats or bool((whole == numbers).all()):
                return whole
    return np.array(_text(column).to_pylist(), dtype=object)


def _labels(batch: RecordBatch, layout: Layout) -> Array:
    if layout.label is None:
        return np.full(int(batch.num_rows), np.nan)
    column = _decoded(batch.column(layout.label))
    if is_words(column.type):
        return np.array([word or None for word in column.to_pylist()], dtype=object)
    try:
        return floats_of(column, missing=np.nan)
    except (ValueError, NotImplementedError):
        what = f"holds {column.type}, not numbers or words"
        raise ValueError(f"the label column {layout.label!r} {what}") from None
