"""Data frames with columns of words: read as a file with these columns would be.

Numbers and flags are features under their names; a word is one-hot, the feature
``column=word``, and a date is some numbers, as in a table that is stored
(:mod:`.formats.table_layout`). Words that spell dates are words, with a warning. A
missing word is the word ``""``; a missing number is what the schema says. A frame of
numbers alone, and none missing, is an array.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import BadRow, caller_level
from ..parts.rows import Dense, Sparse
from ..parts.state import Floats
from .batch import Batch
from .encoding import Labels
from .encoding.tables import DATE
from .formats.columns import table_chunk
from .formats.objects import flattened
from .formats.table_layout import Layout, decide, same_kinds
from .parsed import Parsed
from .pyarrow_import import ArrowColumn, RecordBatch, arrow, first_line, unreadable
from .read_options import ReadOptions
from .schema import KINDS, Schema

FRAME = "X"  # what a frame is called in messages
FEATURES = ("columns", "interactions", "bits", "missing", "ngrams", "presence", *KINDS)
NO_VALUE = "has no value"  # what is said of a missing number
LOOKED_AT = 100  # words of a column that may be dates


def words_of_frame(X: Any, schema: Schema) -> Dense | Sparse:
    """The rows of a frame, as `schema` says that a model's data were read."""
    plain = schema.as_dict()
    kept = {name: value for name, value in plain.items() if name in FEATURES}
    options = ReadOptions.from_dict(kept)
    given = tuple(name for name in options.categorical if name in options.kinds)
    return _parsed(X, replace(options, categorical=given))[0].chunk.rows


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
    """

    whole = True
    again = True
    names = None

    def __init__(
        self,
        X: Any,
        y: object,
        labels: Labels,
        name: str | None,
        options: ReadOptions,
    ) -> None:
        if not len(X):
            raise ValueError("there are no rows to learn from")
        options = replace(options, label=name)
        parsed, layout, self.options = _parsed(X, options)
        chunk = parsed.chunk
        self._rows, self.n_features, self.n_rows = chunk.rows, chunk.n_features, len(X)
        self.targets: Floats = labels.encode(y)
        if self.targets.size != self.n_rows:
            raise ValueError(
                f"X has {self.n_rows:,} rows but y has {self.targets.size:,} labels"
            )
        self.classes = labels.classes
        self._named = {**layout.names(), **dict(parsed.names)}
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

    @property
    def named(self) -> Mapping[int, str]:
        """The names of all features that came."""
        return self._named

    def batches(self) -> Iterator[Batch]:
        """Everything in one batch."""
        yield Batch(self._rows, self.targets, self.n_features)


def _parsed(X: Any, options: ReadOptions) -> tuple[Parsed, Layout, ReadOptions]:
    """The rows of a frame, and how they were read."""
    batch = record_batch(X)
    layout, options = decide(batch, options, FRAME, header=False, labelled=False)
    same_kinds(batch, layout, options, FRAME)
    parsed = table_chunk(batch, layout, np.zeros(1 << layout.bits, np.uint8))
    for problem in parsed.chunk.problems:
        fill = ": fill it, as with df.fillna" if NO_VALUE in problem.what else ""
        raise BadRow(problem.line - 1, f"{problem.what}{fill}")
    first: dict[int, str] = {}
    for feature, name in parsed.names:  # where two words share one, the first names it
        first.setdefault(feature, name)
    return Parsed(parsed.chunk, list(first.items())), layout, options


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
