"""Learners in words: ``NAME key=value key=value``.

A value is a number, ``true``, ``false``, ``none``, a word, or a part such as
``logistic``, ``constant(0.5)``, ``box(-1,1)``. Names are those of the classes, in any
case, with or without dashes. ``eta=0.1`` and ``step=0.1`` mean ``step=constant(0.1)``
where a learner takes a step.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from types import ModuleType
from typing import Any, cast

from ..errors import did_you_mean
from ..parts.documents import Document

PART = re.compile(r"([A-Za-z][\w-]*)\((.*)\)")
PLAIN = {"true": True, "false": False, "none": None}


def parse_learner(text: str, kinds: Mapping[str, Any] | None = None) -> Any:
    """The learner that `text` describes, among `kinds` or all learners of rows.

    Raises
    ------
    ValueError
        Where there is no such learner or parameter, or its value is refused.

    Examples
    --------
    >>> from regretless.cli.grammar import parse_learner
    >>> parse_learner("ogd loss=logistic step=0.1 radius=10 bias=true")
    OGD(loss=Logistic(), step=Constant(eta=0.1), radius=10.0, bias=True)
    """
    if not text.strip():
        raise ValueError("which learner? give its name")
    name, *settings = text.split()
    kinds = learner_names() if kinds is None else kinds
    kind = kinds.get(_plain(name))
    if kind is None and _is_number(name):
        raise ValueError(
            f"-l {name}: -l is the learner; a step is one of its settings: "
            f"--learner ogd step={name}"
        )
    if kind is None:
        raise ValueError(
            f"there is no learner {name!r}{did_you_mean(_plain(name), kinds)}: "
            f"choose among {', '.join(sorted(kinds))}"
        )
    given: Document = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or not key or not value:
            raise ValueError(f"{setting!r}: settings of {name} are written key=value")
        field, converted = _setting(kind, name, key.replace("-", "_"), value)
        if field in given:
            raise ValueError(f"{setting!r}: {field} is set twice")
        given[field] = converted
    try:
        return kind(**given)
    except TypeError as error:
        missing = [
            field.name
            for field in _fields(kind)
            if field.name not in given and _required(field)
        ]
        if missing:
            raise ValueError(
                f"{name} needs {missing[0]}=: {signature_of(kind)}"
            ) from None
        raise ValueError(f"{name}: {error}") from None


class Kinds(Mapping[str, Any]):
    """The learners of a package by the plain form of their names, imported if used."""

    def __init__(self, package: ModuleType) -> None:
        self._package = package

    def __getitem__(self, plain: str) -> Any:
        from ..algorithms.discovery import is_learner, learner_called, takes_learners

        kind = learner_called(self._package, plain)
        if not is_learner(kind) or takes_learners(kind):
            raise KeyError(plain)
        return kind

    def __iter__(self) -> Iterator[str]:
        names = (_plain(name) for name in self._package.__all__)
        return (name for name in names if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def learner_names() -> Kinds:
    """Every learner of rows that can be named."""
    from ..algorithms import learners

    return Kinds(learners)


def expert_names() -> Kinds:
    """Every learner of experts, and of the mean game."""
    from ..algorithms import experts

    return Kinds(experts)


def signature_of(kind: Any) -> str:
    """What may be set, with the defaults: for messages and for help.

    Examples
    --------
    >>> import regretless as rg
    >>> signature_of(rg.Pegasos)
    'pegasos strength=... bias=false n_features=none'
    """
    shown = [
        f"{field.name}={'...' if _required(field) else _word(field.default)}"
        for field in _fields(kind)
    ]
    return " ".join([_plain(kind.__name__), *shown])


def _setting(kind: Any, name: str, key: str, value: str) -> tuple[str, Any]:
    """The field that a setting is about, and its value."""
    fields = {field.name: field for field in _fields(kind)}
    if key == "eta" and key not in fields and "step" in fields:
        key = "step"
    if key not in fields:
        raise ValueError(
            f"{name} has no parameter {key!r}{did_you_mean(key, fields)}: "
            f"{signature_of(kind)}"
        )
    converted: Any = parse_value(value)
    if key == "step" and isinstance(converted, int | float):
        from ..parts.steps import Constant

        converted = Constant(float(converted))
    wordy = converted == "theorem" or isinstance(fields[key].default, str)
    if isinstance(converted, str) and not wordy:
        _refuse_word(key, value)
    if isinstance(fields[key].default, bool) and not isinstance(converted, bool):
        raise ValueError(f"{name}: {key}={value} is neither true nor false")
    numeric = isinstance(converted, int) and not isinstance(converted, bool)
    if numeric and "float" in str(fields[key].type):
        converted = float(converted)
    return key, converted


def _refuse_word(key: str, word: str) -> None:
    """Raise ValueError where a part is wanted, and there is none of this name."""
    if key in (kinds := _kinds_of_parts()):
        others = ("a number", "theorem") if key == "step" else ()
        known = ", ".join([*others, *sorted(kinds[key])])
        near = did_you_mean(_plain(word), [*others, *kinds[key]])
        raise ValueError(f"there is no {key} {word!r}{near}: choose among {known}")


def parse_value(text: str) -> Any:
    """A number, a plain word's meaning, a part, or the word itself."""
    if text.lower() in PLAIN:
        return PLAIN[text.lower()]
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            pass
    call = PART.fullmatch(text)
    name, inside = call.groups() if call else (text, "")
    parts = _parts()
    kind = parts.get(_plain(name))
    if kind is None:
        if call:
            near = did_you_mean(_plain(name), parts)
            raise ValueError(f"there is no part {name!r}{near}")
        return text
    arguments = [parse_value(one.strip()) for one in inside.split(",") if one.strip()]
    if not call and kind in _kinds_of_parts()["step"].values():
        arguments = [1.0]  # a step without its number has 1
    try:
        return kind(*arguments)
    except TypeError:
        fields = ", ".join(kind._fields)
        raise ValueError(f"{text!r}: it is written {_plain(name)}({fields})") from None


