"""Data frames with columns of words: read as a file with these columns would be.

Numbers and flags are features under their names; a word is one-hot, the feature
``column=word``, and a date is some numbers, as in a table that is stored
(:mod:`.formats.table_layout`). Words that spell dates are words, with a warning. A
missing word is the word ``""``; a missing number is what the schema says. A frame of
numbers alone, and none missing, is an array.
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

from ..engine.feature_names import Names
from ..errors import BadRow, caller_level
from ..parts.rows import Dense, Sparse
from .encoding.hash_index import HashIndex
from .encoding.tables import DATE
from .formats.columns import table_chunk
from .formats.objects import flattened
from .formats.table_layout import decide, same_kinds
from .pyarrow_import import ArrowColumn, RecordBatch, arrow, first_line, unreadable
from .read_options import ReadOptions
from .schema import KINDS, Schema
from .table_source import NO_ROWS, TableRows

FRAME = "X"  # what a frame is called in messages
FEATURES = ("columns", "interactions", "bits", "missing", "ngrams", "presence", *KINDS)
NO_VALUE = "has no value"  # what is said of a missing number
LOOKED_AT = 100  # words of a column that may be dates


def words_of_frame(X: Any, schema: Schema, names: Names | None) -> Dense | Sparse:
    """The rows of a frame, read as those were whose features have these names."""
    plain = schema.as_dict()
    kept = {name: value for name, value in plain.items() if name in FEATURES}
    options = ReadOptions.from_dict(kept)
    given = tuple(name for name in options.categorical if name in options.kinds)
    return read_frame(X, replace(options, categorical=given), names, frozen=True).rows


def read_frame(
    X: Any,
    options: ReadOptions,
    names: Names | None = None,
    *,
    frozen: bool = False,
    direct: int = 0,
) -> TableRows:
    """A frame with words as rows.

    Parameters
    ----------
    X : frame
        The rows.
    options : ReadOptions
        What its columns mean.
    names : names or None
        Those of the features of frames that came before; no others come if `frozen`.
    frozen : bool
        Whether the rows are only predicted.
    direct : int
        Bits of hashes, where the columns of hashes are the numbers of features.
    """
    n = len(X)
    if not n and not frozen:
        raise ValueError(NO_ROWS)
    batch, declared = record_batch(X), options.categorical
    layout, options = decide(
        batch, options, FRAME, header=False, labelled=False, direct=direct
    )
    same_kinds(batch, layout, options, FRAME)
    first = layout.names()
    index = HashIndex(layout.bits, len(first), names, direct=direct > 0)
    chunk = table_chunk(batch, layout, None if frozen else index)
    for problem in chunk.problems:
        fill = ": fill it, as with df.fillna" if NO_VALUE in problem.what else ""
        raise BadRow(problem.line - 1, f"{problem.what}{fill}")
    rows = chunk.rows
    if isinstance(rows, Dense):
        return TableRows(rows, n, len(first), tuple(first), options)
    rows = index.look_up(rows)
    if frozen:
        return TableRows(index.left_out(rows), n, index.width, names, options)
    rows = index.enter(rows, dict(reversed(chunk.names)))
    _warn_of_dates(X, {*layout.words} - {*declared})
    return TableRows(rows, n, index.width, index.names(first), options)


def _warn_of_dates(X: Any, words: set[str]) -> None:
    """Warn of columns of words that look like dates."""
    for key in X.columns:
        if str(key) in words and _like_dates(X[key]):
            warnings.warn(
                f"column {str(key)!r} looks like dates, and each is learned as a "
                "word: pd.to_datetime makes dates of them, which are learned as "
                "numbers",
                stacklevel=caller_level(),
            )


def record_batch(X: Any) -> RecordBatch:
    """A frame of pandas or polars as Arrow has it."""
    pa = arrow()
    try:
        if hasattr(X, "to_arrow"):
            table = X.to_arrow()
        else:
            table = pa.Table.from_pandas(X, preserve_index=False)
    except unreadable() as error:
        raise ValueError(f"{FRAME}: {_unreadable(X, error)}") from None
    names = [str(name) for name in X.columns]
    columns = [_gaps(table.column(k).combine_chunks()) for k in range(len(names))]
    return flattened(pa.RecordBatch.from_arrays(columns, names=names))


def _gaps(column: ArrowColumn) -> ArrowColumn:
    """A column of a frame, in which nan is a missing number."""
    if not arrow("types").is_floating(column.type):
        return column
    return arrow().array(column.to_numpy(zero_copy_only=False), from_pandas=True)


def _unreadable(X: Any, error: Exception) -> str:
    """Which column holds values that are nothing to learn from."""
    for name in X.columns:
        kinds = sorted({type(value).__name__ for value in X[name] if value is not None})
        try:
            arrow().array(X[name], from_pandas=True)
        except OverflowError:
            return f"column {str(name)!r} holds a number that is too large"
        except unreadable():
            many = "mixes kinds of values" if len(kinds) > 1 else "holds objects"
            what = ", ".join(kinds[:4])
            return f"column {str(name)!r} {many} ({what}): make numbers or words of it"
    return f"a column mixes kinds of values: {first_line(error)}"


def _like_dates(column: Any) -> bool:
    """Whether the first words of a column are all dates."""
    some = [str(one) for one in column[:LOOKED_AT].to_list() if one is not None]
    return bool(some) and all(DATE.fullmatch(one) for one in some)
