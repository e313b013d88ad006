"""Where machine code is kept between processes, and when it is used again.

There are two places. A wheel brings a shared library, and an index that says which
sources it was made from. All else is compiled once and kept in the user's cache folder,
a file for each kernel and combination of types: a line of JSON, then the object code.
``REGRETLESS_STORE`` names another folder; with ``off``, nothing is read or kept, and
numba compiles and calls every kernel.

Machine code is a program, so the folder must belong to the user (or to root) and no one
else may write to it; files likewise. Otherwise it is left alone, with one line that
says so. Files are replaced whole. Nothing is unpickled.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import secrets
import stat
import sys
import warnings
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, NamedTuple

from ...parts.documents import Document
from ...parts.generic import FAST, KERNEL, function_named, overridden
from .contents import Unknown, contents
from .frame import VERSION
from .level import level
from .loading import from_library, from_object

if TYPE_CHECKING:
    from .compiling import CompiledKernel


LAYOUT = (object.__basicsize__, tuple.__basicsize__, float.__basicsize__)
FLAGS = ("NUMBA_BOUNDSCHECK", "NUMBA_OPT", "NUMBA_LOOP_VECTORIZE")
_said: set[str] = set()


class StoredCode(NamedTuple):
    """Machine code that was kept: a shared library or object code, and its letters."""

    library: str
    code: bytes
    returns: str

    def load(self, names: tuple[str, ...]) -> tuple[int, ...] | None:
        """The addresses of some of its functions; None if it cannot be loaded."""
        try:
            if self.library:
                return from_library(self.library, names)
            return from_object(self.code, names)
        except (OSError, RuntimeError, ImportError, AttributeError) as error:
            say_once(f"machine code that was kept cannot be loaded: {error}")
            return None


def key_of(name: str, types: str) -> str:
    """What machine code of a kernel for these types is kept under.

    The layout of Python's objects counts, because kernels read them.
    """
    flags = [f"{flag}={os.environ[flag]}" for flag in FLAGS if flag in os.environ]
    made_for = (VERSION, FAST, KERNEL, level(), sys.platform, LAYOUT, flags)
    return hashlib.sha256(f"{made_for} {name} {types}".encode()).hexdigest()[:32]


def shipped(key: str) -> StoredCode | None:
    """Machine code that came with the package, made from the sources as they are."""
    returns = None if overridden() else _index().get(key)
    return (
        None if returns is None else StoredCode(str(library_of(level())), b"", returns)
    )


def library_of(level: str) -> Path:
    """The shared library that a wheel brings for a level; its index lies beside it."""
    end = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
    return Path(__file__).with_name("shipped") / f"{level}{end}"


def sources() -> str:
    """A fingerprint of all files that machine code of the package is made from."""
    root = Path(__file__).parents[2]
    folders = [root / name for name in ("parts", "engine/kernels", "engine/machine")]
    files = [file for folder in folders for file in folder.rglob("*.py")]
    state = hashlib.sha256()
    for file in sorted(files):
        content = file.read_bytes()
        state.update(f"{file.relative_to(root).as_posix()} {len(content)}\n".encode())
        state.update(content)
    return state.hexdigest()


def kept(key: str, loop: FunctionType | None) -> StoredCode | None:
    """Machine code that this user has kept, of functions that are still the same."""
    where = folder()
    if where is None:
        return None
    try:
        about, code = _read(where / _file(key))
        functions, returns = about["functions"], str(about["returns"])
        if about["check"] != _check(key, returns, functions, code):
            return None
    except (OSError, ValueError, KeyError, TypeError):
        return None  # whatever half a file says, the sources say it better
    try:
        same = all(_contents_of(name, loop) == was for name, was in functions.items())
    except Unknown:
        same = False
    return StoredCode("", code, returns) if same else None


def _read(path: Path) -> tuple[Document, bytes]:
    with path.open("rb") as stream:
        if not _is_safe(os.fstat(stream.fileno())):
            say_once(
                f"{path} is not used: it belongs to another user, or others may write "
                "to it"
            )
            raise PermissionError
        return json.loads(stream.readline()), stream.read()


def _check(key: str, returns: str, functions: dict[str, str], code: bytes) -> str:
    """A checksum of all that is used of a file."""
    state = hashlib.sha256(code)
    state.update(json.dumps([key, returns, functions], sort_keys=True).encode())
    return state.hexdigest()


def keep(key: str, code: CompiledKernel, **names: str) -> None:
    """Keep machine code, if that is possible; with the names of what it is of."""
    where = folder()
    if where is None:
        return
    check = _check(key, code.returns, code.functions, code.object)
    about = {"returns": code.returns, "functions": code.functions, "check": check}
    path = where / _file(key)
    draft = where / f"{path.name}.{secrets.token_hex(8)}.tmp"
    try:
        # No other user can ever open it for writing, whatever the umask is.
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _mode(0o644))
        with os.fdopen(handle, "wb") as stream:
            stream.write(json.dumps(names | about).encode() + b"\n" + code.object)
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        why = error.strerror or str(error)
        say_once(f"machine code cannot be kept: {why}. It is compiled at every start")


def _mode(wanted: int) -> int:
    """Permissions: others may read a folder that was named, such as an image's."""
    return wanted if os.environ.get("REGRETLESS_STORE") else wanted & 0o700


def _file(key: str) -> str:
    """The name of a file; other versions of Python have other contents."""
    return f"{key}.{sys.implementation.cache_tag}.o"


def is_off() -> bool:
    """Whether nothing is to be read or kept: numba compiles and calls every kernel."""
    return os.environ.get("REGRETLESS_STORE", "").lower() == "off"


@functools.cache
def folder() -> Path | None:
    """The user's folder, made if need be; None if there is none that is safe."""
    wanted = os.environ.get("REGRETLESS_STORE", "")
    if is_off():
        return None
    try:
        named = Path(wanted).expanduser().absolute() if wanted else None
        where = named or _cache() / "regretless" / "machine-code"
        where.mkdir(mode=_mode(0o755), parents=True, exist_ok=True)
        safe = _is_safe(where.stat())
    except (OSError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        _say_nowhere(f"no folder for it ({why.lower()})")
        return None
    if not safe:
        _say_nowhere(f"{where} belongs to another user, or others may write to it")
        return None
    return where


def _cache() -> Path:
    """The folder for caches of this system."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    given = os.environ.get("XDG_CACHE_HOME", "")
    return Path(given) if Path(given).is_absolute() else Path.home() / ".cache"


def _is_safe(found: os.stat_result) -> bool:
    """Whether only this user, or root, can have written it."""
    if sys.platform == "win32":  # the profile of a user is closed to others
        return True
    others = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return found.st_uid in (os.getuid(), 0) and not others


def _contents_of(name: str, loop: FunctionType | None) -> str | None:
    function = function_named(name) if name else loop
    return None if function is None else contents(function)


@functools.cache
def _index() -> dict[str, str]:
    """What the shared library of a wheel has, by key: the letters of what it returns.

    Nothing, if there is none, or if a source has been edited since.
    """
    try:
        found = json.loads(library_of(level()).with_suffix(".json").read_bytes())
        return found["kernels"] if found["sources"] == sources() else {}
    except (OSError, ValueError, KeyError):
        return {}


def _say_nowhere(why: str) -> None:
    say_once(
        f"machine code cannot be kept: {why}. It is compiled at every start, which "
        "takes some seconds; set REGRETLESS_STORE to a folder of your own"
    )


def say_once(text: str) -> None:
    """Warn, once in a process."""
    if text not in _said:
        _said.add(text)
        warnings.warn(text, RuntimeWarning, stacklevel=2)
