"""A record batch of Arrow to rows: numbers as they are, words and text hashed.

A missing number is 0 (with ``missing="indicator"`` a feature of its own says so, with
``"refuse"`` it makes a bad row); a missing word is the word ``""``; nan and infinity
make a bad row. A missing label is none: the row is only predicted.
"""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

import numpy as np

from ...engine.kernels.categories import hash_words, weave
from ...engine.kernels.compiled import entry
from ...parts.rows import Dense, Ints, Longs, Sparse
from ...parts.state import Floats
from ..chunk import Array, Chunk, Lines, Mask
from ..encoding.dates import WIDTH, date_numbers, date_word, moments_of
from ..encoding.fields import LONGEST, too_long
from ..encoding.hashed_text import hash_texts, weave_rows, word_slots
from ..encoding.spelled import FALSE, MISSING, TRUE, is_number
from ..parsed import Parsed
from ..pyarrow_import import ArrowColumn, RecordBatch, arrow
from ..row_errors import Faults
from .arrow_numbers import (
    floats_of,
    letters_of,
    missing_of,
    numbers_of,
    text_column,
)
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
    numbers = _indicated(parsed, layout) if layout.indicates else parsed.values
    rows: Dense | Sparse = Dense(numbers.reshape(-1), layout.n_numbers)
    fresh: list[tuple[int, str]] = []
    slots = np.empty(0, np.int32)
    if layout.words:
        slots, fresh = _words(batch, layout, known, faults)
    if layout.texts:
        starts, bags, more = _bags(batch, layout, known)
        fresh += more
        presence = layout.presence
        rows = weave_rows(numbers, slots, starts, bags, presence=presence)
    elif layout.words:
        rows = _woven(numbers, slots)
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
        column = _decoded(batch.column(name))
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
    told: list[str] = _text(column).to_pylist()
    words = list(dict.fromkeys(told))
    places = {word: k for k, word in enumerate(words)}
    return words, np.array([places[word] for word in told], np.int64)


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
    moments, gaps = _moments(column)
    return date_numbers(moments), gaps


def _moments(column: ArrowColumn) -> tuple[Array, Mask]:
    """The moments of a column of dates, at UTC; NaT where they are missing."""
    plain = arrow("compute").cast(column, arrow().timestamp("us"), safe=False)
    ticks = numbers_of(plain.cast(arrow().int64()))
    gaps = missing_of(plain) if plain.null_count else np.zeros(len(plain), np.bool_)
    moments = ticks.astype("datetime64[us]")
    return np.where(gaps, np.datetime64("NaT"), moments), gaps


def _indicated(parsed: TableNumbers, layout: Layout) -> Floats:
    """The numbers, and for each column where its number is missing."""
    firsts = np.cumsum([0, *layout.numbers.values()][:-1])
    if parsed.missing is None:
        gaps = np.zeros((len(parsed.values), firsts.size))
    else:
        gaps = parsed.missing[:, firsts].astype(np.float64)
    return np.hstack([parsed.values, gaps])


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
    batch: RecordBatch, layout: Layout, known: Array, faults: Faults
) -> tuple[Ints, list[tuple[int, str]]]:
    """The features of the words, and the names of those that have none."""
    names = layout.words
    width = len(names)
    slots = np.empty(batch.num_rows * width, np.int32)
    texts: list[tuple[Longs, Array]] = []
    for w, name in enumerate(names):
        offsets, letters = letters_of(_text(batch.column(name)))
        texts.append((offsets, letters))
        faults.add(np.diff(offsets) > LONGEST, lambda i, name=name: too_long(name))
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
        column = batch.column(name)
        if is_list(column.type):
            begins, places, new = _listed(column, prefix, known)
        else:
            offsets, letters = letters_of(_text(column))
            found = hash_texts(offsets, letters, prefix, bits, layout.ngrams)
            new = found.fresh(known, letters, prefix)
            begins, places = found.starts, found.slots
        fresh += [(slot + layout.n_numbers, word) for slot, word in new]
        starts.append(begins)
        slots.append(places)
        lengths = np.diff(begins)
        rows.append(np.repeat(np.arange(lengths.size), lengths))
    if len(starts) == 1:
        return starts[0], slots[0], fresh
    order = np.argsort(np.concatenate(rows), kind="stable")
    return np.sum(starts, axis=0), np.concatenate(slots)[order], fresh


def _listed(
    column: ArrowColumn, prefix: str, known: Array
) -> tuple[Longs, Longs, list[tuple[int, str]]]:
    """Where the words of each list begin, their hashes, and those that are new."""
    lists: list[list[str | None] | None] = column.to_pylist()
    filled = [[""] if row is None else row for row in lists]
    told = [f"{prefix}{word or ''}" for row in filled for word in row]
    words = list(dict.fromkeys(told))
    hashes = word_slots(words, len(known).bit_length() - 1).tolist()
    places = dict(zip(words, hashes, strict=True))
    fresh = {slot: word for word, slot in reversed(places.items()) if not known[slot]}
    starts = np.cumsum([0, *map(len, filled)], dtype=np.int64)
    slots = np.array([places[word] for word in told], np.int64)
    return starts, slots, list(fresh.items())


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
    """A column as words, "" where they are missing, spelled as those of dicts are."""
    column, types = _decoded(column), arrow("types")
    if is_dates(column.type):
        moments, which = np.unique(_moments(column)[0], return_inverse=True)
        told: list[dt.datetime | None] = moments.tolist()
        words = ["" if one is None else date_word(one) for one in told]
        places: list[int] = which.tolist()
        return text_column([words[k] for k in places])
    if types.is_floating(column.type):
        numbers = floats_of(column, missing=np.nan)
        column = arrow().array(numbers, mask=np.isnan(numbers))
    if str(column.type) not in ("string", "large_string"):
        column = arrow("compute").cast(column, arrow().large_string())
    return column.fill_null("") if column.null_count else column


def _woven(numbers: Floats, slots: Ints) -> Sparse:
    n, wide = numbers.shape
    words = slots.size // n if n else 0
    starts = np.zeros(n + 1, np.int64)
    columns = np.empty(n * (wide + words) + 1, np.int32)
    values = np.empty(columns.size)
    seen = np.full(4 << words.bit_length(), -1, np.int64)
    arguments = numbers.reshape(-1), wide, slots, words, starts, columns, values, seen
    k = entry(weave, arguments)(*arguments)
    return Sparse(starts, columns[:k], values[:k])


def _weights(column: ArrowColumn, name: str, faults: Faults) -> Floats:
    weights = floats_of(_decoded(column), missing=np.nan)
    faults.add(np.isnan(weights), lambda i: f"column {name!r} has no weight")
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
        return np.full(batch.num_rows, np.nan)
    column = _decoded(batch.column(layout.label))
    if is_words(column.type):
        return np.array([word or None for word in column.to_pylist()], dtype=object)
    try:
        return floats_of(column, missing=np.nan)
    except (ValueError, NotImplementedError):
        what = f"holds {column.type}, not numbers or words"
        raise ValueError(f"the label column {layout.label!r} {what}") from None
