"""Seal rows off before anybody looks at the data: tables, events and files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..data.encoding.input_kind import are_files
from ..data.file_source import FileSource
from ..data.sealed_rows import Reservoir, Seal, Side
from ..data.selection import kept_rows
from ..evidence.claims.sealed import Sealed, SealedPart, wrong_rows
from ..models.batches import scores_of

__all__ = ["SealedOff", "sealed_files", "sealed_off"]

SOME = 4096  # rows that are scored at a time


class SealedOff(NamedTuple):
    """What is left to learn, and what was sealed (None: files, see below)."""

    X: Any
    y: Any
    sealed: Sealed | None
    side: Side | None


def sealed_off(X: Any, y: Any, seal: Seal, group: Any, options: Any) -> SealedOff:
    """Seal rows of what was handed to ``play``.

    Of files nothing is read yet: `side` is for their source, and `sealed_files` makes
    the rest when they were learned.
    """
    if are_files(X, y):
        if group is not None and (options is None or options.group is None):
            raise TypeError('of files, ReadOptions(group="column") names the group')
        return SealedOff(X, y, None, Side(seal, reserved=False))
    if y is None and not hasattr(X, "__len__"):
        if group is not None:
            raise TypeError("an iterator has no groups to seal by: give a list")
        held = Reservoir(X, seal)
        events = Sealed(lambda model: _events(model, held.held))
        return SealedOff(held, None, events, None)
    n = int(X.shape[0]) if hasattr(X, "shape") else len(X)
    groups: list[str] | None = None
    if group is not None:
        told = X[group] if isinstance(group, str) else group
        groups = [str(value) for value in told]
        if len(groups) != n:
            raise ValueError(f"X has {n:,} rows but there are {len(groups):,} groups")
        reserved = seal.reserved_groups(groups)
    else:
        reserved = seal.reserved(0, n)
    learned, rest = np.flatnonzero(~reserved), np.flatnonzero(reserved)
    if not learned.size:
        raise ValueError("every row was sealed: there is nothing to learn from")
    if y is None:  # pairs
        held_pairs = [X[i] for i in rest.tolist()]
        pairs = Sealed(lambda model: _events(model, held_pairs))
        return SealedOff([X[i] for i in learned.tolist()], None, pairs, None)
    named = isinstance(y, str | int)
    table = X
    if isinstance(group, str):
        table = X[[name for name in X.columns if name != group]]
    part = _taken(table, rest)
    labels = _listed(part[y] if named else _taken(y, rest))
    grouped = None if groups is None else [groups[i] for i in rest.tolist()]

    def scored(model: Any) -> Iterator[SealedPart]:
        if labels:
            yield SealedPart.of(model.scores(part), labels, model.classes, grouped)

    left = y if named else _taken(y, learned)
    sealed = Sealed(scored, grouped=groups is not None)
    return SealedOff(_taken(table, learned), left, sealed, None)


def sealed_files(
    files: Any,
    source: Any,
    seal: Seal,
    seen: Any = None,
    judge: Callable[[Any, Any, Any], Any] | None = None,
) -> Sealed:
    """The sealed rows of files that were learned: they are read once more, for these.

    Names are those that the model knows. A label that it does not know is an error; a
    row that cannot be read is outside. `seen` knows the rows of the model that the run
    started from: they certify nothing. `judge` says which rows are errors, from the
    model, its scores and the labels; by default those that it predicts wrongly.
    """
    options = replace(source.options, on_bad_rows="skip", cache=False)

    def scored(model: Any) -> Iterator[SealedPart]:
        again = FileSource(
            files,
            options,
            binary=False,
            n_features=source.n_features,
            names=dict(source.named),
            side=Side(seal, reserved=True),
        )
        for _, _, chunk in again.chunks():
            n = chunk.lines.size
            targets, bad = source.code.encode(chunk.labels)
            scores = scores_of(model, chunk.rows, n)
            groups = None if chunk.groups is None else chunk.groups.tolist()
            if judge is None and model.classes is None:
                part = SealedPart.of_amounts(scores, targets, groups)
            else:
                labeled = ~np.isnan(targets)
                labeled[[i for i, _ in bad]] = True
                wrong = (
                    wrong_rows(scores, targets)
                    if judge is None
                    else judge(model, scores, targets)
                )
                part = SealedPart(labeled, wrong, groups)
            if seen is not None and part.labeled.any():
                known = kept_rows(chunk, part.labeled)
                seen.feed(known.rows, targets[part.labeled])
            if n:
                yield part

    return Sealed(scored, grouped=options.group is not None, seen=seen)


def _events(model: Any, held: list[Any]) -> Iterator[SealedPart]:
    for k in range(0, len(held), SOME):
        some = held[k : k + SOME]
        rows: Any = [event[0] for event in some]
        if hasattr(rows[0], "tocsr"):
            from scipy.sparse import vstack

            rows = vstack([row.reshape(1, -1) for row in rows]).tocsr()
        labels = _listed([event[1] for event in some])
        yield SealedPart.of(model.scores(rows), labels, model.classes)


def _taken(rows: Any, chosen: Any) -> Any:
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


def _listed(labels: Any) -> list[Any]:
    """Labels as plain values; whole numbers as they are told of classes."""
    if hasattr(labels, "to_pylist"):
        labels = labels.to_pylist()
    elif hasattr(labels, "tolist"):
        labels = labels.tolist()
    elif hasattr(labels, "to_list"):
        labels = labels.to_list()
    return [one.item() if hasattr(one, "item") else one for one in labels]
