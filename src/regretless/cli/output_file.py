"""Whether a file can be written, asked before the work and not after it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from glob import glob
from pathlib import Path

from .usage import UsageError

__all__ = ["check_output"]


def check_output(
    option: str,
    path: str | os.PathLike[str] | None,
    inputs: Iterable[str | os.PathLike[str] | None] = (),
) -> None:
    """Say before the work, not after it, that a file cannot be written.

    One of the `inputs`, files or globs that are read, is never replaced.
    """
    if path is None:
        return
    place = Path(path)
    folder = place.absolute().parent
    if str(path) == "-":
        raise UsageError(f"{option} -: give the name of a file")
    if place.is_dir():
        raise UsageError(f"{option} {path}: that is a directory")
    if not folder.is_dir():
        raise UsageError(f"{option} {path}: there is no such folder")
    for name in inputs:
        if place.is_file() and name is not None and _is_read(place, os.fspath(name)):
            raise UsageError(f"{option} {path}: that file is read, not to be replaced")
    wanted = [place] if place.exists() else [folder]
    if place.is_file():
        wanted.append(folder)  # it is replaced by a new file in there
    if not all(map(_writable, wanted)):
        raise UsageError(f"{option} {path}: it cannot be written there")


def _is_read(place: Path, name: str) -> bool:
    """Whether a file is `name`, under whatever path, or one of those it stands for."""
    found = [name] if Path(name).exists() else glob(name)  # noqa: PTH207
    return any(place.samefile(each) for each in found if Path(each).exists())


def _writable(path: Path) -> bool:
    """Whether this process may write it, with the rights that it has now."""
    return os.access(
        path, os.W_OK, effective_ids=os.access in os.supports_effective_ids
    )
