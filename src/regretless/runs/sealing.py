"""Seal rows off before anybody looks at the data: tables, events and files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..data.file_source import FileSource
from ..data.formats.readers import Wanted
from ..data.row_content import content_keys, event_key, table_keys
from ..data.sealed_rows import Seal, SealedSample, SealFilter
from ..data.sources import column_of
from ..data.time_units import in_units, split_unit
from ..evidence.claims.sealed import Sealed, SealedPart, wrong_rows
from ..models.batches import scores_of

if TYPE_CHECKING:
    from ..models.model import Model
    from ..parts.rows import Longs

SOME = 4096  # rows that are scored at a time


class SealedOff(NamedTuple):
    """What is left to learn, and what was sealed."""

    X: object
    y: object
    sealed: Sealed


def sealed_off(X: Any, y: object, seal: Seal, group: Any) -> SealedOff:
    """Seal rows of a table, a list or an iterator that was handed to ``play``."""
    if y is None and not hasattr(X, "__len__"):
        if group is not None:
            raise TypeError("an iterator has no groups to seal by: give a list")
        held = SealedSample(X, seal)
        later = Sealed(lambda model: _events(model, held.held), seed=seal.seed)
        return SealedOff(held, None, later)
    n = int(X.shape[0]) if hasattr(X, "shape") else len(X)
    if group is not None:
        unit = None
        if isinstance(group, str):
            group, unit = split_unit(group)
        told = column_of(X, group) if isinstance(group, str) else group
        units = in_units(told, unit)
        if len(units) != n:
            raise ValueError(f"X has {n:,} rows but there are {len(units):,} groups")
        reserved = seal.reserved_groups(units.tolist())
    else:
        label = y if isinstance(y, str | int) else None
        units = table_keys(X if y is not None else [pair[0] for pair in X], label)
        reserved = seal.reserved(units)
    learned, rest = np.flatnonzero(~reserved), np.flatnonzero(reserved)
    if not learned.size:
        raise ValueError("every row was sealed: there is nothing to learn from")
    if y is None:  # pairs
        held_pairs = [X[i] for i in rest.tolist()]
        pairs = Sealed(lambda model: _events(model, held_pairs), seed=seal.seed)
        return SealedOff([X[i] for i in learned.tolist()], None, pairs)
    named = isinstance(y, str | int)
    table = X
    if isinstance(group, str):
        table = X[[name for name in X.columns if name != group]]
    part = _taken(table, rest)
    labels = _listed(part[y] if named else _taken(y, rest))
    together = units[rest].tolist()

    def scored(model: Model) -> Iterator[SealedPart]:
        if labels:
            yield SealedPart.of(model.scores(part), labels, model.classes, together)

    left = y if named else _taken(y, learned)
    sealed = Sealed(scored, grouped=group is not None, seed=seal.seed)
    return SealedOff(_taken(table, learned), left, sealed)


def sealed_files(files: object, source: FileSource, seal: Seal) -> Sealed:
    """The sealed rows of files: they are read once more, when the others were learned.

    Names are those that the model knows. A label that it does not know is an error; a
    row that cannot be read is outside.
    """
    grouped = source.options.group is not None

    def scored(model: Model) -> Iterator[SealedPart]:
        again = FileSource(
            files,
            replace(source.options, on_bad_rows="skip"),
            Wanted(source.names),
            binary=False,
            n_features=source.n_features,
            side=SealFilter(seal, reserved=True, unit=source.options.group_unit),
        )
        for _, _, chunk in again.chunks():
            n = chunk.lines.size
            targets, bad = source.code.encode_some(chunk.labels)
            labeled = ~np.isnan(targets)
            labeled[[i for i, _ in bad]] = True
            scores = scores_of(model, chunk.rows, n)
            if n:
                wrong = wrong_rows(scores, targets)
                units = content_keys(chunk.rows, n)
                if chunk.groups is not None:
                    units = chunk.groups
                yield SealedPart(
                    labeled, wrong, units.tolist(), scores, targets, chunk.rows
                )

    timed = source.options.group_unit is not None
    return Sealed(scored, grouped=grouped, timed=timed, seed=seal.seed)


def _events(model: Model, held: list[Any]) -> Iterator[SealedPart]:
    for k in range(0, len(held), SOME):
        some = held[k : k + SOME]
        rows: Any = [event[0] for event in some]
        if hasattr(rows[0], "tocsr"):
            from scipy.sparse import vstack

            rows = vstack([row.reshape(1, -1) for row in rows]).tocsr()
        labels = _listed([event[1] for event in some])
        units = [event_key(event[0]) for event in some]
        yield SealedPart.of(model.scores(rows), labels, model.classes, units)


def _taken(rows: Any, chosen: Longs) -> Any:
    """Some rows of a table, a frame, a series or a list."""
    if hasattr(rows, "iloc"):
        return rows.iloc[chosen]
    if hasattr(rows, "take") and hasattr(rows, "to_pylist"):
        return rows.take(chosen)
    if hasattr(rows, "tocsr"):
        return rows.tocsr()[chosen]
    if hasattr(rows, "shape"):
        return rows[chosen]
    return [rows[i] for i in chosen.tolist()]


def _listed(labels: Any) -> list[object]:
    """Labels as plain values; whole numbers as they are told of classes."""
    if hasattr(labels, "to_pylist"):
        labels = labels.to_pylist()
    elif hasattr(labels, "tolist"):
        labels = labels.tolist()
    elif hasattr(labels, "to_list"):
        labels = labels.to_list()
    return [one.item() if hasattr(one, "item") else one for one in labels]
