"""Whether a file can be written, asked before the work and not after it."""

from __future__ import annotations

import os
from pathlib import Path

from .usage import UsageError

__all__ = ["check_output"]


def check_output(option: str, path: str | os.PathLike[str] | None) -> None:
    """Say before the work, not after it, that a file cannot be written."""
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
    wanted = [place] if place.exists() else [folder]
    if place.is_file():
        wanted.append(folder)  # it is replaced by a new file in there
    if not all(map(_writable, wanted)):
        raise UsageError(f"{option} {path}: it cannot be written there")


def _writable(path: Path) -> bool:
    """Whether this process may write it, with the rights that it has now."""
    return os.access(
        path, os.W_OK, effective_ids=os.access in os.supports_effective_ids
    )
