"""Text formats with a row a line, parsed by kernels: LIBSVM and VW."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import closing
from dataclasses import replace
from typing import cast

import numpy as np

from ...parts.rows import Sparse
from ..chunk import Chunk, Piece
from ..input_files import InputFile
from ..lines import blocks
from ..read_options import ReadOptions
from .libsvm import LibsvmParser
from .table_layout import BITS
from .vw import VwParser
from .vw_tags import tags_of

__all__ = ["LibsvmReader", "VwReader"]


class LibsvmReader:
    """LIBSVM text.

    Where nobody said whether indices count from 0 or from 1, an index 0 in the first
    block decides for the whole stream.
    """

    lined = True

    def __init__(
        self,
        options: ReadOptions,
        names: Mapping[int, str],
        *,
        labelled: bool,
        frozen: bool,
    ) -> None:
        self.options = options
        self.named: Mapping[int, str] = {}
        self.n_features = None if options.bits is None else 2**options.bits
        self._parser: LibsvmParser | None = None

    def n_rows(self, place: InputFile) -> int | None:
        """Unknown."""
        return None

    def pieces(self, place: InputFile, at: int) -> Generator[Piece]:
        """Blocks of lines."""
        with closing(place.open(at)) as stream:
            for piece in blocks(stream, at=at):
                self._parser = self._parser or self._decide(piece)
                yield piece

    def parse(self, piece: Piece) -> Chunk:
        """The rows of a block."""
        assert self._parser is not None
        return self._parser.parse(piece.data)

    def merge(self, parsed: Chunk) -> Chunk:
        """A chunk needs nothing of those before it."""
        return parsed

    def _decide(self, first: Piece) -> LibsvmParser:
        if self.options.zero_based is None:
            trial = LibsvmParser(zero_based=True, max_features=2**31 - 1)
            rows = cast("Sparse", trial.parse(first.data).rows)
            found = bool((rows.columns == 0).any())
            self.options = replace(self.options, zero_based=found)
        return LibsvmParser(
            zero_based=bool(self.options.zero_based),
            max_features=self.options.max_features,
            bits=self.options.bits,
        )


class VwReader:
    """Vowpal Wabbit text; a column is named by the first feature that falls on it."""

    lined = True
    tagged = False  # whether tags are asked for

    def __init__(
        self,
        options: ReadOptions,
        names: Mapping[int, str],
        *,
        labelled: bool,
        frozen: bool,
    ) -> None:
        bits = options.bits or BITS
        self.options = replace(options, bits=bits)
        self.n_features = 2**bits
        self.named = dict(names)
        self._parser = VwParser(bits=bits, quadratic=options.quadratic)
        self._known = self._parser.no_names
        for column in self.named:
            self._know(column)

    def n_rows(self, place: InputFile) -> int | None:
        """Unknown."""
        return None

    def pieces(self, place: InputFile, at: int) -> Generator[Piece]:
        """Blocks of lines."""
        with closing(place.open(at)) as stream:
            yield from blocks(stream, at=at)

    def parse(self, piece: Piece) -> tuple[Chunk, list[tuple[int, str]]]:
        """The rows of a block, and the names that were not known when it began."""
        chunk, names = self._parser.parse(piece.data, self._known)
        if self.tagged:
            chunk = chunk._replace(tags=tags_of(piece.data, chunk.lines))
        return chunk, names

    def merge(self, parsed: tuple[Chunk, list[tuple[int, str]]]) -> Chunk:
        """Remember the names of new columns."""
        chunk, fresh = parsed
        for column, name in fresh:
            if column not in self.named:
                self.named[column] = name
                self._know(column)
        return chunk

    def _know(self, column: int) -> None:
        self._known[column >> 6] |= np.uint64(1 << (column & 63))