def _parts() -> Document:
    """Losses, steps, domains and kernels, by the plain form of their names."""
    return {
        name: kind for one in _kinds_of_parts().values() for name, kind in one.items()
    }


def _kinds_of_parts() -> dict[str, Document]:
    """The same, by the parameters that they are for."""
    from ..parts import domains, losses, similarities, steps

    modules = {"loss": losses, "step": steps, "domain": domains, "kernel": similarities}
    return {
        key: {
            _plain(name): getattr(module, name)
            for name in module.__all__
            if hasattr(getattr(module, name), "_fields")
        }
        for key, module in modules.items()
    }


def _fields(kind: Any) -> list[Any]:
    """What may be set: the learner's own parameters first.

    Options of the command line say what fields mean.
    """
    every = dataclasses.fields(kind)
    found = [field for field in every if field.init and field.name != "schema"]
    return sorted(found, key=lambda field: field.kw_only)


def _required(field: Any) -> bool:
    missing = dataclasses.MISSING
    return field.default is missing and field.default_factory is missing


def _word(value: object) -> str:
    """A value as the grammar writes it."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if hasattr(value, "_fields"):
        items = cast("tuple[object, ...]", value)
        name = _plain(type(items).__name__)
        shown = [_word(one) for one in items]
        defaults: Document = getattr(items, "_field_defaults", {})
        plain = not shown or tuple(defaults.values()) == tuple(items)
        return name if plain else f"{name}({','.join(shown)})"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _plain(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")


def parse_learners(texts: Iterable[str], grids: Iterable[str] = ()) -> list[Any]:
    """All learners that are named, and all that a grid stands for.

    Several may stand in one text, with commas between them. In a grid a value may be a
    range, ``eta=0.01:10:log8`` (or ``lin8``), or a list, ``eta=0.1,1,10``; every
    combination is one learner.

    Examples
    --------
    >>> from regretless.cli.grammar import parse_learners
    >>> parse_learners(["perceptron, ogd eta=0.1"])
    [Perceptron(), OGD(step=Constant(eta=0.1))]
    >>> len(parse_learners([], ["ogd eta=0.01:10:log8 radius=1,10"]))
    16
    """
    named = [one for text in texts for one in COMMA.split(text) if one.strip()]
    return [
        *(parse_learner(one) for one in named),
        *(parse_learner(one) for grid in grids for one in _spelled_out(grid)),
    ]


COMMA = re.compile(r",(?![^(]*\))\s*")  # not inside parentheses
RANGE = re.compile(r"([^:]+):([^:]+):(log|lin)(\d+)")


def _spelled_out(grid: str) -> list[str]:
    """Every combination of a grid, as a text of its own."""
    name, *settings = grid.split()
    choices = [_choices(setting) for setting in settings]
    return [" ".join([name, *combination]) for combination in product(*choices)]


def _choices(setting: str) -> list[str]:
    """What a setting of a grid may be."""
    key, _, value = setting.partition("=")
    span = RANGE.fullmatch(value)
    if span is None:
        if value.count(":") > 1:
            raise ValueError(f"{setting!r}: a range is written low:high:log8 or lin8")
        return [f"{key}={one}" for one in COMMA.split(value)]
    low, high = (_number(end, setting) for end in span.groups()[:2])
    count = int(span[4])
    if count < 1 or not low <= high or (span[3] == "log" and low <= 0.0):
        raise ValueError(f"{setting!r}: the range is empty")
    if count == 1 or low == high:
        return [f"{key}={low!r}"]
    steps = [k / (count - 1) for k in range(count)]
    if span[3] == "log":
        return [f"{key}={low * (high / low) ** step!r}" for step in steps]
    return [f"{key}={low + (high - low) * step!r}" for step in steps]


def _number(text: str, setting: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{setting!r}: {text!r} is not a number")
    return number


def _is_number(word: str) -> bool:
    """Whether a word is a number, as Vowpal Wabbit's -l takes one."""
    try:
        float(word)
    except ValueError:
        return False
    return True
