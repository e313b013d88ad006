"""The application: which commands there are, and how failures end."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from ..errors import TheoremViolated
from .combine import combine
from .compare import compare
from .console import print_json, say
from .convert import convert
from .demo import demo
from .game import game
from .inspect import inspect
from .predict import predict
from .train import train
from .usage import UsageError

__all__ = ["app", "main"]

# An import fails where an extra is not installed; the message says which.
FAILURES = (
    ValueError,
    TypeError,
    OSError,
    MemoryError,
    ModuleNotFoundError,
    TheoremViolated,
)
SETTING = re.compile(r"[A-Za-z][\w-]*=.*")

app = typer.Typer(
    name="regretless",
    help="Learn from data in one pass, and hand back the receipts: "
    "the model, the ledger, and a certificate of the risk on fresh data.",
    epilog="Try it: regretless demo",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
for command in (train, predict, inspect, convert, compare, combine, game, demo):
    app.command(command.__name__)(command)


def version(value: bool) -> None:
    """Print the version and stop."""
    if value:
        from importlib.metadata import version as installed

        print(f"regretless {installed('regretless')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=version, is_eager=True, help="The version."),
    ] = False,
) -> None:
    """Options that go before the command."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; every failure is one line on standard error."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        app(args=folded(given), standalone_mode=True)
    except SystemExit as stop:
        return int(stop.code or 0)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of our output has gone: nobody is to be told
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except FAILURES as error:
        say(_line(error))
        if "--json" in given:
            print_json({"error": _line(error)})
        return 2 if isinstance(error, UsageError) else 1
    return 0


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


def _line(error: BaseException) -> str:
    """What went wrong, in one line."""
    if isinstance(error, OSError) and error.strerror:
        name = f"{error.filename}: " if error.filename else ""
        return f"{name}{error.strerror.lower()}"
    text = " ".join(str(error).split())
    return text or type(error).__name__
