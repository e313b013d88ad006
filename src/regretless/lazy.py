"""Packages whose modules are imported when a name of theirs is used.

Every command and every ``import regretless`` would otherwise load all learners, models
and theorems there are to use one of each.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["fetch", "homes_of", "is_a", "lazily"]


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
        found = fetch(package, f"{home}.{name}")
        setattr(sys.modules[package], name, found)
        return found

    def names() -> list[str]:
        return sorted({*homes, *vars(sys.modules[package])})

    return get, names


def homes_of(where: Mapping[str, str]) -> dict[str, str]:
    """The module of each name, where the names of each module are given."""
    return {name: home for home, names in where.items() for name in names.split()}


def fetch(package: str, path: str) -> Any:
    """What `path`, a module of the package and a name in it, stands for."""
    home, _, name = path.rpartition(".")
    return getattr(import_module(f".{home}", package), name)


def is_a(value: object, *names: str) -> bool:
    """Whether a class of this package with one of these names is among its classes.

    As ``isinstance``, for classes that need not be imported to ask: one that is not
    imported has no instances.

    Examples
    --------
    >>> import regretless as rg
    >>> from regretless.lazy import is_a
    >>> is_a(rg.Perceptron(), "LinearLearner"), is_a(rg.Perceptron(), "Panel")
    (True, False)
    """
    return any(
        kind.__name__ in names and kind.__module__.startswith("regretless.")
        for kind in type(value).__mro__
    )
