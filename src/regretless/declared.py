"""How options are declared, each once: as annotations, which import nothing.

A command is a function, ``def predict(data: Data, scores: Annotated[bool, Option(...)]
= False)``. Its docstring is the help, its return value the exit code (None is 0). A
parameter that is a dataclass stands for all of its fields.
:mod:`regretless.cli.parsing` makes parsers of them, and ``play`` takes those that a
session has.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import MISSING, dataclass, fields
from inspect import Parameter
from itertools import chain
from typing import Annotated, NamedTuple, get_args, get_origin, get_type_hints

SECTION = re.compile(
    r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n-+$|\Z)", re.MULTILINE | re.DOTALL
)
ENTRY = re.compile(r"^(\w[\w, ]*) : (.+)\n((?:[ \t]+.*\n|\n)*)", re.MULTILINE)
REST = re.compile(r"^\*\*\w+\n(?:[ \t]+.*\n)+", re.MULTILINE)


@dataclass(frozen=True)
class Argument:
    """What stands by itself.

    Parameters
    ----------
    text : str
        The help.
    metavar : str or None
        How it is called there. Default: the parameter's name, and it is a file.
    """

    text: str
    metavar: str | None = None


class Option:
    """What begins with dashes.

    Parameters
    ----------
    *names : str
        As they are written; "--yes/--no" for both ways. Default: the parameter's name.
    text : str
        The help.
    panel : str
        The heading in the help that it stands below.
    kind : type or None
        What the command line makes of it; None: what the annotation says.
    least : int or None
        Smaller numbers are refused.
    file : bool
        Whether it names a file: shells complete it.
    hidden : bool
        Whether the help leaves it out: it only refines another, whose text names it.
    goes_with : tuple of str
        "several" learners, and a "cluster": where it can be used beside one learner on
        one machine.
    play : bool
        Whether ``play`` takes it too.
    """

    def __init__(
        self,
        *names: str,
        text: str,
        panel: str = "Options",
        kind: object = None,
        least: int | None = None,
        file: bool = False,
        hidden: bool = False,
        goes_with: tuple[str, ...] = ("several", "cluster"),
        play: bool = False,
    ) -> None:
        self.names = names
        self.text = text
        self.panel = panel
        self.kind = kind
        self.least = least
        self.file = file
        self.hidden = hidden
        self.goes_with = goes_with
        self.play = play


class Declared(NamedTuple):
    """A parameter of a command, or a field of a dataclass of options."""

    name: str
    kind: object
    default: object
    option: Argument | Option

    @property
    def written(self) -> str:
        """As the command line has it."""
        names = getattr(self.option, "names", ())
        return names[0] if names else f"--{self.name.replace('_', '-')}"

    @property
    def goes_with(self) -> tuple[str, ...]:
        """See :class:`Option`."""
        return getattr(self.option, "goes_with", ("several", "cluster"))

    @classmethod
    def of(cls, name: str, annotation: object, default: object) -> Declared:
        """What ``name: Annotated[kind, Option(...)] = default`` declares."""
        kind, option = get_args(annotation)[:2]
        return cls(name, kind, default, option)


def options_of(group: type) -> list[Declared]:
    """The declared fields of a dataclass, its own before those that it inherits.

    The default of a list is None: it was not given.
    """
    hints = get_type_hints(group, include_extras=True)
    known = {field.name: field.default for field in fields(group)}
    own = (vars(kind).get("__annotations__", ()) for kind in group.__mro__)
    return [
        Declared.of(name, hints[name], None if known[name] is MISSING else known[name])
        for name in dict.fromkeys(chain.from_iterable(own))
        if get_origin(hints[name]) is Annotated
    ]


class ParameterDoc(NamedTuple):
    """What a docstring says about a parameter."""

    kind: str
    text: str


def parameters_in(kind: type) -> dict[str, ParameterDoc]:
    """What the docstring of a class says about each parameter."""
    found = SECTION.search((inspect.getdoc(kind) or "") + "\n")
    return {
        name: ParameterDoc(told, text.rstrip())
        for names, told, text in ENTRY.findall(found[1] if found else "")
        for name in names.split(", ")
    }


def declare(
    function: Callable[..., object], group: type, taken: Iterable[Declared]
) -> None:
    """Let a function that takes options as ``**asked`` name them and explain them.

    Its signature has them, and its docstring, in place of the entry ``**asked``, what
    the docstring of the dataclass `group` says of each.
    """
    signature, hints = inspect.signature(function), get_type_hints(group)
    told, entries = parameters_in(group), ""
    parameters = [*signature.parameters.values()][:-1]
    for name, _, default, option in taken:
        path = isinstance(option, Option) and option.file
        hint = hints[name] | os.PathLike[str] if path else hints[name]
        parameters.append(
            Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=hint)
        )
        entries += f"{name} : {told[name].kind}\n{told[name].text}\n"
    doc = inspect.getdoc(function) or ""
    function.__doc__ = REST.sub(lambda _: entries, doc, count=1)
    vars(function)["__signature__"] = signature.replace(parameters=parameters)
