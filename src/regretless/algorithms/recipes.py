"""A learner as plain data, and back: its name and parameters, from this package only.

A learner or a part of this package becomes ::

    {"learner": "OGD", "parameters": {"loss": {"part": "Hinge", "fields": {...}}, ...}}

and is made again by calling the class of that name, from a fixed list. Anything else, a
user's own loss for one, is kept in words, ``{"foreign": "module.Huber", "repr": ...}``,
and never made again: a file must not say what is to be imported.
"""

from __future__ import annotations

import dataclasses
from typing import Any, cast

from ..data.schema import Schema
from ..parts import (
    domains,
    geometries,
    losses,
    penalties,
    similarities,
    steps,
    triggers,
    updates,
    views,
)
from ..parts import prediction_rules as foresights
from ..parts.documents import Document
from . import experts, learners
from .discovery import is_learner
from .finished import finished

PARTS = (
    losses,
    geometries,
    steps,
    triggers,
    domains,
    penalties,
    similarities,
    updates,
    views,
    foresights,
)


def learner_from_dict(recipe: Document) -> Any:
    """The learner that :func:`recipe_of` described; None if a part is foreign.

    It has learned nothing, and learns no events: :func:`finished` says why.
    Raises ``ValueError`` where there is no such learner.
    """
    try:
        made = _made(recipe)
    except _Foreign:
        return None
    if _learner(type(made).__name__) is not type(made):
        raise ValueError("it does not name a known learner")
    return finished(made)


def part_from_dict(recipe: Document) -> Any:
    """The part that :func:`recipe_of` described; ``ValueError`` for a foreign one.

    Nothing but parts of this package is ever made.
    """
    if "part" not in recipe:
        raise ValueError("it has a part that is not of this package")
    return _made(recipe)


class _Foreign(Exception):  # noqa: N818 - it is no error
    """Something in a recipe is not of this package."""


def recipe_of(value: object) -> Any:
    """A learner or a part as plain data: all parameters, also those at their default.

    What is not of this package becomes ``{"foreign": ...}``.

    Examples
    --------
    >>> import regretless as rg
    >>> from regretless.algorithms.recipes import recipe_of
    >>> recipe_of(rg.Pegasos(0.5))["parameters"]
    {'bias': False, 'n_features': None, 'schema': None, 'strength': 0.5}
    """
    if getattr(value, "ndim", None) == 0:  # a number of numpy
        value = cast("Any", value).item()
    kind = cast("Any", type(value))
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if _learner(kind.__name__) is kind:
        names = [each.name for each in dataclasses.fields(kind) if each.init]
        parameters = {name: recipe_of(getattr(value, name)) for name in names}
        return {"learner": kind.__name__, "parameters": parameters}
    if _part(kind.__name__) is kind:
        fields = {name: recipe_of(getattr(value, name)) for name in kind._fields}
        return {"part": kind.__name__, "fields": fields}
    if kind is list or kind is tuple:
        several = [recipe_of(each) for each in cast("list[Any]", value)]
        return several if kind is list else tuple(several)
    if kind is Schema:
        return {"schema": cast("Schema", value).as_dict()}
    return {"foreign": f"{kind.__module__}.{kind.__qualname__}", "repr": repr(value)}


def _made(recipe: object) -> Any:
    if isinstance(recipe, list | tuple):
        several = [_made(each) for each in cast("list[Any]", recipe)]
        return several if isinstance(recipe, list) else tuple(several)
    if not isinstance(recipe, dict):
        return recipe
    known = cast("Document", recipe)
    if "foreign" in known:
        raise _Foreign
    if "schema" in known:
        return Schema.from_dict(known["schema"])
    if "learner" in known:
        kind, arguments = _learner(known["learner"]), known["parameters"]
    else:
        kind, arguments = _part(known["part"]), known["fields"]
    if kind is None:
        name = known.get("learner", known.get("part"))
        raise ValueError(f"{name!r:.40} is no learner or part of this version")
    return kind(**{name: _made(each) for name, each in arguments.items()})


def _learner(name: str) -> type | None:
    """The learner of this name; None where there is none."""
    kinds = (getattr(package, name, None) for package in (learners, experts))
    return next((kind for kind in kinds if is_learner(kind)), None)


def _part(name: str) -> type | None:
    """The part of this name, of those that a learner takes; None if there is none."""
    for module in PARTS:
        if name in module.__all__:
            kind = getattr(module, name)
            return kind if hasattr(kind, "_fields") else None
    return None
