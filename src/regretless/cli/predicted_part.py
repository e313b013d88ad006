"""The predictions of ``train -p``, kept as numbers until the last row has come.

Which classes there are, and so which columns, is known at the end. Until then the
tables of batches are in a part, with numbers for classes: a run that fails or is killed
leaves FILE as it was. Then FILE is written as a whole. The part has no name, but where
there are checkpoints: a run that is resumed goes on where FILE.part ends.

A part begins with the name of its run, which the checkpoint knows. Behind it stands a
stream of Arrow for every batch. It is locked while it is written.
"""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..algorithms.learners.probabilities import two_probabilities
from ..algorithms.prediction_sets import in_set
from ..data import Batch
from ..data.formats.columns import ids_of
from ..data.pyarrow_import import ArrowColumn, ArrowSchema, RecordBatch, arrow
from ..engine.hypotheses.class_probabilities import class_probabilities
from ..engine.storage.atomic import locked, special
from ..parts.documents import Document
from ..parts.state import Floats
from .console import tell
from .predicted_columns import Predicted, columns_of
from .row_names import BY_CLASS, RowNames
from .table_files import array_of, is_screen, record_batch, table_writer
from .usage import UsageError

if TYPE_CHECKING:
    from ..runs.session import Session


class PredictionTable:
    """Takes the prediction of every row, made before its label was seen.

    Parameters
    ----------
    path : str
        The file; "-": standard output.
    names : RowNames
        What rows are called.
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
        names: RowNames,
        *,
        named: bool = False,
        begun: Document | None = None,
        safe: bool = False,
    ) -> None:
        self._path = path
        self._names = names
        self._safe = safe
        self._part: Path | None = None
        at = begun["bytes"] if begun else 0
        self._wanted = at > 0  # by a checkpoint
        self._run: str = begun["run"] if begun and at else secrets.token_hex(8)
        apart = is_screen(path) or special(Path(path))
        if apart or not named:
            folder = None if apart else Path(path).absolute().parent
            self._file: Any = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115
        else:
            self._part = Path(f"{path}.part")
            try:
                self._file = locked(self._part, "r+b" if at else "a+b")
            except BlockingIOError:
                raise UsageError(
                    f"--predictions {path}: another run is writing {self._part}"
                ) from None
        try:
            self._begin_at(at)
        except BaseException:
            self._file.close()
            raise

    def _begin_at(self, at: int) -> None:
        """Drop what a part has behind a checkpoint; it must be the part of its run."""
        size = self._file.seek(0, 2)
        self._file.seek(0)
        if at and self._file.read(len(self._run)) != self._run.encode():
            raise ValueError(f"{self._part}: it is of another run than the checkpoint")
        if size < at:
            raise ValueError(
                f"{self._part}: it has {size:,} bytes, and the checkpoint was made "
                f"when it had {at:,}"
            )
        self._file.seek(at)
        self._file.truncate()
        if not at:
            self._file.write(self._run.encode())
        for batch in self._stored():
            self._names.count(batch.num_rows, ids_of(batch.column(0)))

    @property
    def position(self) -> Document:
        """What a checkpoint keeps: the run, and the bytes safely in its part."""
        self._wanted = True
        with self._explained():
            self._file.flush()
        size = 0 if self._part is None else self._file.tell()
        return {"bytes": size, "run": self._run}

    def after(self, batch: Batch, scores: Floats | None, session: Session) -> None:
        """Keep the predictions of a batch."""
        if scores is None or batch.inputs is None:
            return
        self._names.check(session.source.classes)
        before = session.rows - batch.targets.size
        refused = {
            row - before: error.problem
            for row, error in session.refused.items()
            if before <= row < session.rows
        }
        predicted = _predicted(scores, session)
        columns = columns_of(predicted, batch.inputs, self._names, reasons=refused)
        table = record_batch(columns)
        with (
            self._explained(),
            arrow("ipc").new_stream(self._file, table.schema) as stream,
        ):
            stream.write_batch(table)

    def last(self, session: object) -> None:
        """Let everything be in the part."""
        with self._explained():
            self._file.flush()

    def commit(self, classes: tuple[object, ...] | None) -> None:
        """All rows were predicted: write the file, and drop the part."""
        schemas = [batch.schema for batch in self._stored()]
        with table_writer(self._path, safe=self._safe) as table:
            last = _together(schemas) if schemas else None
            for batch in self._stored():
                table.write_batch(_finished(batch, last, classes or ()))
        if is_screen(self._path):
            tell()  # that they are lost is said before what they came to
        self._wanted = False

    def close(self) -> None:
        """No more rows will come."""
        with suppress(OSError):  # a full disk was met, and told, before
            self._file.close()
        if self._part is not None and not self._wanted:
            self._part.unlink(missing_ok=True)

    def _stored(self) -> Iterator[RecordBatch]:
        """The tables in the part."""
        end = self._file.tell()
        self._file.seek(len(self._run))
        while self._file.tell() < end:
            yield from arrow("ipc").open_stream(self._file)

    @contextmanager
    def _explained(self) -> Generator[None]:
        try:
            yield
        except OSError as error:
            where = str(self._part or self._path)
            raise OSError(error.errno, error.strerror, where) from None


def _predicted(scores: Floats, session: Session) -> Predicted:
    """What was predicted, with the numbers of classes for their labels."""
    known = session.source.classes
    chances: Floats | None = None
    if session.learner.probabilistic and scores.ndim == 2:
        chances = class_probabilities(scores, session.slopes)
    elif session.learner.probabilistic:
        chances = two_probabilities(scores)
    numbers = None if known is None else tuple(range(len(known)))
    found = Predicted(scores, numbers, chances)
    if session.shown is None:
        return found
    if numbers is not None and chances is not None:
        return found._replace(inside=in_set(chances, session.shown[0]))
    low, high = session.shown
    return found._replace(ends=(low, high))


def _together(schemas: list[ArrowSchema]) -> ArrowSchema:
    """The schema of all tables of a part: ids of several kinds are texts."""
    last = max(schemas, key=len)  # classes come, and stay
    ids = {schema.field(0).type for schema in schemas}
    text = arrow().field(last.names[0], arrow().string())
    return last if len(ids) == 1 else last.set(0, text)


def _finished(
    batch: RecordBatch, schema: ArrowSchema, classes: tuple[object, ...]
) -> RecordBatch:
    """A table with all columns, and with labels instead of the numbers of classes."""
    columns: dict[str, ArrowColumn] = {}
    for name, kind in zip(schema.names, schema.types, strict=True):
        at = batch.schema.get_field_index(name)
        known = (
            batch.column(at).cast(kind) if at >= 0 else arrow().nulls(len(batch), kind)
        )
        if classes and name == "prediction":
            known = array_of(classes).take(known)
        columns[_final_name(name, classes)] = known
    return arrow().record_batch(columns)


def _final_name(name: str, classes: tuple[object, ...]) -> str:
    """The name of a column: of a class, with its label."""
    kind, _, number = name.partition("_")
    if classes and kind in BY_CLASS and number:
        return f"{kind}_{classes[int(number)]}"
    return name
