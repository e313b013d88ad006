"""Whether what a command writes can be written, asked before anything is read.

All outputs of a command are in one table, by their options: each must be a file that
can be written, none that is read, and no two of them the same one.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from glob import glob
from itertools import combinations
from pathlib import Path
from typing import TypeAlias

from .console import standard_output_file, writes_json
from .usage import UsageError

Named: TypeAlias = "str | os.PathLike[str] | None"


def check_outputs(
    outputs: Mapping[str, Named],
    inputs: Iterable[Named] = (),
    *,
    others: Mapping[str, Iterable[Named]] | None = None,
    beside: Mapping[str, Named] | None = None,
) -> None:
    """Refuse what cannot be written, and what would be lost.

    Parameters
    ----------
    outputs : mapping
        The files that are replaced, by their options; None where none was asked for.
    inputs : iterable
        The files or globs that are read; "-" is standard input.
    others : mapping
        Files that are read too, and which options may not replace them.
    beside : mapping
        Files that are written because of an option, under names of their own.

    Raises
    ------
    UsageError
        In one line.
    """
    wanted = {
        option: Path(path) for option, path in outputs.items() if path is not None
    }
    for option, path in wanted.items():
        _check_writable(option, path)
    read = [path for name in inputs for path in _stands_for(name)]
    screen = standard_output_file()
    if screen is not None and any(_same(screen, path) for path in read):
        raise UsageError("standard output goes to a file that is read")
    for option, path in wanted.items():
        more = [
            one for name in (others or {}).get(option, ()) for one in _stands_for(name)
        ]
        if any(_same(path, each) for each in [*read, *more]):
            raise UsageError(f"{option} {path}: that file is read, not to be replaced")
    every = [(f"{option} {path}", path) for option, path in wanted.items()]
    every += [(what, Path(path)) for what, path in (beside or {}).items() if path]
    every += [("standard output", screen)] if screen is not None else []
    for (one, path), (other, again) in combinations(every, 2):
        if _same(path, again, unmade=True):
            raise UsageError(f"{one} and {other}: that is one file")


def _check_writable(option: str, path: Path) -> None:
    folder = path.absolute().parent
    if str(path) == "-":
        raise UsageError(f"{option} -: give the name of a file")
    if writes_json() and _is_standard_output(path):
        raise UsageError(f"{option} {path}: the JSON goes to standard output")
    if path.is_dir():
        raise UsageError(f"{option} {path}: that is a directory")
    if not folder.is_dir():
        raise UsageError(f"{option} {path}: there is no such folder")
    wanted = [path] if path.exists() else [folder]
    if path.is_file():
        wanted.append(folder)  # it is replaced by a new file in there
    if not all(map(_writable, wanted)):
        raise UsageError(f"{option} {path}: it cannot be written there")


def _stands_for(name: Named) -> list[Path]:
    """The files that a name among the inputs means."""
    if name is None:
        return []
    text = os.fspath(name).removeprefix("file://")
    text = "/dev/stdin" if text == "-" else text
    return [Path(one) for one in ([text] if Path(text).exists() else glob(text))]  # noqa: PTH207


def _same(one: Path, other: Path, *, unmade: bool = False) -> bool:
    """Whether two names are of one file; `unmade`: or would be, on some disks.

    A file has several names by links, and on disks that ignore case. A device or a pipe
    may be written by two.
    """
    try:
        found, again = one.stat(), other.stat()
    except OSError:  # one of them is not there
        names = [os.path.realpath(each).casefold() for each in (one, other)]
        return unmade and names[0] == names[1]
    return stat.S_ISREG(found.st_mode) and os.path.samestat(found, again)


def _is_standard_output(path: Path) -> bool:
    """Whether it is a name of standard output, such as /dev/stdout or /dev/fd/1."""
    streams = os.path.realpath("/proc/self/fd")
    for _ in range(40):  # links, as many as systems follow
        if os.path.realpath(path.absolute().parent) == streams:
            return path.name == "1"
        if not path.is_symlink():
            return False
        path = path.parent / path.readlink()
    return False


def _writable(path: Path) -> bool:
    """Whether this process may write it, with the rights that it has now."""
    return os.access(
        path, os.W_OK, effective_ids=os.access in os.supports_effective_ids
    )
