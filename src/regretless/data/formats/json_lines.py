"""JSON lines: an object a line, its names numbered in order of appearance.

Fields are read as those of a dict (:mod:`..encoding.fields`). With ``bits`` names are
hashed, as those of events are.
"""

from __future__ import annotations

import json
import math
from collections import ChainMap
from collections.abc import Callable, Hashable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from itertools import islice
from typing import NamedTuple, cast

import numpy as np

from ...engine.feature_names import numbered
from ...parts.documents import Document
from ...parts.rows import Sparse
from ..chunk import Array, Chunk, FieldKinds, Lines, Piece, Problem
from ..encoding.encoder import REMEMBERED
from ..encoding.fault import Fault
from ..encoding.fields import Features, FieldReader
from ..encoding.hashed_text import word_slots
from ..encoding.plain_numbers import checked
from ..input_files import InputFile
from ..pyarrow_import import RecordBatch, arrow, plain_column
from ..row_errors import Faults, rows_with
from ..schema import Schema
from .readers import LineReader
from .table_layout import LABELS

LOOKED_AT = 100  # objects that keys are looked for in


class JsonRow(NamedTuple):
    """What a line holds."""

    label: str | float | None
    weight: float
    features: Features
    group: str = ""
    id: object = ""


class NameNumbers(dict[str, int]):
    """Numbers of names, in the order in which they are first asked for."""

    def __missing__(self, name: str) -> int:
        number = self[name] = len(self)
        return number


