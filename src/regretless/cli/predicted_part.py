"""The predictions of ``train -p``, kept as numbers until the last row has come.

Which classes there are, and so which columns, is known at the end. Until then the
numbers are in a part, batch after batch: a run that fails or is killed leaves FILE as
it was. Then FILE is written as a whole. The part has no name, but where there are
checkpoints: a run that is resumed goes on where FILE.part ends. That begins with the
name of its run, which the checkpoint knows, and is locked while it is written.

A batch is a stream of Arrow behind its length (8 bytes). Classes are numbers in it.
"""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms.learners.probabilities import two_probabilities
from ..algorithms.prediction_sets import in_set
from ..data import Batch
from ..data.formats.arrow_numbers import column_of, numbers_of, text_column
from ..data.pyarrow_import import arrow
from ..engine.hypotheses.class_probabilities import class_probabilities
from ..engine.storage.atomic import locked, special
from ..parts.documents import Document
from ..parts.state import Floats
from .predicted_columns import BY_CLASS, Column, Naming, Predicted, columns_of
from .predicted_files import UniqueIds, is_screen, table_writer
from .usage import UsageError

if TYPE_CHECKING:
    from ..data import ReadOptions, Source
    from ..data.chunk import Array
    from ..runs.session import Session

LENGTH = 8  # bytes before every batch


class PredictionTable:
    """Takes the prediction of every row, made before its label was seen.

    Parameters
    ----------
    path : str
        The file; "-": standard output.
    named : bool
        Whether there are checkpoints, which have to find the part again.
    begun : mapping or None
        What a checkpoint knows of the part; see :attr:`position`.
    safe : bool
        Whether texts of CSV are such that no spreadsheet computes them.
    """

    scored = True

    def __init__(
        self,
        path: str,
        *,
        named: bool = False,
        begun: Document | None = None,
        safe: bool = False,
    ) -> None:
        self._path = path
        self._safe = safe
        self._part: Path | None = None
        self._rows = 0
        self._naming: Naming | None = None
        self._unique: UniqueIds | None = None
        self._resumed = begun is not None and begun["bytes"] > 0
        self._wanted = self._resumed  # by a checkpoint
        self._run = begun["run"] if begun and self._resumed else secrets.token_hex(8)
        apart = is_screen(path) or special(Path(path))
        if apart or not named:
            folder = None if apart else Path(path).absolute().parent
            self._file: Any = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115
            return
        self._part = Path(f"{path}.part")
        try:
            self._file = locked(self._part, "r+b" if self._resumed else "a+b")
        except BlockingIOError:
            raise UsageError(
                f"--predictions {path}: another run is writing {self._part}"
            ) from None
        if not self._resumed:
            self._file.truncate(0)
            self._file.write(self._run.encode())
            return
        assert begun is not None
        try:
            self._go_on(begun["bytes"])
        except BaseException:
            self._file.close()
            raise

    def _go_on(self, at: int) -> None:
        """Stand where a checkpoint saw the part end; it must be that part."""
        size = self._file.seek(0, 2)
        self._file.seek(0)
        if self._file.read(len(self._run)) != self._run.encode():
            raise ValueError(f"{self._part}: it is of another run than the checkpoint")
        if size < at:
            raise ValueError(
                f"{self._part}: it has {size:,} bytes, and the checkpoint was made "
                f"when it had {at:,}"
            )
        self._rows = sum(batch.num_rows for batch in self._stored(at))
        self._file.seek(at)
        self._file.truncate()

    @property
    def position(self) -> Document:
        """What a checkpoint keeps: the run, and the bytes safely in its part."""
        self._wanted = True
        with self._explained():
            self._file.flush()
        return {
            "bytes": 0 if self._part is None else self._file.tell(),
            "run": self._run,
        }

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
        for batch in self._stored(end):
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
        with table_writer(self._path, safe=self._safe) as table:
            for columns in self._tables(classes):
                table.write(columns)
        self._wanted = False

    def _tables(self, classes: tuple[object, ...] | None) -> Iterator[list[Column]]:
        """The batches, with the names and the columns that are known now."""
        end = self._file.tell()
        names, texts = self._columns(end)
        for batch in self._stored(end):
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
        if self._part is not None and not self._wanted:
            self._part.unlink(missing_ok=True)

    def _stored(self, end: int) -> Iterator[Any]:
        """The record batches of a part that ends there."""
        self._file.seek(0 if self._part is None else len(self._run))
        while self._file.tell() < end:
            length = int.from_bytes(self._file.read(LENGTH), "little")
            stored = self._file.read(length) if length <= end else b""
            yield arrow("ipc").open_stream(stored).read_next_batch()

    def _columns(self, end: int) -> tuple[list[str], set[str]]:
        """The names of all columns, in order; and which of them are texts anywhere."""
        last: list[str] = []
        texts: set[str] = set()
        for batch in self._stored(end):
            last = max(last, batch.schema.names, key=len)  # classes come, and stay
            texts |= {
                field.name for field in batch.schema if field.type == arrow().string()
            }
        return last, texts

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
