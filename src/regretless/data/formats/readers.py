"""What a format has to provide, and which class provides it."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, Protocol

from ...lazy import sibling
from ..chunk import Chunk, Piece
from ..input_files import InputFile
from ..read_options import ReadOptions

__all__ = ["Reader", "make_reader"]

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


class Reader(Protocol):
    """How one format is read. One reader serves all files of a stream.

    ``pieces`` runs in one thread at a time and in order; ``parse`` in many threads at
    once and in any order, so it changes nothing; ``merge`` in the consumer's thread, in
    order. What has to be decided once is decided in ``pieces``, from the first piece,
    and shows in ``options``.
    """

    lined: bool
    """Whether files of this format have lines, rather than rows."""

    @property
    def options(self) -> ReadOptions:
        """The options, with what was found out filled in."""
        ...

    @property
    def n_features(self) -> int | None:
        """How many features there are; None while they may grow."""
        ...

    @property
    def named(self) -> Mapping[int, str]:
        """The names of features, where they have any, so far."""
        ...

    def n_rows(self, place: InputFile) -> int | None:
        """How many rows a file has, where it says so."""
        ...

    def pieces(self, place: InputFile, at: int) -> Generator[Piece]:
        """Read a file from the position `at` on."""
        ...

    def parse(self, piece: Piece) -> Any:
        """What a piece holds."""
        ...

    def merge(self, parsed: Any) -> Chunk:
        """The rows of what :meth:`parse` returned."""
        ...


def make_reader(
    options: ReadOptions, names: Mapping[int, str], *, labelled: bool, frozen: bool
) -> Reader:
    """The reader for ``options.format``.

    Parameters
    ----------
    options : ReadOptions
        How to read; the format is given.
    names : mapping
        Names that features have already.
    labelled : bool
        Whether there must be labels.
    frozen : bool
        Whether names not in `names` are left out.
    """
    kind = sibling(__package__, READERS[options.format or ""])
    return kind(options, names, labelled=labelled, frozen=frozen)
