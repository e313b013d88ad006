"""Where output goes: results to standard output, everything else to standard error.

With --json standard output carries the document alone: whatever else is printed, by us,
by Ray or by a library below Python, goes to standard error.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

from ..parts.documents import Document
from ..parts.visible import visible

if TYPE_CHECKING:
    from .layout import Shown

WIDTH = 88
BLOCK = 1 << 16  # bytes that are written at a time


class OutputLost(OSError):  # noqa: N818 - it is what happened to the output
    """Standard output cannot be written any more."""


class StandardOutput:
    """What writes standard output: every byte of it, or it raises :class:`OutputLost`.

    Python's own stream loses what a full disk does not take where it is unbuffered
    (``python -u``): a write may be short there, and its length is not looked at.

    Parameters
    ----------
    stream : text stream
        What is replaced. A terminal, or a stream of a caller, is written through it.
    number : int or None
        The file or the pipe that is written instead, in UTF-8.
    """

    def __init__(self, stream: TextIO, number: int | None) -> None:
        self._stream = stream
        self.number = number
        self._prompt = bool(getattr(stream, "write_through", False))
        self._waiting = bytearray()

    def write(self, text: str) -> int:
        """Write text."""
        if self.number is not None:
            self.write_bytes(text.encode("utf-8", "surrogateescape"))
        else:
            with self._watching():
                self._stream.write(text)
        return len(text)

    def write_bytes(self, data: bytes) -> None:
        """Write text that is UTF-8 already: data, which only a terminal alters."""
        if self.number is None:
            text = data.decode("utf-8", "surrogateescape")
            self.write(visible(text) if self._stream.isatty() else text)
            return
        self._waiting += data
        if self._prompt or len(self._waiting) >= BLOCK:
            self.flush()

    def flush(self) -> None:
        """Let everything be out."""
        with self._watching():
            if self.number is None:
                self._stream.flush()
                return
            while self._waiting:
                try:
                    del self._waiting[: os.write(self.number, self._waiting)]
                except BlockingIOError:  # a pipe whose reader is slow
                    select.select([], [self.number], [])

    def forget(self) -> None:
        """Throw away what could not be written: there is no second try at the end."""
        self._waiting.clear()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    @contextmanager
    def _watching(self) -> Generator[None]:
        try:
            yield
        except OSError as error:
            raise OutputLost(error.errno, error.strerror) from None


class CommandOutput:
    """What a command answers on standard output: text as it comes, or one document.

    Outside of a ``with`` block nothing is written: the document is for the caller.

    Parameters
    ----------
    json : bool
        Whether it is a document.

    Attributes
    ----------
    document : dict
        What the command has put into it.
    code : int
        The exit code.
    error : str or None
        What went wrong, in one line.
    sink : StandardOutput or None
        What writes it.
    """

    running: CommandOutput | None = None
    """That of the command that runs."""

    def __init__(self, json: bool) -> None:
        self.json = json
        self.document: Document = {}
        self.code = 0
        self.error: str | None = None
        self._begun = False  # to write the document
        self._before_row: str | None = None  # in a list of it
        self.sink: StandardOutput | None = None
        self._before: TextIO = sys.stdout
        self._own: int | None = None  # standard output itself, out of the way

    @contextmanager
    def current(self) -> Generator[None]:
        """What commands print goes into this answer inside."""
        before, CommandOutput.running = CommandOutput.running, self
        try:
            yield
        finally:
            CommandOutput.running = before

    def __enter__(self) -> CommandOutput:
        self._before = stream = sys.stdout
        number = _number_of(stream)
        if self.json and number is not None:
            number = self._own = os.dup(number)
            os.dup2(2, 1)
        self.sink = StandardOutput(stream, number)
        sys.stdout = sys.stderr if self.json else cast("TextIO", self.sink)
        return self

    def __exit__(self, *problem: object) -> None:
        sys.stdout = self._before
        if self._own is not None:
            os.dup2(self._own, 1)
            os.close(self._own)

    def put(self, document: Document) -> None:
        """Add this to the document."""
        self.document |= document

    def add_rows(self, name: str, rows: Sequence[Document]) -> None:
        """Add to a list of the document, which is written as it comes."""
        if self.sink is None:
            self.document.setdefault(name, []).extend(rows)
            return
        if self._before_row is None:
            self.sink.write(f'{self._next()}\n  "{name}": [')
            self._before_row = "\n"
        for row in rows:
            self.sink.write(f"{self._before_row}    {_text(row)}")
            self._before_row = ",\n"

    def tell(self) -> None:
        """Write what there is by now; how the command ends comes last of all."""
        if self.sink is None:
            return
        if self.json and self.document:
            inside = _text(self.document, indent=2).removeprefix("{")
            self.sink.write(self._next() + inside.removesuffix("\n}"))
            self.document = {}
        self.sink.flush()

    def finish(self) -> None:
        """Write what is left to be written."""
        if self.sink is None:
            return
        if self.json:
            self.put({"exit_code": self.code})
            if self.error is not None:
                self.put({"error": self.error})
            self.tell()
            self.sink.write("\n}\n")
        self.sink.flush()

    def abandon(self) -> None:
        """Write no more."""
        if self.sink is not None:
            self.sink.forget()

    def _next(self) -> str:
        """What stands before the next member of the document."""
        end = "" if self._before_row is None else "\n  ]"
        before = f"{end}," if self._begun else "{"
        self._begun, self._before_row = True, None
        return before


def standard_output_file() -> Path | None:
    """The file that standard output goes to; None where it goes elsewhere."""
    answer = CommandOutput.running
    sink = None if answer is None else answer.sink
    if sink is None or sink.number is None:
        return None
    path = Path(f"/dev/fd/{sink.number}")
    return path if path.is_file() else None


def writes_json() -> bool:
    """Whether the answer is a document, so that standard output is taken."""
    return CommandOutput.running is not None and CommandOutput.running.json


def _number_of(stream: TextIO) -> int | None:
    """The file or pipe that standard output is; None for a terminal, or another."""
    own = stream is sys.__stdout__ or sys.__stdout__ is None
    return None if not own or stream.isatty() else stream.fileno()


def _text(document: Document, indent: int | None = None) -> str:
    """As JSON; what is not a number there is null."""
    import json

    from ..engine.storage.plain import finite

    return json.dumps(finite(document), indent=indent, default=str)


def mend_streams() -> None:
    """Make the three standard streams such that they can be written, or fail plainly.

    A closed one is opened, so that no file we open takes its number; to write to a
    closed standard output still fails. What is not a terminal is UTF-8, in any locale.
    """
    for number, way in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, way)
    stdout: Any = sys.stdout
    stderr: Any = sys.stderr
    if stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    elif stdout is sys.__stdout__:
        stdout.reconfigure(errors="replace")
    if stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def say(text: str) -> None:
    """One remark, on standard error."""
    with suppress(OSError):  # there is no place left to report it
        print(visible(text), file=sys.stderr, flush=True)


def show(*parts: Shown) -> None:
    """Print results: in color on a terminal, else as plain text of a fixed width."""
    width, color = WIDTH, False
    if sys.stdout.isatty():
        from shutil import get_terminal_size

        width = get_terminal_size().columns
        color = "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    for part in parts:
        for line in part.lines(width, color):
            sys.stdout.write(f"{line.rstrip()}\n")


def write_out(text: str) -> None:
    """Write words to standard output."""
    sys.stdout.write(visible(text))


def write_data(data: bytes) -> None:
    """Write data to standard output, as they are."""
    stream = cast("TextIO | StandardOutput", sys.stdout)
    if isinstance(stream, StandardOutput):
        stream.write_bytes(data)
    else:
        stream.write(data.decode("utf-8", "surrogateescape"))


def wants_json() -> bool:
    """Whether the command that runs is to answer with a document."""
    return _now().json


def print_json(document: Document) -> None:
    """Answer with this document; what is not a number there is null."""
    _now().put(document)


def tell() -> None:
    """Let what was answered by now be written, before more work."""
    _now().tell()


def print_rows(name: str, rows: Sequence[Document]) -> None:
    """Answer with more rows of the list `name` of the document."""
    _now().add_rows(name, rows)


def _now() -> CommandOutput:
    answer = CommandOutput.running
    assert answer is not None, "a command is run by main"
    return answer