class JsonReader(LineReader):
    """JSON lines."""

    def start(self) -> None:
        """Names get their numbers in the order of the stream, or by their hash."""
        bits = self.options.bits
        if bits:
            self.hash_names(bits)
        else:
            known = sorted(numbered(self.wanted.names, 0))
            self.named = [str(name) for _, name in known]
        self._numbers = NameNumbers({name: k for k, name in enumerate(self.named)})
        self._decided = False
        self._found: dict[Hashable, str] = {**self._schema().kinds}

    def parse(self, piece: Piece) -> Chunk:
        """The rows of a block."""
        rows: list[JsonRow] = []
        lines: list[int] = []
        problems: list[Problem] = []
        n_lines = 0
        numbers = NameNumbers()
        columns: list[int] = []
        values: list[float] = []
        frozen, by_name = self.wanted.frozen, self.wanted.by_name
        known = self._numbers if frozen else ChainMap(numbers, self._numbers)
        begun = dict(self._found)
        if by_name is not None:
            fields = by_name.fields
        else:
            fields = FieldReader(self._schema(), known)
            fields.kinds = {**begun}
        for line, text in _texts(piece.data):
            n_lines = line
            if not text.strip():
                continue
            try:
                row = self._row(text, fields)
            except Fault as fault:
                called = self._called(text)
                problems.append(Problem(len(rows), line, str(fault), called))
                continue
            rows.append(row)
            lines.append(line)
            if by_name is not None:
                continue
            columns.extend(map(numbers.__getitem__, row.features))
            values.extend(row.features.values())
            if not frozen:
                fields.keep()
        starts = np.zeros(len(rows) + 1, np.int64)
        np.cumsum([len(row.features) for row in rows], out=starts[1:])
        options = self.options
        chunk = Chunk(
            Sparse(starts, np.array(columns, np.int32), np.array(values, np.float64)),
            _labels([row.label for row in rows]),
            0,
            np.array(lines, np.int64),
            n_lines,
            weights=None
            if options.weight is None
            else np.array([row.weight for row in rows]),
            problems=tuple(problems),
            groups=None
            if options.group is None
            else np.array([row.group for row in rows], object),
            tags=None if options.id is None else _ids([row.id for row in rows]),
        )
        if by_name is not None:
            told = by_name.rows([row.features for row in rows])
            return chunk._replace(rows=told, n_features=by_name.n_features)
        fresh = {name: fields.kinds[name] for name in fields.kinds if name not in begun}
        chunk = chunk._replace(fields=FieldKinds(begun.keys(), fresh, fields.empty))
        if self.index is None:
            return chunk._replace(names=list(enumerate(numbers)), local=True)
        slots = word_slots([*numbers], self.index.bits)
        names = list(zip(slots.tolist(), numbers, strict=True))
        return chunk._replace(rows=_hashed(chunk.sparse, slots), names=names)

    def settle(self, chunk: Chunk, again: Callable[[], Chunk]) -> Chunk:
        """A block, read again if a field in it is of another kind in blocks before."""
        if chunk.fields is None:
            return chunk
        found, met = self._found, self._numbers
        begun, kinds, empty = chunk.fields
        mine = {name for _, name in chunk.names}.union(empty)
        if not self.wanted.frozen and (
            any(name in met and name not in found for name in kinds)
            or any(
                name in (mine if name not in kinds else empty)
                or kinds.get(name, found[name]) != found[name]
                for name in found.keys() - begun
            )
        ):
            chunk = again()
        if chunk.fields and chunk.fields.fresh.keys() - found.keys():
            self._found = {**found, **chunk.fields.fresh}
            self.options = self.options.found(self._found)
        return chunk

    def columns(self, place: InputFile) -> Iterator[tuple[RecordBatch, Lines]]:
        """All objects of a file, and their lines; what a key has not is missing."""
        rows: list[Document] = []
        lines: list[int] = []
        above = 0
        with closing(self.pieces(place, 0)) as pieces:
            for piece in pieces:
                above += piece.above
                texts = list(_texts(piece.data))
                for line, text in texts:
                    if text.strip():
                        try:
                            rows.append(_load(text))
                        except Fault as fault:
                            where = place.where(above + line, lined=True)
                            raise ValueError(f"{where}: {fault}") from None
                        lines.append(above + line)
                above += len(texts)
        names = dict.fromkeys(name for row in rows for name in row)
        columns = [plain_column([row.get(name) for row in rows]) for name in names]
        batch = arrow().RecordBatch.from_arrays(columns, names=list(names))
        yield batch, np.array(lines, np.int64)

    def merge(self, chunk: Chunk) -> Chunk:
        """Number the names of a block as the stream does."""
        if self.wanted.by_name is not None:
            return chunk
        numbers = self._numbers
        if self.index is not None:
            if len(numbers) > REMEMBERED:  # what was a number may be a word from now on
                numbers.clear()
            numbers.update((name, 0) for _, name in chunk.names)
            return super().merge(chunk)
        if self.wanted.frozen:
            places = [numbers.get(name, len(numbers)) for _, name in chunk.names]
        else:
            places = [numbers[name] for _, name in chunk.names]
            self.named += islice(numbers, len(self.named), None)
        columns = np.array(places, np.int32)[chunk.sparse.columns]
        rows = chunk.sparse._replace(columns=columns)
        return self._limited(chunk._replace(rows=rows, n_features=len(numbers)))

    def look(self, piece: Piece, place: InputFile) -> None:
        """Decide which key is the label; warn of names that are no key of a row."""
        if self._decided:
            return
        keys: dict[str, None] = {}
        texts = (text for _, text in _texts(piece.data) if text.strip())
        for text in islice(texts, LOOKED_AT):
            with suppress(Fault):
                keys.update(dict.fromkeys(_load(text)))
        if not keys:
            return
        self._decided, options = True, self.options
        if options.label is None and self.wanted.labelled:
            label = next((key for key in keys if key.lower() in LABELS), None)
            if label is None:
                raise ValueError(
                    f"{place.name}: which key is the label? Say --label (in Python: "
                    f"y=), one of {', '.join(repr(key) for key in list(keys)[:12])}"
                )
            self.options = replace(options, label=label)
        if self.wanted.labelled:
            roles = options.label, options.weight, options.group, options.id
            options.expect(keys, *roles, where=f"{place.name}: ")

    def _row(self, text: bytes, fields: FieldReader) -> JsonRow:
        event, labelled = dict(_load(text)), self.wanted.labelled
        called: object = ""
        if self.options.id is not None:
            key = str(self.options.id)
            if key not in event or (labelled and event[key] in (None, "")):
                raise Fault(f"it has no id {key!r:.40}")
            called = event[key] if self.wanted.frozen else event.pop(key)
        label = event.pop(str(self.options.label), None)
        if label is not None and not isinstance(label, str):
            label = checked("label", label)
        given: object = 1.0
        if self.options.weight is not None:
            given = event.pop(str(self.options.weight), None if labelled else 1.0)
        group = ""
        if self.options.group is not None:
            group = str(event.pop(str(self.options.group), ""))
        features = fields.features(event)
        if given is None:
            raise Fault(f"it has no weight {self.options.weight!r:.40}")
        weight = checked("weight", given)
        if weight < 0.0:
            raise Fault(f"weight {weight} is negative")
        return JsonRow(label, weight, features, group, called)

    def _called(self, text: bytes) -> object:
        """The id of a bad line, as far as it can be read."""
        if self.options.id is None:
            return ""
        try:
            return _ids([_load(text).get(str(self.options.id), "")])[0]
        except Fault:
            return ""

    def _schema(self) -> Schema:
        """What the fields mean that are no label, weight, group or id."""
        # A row to predict may be named by a field that is a feature of the model, too.
        return replace(self.options, id=None) if self.wanted.frozen else self.options

    def _limited(self, chunk: Chunk) -> Chunk:
        most = self.options.max_features
        if chunk.n_features <= most:
            return chunk
        rows = chunk.sparse
        faults = Faults(len(chunk.lines))
        what = f"there are more features than max_features={most}"
        faults.add(rows_with(rows.columns >= most, rows.starts), lambda i: what)
        while len(self._numbers) > most:
            self._numbers.popitem()
        del self.named[most:]
        return faults.drop(chunk)._replace(n_features=most)


