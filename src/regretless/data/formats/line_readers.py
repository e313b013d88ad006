"""Text formats with a row a line, parsed by kernels: LIBSVM and VW."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ..chunk import Chunk, Piece
from ..input_files import InputFile
from ..parsed import Parsed
from .libsvm import LibsvmParser
from .readers import LineReader
from .table_layout import BITS
from .vw import VwParser
from .vw_tags import tags_of


class LibsvmReader(LineReader):
    """LIBSVM text.

    Where nobody said whether indices count from 0 or from 1, the first block that has
    indices decides for the whole stream: an index 0 is in it, or not.
    """

    def start(self) -> None:
        """Columns have numbers, and no names."""
        self.named = {}
        self.n_features = 2**self.options.bits if self.options.bits else None
        self._parser: LibsvmParser | None = None
        self._decided = False

    def look(self, piece: Piece, place: InputFile) -> None:
        """Decide where indices count from."""
        if self._decided:
            return
        options = self.options
        self._decided = options.zero_based is not None
        if not self._decided:
            trial = LibsvmParser(zero_based=True, max_features=2**31 - 1)
            columns = trial.parse(piece.data).sparse.columns
            self._decided = columns.size > 0
            if self._decided:
                options = replace(options, zero_based=bool((columns == 0).any()))
        self.options = options
        self._parser = LibsvmParser(
            zero_based=bool(options.zero_based),
            max_features=options.max_features,
            bits=options.bits,
        )

    def parse(self, piece: Piece) -> Parsed:
        """The rows of a block."""
        assert self._parser is not None
        return Parsed(self._parser.parse(piece.data))


class VwReader(LineReader):
    """Vowpal Wabbit text; a column is named by the first feature that falls on it."""

    hashed = True

    def start(self) -> None:
        """Words are hashed to 2^bits columns."""
        self.options = replace(self.options, bits=self.options.bits or BITS)
        self._parser = VwParser.of(self.options)
        self.n_features = 2**self._parser.bits
        self._known = self._parser.no_names
        self._know(self.named)

    def parse(self, piece: Piece) -> Parsed:
        """The rows of a block, and the names that were not known when it began."""
        chunk, names = self._parser.parse(piece.data, self._known)
        if self.tagged:
            chunk = chunk._replace(tags=tags_of(piece.data, chunk.lines))
        return Parsed(chunk, names)

    def merge(self, parsed: Parsed) -> Chunk:
        """Remember the names of new columns."""
        named = self.named
        new = {column: name for column, name in parsed.names if column not in named}
        named.update(new)
        self._know(new)
        return parsed.chunk

    def _know(self, named: Mapping[int, str]) -> None:
        columns = np.fromiter(named, np.int64, len(named))
        bits = np.uint64(1) << (columns & 63).astype(np.uint64)
        np.bitwise_or.at(self._known, columns >> 6, bits)
