"""Vowpal Wabbit text: blocks of whole lines to chunks of sparse rows.

    [label [importance [base]]] ['tag]|namespace[:weight] name[:value] ... |...

Names become columns as in Vowpal Wabbit (``--hash strings``): a name of digits is the
number it spells, plus the hash of its namespace; any other is hashed by MurmurHash3
with the namespace's hash as seed; the lowest `bits` bits are the column. A feature
without a value has 1, one with the value 0 is left out, and features of a row that
share a column are added up. Lines of nothing are no rows.

A row without label is one that is predicted and not learned. The importance is the
row's weight and must not be negative. A base is accepted and ignored; a tag is written
beside the prediction (:mod:`.vw_tags`). There is no constant feature: learners have a
bias of their own. Values are float64, not float32.

Not supported: words as values (``color:red``), labels of other kinds than one number.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ...engine.kernels.compiled import entry
from ...engine.kernels.hashed import (
    ENTRIES,
    FEATURES,
    FRESH,
    HashedRows,
    Hashing,
    Names,
    Scratch,
)
from ...engine.kernels.lines import BLANKS
from ...engine.kernels.spelled_names import spell_names
from ...engine.kernels.vw import parse_vw
from ..chunk import Chunk
from ..encoding.hash_index import NARROW, WIDE, HashIndex
from ..interactions import ANY, expanded, fields_of
from ..read_options import ReadOptions
from .block_parse import BlockParse
from .text_blocks import Bytes, Text
from .vw_line import STOP, respelled, text

if TYPE_CHECKING:
    import numpy.typing as npt


Bits: TypeAlias = "npt.NDArray[np.uint64]"

TABLE = 1024
SEEN = 2**16  # places of columns that were named in a block
PRINTED = range(ord(" "), ord("~") + 1)  # letters that stand for any namespace
BLANK = re.compile(rb"[ \t]+")


class VwParser:
    """Parses blocks of Vowpal Wabbit text. Nothing of it changes: threads share it.

    Parameters
    ----------
    bits : int
        There are 2^bits columns.
    interactions : tuple of str
        Groups of namespaces whose features are multiplied, such as "a*b", by their
        first letters; " " is the namespace without a name. "a*" has a with itself,
        too, as in Vowpal Wabbit.
    ignore, keep : tuple of str
        First letters of namespaces that are not read, or of all that are.
    """

    def __init__(
        self,
        *,
        bits: int = NARROW,
        interactions: tuple[str, ...] = (),
        ignore: tuple[str, ...] = (),
        keep: tuple[str, ...] = (),
    ) -> None:
        if not 1 <= bits <= 30:
            raise ValueError(f"bits={bits} must be from 1 to 30")
        groups = fields_of(interactions, ignore)
        multiplied = {x for group in groups for x in group if x != ANY}
        for letter in (*multiplied, *ignore, *keep):
            if len(letter.encode()) != 1 or letter in ":|\t\r\n\0":
                raise ValueError(f"{letter!r} is not the first letter of a namespace")
        for letter in keep and multiplied.difference(keep):
            raise ValueError(f"interactions: {letter!r} is not in keep")
        for letter in set(keep).intersection(ignore):
            raise ValueError(f"{letter!r} is in keep and in ignore")
        if any(ANY in group for group in groups):
            # Of a pair and the same turned around, Vowpal Wabbit keeps the one that
            # comes first in the alphabet.
            groups = expanded(sorted(groups), map(chr, PRINTED), squares=True)
        self.groups = tuple(
            tuple(map(ord, sorted(group) if len(group) > len(set(group)) else group))
            for group in groups
        )
        self.bits = bits
        kept = np.full(256, 0.0 if keep else 1.0)
        kept[[ord(letter) for letter in keep]] = 1.0
        kept[[ord(letter) for letter in ignore]] = 0.0
        filled = [number for group in self.groups for number in (*group, -1)[:3]]
        self.hashing = Hashing(2**bits - 1, np.array(filled, np.int64), kept)

    @classmethod
    def of(cls, options: ReadOptions) -> VwParser:
        """The parser that reads as the options say."""
        names = ("interactions", "ignore", "keep")
        bits = options.bits or WIDE
        return cls(bits=bits, **{name: getattr(options, name) for name in names})

    def parse(
        self,
        block: Text,
        index: HashIndex | None = None,
        *,
        named: bool = True,
        numbered: bool = False,
    ) -> Chunk:
        """The rows of a block of whole lines, the lines that are no rows, and names.

        Parameters
        ----------
        block : bytes or array of uint8
            Whole lines; the last one may lack its newline.
        index : HashIndex or None
            The columns that have come. None: names are not asked for.
        named : bool
            Whether names are asked for.
        numbered : bool
            Whether columns are written as their numbers (``HashIndex.look_up``).

        Returns
        -------
        Chunk
            Lines are counted from 1 within the block. Its names are column and name, as
            in ``namespace^feature``, of each column of a good row that has not come.
            Where one comes again its first name counts.
        """
        return _VwBlock(self, block, index, named=named, numbered=numbered).run(
            2**self.bits
        )


class _VwBlock(BlockParse):
    """One block of Vowpal Wabbit text."""

    def __init__(
        self,
        parser: VwParser,
        text: Text,
        index: HashIndex | None,
        *,
        named: bool,
        numbered: bool,
    ) -> None:
        super().__init__(parse_vw, text, HashedRows, BLANKS, TABLE)
        most = self.most
        self.parser, self.index = parser, index
        named &= index is not None
        self.names = Names(
            np.zeros(0, np.int64) if index is None else index.met.table,
            0 if index is None else index.met.count,
            int(numbered),
            np.full(SEEN if named else 0, -1, np.int32),
            np.empty((most * named, 7), np.int64),
        )
        self.scratch = new_scratch(most if parser.groups else 0)
        self.state[FEATURES] = most
        self.named: list[tuple[int, str]] = []

    def arguments(self) -> tuple[object, ...]:
        """The rules for names, and where rows, names and products go to."""
        return self.parser.hashing, self.found, self.names, self.scratch

    def run(self, width: int) -> Chunk:
        """The rows of all lines, and the names of new columns."""
        chunk = super().run(width)
        weights = self.found.weights[: chunk.lines.size]
        return chunk._replace(
            weights=None if bool(np.all(weights == 1.0)) else weights,
            names=self.named,
            numbered=bool(self.names.numbered),
        )

    def widen(self, need: int) -> None:
        """Make room for `need` entries, and as many again."""
        columns = np.empty(2 * need, np.int32)
        values = np.empty(2 * need, np.float64)
        used = int(self.state[ENTRIES])
        columns[:used] = self.found.columns[:used]
        values[:used] = self.found.values[:used]
        self.found = self.found._replace(columns=columns, values=values)
        if self.names.seen.size:
            fresh = np.empty((2 * need, 7), np.int64)
            used = int(self.state[FRESH])
            fresh[:used] = self.names.fresh[:used]
            self.names = self.names._replace(fresh=fresh)
        if self.parser.groups:
            self.scratch = new_scratch(2 * need)

    def respelled(self, line: bytes) -> bytes:
        """A line that the kernel left, or what is wrong with it."""
        return respelled(line, self.parser.hashing.kept, self.parser.groups)

    def leave(self, stretch: Bytes) -> None:
        """Turn the kernel's new names into text, while their text is at hand."""
        found = self.names.fresh[: int(self.state[FRESH])]
        self.state[FRESH] = 0
        fresh = found[np.sort(np.unique(found[:, 0], return_index=True)[1])]
        count, nameless = len(fresh), np.zeros(len(fresh), np.bool_)

        def spell(room: int) -> tuple[int, Bytes]:
            letters = np.empty(room, np.uint8)
            arguments = stretch, fresh, count, nameless, letters
            return int(entry(spell_names, arguments)(*arguments)), letters

        size, letters = spell(48 * count)
        if size > letters.size:
            size, letters = spell(size)
        names = text(letters[:size].tobytes()).split("\n")
        for i in np.flatnonzero(nameless).tolist():
            names[i] = spelled(stretch, fresh[i, 1:].tolist())
        self.named += zip(fresh[:, 0].tolist(), names[:count], strict=True)


def new_scratch(size: int) -> Scratch:
    """Room for what interactions need of `size` entries."""
    each = (np.empty(size, np.int64) for _ in Scratch._fields[1:])
    return Scratch(np.zeros(256, np.int64), *each)


def spelled(stretch: Bytes, places: list[int]) -> str:
    """The feature with these places, or the product; :k is the k-th without a name."""
    names: list[str] = []
    for space, name in zip(places[::2], places[1::2], strict=True):
        if name < 0:
            break
        shown = word_at(stretch, name)
        if not shown:
            before = stretch[max(space, 0) : name].tobytes().rpartition(b"|")[2]
            shown = f":{sum(token[:1] == b':' for token in BLANK.split(before)[1:])}"
        names.append(shown if space < 0 else f"{word_at(stretch, space)}^{shown}")
    return "*".join(names)


def word_at(stretch: Bytes, at: int) -> str:
    """The name that begins at `at`."""
    size = 64
    while True:
        some = stretch[at : at + size].tobytes()
        stop = STOP.search(some)
        if stop is not None:
            return text(some[: stop.start()])
        size *= 2
