"""Commands as functions, parsed by click: the annotations say how.

Each command is imported when it is asked for, and click when any is.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable
from dataclasses import is_dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args, get_origin

import click

from ..declared import Argument, Declared, options_of
from ..lazy import sibling
from ..parts.documents import Document
from .numpy_import import import_numpy

BOTH = re.compile(r"(?<=--)(\S+) / --no-\1")


MEANT = {"explain": "inspect", "show": "inspect", "fit": "train", "learn": "train"}
"""Commands that people type, and what does that here."""


class _Argument(click.Argument):
    """An argument with help."""

    def __init__(self, *args: Any, text: str, **more: Any) -> None:
        super().__init__(*args, **more)
        self.text = text


class _WholeNumber(click.IntRange):
    """A whole number, called that where it is none."""

    name = "whole number"


class _Option(click.Option):
    """An option that stands below a heading."""

    def __init__(self, *args: Any, panel: str, **more: Any) -> None:
        super().__init__(*args, **more)
        self.panel = panel


class _Command(click.Command):
    """A command whose help has its arguments, and its options below headings."""

    def __init__(self, *args: Any, groups: dict[str, type], **more: Any) -> None:
        super().__init__(*args, **more)
        self.groups = groups  # dataclasses that take several options each

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse; numpy is imported for a command that is right, not for its help."""
        rest = super().parse_args(ctx, args)
        if not ctx.resilient_parsing:
            for name, group in self.groups.items():
                given = {
                    one.name: ctx.params.pop(one.name) for one in options_of(group)
                }
                known = {one: each for one, each in given.items() if each is not None}
                ctx.params[name] = group(**known)
            import_numpy()
        return rest

    def format_options(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write them in the order in which they are declared."""
        panels: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for param in self.get_params(ctx):
            if isinstance(param, _Argument):
                panels["Arguments"].append((param.make_metavar(ctx), param.text))
            else:
                panel = getattr(param, "panel", "Options")
                record = param.get_help_record(ctx)
                if record is None:  # hidden
                    continue
                names, text = record
                panels.setdefault(panel, []).append((BOTH.sub(r"[no-]\1", names), text))
        formatter.write_paragraph()
        for panel, records in panels.items():
            if records:
                formatter.write_heading(panel)
                with formatter.indentation():
                    formatter.write_dl(records)


class Commands(click.Group):
    """Commands by name, each imported when it is asked for."""

    def __init__(self, *names: str, **more: Any) -> None:
        super().__init__(**more)
        self.names = names

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in their order."""
        return list(self.names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The function `cmd_name` of the module of that name."""
        if cmd_name not in self.names:
            return None
        return command_of(sibling(__package__, f"{cmd_name}.{cmd_name}"))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that `args` begin with; a wrong name is told a close one."""
        name = args[0]
        close = get_close_matches(name, self.names, 1) or MEANT.get(name, "").split()
        if name not in self.names and close and not ctx.resilient_parsing:
            ctx.fail(f"No such command {name!r}. Did you mean {close[0]!r}?")
        return super().resolve_command(ctx, args)


def command_of(function: Callable[..., object]) -> click.Command:
    """The parser of a function whose parameters are annotated."""
    parameters = inspect.signature(function, eval_str=True).parameters.values()
    groups: dict[str, type] = {
        each.name: each.annotation
        for each in parameters
        if isinstance(each.annotation, type) and is_dataclass(each.annotation)
    }
    alone = [
        Declared.of(each.name, each.annotation, each.default)
        for each in parameters
        if each.name not in groups
    ]
    several = [one for group in groups.values() for one in options_of(group)]
    return _Command(
        function.__name__,
        callback=function,
        params=[_parameter(each) for each in (*alone, *several)],
        help=inspect.getdoc(function),
        groups=groups,
    )


def _listed(
    _: click.Context, __: click.Parameter, given: tuple[object, ...]
) -> list[object] | None:
    """What may be given several times is a list, or None where it was not given."""
    return [*given] or None


def _parameter(parameter: Declared) -> click.Parameter:
    """The parser of an option or an argument."""
    name, hint, default, declared = parameter
    argument = isinstance(declared, Argument)
    file = declared.metavar is None if argument else declared.file
    kind, many = _kind(getattr(declared, "kind", None) or hint, file=file)
    if isinstance(declared, Argument):
        shape: Document = {"nargs": -1} if many else {}
        return _Argument(
            [name],
            text=declared.text,
            metavar=declared.metavar,
            required=default is inspect.Parameter.empty,
            type=kind,
            callback=_listed if many else None,
            **shape,
        )
    more: Document = {"is_flag": True} if kind is bool else {"type": kind}
    if declared.least is not None:
        more |= {"type": _WholeNumber(min=declared.least), "metavar": "N"}
    return _Option(
        [name, *(declared.names or [parameter.written])],
        panel=declared.panel,
        help=declared.text,
        default=default,
        show_default=True,
        multiple=many,
        hidden=declared.hidden,
        callback=_listed if many else None,
        **more,
    )


def _kind(hint: object, *, file: bool) -> tuple[Any, bool]:
    """The type of one value, and whether there may be several."""
    if isinstance(hint, types.UnionType):
        hint = next(each for each in get_args(hint) if each is not types.NoneType)
    many = get_origin(hint) is list
    kind = get_args(hint)[0] if many else hint
    if file or kind is Path:
        made = Path if kind is Path else str
        return click.Path(allow_dash=True, path_type=made), many
    return kind, many
