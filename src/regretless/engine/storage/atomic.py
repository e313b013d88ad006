"""Replace a file as a whole: readers see the old one or the new one, never a part.

The new one is written under a temporary name in the same folder, synced to the disk and
renamed over the old one. Whatever goes wrong before that, the old one stays. A process
that is killed outright leaves its temporary file. A writer holds a lock on
it, which ends with the process: the next process to write into the folder removes every
temporary file that is not held.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
from collections.abc import Generator
from pathlib import Path
from typing import BinaryIO, cast

LEFT = f".regretless-{'?' * 16}.tmp"
_swept: set[Path] = set()  # folders in which this process has looked already
_begun: set[Path] = set()  # drafts of this process that are neither in place nor gone


class Draft:
    """The next content of a file: :meth:`commit` puts it in place, else it is gone.

    ``with Draft(path) as draft: ...; draft.commit()`` leaves nothing else behind.

    A link is followed. The permissions of a file that is replaced are kept.

    Parameters
    ----------
    path : path
        The file to be replaced, or made.

    Attributes
    ----------
    stream : binary stream
        To write into.
    path : Path
        The temporary file, for those who write by name.

    Raises
    ------
    OSError
        Of the kind that was met (missing folder, no permission, full disk), saying
        what became of the file.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._name = Path(path)
        self._target = Path(os.path.realpath(path))
        if special(self._name):
            raise OSError(f"{path}: not saved: there is something that is not a file")
        self._replaces = self._target.exists()
        _sweep(self._target.parent)
        with self.explained():
            self.path, self.stream = _owned(self._target.parent)
        self._pending = True

    def commit(self) -> None:
        """Put it in place, whole and synced."""
        self._pending = False
        with self.explained():
            try:
                _write_synced(self.stream)
                if self._replaces:
                    self.path.chmod(self._target.stat().st_mode & 0o7777)
                if os.name != "posix":  # an open file cannot be renamed there
                    self.stream.close()
                self.path.replace(self._target)
                _begun.discard(self.path)
            except BaseException:
                self.drop()
                raise
            self.stream.close()
            _sync_folder(self._target.parent)

    def drop(self) -> None:
        """Leave nothing behind; what was there before stays."""
        with contextlib.suppress(OSError):  # the disk may be too full to flush
            self.stream.close()
        self.path.unlink(missing_ok=True)
        _begun.discard(self.path)

    def __enter__(self) -> Draft:
        return self

    def __exit__(self, kind: object, problem: object, trace: object) -> None:
        if not self._pending:
            return
        self.drop()
        if isinstance(problem, OSError):
            with self.explained():
                raise problem

    @contextlib.contextmanager
    def explained(self) -> Generator[None]:
        """An OSError inside says what became of the file."""
        try:
            yield
        except OSError as error:
            kept = "; the file that was there is unchanged" if self._replaces else ""
            text = f"{self._name}: not saved: {_why(error)}{kept}"
            raise _same_kind(error, text) from error


@contextlib.contextmanager
def writing(path: str | os.PathLike[str]) -> Generator[BinaryIO]:
    """A stream whose content becomes the file when the block ends well.

    A pipe or a device (``/dev/stdout``) is no file to replace: it is written directly.
    """
    if special(Path(path)):
        try:
            with Path(path).open("wb") as stream:
                yield stream
        except OSError as error:
            raise _same_kind(error, f"{path}: {_why(error)}") from error
        return
    with Draft(path) as draft:
        yield draft.stream
        draft.commit()


def special(path: Path) -> bool:
    """Whether there is something that is not a file to replace.

    ``/dev/stdout`` is none either, even where output goes to a file.
    """
    return path.exists() and (path.is_relative_to("/dev") or not path.is_file())


def _owned(folder: Path) -> tuple[Path, BinaryIO]:
    """A new temporary file, locked by this process."""
    while True:
        path = folder / LEFT.replace("?" * 16, secrets.token_hex(8))
        _begun.add(path)
        # "x": never through a link that another user has laid there.
        stream = path.open("xb")
        _lock(stream, wait=True)
        # A sweep in between may have taken it for a file that was left.
        if path.exists():
            return path, stream
        stream.close()


def _sweep(folder: Path) -> None:
    """Remove what killed processes have left, and drafts that were broken off."""
    with contextlib.suppress(OSError):
        found = list(_begun) if folder in _swept else [*_begun, *folder.glob(LEFT)]
        for left in found:
            with contextlib.suppress(OSError), left.open("r+b") as stream:
                _lock(stream, wait=False)
                left.unlink()
            if not left.exists():
                _begun.discard(left)
    _swept.add(folder)


def locked(path: Path, mode: str) -> BinaryIO:
    """Open a file that no other process holds.

    Raises
    ------
    BlockingIOError
        Where another process does.
    """
    while True:
        stream = cast("BinaryIO", path.open(mode))
        try:
            _lock(stream, wait=False)
            if path.exists() and os.path.samestat(
                path.stat(), os.fstat(stream.fileno())
            ):
                return stream
        except BlockingIOError:
            stream.close()
            raise
        except OSError:  # a file system without locks
            return stream
        stream.close()  # it was removed before it was locked


def _lock(stream: BinaryIO, *, wait: bool) -> None:
    """Hold the file until it is closed; OSError where another process does.

    Windows needs none: a file that is open cannot be removed there.
    """
    if sys.platform != "win32":
        import fcntl

        if wait:
            with contextlib.suppress(OSError):  # a file system without locks
                fcntl.flock(stream, fcntl.LOCK_EX)
        else:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _write_synced(stream: BinaryIO) -> None:
    stream.flush()
    os.fsync(stream.fileno())


def _sync_folder(folder: Path) -> None:
    """Make the new name itself last; only POSIX lets a folder be opened for that."""
    if os.name != "posix":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _why(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)


def _same_kind(error: OSError, text: str) -> OSError:
    """The same error with another text; its number picks the class."""
    arguments: tuple[object, ...] = (text,)
    if error.errno is not None:  # pyright: ignore[reportUnnecessaryComparison]
        arguments = (error.errno, text)
    return OSError(*arguments)
