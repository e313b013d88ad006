"""Columns of Arrow as words: spelled, hashed, and counted.

A missing word is the word ``""``, and so is one in a list; a missing text has none.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import numpy as np

from ...engine.kernels.categories import hash_words
from ...engine.kernels.compiled import entry
from ...parts.rows import Ints, Longs
from ..chunk import Array, Mask
from ..encoding.dates import date_word
from ..encoding.fields import LONGEST, too_long
from ..encoding.hashed_text import hash_texts, word_slots
from ..encoding.text import count_words, counted
from ..pyarrow_import import ArrowColumn, arrow
from .arrow_numbers import floats_of, letters_of, missing_of, numbers_of, text_column
from .table_columns import TableColumns
from .table_layout import Layout, is_dates, is_list

WordsAt: TypeAlias = "Callable[[Longs], list[str]]"


def hash_columns(table: TableColumns) -> Ints:
    """The features of the words."""
    batch, layout, names = table.batch, table.layout, table.layout.words
    width = len(names)
    slots = np.empty(batch.num_rows * width, np.int32)
    texts: list[tuple[Longs, Array]] = []
    for w, name in enumerate(names):
        offsets, letters = letters_of(text_of(batch.column(name)))
        texts.append((offsets, letters))
        long: Mask = np.diff(offsets) > LONGEST
        table.faults.add(long, lambda i, name=name: too_long(name))
        prefix = np.frombuffer(f"{name}=".encode(), np.uint8)
        arguments = prefix, offsets, letters, 2**layout.bits - 1, slots, w, width
        entry(hash_words, arguments)(*arguments)

    def words(new: Longs) -> list[str]:
        found: list[str] = []
        places: list[int] = new.tolist()
        for i, w in (divmod(at, width) for at in places):
            offsets, letters = texts[w]
            word = letters[offsets[i] : offsets[i + 1]].tobytes().decode()
            found.append(f"{names[w]}={word}")
        return found

    if names:
        table.call(slots, words, width)
    return slots


def hash_texts_of(table: TableColumns) -> tuple[Longs, Longs]:
    """The words of all columns of text, row by row."""
    batch, layout = table.batch, table.layout
    starts: list[Longs] = []
    slots: list[Longs] = []
    rows: list[Longs] = []
    for name in layout.texts:
        prefix = f"{name}=" if name else ""
        column = batch.column(name)
        if is_list(column.type):
            lists = _lists(column, name, layout)
            begins, places, words = _listed(lists, prefix, layout.bits)
        else:
            offsets, letters = letters_of(text_of(column))
            found = hash_texts(offsets, letters, prefix, layout.bits, layout.ngrams)
            begins, places = found.starts, found.slots
            words = partial(found.words, letters, prefix)
        table.call(places, words)
        starts.append(begins)
        slots.append(places)
        lengths = np.diff(begins)
        rows.append(np.repeat(np.arange(lengths.size), lengths))
    if not starts:
        return np.zeros(batch.num_rows + 1, np.int64), np.empty(0, np.int64)
    if len(starts) == 1:
        return starts[0], slots[0]
    order = np.argsort(np.concatenate(rows), kind="stable")
    return np.sum(starts, axis=0), np.concatenate(slots)[order]


def _listed(
    lists: list[list[str]], prefix: str, bits: int
) -> tuple[Longs, Longs, WordsAt]:
    """Where the words of each list begin, their hashes, and what they are called."""
    told = [f"{prefix}{word}" for row in lists for word in row]
    words = list(dict.fromkeys(told))
    places = dict(zip(words, word_slots(words, bits).tolist(), strict=True))
    starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    slots = np.array([places[word] for word in told], np.int64)
    return starts, slots, lambda new: [told[k] for k in new.tolist()]


def _lists(column: ArrowColumn, name: str, layout: Layout) -> list[list[str]]:
    """The words of each list; of a text they are its words, and may be none."""
    lists: list[list[str | None] | None] = column.to_pylist()
    missing = [""] if dict(layout.columns)[name] == "words" else []
    return [missing if row is None else [word or "" for word in row] for row in lists]


def counted_words(
    column: ArrowColumn, name: str, layout: Layout
) -> list[dict[str, float]]:
    """How often each word occurs in each text or list of a column."""
    n, once = layout.ngrams, layout.presence
    if is_list(column.type):
        return [counted(row, presence=once) for row in _lists(column, name, layout)]
    texts: list[str] = text_of(column).to_pylist()
    return [count_words(text, n, presence=once) for text in texts]


def text_of(column: ArrowColumn) -> ArrowColumn:
    """A column as words, "" where they are missing, spelled as those of dicts are."""
    column, types = decoded(column), arrow("types")
    if is_dates(column.type):
        moments, which = np.unique(moments_in(column)[0], return_inverse=True)
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


def moments_in(column: ArrowColumn) -> tuple[Array, Mask]:
    """The moments of a column of dates, at UTC; NaT where they are missing."""
    plain = arrow("compute").cast(column, arrow().timestamp("us"), safe=False)
    ticks = numbers_of(plain.cast(arrow().int64()))
    gaps = missing_of(plain) if plain.null_count else np.zeros(len(plain), np.bool_)
    moments = ticks.astype("datetime64[us]")
    return np.where(gaps, np.datetime64("NaT", "us"), moments), gaps


def decoded(column: ArrowColumn) -> ArrowColumn:
    """The values of a dictionary; any other column as it is."""
    if arrow("types").is_dictionary(column.type):
        return column.dictionary_decode()
    return column
