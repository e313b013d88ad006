"""Text formats with a row a line, parsed by kernels: LIBSVM and VW."""

from __future__ import annotations

from dataclasses import replace

from ..chunk import Chunk, Piece
from ..encoding.hash_index import WIDE
from ..input_files import InputFile
from .libsvm import LibsvmParser
from .readers import LineReader
from .vw import VwParser
from .vw_tags import tags_of


class LibsvmReader(LineReader):
    """LIBSVM text.

    Where it is unknown whether indices count from 0 or from 1, the first block that has
    indices decides for the whole stream: an index 0 is in it, or not.
    """

    def start(self) -> None:
        """Columns have numbers, and no names."""
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

    def parse(self, piece: Piece) -> Chunk:
        """The rows of a block."""
        assert self._parser is not None
        return self._parser.parse(piece.data)


class VwReader(LineReader):
    """Vowpal Wabbit text; a column is named by the first feature that falls on it."""

    def start(self) -> None:
        """Words are hashed to 2^bits columns, and numbered as they come."""
        bits = self.options.bits or self.wanted.direct or WIDE
        self.options = replace(self.options, bits=bits)
        self._parser = VwParser.of(self.options)
        self.hash_names(bits)

    def parse(self, piece: Piece) -> Chunk:
        """The rows of a block, and the names that were not known when it began."""
        numbered = not (self.wanted.by_content or self.wanted.direct)
        chunk = self._parser.parse(
            piece.data, self.index, named=not self.wanted.frozen, numbered=numbered
        )
        if self.wanted.tagged:
            chunk = chunk._replace(tags=tags_of(piece.data, chunk.lines))
        return chunk
