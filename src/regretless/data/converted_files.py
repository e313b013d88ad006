"""Converted files: rows that were parsed once and for all, as a file of their own.

:mod:`regretless.data.arrow_rows` says how they are laid out and checked, and
:mod:`regretless.data.convert` writes them. A model that learned from one remembers how
the original was read.
"""

from __future__ import annotations

from collections.abc import Generator

from ..parts.documents import Document
from .arrow_rows import (
    Damaged,
    chunk_of,
    ending,
    is_marked,
)
from .chunk import Broken, Chunk, Piece
from .formats.readers import Reader, Wanted
from .input_files import InputFile
from .pyarrow_import import arrow, first_line, unreadable
from .read_options import ReadOptions

AGAIN = "convert the original again"


def ending_of(place: InputFile) -> Document | None:
    """What the last batch of a converted file says; None of any other file."""
    if not place.head().startswith(b"ARROW1"):
        return None
    try:
        file = arrow("ipc").open_file(place.random())
    except unreadable():
        return None
    try:
        return ending(file)
    except unreadable() as error:
        if not (isinstance(error, Damaged) or is_marked(file.schema)):
            return None
        what = first_line(error)
        raise ValueError(f"{place.name}: it is damaged: {what}: {AGAIN}") from None


class ConvertedReader(Reader):
    """Reads files that ``regretless convert`` wrote."""

    def __init__(
        self, places: list[InputFile], ends: list[Document], wanted: Wanted
    ) -> None:
        self._ends = {place.name: end for place, end in zip(places, ends, strict=True)}
        options = ReadOptions.from_dict(ends[0]["options"])
        super().__init__(options, wanted)
        widths = [end["n_features"] for end in ends]
        self.n_features = None if None in widths else max(widths)
        self.named = max((end["names"] for end in ends), key=len)
        self._called = dict(pair for end in reversed(ends) for pair in end["called"])
        if len({str(end["hashed"]) for end in ends}) > 1:
            raise ValueError(f"{places[-1].name}: it was hashed otherwise: {AGAIN}")
        if ends[0]["hashed"] is not None:
            bits, first = ends[0]["hashed"]
            self.hash_names(bits, first)

    def called(self, chunk: Chunk) -> dict[int, str]:
        """All that have a name, in the first file that names them."""
        return self._called

    def n_rows(self, place: InputFile) -> int | None:
        """As the file says."""
        return self._ends[place.name]["n_rows"]

    def pieces(self, place: InputFile, at: int) -> Generator[Piece]:
        """The record batches of a file, from number `at` on."""
        file = arrow("ipc").open_file(place.random())
        index = self._ends[place.name]["index"]
        for i in range(at, len(index)):
            place.portion = (i + 1) / len(index)
            try:
                batch = file.get_batch(i)
            except unreadable() as error:
                raise _broken(i, error) from None
            yield Piece((batch, index[i]), i, i + 1)

    def parse(self, piece: Piece) -> Chunk:
        """The arrays of a record batch, as they are."""
        batch, entry = piece.data
        try:
            return chunk_of(batch, entry)
        except Damaged as error:
            raise _broken(piece.begin, error) from None


def _broken(i: int, error: Exception) -> Broken:
    return Broken(f"record batch {i} is damaged: {first_line(error)}: {AGAIN}")
