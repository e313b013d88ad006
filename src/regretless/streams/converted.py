"""Converted files: rows that were parsed once and for all, as a file of their own.

The layout is that of the cache (:mod:`regretless.streams.cache`): what a cache knows of
the files beside it, a converted file knows of itself. A model that learned from it
remembers how the original was read.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from typing import Any

from .arrow import arrow
from .cache import Entry, chunk_of
from .chunk import Chunk, Piece
from .options import ReadOptions
from .places import Place

__all__ = ["ConvertedReader", "ending_of"]


def ending_of(place: Place) -> dict[str, Any] | None:
    """What the last batch of a converted file says; None of any other file."""
    if not place.head().startswith(b"ARROW1"):
        return None
    try:
        file = arrow("ipc").open_file(place.random())
        last = file.get_batch_with_custom_metadata(file.num_record_batches - 1)
        return json.loads(last.custom_metadata[b"end"])
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return None


class ConvertedReader:
    """Reads files that ``regretless convert`` wrote."""

    lined = False

    def __init__(self, places: list[Place], ends: list[dict[str, Any]]) -> None:
        self._ends = {place.name: end for place, end in zip(places, ends, strict=True)}
        self.options = ReadOptions.from_dict(ends[0]["options"])
        self.named: Mapping[int, str] = {
            int(j): name for end in reversed(ends) for j, name in end["names"]
        }
        widths = [end["n_features"] for end in ends]
        self.n_features: int | None = None if None in widths else max(widths)

    def n_rows(self, place: Place) -> int | None:
        """As the file says."""
        return self._ends[place.name]["n_rows"]

    def pieces(self, place: Place, at: int) -> Generator[Piece]:
        """The record batches of a file, from number `at` on."""
        file = arrow("ipc").open_file(place.random())
        index = self._ends[place.name]["index"]
        for i in range(at, len(index)):
            place.portion = (i + 1) / len(index)
            yield Piece((file.get_batch(i), Entry(*index[i])), i, i + 1)

    def parse(self, piece: Piece) -> Chunk:
        """The arrays of a record batch, as they are."""
        batch, entry = piece.data
        return chunk_of(batch, entry)

    def merge(self, parsed: Chunk) -> Chunk:
        """A chunk needs nothing of those before it."""
        return parsed
