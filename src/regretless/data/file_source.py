"""Files as a source: several places, one stream of batches, which can go on anywhere.

Places are read and parsed ahead in threads; here, in order, labels become targets, bad
rows stop the stream or are skipped, and every batch is marked with where it ends.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from functools import partial
from typing import TypeAlias

import numpy as np

from ..engine.feature_names import Names, cut
from ..errors import BadRow
from ..parts.documents import Document
from .batch import Batch, nothing
from .chunk import Array, Broken, Chunk, Mask, Piece, Problem
from .converted_files import ConvertedReader
from .encoding import Labels, label_codec
from .encoding.labels import Bad
from .file_identity import identity, refuse_others
from .formats.readers import Reader, Wanted
from .input_files import bytes_read, find_places, warn_of_growth
from .input_rows import input_rows
from .place_reading import reader_for, settled
from .prefetch import ahead, resumed, threads_for
from .read_options import ReadOptions
from .row_errors import called
from .sealed_rows import SealFilter
from .selection import kept_rows
from .skipped_rows import Skipped

_Item: TypeAlias = tuple[Piece, Chunk | Broken]
START: Document = {"file": 0, "at": 0, "line": 0, "rows": 0, "width": 0}


class FileSource:
    """One or several files as one stream.

    Parameters
    ----------
    given : str, path, or list of them
        Names, globs, URIs, or ``-`` for standard input.
    options : ReadOptions
        How to read them.
    wanted : Wanted
        What is wanted of the rows; where tags are, batches also say which rows of the
        input they stand for.
    binary : bool
        Whether labels are two classes.
    many : bool
        Whether they are any number of classes instead.
    n_features : int or None
        How many features there are at most, where the format does not say.
    classes : tuple or None
        The labels for -1 and +1, or all, where they are known in advance.
    side : SealFilter or None
        Which side of a seal these rows are; None: nothing is sealed.

    Attributes
    ----------
    mark : dict or None
        Where the stream stands, after the last chunk that was taken from it.
    """

    whole = False

    def __init__(
        self,
        given: object,
        options: ReadOptions | None = None,
        wanted: Wanted = Wanted(),
        *,
        binary: bool,
        many: bool = False,
        n_features: int | None = None,
        classes: tuple[object, ...] | None = None,
        side: SealFilter | None = None,
    ) -> None:
        self._classes = classes
        self._side = side
        self._wanted = wanted._replace(
            grows=not wanted.frozen, by_content=side is not None
        )
        self.places = find_places(given)
        self.rereadable = all(place.rereadable for place in self.places)
        self.skipped = Skipped()
        self._binary = binary
        self._many = many
        self._declared = n_features
        self._options = settled(self.places, options or ReadOptions(), n_features)
        self._reader = reader_for(self.places, self._options, self._wanted)
        self._targets = label_codec(self._binary, self._many, self._options.positive)
        self._mark: Document | None = None
        self._start = START
        self.mark: Document | None = None
        self._reading = 0  # the place that is being read
        self._peeked: Generator[_Item] | None = None
        self._seen: Chunk | Broken | None = None
        self._plain_of: ReadOptions | None = None
        self._plain: Document = {}

    @property
    def options(self) -> ReadOptions:
        """How the files are read, with what was found out so far."""
        return self._reader.options

    @property
    def code(self) -> Labels:
        """How labels become targets, as far as they have come."""
        return self._targets

    @property
    def reader(self) -> Reader:
        """What reads this format."""
        return self._reader

    @property
    def n_features(self) -> int | None:
        """How many features there are; None while they may grow."""
        known, declared = self._reader.n_features, self._declared
        return max(known, declared or 0) if known else declared

    @property
    def names(self) -> Names | None:
        """The names so far, where features have any."""
        return self._reader.names

    @property
    def classes(self) -> tuple[object, ...] | None:
        """The labels that became -1 and +1, or all classes; None for real labels."""
        return self._targets.classes

    @property
    def n_rows(self) -> int | None:
        """How many rows there are, where all files say so."""
        counts = [self._reader.n_rows(place) for place in self.places]
        known = [count for count in counts if count is not None]
        return sum(known) if len(known) == len(counts) else None

    def progress(self) -> tuple[int, int | None]:
        """How many bytes, as stored, were read; and how many there are."""
        return bytes_read(self.places, self._reading)

    def first_labels(self) -> Array:
        """Labels of the first chunk with rows, as they stand; the batches have them."""
        if self._peeked is None:
            chunks = self._chunks(0, 0)
            items: list[_Item] = []
            for item in chunks:
                items.append(item)
                self._seen = item[1]
                if isinstance(self._seen, Broken) or self._seen.labels.size:
                    break
            self._peeked = resumed(items, chunks)
        return self._seen.labels if isinstance(self._seen, Chunk) else np.empty(0)

    def code_labels(self, *, binary: bool, many: bool) -> None:
        """From now on labels are two classes, or any number of them, or amounts."""
        self._binary, self._many = binary, many
        self._targets = label_codec(binary, many, self._options.positive)

    def close(self) -> None:
        """Let go of what :meth:`first_labels` has begun to read."""
        if self._peeked is not None:
            self._peeked.close()
            self._peeked = None
        for place in self.places:
            place.close()

    def seek(self, mark: Document, names: Names | None = None) -> None:
        """Let the next :meth:`batches` go on right after the batch with this mark.

        Parameters
        ----------
        mark : mapping
            The batch's ``mark``.
        names : Names or None
            The source's ``names`` at that time (or later), where features have any.
        """
        for place in self.places:
            if not place.rereadable:
                raise ValueError(
                    f"{place.name}: a pipe cannot be read from the middle: give files"
                )
        self.close()
        refuse_others(mark["files"], identity(self.places))
        options = ReadOptions.from_dict(mark["options"])
        width: int = mark["width"]
        known = None if names is None else cut(names, width)
        if options.format == "jsonl" and not options.bits and len(known or ()) < width:
            raise ValueError("features have names: give those of the source, names=")
        if not isinstance(self._reader, ConvertedReader):
            wanted = self._wanted._replace(names=known)
            self._reader = reader_for(self.places, options, wanted)
        self._mark = dict(mark)

    def go_on(self, mark: Document) -> None:
        """Let these files be what comes after the batch with this mark, of others.

        Rows are counted on, and labels keep their codes. The options and the names of
        features are to be those of the other source.
        """
        counted = ("rows", "width", "labels", "skipped")
        self._start = {**START, **{name: mark[name] for name in counted}}

    def batches(self) -> Iterator[Batch]:
        """The rows, in order."""
        mark, self._mark = self._mark, None
        self.skipped = Skipped()
        self._targets = label_codec(self._binary, self._many, self._options.positive)
        chunks, self._peeked = self._peeked, None
        if self._classes is not None:
            self._targets.restore(list(self._classes))
        if mark is None and "labels" in self._start:
            mark = self._start
        if mark is not None:
            self._targets.restore(mark["labels"])
            self.skipped.count = mark["skipped"]
            chunks = self._chunks(mark["file"], mark["at"])
        return self._batches(chunks or self._chunks(0, 0), mark or START)

    def chunks(self) -> Iterator[tuple[int, Piece, Chunk]]:
        """Parsed rows with the files' own labels, from file k; bad ones left out."""
        rows = line = before = 0
        for read, chunk in self._chunks(0, 0):
            line = line if read.k == before else 0
            before = read.k
            if isinstance(chunk, Broken):
                where = self._where(read.k, chunk.line_after(line))
                raise BadRow(rows, chunk.what, where)
            part, _, _, failure = self._good(read.k, chunk, line, rows)
            if failure is not None:
                raise failure
            rows, line = rows + chunk.lines.size, line + chunk.n_lines
            yield read.k, read, part

    def _batches(self, chunks: Generator[_Item], start: Document) -> Iterator[Batch]:
        k, line, rows = start["file"], start["line"], start["rows"]
        width = start["width"]
        with closing(chunks):
            for read, chunk in chunks:
                if read.k != k:
                    k, line = read.k, 0
                if isinstance(chunk, Broken):
                    where = self._where(k, chunk.line_after(line))
                    yield nothing(BadRow(rows, chunk.what, where), width)
                    return
                width, declared = max(width, chunk.n_features), self._declared
                if declared is not None and chunk.n_features > declared:
                    raise ValueError(
                        f"n_features={declared} was declared, "
                        f"but the files have {chunk.n_features:,} features"
                    )
                batch = self._batch(k, chunk, line, rows, width)
                line += chunk.n_lines
                rows += batch.targets.size
                mark = {"file": k, "at": read.end, "line": line, "rows": rows}
                if batch.failure is not None:
                    yield batch
                    return
                self.mark = self._full(mark, width)
                if batch.targets.size or (batch.inputs and batch.inputs.n):
                    yield batch._replace(mark=self.mark)

    def _batch(self, k: int, chunk: Chunk, line: int, rows: int, width: int) -> Batch:
        """The good rows of a chunk; bad ones end it, or are skipped."""
        targets, bad = self._targets.encode_some(chunk.labels)
        chunk, keep, problems, failure = self._good(k, chunk, line, rows, bad)
        lines, told = chunk.lines, self._wanted.tagged and failure is None

        def where(i: int) -> str:
            return self._where(k, line + int(lines[i]))

        return Batch(
            chunk.rows,
            targets if keep.all() else targets[keep],
            max(width, self._declared or 0),
            failure,
            chunk.weights,
            where,
            tags=chunk.tags,
            inputs=input_rows(chunk, problems) if told else None,
        )

    def _good(
        self, k: int, chunk: Chunk, line: int, rows: int, bad: Bad | None = None
    ) -> tuple[Chunk, Mask, list[Problem], BadRow | None]:
        """The good rows of a chunk, and which they are; the others; what stops it.

        `rows` of the stream come before it, and so many lines of its file; `bad` rows
        have labels that are none.
        """
        unlabeled = [
            Problem(i, int(chunk.lines[i]), what, called(chunk, i))
            for i, what in bad or ()
        ]
        problems = sorted(
            [*chunk.problems, *unlabeled], key=lambda problem: problem[:3]
        )
        failure: BadRow | None = None
        keep = np.ones(chunk.lines.size, np.bool_)
        if problems and self._options.on_bad_rows == "stop":
            before, at, what, _ = problems[0]
            keep[before:] = False
            failure = BadRow(rows + before, what, self._where(k, line + at))
        else:
            for _, at, what, _ in problems:
                self.skipped.add(f"{self._where(k, line + at)}: {what}")
            keep[[one.before for one in unlabeled]] = False
        if problems:
            chunk = kept_rows(chunk._replace(problems=()), keep)
        return chunk, keep, problems, failure

    def _chunks(self, k: int, at: int) -> Generator[_Item]:
        """Chunks from `at` of place `k` on."""
        threads = self._options.threads
        threads = threads_for(self.places) if threads is None else threads
        with closing(ahead(self._pieces(k, at), self._parse, threads)) as parsed:
            try:
                for read, found in parsed:
                    chunk = self._reader.settle(found, partial(self._parse, read))
                    if self._side is not None:
                        chunk = self._side.take(chunk, told=self._wanted.tagged)
                    yield read, self._reader.merge(chunk)
            except Broken as error:
                yield Piece(None, 0, 0, k=error.k), error
            else:
                warn_of_growth(self.places)

    def _pieces(self, k: int, at: int) -> Generator[Piece]:
        """All pieces from the position `at` of place `k` on."""
        first = k
        self._reading = k
        for place in self.places[k:]:
            try:
                for piece in self._reader.pieces(place, max(at, place.begin)):
                    yield piece._replace(k=k)
                place.check_size()
            except Broken as error:
                error.k = k
                raise
            except ValueError as error:
                what = str(error).removeprefix(f"{place.name}: ")
                if k == first:
                    named = what if what.startswith(place.name) else None
                    raise ValueError(named or f"{place.name}: {what}") from None
                # The files before were read: what was learned from them is not lost.
                broken = Broken(what)
                broken.k = k
                raise broken from None
            k, at = k + 1, 0
            self._reading = k

    def _parse(self, read: Piece) -> Chunk:
        try:
            chunk = self._reader.parse(read).below(read.above)
            return chunk if self._side else self._reader.numbered(chunk)
        except Broken as error:
            error.k = read.k
            raise
        except ValueError as error:
            raise ValueError(f"{self.places[read.k].name}: {error}") from None

    def _where(self, k: int, line: int | None) -> str:
        return self.places[k].where(line, lined=self._reader.lined)

    def _full(self, mark: Document, width: int) -> Document:
        """A mark with all that :meth:`seek` needs."""
        if self._plain_of is not self._reader.options:
            self._plain_of = self._reader.options
            self._plain = self._plain_of.as_dict()
        mark.update(
            width=width,
            files=identity(self.places),
            labels=self._targets.state(),
            skipped=self.skipped.count,
            options=self._plain,
        )
        return mark
