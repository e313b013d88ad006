"""Columns of names by their hash, as files have them: for events that go on from files.

Words of tables and texts are hashed as they are written, ``column=word``; features of
Vowpal Wabbit text as ``namespace^feature``.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple, Self, cast

from ..parts.documents import Document
from ..parts.rows import Sparse
from .encoding.hashed_text import BITS, word_slots
from .formats.vw import VwParser


class HashedNames(NamedTuple):
    """Where names are, among ``width`` columns.

    Attributes
    ----------
    bits : int
        Names are hashed to ``2**bits`` columns.
    first : int
        The first of them: those before it are numbers, which are not hashed.
    vw : bool
        Whether names are those of Vowpal Wabbit.
    """

    bits: int
    first: int
    vw: bool = False

    @property
    def width(self) -> int:
        """How many columns there are."""
        return self.first + 2**self.bits

    @classmethod
    def of_reading(cls, reading: Document, n_features: int) -> Self | None:
        """What hashes names as files were read; None where they are numbered."""
        kinds = [kind for _, kind in reading.get("columns") or ()]
        vw = reading.get("format") == "vw"
        texts = list(reading.get("text") or ()) == [""]
        if not (vw or texts or {"word", "words", "text"} & {*kinds}):
            events = not (kinds or reading.get("format"))
            return cls(reading["bits"], 0) if events and reading.get("bits") else None
        bits = int(reading.get("bits") or BITS)
        return cls(bits, n_features - 2**bits, vw)

    @classmethod
    def of_model(cls, reading: Document, n_features: int) -> Self | None:
        """What hashes fields of dicts, as the data of a model were read."""
        files = reading.get("format") or reading.get("text")
        if files and not reading.get("columns"):
            return None
        return cls.of_reading(reading, n_features)

    def columns(self, names: Sequence[Hashable]) -> list[int]:
        """The columns of names; ``ValueError`` for one that no file can have."""
        texts = [str(name) for name in names]
        if not self.vw:
            return (word_slots(texts, self.bits) + self.first).tolist()
        parser = VwParser(bits=self.bits)
        found: list[int] = []
        for text in texts:
            rows = cast("Sparse", parser.parse(_vw_line(text).encode(), None)[0].rows)
            if rows.columns.size != 1:
                raise ValueError(f"{text!r:.60} is no feature of Vowpal Wabbit text")
            found.append(int(rows.columns[0]))
        return found

    def named(self, numbers: Mapping[Hashable, int]) -> dict[int, Hashable]:
        """The names of columns: the first that came of those that share one."""
        found: dict[int, Hashable] = {}
        for name, column in numbers.items():
            found.setdefault(column, name)
        return found


def _vw_line(name: str) -> str:
    """A line with this feature alone: its namespace stands before the first ^."""
    space, caret, feature = name.partition("^")
    return f"|{space} {feature}\n" if caret else f"| {name}\n"
