"""Data frames with columns of words: read as a file with these columns would be.

Numbers and flags are features under their names; a word is one-hot, the feature
``column=word``, and a date is some numbers, as in a table that is stored
(:mod:`.formats.table_layout`). Words that spell dates are words, with a warning. A
missing word is the word ``""``; a missing number is what the schema says. A frame of
numbers alone, and none missing, is an array.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from ..engine.feature_names import Names
from ..errors import BadRow, caller_level
from ..parts.rows import Dense, Sparse
from ..parts.state import Floats
from .batch import Batch
from .encoding import Labels
from .encoding.hash_index import HashIndex
from .encoding.tables import DATE
from .formats.columns import table_chunk
from .formats.objects import flattened
from .formats.table_layout import Layout, decide, same_kinds
from .pyarrow_import import ArrowColumn, RecordBatch, arrow, first_line, unreadable
from .read_options import ReadOptions
from .schema import KINDS, Schema

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
    return _read(X, replace(options, categorical=given), names, frozen=True).rows


class FrameSource:
    """A frame with words, and its labels.

    Parameters
    ----------
    X, y : frame, array
        The rows and their labels.
    labels : Labels
        How labels are coded.
    name : str or None
        The name of the label column.
    options : ReadOptions
        What its columns mean.
    names : names or None
        Those of the features of frames that came before.
    direct : int
        Bits of hashes, where the columns of hashes are the numbers of features.
    """

    whole = True
    again = True

    def __init__(
        self,
        X: Any,
        y: object,
        labels: Labels,
        name: str | None,
        options: ReadOptions,
        *,
        names: Names | None = None,
        direct: int = 0,
    ) -> None:
        if not len(X):
            raise ValueError("there are no rows to learn from")
        options = replace(options, label=name)
        read = _read(X, options, names, direct=direct)
        layout, self.options, self.names = read.layout, read.options, read.names
        self._rows, self.n_features, self.n_rows = read.rows, read.width, len(X)
        self.targets: Floats = labels.encode(y)
        if self.targets.size != self.n_rows:
            raise ValueError(
                f"X has {self.n_rows:,} rows but y has {self.targets.size:,} labels"
            )
        self.classes = labels.classes
        for key in X.columns:
            column = str(key)
            declared = column in options.categorical
            if column in layout.words and not declared and _like_dates(X[key]):
                warnings.warn(
                    f"column {column!r} looks like dates, and each is learned as a "
                    "word: pd.to_datetime makes dates of them, which are learned as "
                    "numbers",
                    stacklevel=caller_level(),
                )

    def batches(self) -> Iterator[Batch]:
        """Everything in one batch."""
        yield Batch(self._rows, self.targets, self.n_features)


class FrameRows(NamedTuple):
    """A frame as rows, and how it was read."""

    layout: Layout
    options: ReadOptions
    rows: Dense | Sparse
    names: Names
    width: int


def _read(
    X: Any,
    options: ReadOptions,
    names: Names | None = None,
    *,
    frozen: bool = False,
    direct: int = 0,
) -> FrameRows:
    """The rows of a frame; features have these names already, no others if `frozen`."""
    batch = record_batch(X)
    layout, options = decide(
        batch, options, FRAME, header=False, labelled=False, direct=direct
    )
    same_kinds(batch, layout, options, FRAME)
    first = layout.names()
    index = HashIndex(layout.bits, len(first), names, direct=direct > 0)
    chunk, called = table_chunk(batch, layout, None if frozen else index)[:2]
    for problem in chunk.problems:
        fill = ": fill it, as with df.fillna" if NO_VALUE in problem.what else ""
        raise BadRow(problem.line - 1, f"{problem.what}{fill}")
    if isinstance(chunk.rows, Dense):
        return FrameRows(layout, options, chunk.rows, tuple(first), len(first))
    rows = index.look_up(chunk.rows)
    rows = index.left_out(rows) if frozen else index.enter(rows, dict(reversed(called)))
    return FrameRows(layout, options, rows, index.names(first), index.width)


def record_batch(X: Any) -> RecordBatch:
    """A frame of pandas or polars as Arrow has it."""
    pa = arrow()
    try:
        if hasattr(X, "to_arrow"):
            table = X.to_arrow()
        else:
            table = pa.Table.from_pandas(X, preserve_index=False)
    except (*unreadable(), OverflowError) as error:
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
