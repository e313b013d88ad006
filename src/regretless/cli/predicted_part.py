"""The predictions of ``train -p``, kept as numbers until the last row has come.

Which classes there are, and so which columns, is known at the end. Until then the
numbers are in FILE.part, batch after batch: a run that fails or is killed leaves FILE
as it was, and one that is resumed goes on where the part ends. Then FILE is written as
a whole. Of a pipe or of standard output the part is a temporary file.

A batch is a stream of Arrow behind its length (8 bytes). Classes are numbers in it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from ..algorithms.learners.probabilities import two_probabilities
from ..algorithms.prediction_sets import in_set
from ..data import Batch
from ..data.formats.arrow_numbers import column_of, numbers_of, text_column
from ..data.pyarrow_import import arrow, unreadable
from ..engine.hypotheses.class_probabilities import class_probabilities
from ..engine.storage.atomic import special
from ..parts.documents import Document
from ..parts.state import Floats
from .predicted_columns import BY_CLASS, Column, Naming, Predicted, columns_of
from .predicted_files import UniqueIds, is_screen, table_writer

if TYPE_CHECKING:
    from ..data import ReadOptions, Source
    from ..data.chunk import Array
    from ..runs.session import Session

__all__ = ["PredictionTable"]

LENGTH = 8  # bytes before every batch


class PredictionTable:
    """Takes the prediction of every row, made before its label was seen.

    Parameters
    ----------
    path : str
        The file; "-": standard output.
    at : int
        How many bytes of the part are to be kept: those that a checkpoint knows.
    """

    scored = True

    def __init__(self, path: str, at: int = 0) -> None:
        self._path = path
        self._part: Path | None = None
        self._rows = 0
        self._naming: Naming | None = None
        self._unique: UniqueIds | None = None
        self._resumed = at > 0
        if is_screen(path) or special(Path(path)):
            self._file: Any = tempfile.TemporaryFile()  # noqa: SIM115 - closed below
            return
        self._part = Path(f"{path}.part")
        if at:
            self._check_part(at)
        self._file = self._part.open("r+b" if at else "w+b")
        self._file.seek(at)
        self._file.truncate()

    def _check_part(self, at: int) -> None:
        """The part that a checkpoint knows must be there, and be such a part."""
        assert self._part is not None
        size = self._part.stat().st_size
        if size < at:
            raise ValueError(
                f"{self._part}: it has {size:,} bytes, and the checkpoint was made "
                f"when it had {at:,}"
            )
        try:
            with self._part.open("rb") as file:
                self._rows = sum(batch.num_rows for batch in _stored(file, at))
        except unreadable():
            raise ValueError(
                f"{self._part}: it has no columns of predictions: a run that began "
                "with plain lines can go on with --plain"
            ) from None

    @property
    def position(self) -> int:
        """How many bytes are safely in the part."""
        with self._explained():
            self._file.flush()
        return 0 if self._part is None else self._file.tell()

    def after(self, batch: Batch, scores: Floats | None, session: Session) -> None:
        """Keep the predictions of a batch."""
        inputs = batch.inputs
        if scores is None or inputs is None:
            return
        naming = self._begun(session.source)
        if self._unique is not None and inputs.ids is not None and inputs.n:
            self._unique.feed(inputs.ids, self._rows + 1)
        known = session.source.classes
        chances: Floats | None = None
        if session.learner.probabilistic:
            chances = two_probabilities(scores)
            if scores.ndim == 2:
                chances = class_probabilities(scores, session.slopes)
        classes = None if known is None else tuple(range(len(known)))
        before = session.rows - batch.targets.size
        refused = {
            row - before: error.problem
            for row, error in session.refused.items()
            if before <= row < session.rows
        }
        predicted = Predicted(scores, classes, chances)
        if session.shown is not None and known is not None and chances is not None:
            predicted = predicted._replace(inside=in_set(chances, session.shown[0]))
        elif session.shown is not None:
            low, high = session.shown
            predicted = predicted._replace(ends=(low, high))
        columns = columns_of(
            predicted,
            inputs,
            naming,
            self._rows + 1,
            reasons=refused,
        )
        self._rows += inputs.n
        stored = _packed(columns)
        with self._explained():
            self._file.write(len(stored).to_bytes(LENGTH, "little"))
            self._file.write(stored)

    def _begun(self, source: Source) -> Naming:
        """How rows are called, known when the first batch is at hand."""
        if self._naming is None:
            options: ReadOptions | None = getattr(source, "options", None)
            assert options is not None, "train reads files"
            name = None if options.id is None else str(options.id)
            self._naming = Naming(name, options.format == "vw")
            self._naming.check(source.classes)
            if name is not None:
                self._unique = UniqueIds(name)
                if self._resumed:
                    self._feed_again()
        return self._naming

    def _feed_again(self) -> None:
        """Know the ids that came before the checkpoint."""
        assert self._unique is not None
        end, first = self._file.tell(), 1
        self._file.seek(0)
        for batch in _stored(self._file, end):
            self._unique.feed(_unpacked(batch.column(0)), first)
            first += batch.num_rows
        self._file.seek(end)

    def last(self, session: object) -> None:
        """Let everything be in the part."""
        with self._explained():
            self._file.flush()

    def commit(self, classes: tuple[object, ...] | None) -> None:
        """All rows were predicted: write the file, and drop the part."""
        if self._naming is not None:
            self._naming.check(classes)
        with table_writer(self._path) as table:
            for columns in self._tables(classes):
                table.write(columns)
        if self._part is not None:
            self._file.close()
            self._part.unlink()

    def _tables(self, classes: tuple[object, ...] | None) -> Iterator[list[Column]]:
        """The batches, with the names and the columns that are known now."""
        end = self._file.tell()
        names, texts = _columns_in(self._file, end)
        self._file.seek(0)
        for batch in _stored(self._file, end):
            found = dict(zip(batch.schema.names, batch.columns, strict=True))
            why = found["reason"].dictionary_encode()
            columns = [
                _named(
                    name,
                    _unpacked(found.get(name), batch.num_rows, name in texts),
                    classes,
                )
                for name in names[:-1]
            ]
            codes = why.indices.fill_null(-1).to_numpy(zero_copy_only=False)
            columns.append(Column("reason", codes, tuple(why.dictionary.to_pylist())))
            yield columns

    def close(self) -> None:
        """No more rows will come."""
        with suppress(OSError):  # a full disk was met, and told, before
            self._file.close()

    @contextmanager
    def _explained(self) -> Generator[None]:
        try:
            yield
        except OSError as error:
            where = str(self._part or self._path)
            raise OSError(error.errno, error.strerror, where) from None


def _packed(columns: list[Column]) -> bytes:
    """Columns as a stream of Arrow."""
    pa = arrow()
    arrays: Document = {}
    for name, values, labels in columns:
        if name == "reason":
            reasons = [*map(str, labels or ()), ""]  # -1: there is none
            arrays[name] = text_column([reasons[int(k)] for k in values])
        elif values.dtype == object:
            arrays[name] = text_column(list(map(str, values)))
        else:
            arrays[name] = column_of(values)
    batch = pa.record_batch(arrays)
    sink = pa.BufferOutputStream()
    with arrow("ipc").new_stream(sink, batch.schema) as stream:
        stream.write_batch(batch)
    return sink.getvalue().to_pybytes()


def _stored(file: BinaryIO, end: int) -> Iterator[Any]:
    """The record batches of a part that ends there."""
    while file.tell() < end:
        length = int.from_bytes(file.read(LENGTH), "little")
        stored = file.read(length) if length <= end else b""
        yield arrow("ipc").open_stream(stored).read_next_batch()


def _columns_in(file: BinaryIO, end: int) -> tuple[list[str], set[str]]:
    """The names of all columns, in order; and which of them are texts anywhere."""
    file.seek(0)
    last: list[str] = []
    texts: set[str] = set()
    for batch in _stored(file, end):
        last = max(last, batch.schema.names, key=len)  # classes come, and stay
        texts |= {
            field.name for field in batch.schema if field.type == arrow().string()
        }
    return last, texts


def _unpacked(array: Any, n: int = 0, texts: bool = False) -> Any:
    """An array of a part; nothing where it is not there."""
    if array is None:
        return np.full(n, np.nan)
    if array.type == arrow().string():
        return np.array(array.to_pylist(), object)
    values = numbers_of(array)
    return np.array([str(one) for one in values], object) if texts else values


def _named(name: str, values: Array, classes: tuple[object, ...] | None) -> Column:
    """A column under its final name: of a class, that of its label."""
    if name == "prediction" and classes is not None:
        return Column(name, values, classes)
    kind, _, number = name.partition("_")
    if kind in BY_CLASS and number.isdigit() and values.dtype == np.float64:
        assert classes is not None
        return Column(f"{kind}_{classes[int(number)]}", values)
    return Column(name, values)
