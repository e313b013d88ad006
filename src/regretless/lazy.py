"""Packages whose modules are imported when a name of theirs is used.

Every command and every ``import regretless`` would otherwise load all learners, models
and theorems there are to use one of each.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

__all__ = [
    "has_module",
    "homes_of",
    "lazily",
    "provide",
    "provided",
    "sibling",
]


def lazily(
    package: str, where: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The ``__getattr__`` and ``__dir__`` of a package.

    Parameters
    ----------
    package : str
        Its name.
    where : mapping
        Which names each of its modules has, with blanks between them.
    """
    homes = homes_of(where)

    def get(name: str) -> Any:
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = sibling(package, f"{home}.{name}")
        setattr(sys.modules[package], name, found)
        return found

    def names() -> list[str]:
        return sorted({*homes, *vars(sys.modules[package])})

    return get, names


def homes_of(where: Mapping[str, str]) -> dict[str, str]:
    """The module of each name, where the names of each module are given."""
    return {name: home for home, names in where.items() for name in names.split()}


def sibling(package: str | None, path: str) -> Any:
    """What `path`, a module of the same package and a name in it, stands for.

    For tables of which few entries are used. A sibling is never in another layer.
    """
    home, _, name = path.rpartition(".")
    return getattr(import_module(f".{home}", package), name)


def has_module(package: str, name: str) -> bool:
    """Whether a package has this module; if so, it is imported."""
    found = find_spec(f".{name}", package) is not None
    if found:
        import_module(f".{name}", package)
    return found


_provided: dict[str, Callable[..., Any]] = {}


def provide(what: str, function: Callable[..., Any]) -> None:
    """Let inner layers call a function of an outer one.

    The package itself says which one it is (``regretless/__init__.py``): it stands
    outside of all layers.
    """
    _provided[what] = function


def provided(what: str) -> Callable[..., Any]:
    """The function that was provided by this name."""
    return _provided[what]
