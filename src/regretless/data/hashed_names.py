"""Numbers of names by their hash, as files have them: for events that go on from files.

Words of tables and texts are hashed as they are written, ``column=word``; features of
Vowpal Wabbit text as ``namespace^feature``.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Self

import numpy as np

from ..engine.feature_names import MetNames, Names, numbered
from ..parts.documents import Document
from ..parts.rows import Ints
from .encoding.hash_index import HashIndex
from .encoding.hashed_text import word_slots
from .formats.vw import VwParser


class HashedNames:
    """From names to numbers, by the columns of their hashes.

    Parameters
    ----------
    bits : int
        Names are hashed to ``2**bits`` columns.
    first : int
        How many features are numbers, which are not hashed: they come first.
    vw : bool
        Whether names are those of Vowpal Wabbit.
    names : Names or None
        Those that have come.
    direct : bool
        Whether the columns are the numbers.

    """

    def __init__(
        self,
        bits: int,
        first: int = 0,
        *,
        vw: bool = False,
        names: Names | None = None,
        direct: bool = False,
    ) -> None:
        self.first, self.vw = first, vw
        self._before = [str(name) for j, name in numbered(names, 0) if j < first]
        self.index = HashIndex(bits, first, names, direct=direct)

    @classmethod
    def of_reading(
        cls, reading: Document, names: Names | None, n_features: int
    ) -> Self | None:
        """What hashes names as data were read; None where they are not hashed."""
        vw = reading.get("format") == "vw"
        if isinstance(names, MetNames):
            return cls(int(reading["bits"]), names.first, vw=vw, names=names)
        if not isinstance(names, Mapping):
            return None
        bits = int(reading["bits"])
        return cls(bits, n_features - 2**bits, vw=vw, names=names)

    @property
    def width(self) -> int:
        """How many features have come."""
        return self.index.width

    @property
    def names(self) -> Names:
        """Their names, in order; the first that came of those that share a column."""
        return self.index.names(self._before)

    def state_dict(self) -> Document:
        """How names are hashed, as plain data."""
        index = self.index
        about = {"bits": index.bits, "first": self.first, "direct": index.direct}
        return {**about, "vw": self.vw}

    def enter(self, names: Sequence[Hashable]) -> list[int]:
        """The numbers of names; those that are new get the next ones.

        ``ValueError`` for one that no file can have.
        """
        texts = [str(name) for name in names]
        slots = self._columns(texts)
        called = dict(zip(reversed(slots.tolist()), reversed(texts), strict=True))
        return self.index.numbers(slots, called).tolist()

    def find(self, names: Sequence[Hashable]) -> list[int]:
        """The numbers of names; -1 of those that have not come."""
        slots = self._columns([str(name) for name in names])
        return self.index.find(slots).tolist()

    def _columns(self, texts: Sequence[str]) -> Ints:
        """The columns of names; ``ValueError`` for one that no file can have."""
        if not self.vw:
            return word_slots(texts, self.index.bits)
        parser = VwParser(bits=self.index.bits)
        found: list[int] = []
        for text in texts:
            rows = parser.parse(_vw_line(text).encode()).sparse
            if rows.columns.size != 1:
                raise ValueError(f"{text!r:.60} is no feature of Vowpal Wabbit text")
            found.append(int(rows.columns[0]))
        return np.array(found, np.int32)


def _vw_line(name: str) -> str:
    """A line with this feature alone: its namespace stands before the first ^."""
    space, caret, feature = name.partition("^")
    return f"|{space} {feature}\n" if caret else f"| {name}\n"
