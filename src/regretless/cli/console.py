"""Where output goes: results to standard output, everything else to standard error.

With --json standard output carries the document alone: whatever else is printed, by us,
by Ray or by a library below Python, goes to standard error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO, cast

from ..parts.documents import Document

if TYPE_CHECKING:
    from .layout import Shown

__all__ = [
    "CommandOutput",
    "OutputLost",
    "mend_streams",
    "print_json",
    "print_rows",
    "say",
    "show",
    "wants_json",
    "write_out",
]

WIDTH = 88
COMMA = ",\n"


class OutputLost(OSError):  # noqa: N818 - it is what happened to the output
    """Standard output cannot be written any more."""


class _Watched:
    """A stream whose failures say that they are those of standard output."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with self._watching():
            return self._stream.write(text)

    def flush(self) -> None:
        with self._watching():
            self._stream.flush()

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

    Parameters
    ----------
    json : bool
        Whether it is a document.
    kept : bool
        Whether the document is for the caller, not to be written.

    Attributes
    ----------
    document : dict
        What the command has put into it.
    code : int
        The exit code.
    error : str or None
        What went wrong, in one line.
    """

    running: CommandOutput | None = None
    """That of the command that runs."""

    def __init__(self, json: bool, *, kept: bool = False) -> None:
        self.json = json
        self.document: Document = {}
        self.code = 0
        self.error: str | None = None
        self._kept = kept
        self._sink: Any = None
        self._listing = ""  # what was written of a list before its next entry
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
        if self.json and stream is sys.__stdout__:
            self._own = os.dup(1)
            os.dup2(2, 1)
            stream = open(self._own, "w", encoding="utf-8")  # noqa: PTH123
        self._sink = _Watched(stream)
        sys.stdout = sys.stderr if self.json else cast("TextIO", self._sink)
        return self

    def __exit__(self, *problem: object) -> None:
        sys.stdout = self._before
        if self._own is not None and self._sink is not None:
            os.dup2(self._own, 1)
            with suppress(OSError):
                self._sink.close()

    def put(self, document: Document) -> None:
        """Add this to the document."""
        self.document |= document

    def add_rows(self, name: str, rows: Sequence[Document]) -> None:
        """Add to a list of the document, which is written as it comes."""
        if self._kept or self._sink is None:
            self.document.setdefault(name, []).extend(rows)
            return
        if not self._listing:
            self._listing = f'{{\n  "{name}": [\n'
            self._sink.write(self._listing)
        for row in rows:
            comma = self._listing if self._listing == COMMA else ""
            self._sink.write(f"{comma}    {_text(row)}")
            self._listing = COMMA

    def finish(self) -> None:
        """Write what is left to be written."""
        if self._sink is None:
            return
        if self.json:
            ending: Document = {"exit_code": self.code}
            if self.error is not None:
                ending["error"] = self.error
            text = _text(self.document | ending, indent=2)
            self._sink.write(f"\n  ],{text[1:]}" if self._listing else text)
            self._sink.write("\n")
        self._sink.flush()

    def abandon(self) -> None:
        """Throw away what could not be written: there is no second try at the end."""
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._sink.fileno())
            os.close(nowhere)


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
    elif stdout is sys.__stdout__ and not stdout.isatty():
        stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    elif stdout is sys.__stdout__:
        stdout.reconfigure(errors="replace")
    if stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def say(text: str) -> None:
    """One remark, on standard error."""
    with suppress(OSError):  # nobody can be told that nobody can be told
        print(text, file=sys.stderr, flush=True)


def show(*parts: Shown) -> None:
    """Print results: in color on a terminal, else as plain text of a fixed width."""
    width, color = WIDTH, False
    if sys.stdout.isatty():
        from shutil import get_terminal_size

        width = get_terminal_size().columns
        color = "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    for part in parts:
        for line in part.lines(width, color):
            write_out(f"{line.rstrip()}\n")


def write_out(text: str) -> None:
    """Write to standard output."""
    sys.stdout.write(text)


def wants_json() -> bool:
    """Whether the command that runs is to answer with a document."""
    return _now().json


def print_json(document: Document) -> None:
    """Answer with this document; what is not a number there is null."""
    _now().put(document)


def print_rows(name: str, rows: Sequence[Document]) -> None:
    """Answer with more rows of the list `name` of the document."""
    _now().add_rows(name, rows)


def _now() -> CommandOutput:
    answer = CommandOutput.running
    assert answer is not None, "a command is run by main"
    return answer
