"""What a format has to provide, and which class provides it."""

from __future__ import annotations

import abc
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from typing import NamedTuple

from ...engine.feature_names import Names
from ...lazy import sibling
from ...parts.rows import Dense
from ..chunk import Chunk, Lines, Piece
from ..encoding.hash_index import HashIndex
from ..input_files import InputFile
from ..lines import blocks, filled
from ..pyarrow_import import RecordBatch
from ..read_options import ReadOptions
from .named_rows import NamedRows

READERS = {
    "libsvm": "line_readers.LibsvmReader",
    "vw": "line_readers.VwReader",
    "csv": "delimited.DelimitedReader",
    "tsv": "delimited.DelimitedReader",
    "jsonl": "json_lines.JsonReader",
    "parquet": "parquet.ParquetReader",
    "arrow": "arrow_ipc.ArrowReader",
    "npz": "npz.NpzReader",
}


class Wanted(NamedTuple):
    """What is wanted of the rows of a format.

    Attributes
    ----------
    names : Names or None
        Names that features have already.
    grows : bool
        Whether features come that are not in `names`.
    labelled : bool
        Whether there must be labels; if not, a label column may be absent.
    direct : int
        Bits of hashes where none are asked for and the columns of hashes are the
        numbers of features; 0: they get their numbers as they come.
    tagged : bool
        Whether rows keep their tags, in a format that has any.
    by_name : NamedRows or None
        What makes rows of fields by name, for a model of another kind of format.
    by_content : bool
        Whether hashed features keep their columns until :meth:`Reader.merge`: a seal
        chooses rows by what they hold, and not by when it came.
    """

    names: Names | None = None
    grows: bool = False
    labelled: bool = True
    direct: int = 0
    tagged: bool = False
    by_name: NamedRows | None = None
    by_content: bool = False

    @property
    def frozen(self) -> bool:
        """Whether no features come but those that have names."""
        return self.names is not None and not self.grows


class Reader(abc.ABC):
    """How one format is read. One reader serves all files of a stream.

    ``pieces`` runs in one thread at a time and in order; ``parse`` in many threads at
    once and in any order, so it changes nothing; ``merge`` in the consumer's thread, in
    order. What has to be decided once is decided in ``pieces``, from the first piece,
    and shows in ``options``.

    Parameters
    ----------
    options : ReadOptions
        How to read; the format is given.
    wanted : Wanted
        What is wanted of the rows.

    Attributes
    ----------
    lined : bool
        Whether files of this format have lines, rather than rows.
    index : HashIndex or None
        What numbers the features whose names are hashed.
    options : ReadOptions
        The options, with what was found out filled in.
    n_features : int or None
        How many features there are; None while they may grow.
    named : list of str
        The names of features that are not hashed, where they have any, so far.
    """

    lined = False
    index: HashIndex | None = None

    def __init__(self, options: ReadOptions, wanted: Wanted) -> None:
        self.options = options
        self.wanted = wanted
        self.n_features: int | None = None
        self.named: list[str] = []
        self.start()

    def start(self) -> None:  # noqa: B027 - some formats need nothing
        """Set up what the format needs, before anything is read."""

    def hash_names(self, bits: int, first: int = 0) -> None:
        """Let features from `first` on be hashed names, and have numbers by them."""
        direct = self.wanted.direct > 0
        self.index = HashIndex(bits, first, self.wanted.names, direct=direct)
        self.n_features = self.index.n_features

    def n_rows(self, place: InputFile) -> int | None:
        """How many rows a file has, where it says so."""
        return None

    @abc.abstractmethod
    def pieces(self, place: InputFile, at: int) -> Generator[Piece]:
        """Read a file from the position `at` on."""

    def columns(self, place: InputFile) -> Iterator[tuple[RecordBatch, Lines]]:
        """Columns as they stand, no features made of them, and the line of each row.

        The fields of a format of text are words, whatever they spell.
        """
        what = f"the rows of {self.options.format} have no columns"
        raise ValueError(f"{place.name}: {what}: give CSV, JSON lines, Parquet, ...")

    @abc.abstractmethod
    def parse(self, piece: Piece) -> Chunk:
        """What a piece holds; lines are counted from where its data begins."""

    def settle(self, chunk: Chunk, again: Callable[[], Chunk]) -> Chunk:
        """The same, or what `again` makes of the piece, by what came before it."""
        return chunk

    def numbered(self, chunk: Chunk) -> Chunk:
        """The same, where hashed features that have come have their numbers.

        Any thread may do it, at any time before :meth:`merge`.
        """
        if self.index is None or chunk.numbered or isinstance(chunk.rows, Dense):
            return chunk
        return chunk._replace(rows=self.index.look_up(chunk.rows), numbered=True)

    def merge(self, chunk: Chunk) -> Chunk:
        """What :meth:`parse` returned, where new features have their numbers, too."""
        chunk = self.numbered(chunk)
        if not chunk.numbered or self.index is None:
            return chunk
        rows, index = chunk.sparse, self.index
        if self.wanted.frozen:
            rows = index.left_out(rows)
        else:
            rows = index.enter(rows, self.called(chunk))
        return chunk._replace(rows=rows, n_features=index.width)

    def called(self, chunk: Chunk) -> dict[int, str]:
        """What the columns of new features are called: the first name that came."""
        return dict(reversed(chunk.names))

    @property
    def names(self) -> Names | None:
        """The names so far, where every feature has one."""
        if self.index is None:
            return tuple(self.named) or None
        return self.index.names(self.named) or None


class LineReader(Reader):
    """A text format with a row a line: pieces are blocks of lines."""

    lined = True

    def pieces(self, place: InputFile, at: int) -> Generator[Piece]:
        """Blocks of lines."""
        with closing(place.open(at)) as stream:
            for piece in filled(blocks(stream, at=at)):
                self.look(piece, place)
                yield piece

    def look(self, piece: Piece, place: InputFile) -> None:
        """Decide what the first blocks decide."""


def make_reader(options: ReadOptions, wanted: Wanted) -> Reader:
    """The reader for ``options.format``; see :class:`Reader`."""
    kind = sibling(__package__, READERS[options.format or ""])
    return kind(options, wanted)
