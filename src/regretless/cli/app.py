"""The application: which commands there are, and what typer makes of their options."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from .calibration import calibration
from .combine import combine
from .compare import compare
from .console import print_json, wants_json, write_out
from .convert import convert
from .demo import demo
from .game import game
from .inspect import inspect
from .predict import predict
from .train import train
from .usage import UsageError

__all__ = ["app", "folded", "run"]

WrongUsage: Any = typer.BadParameter.__base__
COMPLETION = "_REGRETLESS_COMPLETE"
SETTING = re.compile(r"[A-Za-z][\w-]*=.*")

app = typer.Typer(
    name="regretless",
    help="Learn from data in one pass, and hand back the receipts: "
    "the model, the ledger, and a certificate of the risk on fresh data.",
    epilog="Try it: regretless demo",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
for command in (
    *(train, predict, inspect, convert, compare, combine, calibration, game, demo),
):
    app.command(command.__name__)(command)


def version(value: bool) -> None:
    """Print the version and stop."""
    if value:
        from importlib.metadata import version as installed

        found = installed("regretless")
        if wants_json():
            print_json({"version": found})
        else:
            write_out(f"regretless {found}\n")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=version, is_eager=True, help="The version."),
    ] = False,
) -> None:
    """Options that go before the command."""


def run(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code; failures are raised."""
    command = typer.main.get_command(app)
    if COMPLETION in os.environ:
        return int(command.main(list(arguments), "regretless") or 0)
    try:
        given = _json_behind(folded(arguments)) or ["--help"]
        with command.make_context("regretless", given) as context:
            command.invoke(context)
    except typer.Exit as stop:
        return stop.exit_code
    except WrongUsage as problem:
        raise UsageError(_line(problem)) from None
    return 0


def _json_behind(arguments: list[str]) -> list[str]:
    """--json before a command goes behind it; without a command it needs nobody."""
    first = next((k for k, word in enumerate(arguments) if word[:1] != "-"), None)
    if "--json" not in arguments[:first]:
        return arguments
    others = [word for word in arguments[:first] if word != "--json"]
    return others if first is None else [*others, *arguments[first:], "--json"]


def _line(problem: Any) -> str:
    """What typer says of a wrong command, in one line."""
    text = " ".join(str(problem.format_message()).split()).rstrip(".")
    path = "regretless" if problem.ctx is None else problem.ctx.command_path
    return f"{text[:1].lower()}{text[1:]} (see {path} --help)"


def folded(arguments: Sequence[str]) -> list[str]:
    """``--learner NAME key=value ...`` as one value, the way it is meant.

    The same for ``--adversary``.

    Examples
    --------
    >>> from regretless.cli.app import folded
    >>> folded(["train", "--learner", "ogd", "eta=0.1", "bias=true", "a.svm"])
    ['train', '--learner', 'ogd eta=0.1 bias=true', 'a.svm']
    """
    result: list[str] = []
    after: str | None = None  # the option whose value settings are added to
    for argument in arguments:
        if after == "" and SETTING.fullmatch(argument):
            result[-1] += f" {argument}"
            continue
        after = None if after is None or after == "" else ""
        if argument in ("--learner", "-l", "--adversary", "-a"):
            after = argument
        elif argument.startswith(("--learner=", "--adversary=")):
            after = ""
        result.append(argument)
    return result
