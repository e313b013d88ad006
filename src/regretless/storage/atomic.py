"""Replace a file as a whole: readers see the old one or the new one, never a part.

The new one is written under a temporary name in the same folder, synced to the disk and
renamed over the old one. Whatever goes wrong before that, the old one stays. A process
that is killed outright leaves its temporary file; the next one to write sweeps it up.
"""

from __future__ import annotations

import contextlib
import glob
import os
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

__all__ = ["replace_file"]

STALE = 3600.0  # seconds after which nobody can still be writing


def replace_file(path: Path, write: Callable[[BinaryIO], None]) -> None:
    """Make `path` what `write` writes into the stream it is given, or change nothing.

    A link is followed. The permissions of a file that is replaced are kept.

    Raises
    ------
    OSError
        Of the kind that was met (missing folder, no permission, full disk), saying
        what became of the file.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise OSError(f"{path}: not saved: there is something that is not a file")
    replaces = target.exists()
    name = f".{target.name[:200]}"
    temporary = target.with_name(f"{name}.{secrets.token_hex(8)}.tmp")
    _sweep(target.parent, f"{glob.escape(name)}.????????????????.tmp")
    try:
        try:
            _write_synced(temporary, write)
            if replaces:
                temporary.chmod(target.stat().st_mode & 0o7777)
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _sync_folder(target.parent)
    except OSError as error:
        kept = "; the file that was there is unchanged" if replaces else ""
        why = error.strerror or str(error)
        raise _same_kind(error, f"{path}: not saved: {why}{kept}") from error


def _sweep(folder: Path, pattern: str) -> None:
    """Remove what killed processes have left."""
    with contextlib.suppress(OSError):
        for left in folder.glob(pattern):
            if time.time() - left.stat().st_mtime > STALE:
                left.unlink(missing_ok=True)


def _write_synced(temporary: Path, write: Callable[[BinaryIO], None]) -> None:
    # "x": never through a link that somebody else has laid there.
    with temporary.open("xb") as stream:
        write(stream)
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


def _same_kind(error: OSError, text: str) -> OSError:
    """The same error with another text; its number picks the class."""
    arguments: tuple[Any, ...] = (text,)
    if error.errno is not None:  # pyright: ignore[reportUnnecessaryComparison]
        arguments = (error.errno, text)
    return OSError(*arguments)