def _hashed(rows: Sparse, slots: Array) -> Sparse:
    """The rows with the hash of each name; those that share one in a row are summed."""
    columns = slots[rows.columns]
    at = np.repeat(np.arange(rows.starts.size - 1), np.diff(rows.starts))
    key = at << 32 | columns
    each, first, same = np.unique(key, return_index=True, return_inverse=True)
    if each.size == key.size:
        return rows._replace(columns=columns)
    order, sums = np.sort(first), np.zeros(each.size)
    np.add.at(sums, same, rows.values)
    starts = np.searchsorted(order, rows.starts)
    return Sparse(starts, columns[order], sums[same[order]])


def _texts(block: memoryview) -> Iterator[tuple[int, bytes]]:
    lines = bytes(block).split(b"\n")
    if not lines[-1]:
        lines.pop()
    return enumerate(lines, 1)


def _load(text: bytes) -> Document:
    try:
        event = json.loads(text, object_pairs_hook=_unique)
    except UnicodeDecodeError:
        raise Fault("it is not UTF-8 text") from None
    except (ValueError, RecursionError) as error:
        said = getattr(error, "msg", "it is nested too deeply")
        column = getattr(error, "colno", 1)
        raise Fault(f"it is not JSON: {said} (column {column})") from None
    if not isinstance(event, dict):
        raise Fault(f"it is not an object: {str(event)!r:.40}")
    return cast("Document", event)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object; which of two values of one key would count is not for us to say."""
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise Fault(f"it has the key {key!r:.40} twice")
            seen.add(key)
    return found


def _labels(labels: list[str | float | None]) -> Array:
    """Numbers, or words if one of them is a word; missing ones are nan or None."""
    if any(isinstance(label, str) for label in labels):
        words = [None if label in (None, "") else str(label) for label in labels]
        return np.array(words, dtype=object)
    return np.array([math.nan if label is None else label for label in labels], float)


def _ids(values: list[object]) -> Array:
    """What rows are called: whole numbers as such, all else as texts."""
    if all(value.__class__ is int for value in values):
        with suppress(OverflowError):
            return np.array(values, np.int64)
    found = np.empty(len(values), object)
    found[:] = [_id_text(value) for value in values]
    return found


def _id_text(value: object) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value)
