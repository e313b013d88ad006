"""Events: an iterable of (x, y), where x is a dict, a text, a row, or a sparse row.

An event may have a third part, its weight.

Names become feature numbers in the order in which they first appear.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

import numpy as np

from ..engine.feature_names import Names
from ..errors import BadRow
from ..parts.rows import Sparse
from .batch import Batch
from .encoding import Encoder, Labels, weight_of
from .encoding.fault import Fault
from .encoding.input_kind import is_event
from .encoding.plain_numbers import checked
from .encoding.sparse import CompressedRows, canonical_rows, checked_rows
from .encoding.text import count_words
from .read_options import ReadOptions

CHUNK = 1024  # events turned into one batch


class EventSource:
    """An iterable of pairs (x, y), taken a chunk at a time."""

    whole = False
    n_rows: int | None = None

    def __init__(
        self,
        events: Iterable[object],
        labels: Labels,
        n_features: int | None,
        options: ReadOptions,
    ) -> None:
        self.rereadable = iter(events) is not events
        self._events = events
        self._labels = labels
        self._declared = n_features
        self._encoder = Encoder(n_features, options)
        self._named: bool | None = None  # whether events are dicts

    @property
    def options(self) -> ReadOptions:
        """What the fields of events mean, as far as they have come."""
        return cast("ReadOptions", self._encoder.schema)

    @property
    def n_features(self) -> int | None:
        """The declared number, else None: features appear as we go."""
        return self._declared

    @property
    def names(self) -> Names | None:
        """The names so far, where events are dicts."""
        return self._encoder.names or None

    @property
    def classes(self) -> tuple[object, ...] | None:
        """The labels that became -1 and +1, or classes."""
        return self._labels.classes

    def batches(self) -> Iterator[Batch]:
        """Chunks of events; the last one carries the failure, if there is one."""
        chunk: list[object] = []
        row = 0
        for event in self._events:
            chunk.append(event)
            if len(chunk) == CHUNK:
                batch = self._batch(chunk, row)
                yield batch
                if batch.failure is not None:
                    return
                row += len(chunk)
                chunk = []
        if chunk:
            yield self._batch(chunk, row)

    def _batch(self, chunk: list[object], first: int) -> Batch:
        starts = [0]
        columns: list[int] = []
        values: list[float] = []
        targets: list[float] = []
        weights: list[float] = []
        failure: BadRow | None = None
        self._labels.meet(_labels_in(chunk))
        for row, event in enumerate(chunk, first):
            try:
                x, y, weight = opened_event(event, row)
                target = self._labels.encode_one(y, row)
                event_columns, event_values = self._row(x, row)
            except BadRow as error:
                failure = error
                break
            columns += event_columns
            values += event_values
            starts.append(len(columns))
            targets.append(target)
            weights.append(weight)
        rows = Sparse(
            np.array(starts, np.int64),
            np.array(columns, np.int32),
            np.array(values, np.float64),
        )
        width = self._encoder.width if self._named else max(columns, default=-1) + 1
        if self._declared is not None:
            width = self._declared
        equal = all(weight == 1.0 for weight in weights)
        return Batch(
            rows,
            np.array(targets, np.float64),
            width,
            failure,
            weights=None if equal else np.array(weights, np.float64),
        )

    def _row(self, x: object, row: int) -> tuple[list[int], list[float]]:
        sparse = hasattr(x, "tocsr")
        features = count_words(x) if isinstance(x, str) else x
        named = is_event(features) and not sparse
        if self._named is not None and named != self._named:
            kinds = ("a row of numbers", "a dict" if features is x else "a text")
            raise BadRow(
                row, f"x is {kinds[named]}, but {kinds[not named]} came before"
            )
        self._named = named
        if is_event(features) and named:
            return self._encoder.encode(features, row)
        if self.options.interactions:
            raise BadRow(row, "interactions are of fields by name, and x has no names")
        if sparse:
            found = _flat_sparse(x, row)
            width = found.shape[1]
            columns, values = found.indices.tolist(), found.data.tolist()
        else:
            values = _flat(x, row)
            width = len(values)
            columns = list(range(width))
        if width == 0:
            raise BadRow(row, "x has no columns")
        self._declared = self._declared or width
        if width != self._declared:
            raise BadRow(
                row, f"it has {width} columns, but {self._declared} were expected"
            )
        try:
            for j, value in zip(columns, values, strict=True):
                checked(f"feature {j}", value)
        except Fault as fault:
            raise BadRow(row, str(fault)) from None
        return columns, values


def _labels_in(chunk: list[Any]) -> Iterator[object]:
    """The labels of events, as far as they are events."""
    for event in chunk:
        try:
            _, y, *_ = event
        except (TypeError, ValueError):
            return
        yield y


def opened_event(event: Any, row: int) -> tuple[Any, object, float]:
    """What an event holds: x, y and its weight."""
    try:
        x, y, *more = event
        if len(more) > 1:
            raise ValueError
    except (TypeError, ValueError):
        raise BadRow(
            row, f"an event is (x, y) or (x, y, weight), not {event!r:.60}"
        ) from None
    return x, y, weight_of(more[0], row) if more else 1.0


def _flat_sparse(x: object, row: int) -> CompressedRows:
    """A sparse row of any shape, as one compressed row."""
    try:
        return canonical_rows(checked_rows(x, "x").reshape((1, -1)), "x")
    except ValueError as error:
        raise BadRow(row, str(error)) from None


def _flat(x: object, row: int) -> list[float]:
    try:
        if isinstance(x, str | bytes):
            raise TypeError
        return np.asarray(x, np.float64).reshape(-1).tolist()
    except (TypeError, ValueError):
        raise BadRow(row, f"x is not a row of numbers: {x!r:.60}") from None
