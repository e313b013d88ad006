"""Shards: all files laid end to end and cut at equal distances.

What a shard is depends on the files and on how many shards (or how large ones) were
asked for, never on who will play them. A text file is cut anywhere (a shard owns the
lines that begin in it), a Parquet file between row groups, and a file that cannot be
cut (compressed, Arrow, npz) belongs to the shard in which its middle lies.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise

from ...data.file_identity import Identity, identity
from ...data.file_parts import Span
from ...data.formats.parquet import open_parquet
from ...data.input_files import InputFile
from ...errors import checked_count

SIZE = 1 << 27  # bytes a shard, as stored, where no size is given
TEXT = ("libsvm", "vw", "csv", "tsv", "jsonl")


@dataclass(frozen=True)
class Shard:
    """What one task plays.

    Attributes
    ----------
    number : int
        Its place in the order of all shards.
    spans : tuple of Span
        Files, or parts of files, in order.
    size : int
        In bytes, as stored.
    files : list
        What tells these files from others, so that they are the same everywhere.
    """

    number: int
    spans: tuple[Span, ...]
    size: int
    files: Sequence[Identity]

    def __str__(self) -> str:
        first, last = self.spans[0], self.spans[-1]
        if len(self.spans) > 1:
            return f"{first.name} to {last.name}"
        if first.whole:
            return first.name
        unit = "rows" if first.rows else "bytes"
        return f"{first.name}, {unit} {first.begin:,} to {first.end:,}"


def plan_shards(
    places: Sequence[InputFile],
    format: str,  # noqa: A002 - as the option is named
    *,
    shards: int | None = None,
    size: int | str | None = None,
) -> list[Shard]:
    """Cut files into shards.

    Parameters
    ----------
    places : sequence of Place
        The files, in order.
    format : str
        Of all of them.
    shards : int or None
        How many. There are fewer where files cannot be cut.
    size : int, "file" or None
        Or how large, in bytes as stored; 128 MB where neither is given. "file": every
        file is a shard.
    """
    if shards is not None and size is not None:
        raise ValueError("give shards or shard_size, not both")
    if size == "file":
        return [
            Shard(k, (Span(place.name),), _size(place), identity([place]))
            for k, place in enumerate(places)
        ]
    total = sum(_size(place) for place in places)
    if shards is None:
        wanted = -(
            -total // checked_count("shard_size", SIZE if size is None else size)
        )
    else:
        wanted = checked_count("shards", shards)
    # As integers, so that no rounding moves a cut.
    ends = [total * (k + 1) // wanted for k in range(wanted)]
    parts: list[list[tuple[Span, int, InputFile]]] = [[] for _ in range(wanted)]
    at = 0
    for place in places:
        for span, begin, end in _cut(place, format, at, ends):
            k = bisect_right(ends, (begin + end) // 2)
            parts[k].append((span, end - begin, place))
        at += _size(place)
    found = [part for part in parts if part]
    return [
        Shard(
            number,
            tuple(span for span, _, _ in part),
            sum(bytes_ for _, bytes_, _ in part),
            identity([place for _, _, place in part]),
        )
        for number, part in enumerate(found)
    ]


def in_rounds(shards: Sequence[Shard], rounds: int) -> list[list[Shard]]:
    """Shards, in order, as this many rounds that are played one after the other.

    Fewer rounds where there are fewer shards.
    """
    each = -(-len(shards) // rounds)
    return [list(shards[k : k + each]) for k in range(0, len(shards), each)]


def _cut(
    place: InputFile,
    format: str,  # noqa: A002
    at: int,
    ends: Sequence[int],
) -> list[tuple[Span, int, int]]:
    """The parts of a file, which begins at `at`; each with where it lies."""
    size = _size(place)
    if format == "parquet":
        return _row_groups(place, at, ends)
    first, last = bisect_right(ends, at), bisect_left(ends, at + size)
    inside = sorted({end - at for end in ends[first:last]})
    if format not in TEXT or place.compression is not None or not inside:
        return [(Span(place.name), at, at + size)]
    edges = [0, *inside, size]
    return [
        (Span(place.name, begin, end), at + begin, at + end)
        for begin, end in pairwise(edges)
    ]


def _row_groups(
    place: InputFile, at: int, ends: Sequence[int]
) -> list[tuple[Span, int, int]]:
    """The row groups of a Parquet file, those of one shard together."""
    with closing(open_parquet(place)) as table:
        counts = table.group_sizes
    rows, size = sum(counts), _size(place)
    found: list[tuple[Span, int, int]] = []
    shard, first = -1, 0
    for count in counts:
        begin, end = at + size * first // rows, at + size * (first + count) // rows
        k = bisect_right(ends, (begin + end) // 2)
        span = Span(place.name, first, first + count, rows=True)
        if k == shard:
            before, begin, _ = found.pop()
            span = span._replace(begin=before.begin)
        found.append((span, begin, end))
        shard, first = k, first + count
    if len(found) == 1:
        return [(Span(place.name), at, at + size)]
    return found


def _size(place: InputFile) -> int:
    if place.size is None:
        raise ValueError(f"{place.name}: a cluster reads files, not streams")
    return place.size
