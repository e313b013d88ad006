"""Learners are found, not listed: a learner is the class that its module is named for.

``second_order_perceptron.py`` has ``SecondOrderPerceptron``. Deleting the file of a
learner deletes the learner; adding one adds it to the package, to the command line, to
``regretless.sklearn``, to the games and to the tests.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from importlib import import_module
from inspect import isabstract, isclass
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, TypeGuard

GetAttribute = Callable[[str], object]
ListNames = Callable[[], list[str]]


def discovered(package: str) -> tuple[GetAttribute, ListNames]:
    """The ``__getattr__`` and ``__dir__`` of a package with a learner in each module.

    A module is imported when its learner is asked for, all of them for ``__all__``.
    """

    def get(name: str) -> object:
        module = sys.modules[package]
        if name == "__all__":
            return _listed(module)
        found = learner_called(module, name)
        if found is None or found.__name__ != name:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(module, name, found)
        return found

    def names() -> list[str]:
        module = sys.modules[package]
        return sorted({*_listed(module), *vars(module)})

    return get, names


def is_learner(kind: object) -> TypeGuard[type]:
    """Whether it is the class of a learner, not what several have in common."""
    return isclass(kind) and is_dataclass(kind) and not isabstract(kind)


def takes_learners(kind: type) -> bool:
    """Whether a learner is made of others, which are among its parameters."""
    return any(each.name in ("learner", "learners") for each in fields(kind))


def all_learners() -> list[Any]:
    """The classes of all learners, of rows and then of experts, by their names.

    Examples
    --------
    >>> from regretless.algorithms.discovery import all_learners
    >>> [kind.__name__ for kind in all_learners()][:4]
    ['AROW', 'AdaGrad', 'BalancedWinnow', 'CoinBetting']
    """
    from . import experts, learners

    return [
        kind
        for package in (learners, experts)
        for kind in (getattr(package, name) for name in package.__all__)
        if is_learner(kind)
    ]


def learner_called(package: ModuleType, name: str) -> type | None:
    """The class in a package that has this name, in any case; None if there is none."""
    for each in iter_modules(package.__path__):
        if each.name.replace("_", "") == name.lower():
            return _class_of(import_module(f".{each.name}", package.__name__))
    return None


def _listed(package: ModuleType) -> list[str]:
    """The learners of a package, and the abstract classes they derive from."""
    modules = iter_modules(package.__path__)
    found = (_class_of(import_module(f".{m.name}", package.__name__)) for m in modules)
    return sorted(
        kind.__name__
        for kind in found
        if kind is not None
        and (is_learner(kind) or (isabstract(kind) and hasattr(kind, "learn_one")))
    )


def _class_of(module: ModuleType) -> type | None:
    """The class that a module is named for; None if it is not named for one."""
    plain = module.__name__.rpartition(".")[2].replace("_", "")
    named = [name for name in getattr(module, "__all__", ()) if name.lower() == plain]
    return next((kind for kind in map(vars(module).get, named) if isclass(kind)), None)
