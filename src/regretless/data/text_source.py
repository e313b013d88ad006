"""Texts in memory: a list or a series of strings, with their labels.

Their words are hashed as those of a column of text in a file are, but have no column's
name in front of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from ..parts.rows import Sparse
from ..parts.state import Floats
from .batch import Batch
from .encoding import Labels
from .encoding.hashed_text import BITS, as_bytes, hash_texts
from .encoding.input_kind import strings_of
from .read_options import ReadOptions

ROWS = 1 << 12  # texts a batch
ALLOWED = ("bits", "text", "ngrams", "presence")


class TextSource:
    """Texts, all at hand, and their labels."""

    whole = True
    again = True
    names = None

    def __init__(
        self,
        texts: object,
        y: object,
        labels: Labels,
        options: ReadOptions | None,
    ) -> None:
        options = options or ReadOptions()
        for name, value in options.as_dict().items():
            if name not in ALLOWED:
                raise ValueError(f"{name}={value!r} means nothing for texts in memory")
        self.options = replace(options, text=("",), bits=options.bits or BITS)
        self._texts = strings_of(texts)
        self.n_rows = len(self._texts)
        if not self.n_rows:
            raise ValueError("there are no rows to learn from")
        self.n_features = 2 ** (self.options.bits or BITS)
        self.targets: Floats = labels.encode(y)
        if self.targets.size != self.n_rows:
            raise ValueError(
                f"there are {self.n_rows:,} texts but y has "
                f"{self.targets.size:,} labels"
            )
        self.classes = labels.classes
        self._names: dict[int, str] = {}
        self._known = np.zeros(self.n_features, np.uint8)

    @property
    def named(self) -> Mapping[int, str]:
        """The names of the words so far."""
        return self._names

    def batches(self) -> Iterator[Batch]:
        """The texts, some thousand at a time."""
        for begin in range(0, self.n_rows, ROWS):
            some = self._texts[begin : begin + ROWS]
            targets = self.targets[begin : begin + ROWS]
            yield Batch(self._rows(some), targets, self.n_features)

    def _rows(self, texts: list[str]) -> Sparse:
        offsets, letters = as_bytes(texts)
        bits, ngrams = self.options.bits or BITS, self.options.ngrams
        found = hash_texts(offsets, letters, "", bits, ngrams)
        fresh = found.fresh(self._known, letters, "")
        self._names.update(fresh)
        self._known[[slot for slot, _ in fresh]] = 1
        return found.rows(presence=self.options.presence)
