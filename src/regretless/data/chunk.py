"""What a reader of files hands over: rows as they stand in the file, bad ones named.

Readers parse chunks ahead of the learner, in threads and in any order, so a chunk knows
nothing of the chunks before it: labels are still the file's own, and whether a bad row
stops the stream or is skipped is for the stream to say.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ..parts.rows import Dense, Sparse
from ..parts.state import Floats

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


Array: TypeAlias = "npt.NDArray[Any]"
Lines: TypeAlias = "npt.NDArray[np.int64]"
Mask: TypeAlias = "npt.NDArray[np.bool_]"


class Broken(ValueError):  # noqa: N818 - it is the file that is named
    """A file that cannot be read on from here, whatever is done about bad rows.

    Attributes
    ----------
    what : str
        What is wrong.
    in_line : bool
        Whether it is the next line that is at fault, rather than the file.
    below : int
        How many lines below the next one it is.
    k : int
        The number of the file in its stream.
    """

    def __init__(self, what: str, *, in_line: bool = False, below: int = 0) -> None:
        super().__init__(what)
        self.what = what
        self.in_line = in_line
        self.below = below
        self.k = 0

    def line_after(self, lines: int) -> int | None:
        """The line at fault, where so many come before; None where it is the file."""
        return lines + 1 + self.below if self.in_line else None


class Piece(NamedTuple):
    """What is read at once and parsed on its own.

    Attributes
    ----------
    data : object
        Whole lines as a memoryview, or a record batch.
    begin, end : int
        Where it stands in its file: bytes of the decompressed text, or rows.
    above : int
        How many lines come before it that belong to no piece: empty ones, a header.
    k : int
        The number of its file in the stream.
    """

    data: Any
    begin: int
    end: int
    above: int = 0
    k: int = 0


class Problem(NamedTuple):
    """A bad row: how many good rows of the chunk come before it, its line, the fault.

    ``line`` counts from 1 within the file (within the chunk, while the chunk does not
    know how many lines came before it). ``called`` is its tag or id, if it is known.
    """

    before: int
    line: int
    what: str
    called: object = ""


class FieldKinds(NamedTuple):
    """The kinds of fields by name that a chunk was read with, and what it added.

    Attributes
    ----------
    begun : collection
        Fields whose kinds were known.
    fresh : mapping
        Fields whose kinds were found.
    empty : collection
        Fields that had no value while their kind was not known.
    """

    begun: Collection[Hashable]
    fresh: Mapping[Hashable, str]
    empty: Collection[Hashable]


class Chunk(NamedTuple):
    """Some consecutive rows of one file.

    Attributes
    ----------
    rows : Dense or Sparse
        The good rows.
    labels : ndarray
        One a row: float64 with nan where there is none, or objects (str or None) where
        labels are words.
    n_features : int
        One more than the largest column that occurs (or the known number).
    lines : ndarray of int64
        The line (or row, in a file without lines) of every good row, from 1.
    n_lines : int
        How many lines (rows) of the file the chunk spans, bad and empty ones included.
    weights : ndarray or None
        The importance of every row; None where all have 1.
    problems : tuple of Problem
        The bad rows, in order.
    groups : ndarray or None
        What says which rows belong together, a word each; None: nothing does.
    tags : ndarray or None
        What rows are called: their ids, or the tags of VW (a text each); None: not
        asked for, or none has a tag.
    sealed : (ndarray of int64, ndarray or None), or None
        The lines of the rows that were sealed, and what they are called.
    names : sequence of (feature, name)
        The features that had no name when the chunk was parsed.
    local : bool
        Whether features have their numbers within the chunk only: `names` has all.
    numbered : bool
        Whether hashed features that had come have their numbers.
    fields : FieldKinds or None
        What the fields turned out to be, where they are no columns.
    """

    rows: Dense | Sparse
    labels: Array
    n_features: int
    lines: Lines
    n_lines: int
    weights: Floats | None = None
    problems: tuple[Problem, ...] = ()
    groups: Array | None = None
    tags: Array | None = None
    sealed: tuple[Lines, Array | None] | None = None
    names: Sequence[tuple[int, str]] = ()
    local: bool = False
    numbered: bool = False
    fields: FieldKinds | None = None

    def below(self, above: int) -> Chunk:
        """The same rows, with so many lines before the first one."""
        if not above:
            return self
        problems = (one._replace(line=one.line + above) for one in self.problems)
        return self._replace(
            lines=self.lines + above,
            n_lines=self.n_lines + above,
            problems=tuple(problems),
        )

    @property
    def sparse(self) -> Sparse:
        """The rows of a format that has no dense ones."""
        assert isinstance(self.rows, Sparse)
        return self.rows
