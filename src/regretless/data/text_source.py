"""Texts in memory: a list or a series of strings, with their labels.

Their words are hashed as those of a column of text in a file are, but have no column's
name in front of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..engine.feature_names import Names
from ..parts.rows import Sparse
from .batch import Batch
from .encoding import Labels
from .encoding.hash_index import WIDE, HashIndex
from .encoding.hashed_text import as_bytes, hash_texts
from .encoding.input_kind import strings_of
from .read_options import ReadOptions
from .table_source import NO_ROWS, RowsInMemory

ROWS = 1 << 12  # texts a batch
ALLOWED = ("bits", "text", "ngrams", "presence")


class TextSource(RowsInMemory):
    """Texts, all at hand, and their labels."""

    def __init__(
        self,
        texts: object,
        y: object,
        labels: Labels,
        options: ReadOptions,
        *,
        direct: int = 0,
    ) -> None:
        for name, value in options.as_dict().items():
            if name not in ALLOWED:
                raise ValueError(f"{name}={value!r} means nothing for texts in memory")
        bits = options.bits or direct or WIDE
        self.options = replace(options, text=("",), bits=bits)
        self._texts = strings_of(texts)
        n = len(self._texts)
        if not n:
            raise ValueError(NO_ROWS)
        self.index = HashIndex(bits, direct=direct > 0)
        self.n_features = self.index.n_features
        super().__init__(n, y, labels, f"there are {n:,} texts")

    @property
    def names(self) -> Names | None:
        """The words so far."""
        return self.index.names() or None

    def batches(self) -> Iterator[Batch]:
        """The texts, some thousand at a time."""
        for begin in range(0, self.n_rows, ROWS):
            some = self._texts[begin : begin + ROWS]
            targets = self.targets[begin : begin + ROWS]
            yield Batch(self._rows(some), targets, self.index.width)

    def _rows(self, texts: list[str]) -> Sparse:
        offsets, letters = as_bytes(texts)
        index, options = self.index, self.options
        found = hash_texts(offsets, letters, "", index.bits, options.ngrams)
        new = index.fresh(found.slots)
        slots = found.slots[new].tolist()
        names = dict(zip(slots, found.words(letters, "", new), strict=True))
        return index.enter(index.look_up(found.rows(presence=options.presence)), names)
