"""The application: which commands there are, and how one of them is run."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence

import click

from ..version import __version__
from .completion import VARIABLE, complete
from .console import print_json, wants_json, write_out
from .parsing import Commands
from .usage import UsageError

SETTING = re.compile(r"[A-Za-z][\w-]*=.*")


def _version() -> None:
    if wants_json():
        print_json({"version": __version__})
    else:
        write_out(f"regretless {__version__}\n")


def _instead(name: str, action: Callable[[], None], text: str) -> click.Option:
    """An option that does something by itself, instead of a command."""

    def callback(context: click.Context, _: click.Parameter, given: bool) -> None:
        if given and not context.resilient_parsing:
            action()
            context.exit()

    return click.Option(
        [name],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=callback,
        help=text,
    )


app = Commands(
    *("train", "predict", "inspect", "convert"),
    *("compare", "combine", "calibration", "game", "demo", "warmup"),
    name="regretless",
    help="Learn from data in one pass, and hand back the receipts: "
    "the model, the ledger, and a certificate of the risk on fresh data.",
    epilog="Try it: regretless demo",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    params=[
        _instead("--version", _version, "The version."),
    ],
)


def run(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code; failures are raised."""
    if VARIABLE in os.environ:
        return complete(app, os.environ[VARIABLE])
    given = _json_behind(folded(arguments)) or ["--help"]
    try:
        with app.make_context("regretless", given) as context:
            return int(app.invoke(context) or 0)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.NoSuchOption as problem:
        from .other_tools import hint_for

        hint = hint_for(*_with_value(problem.option_name, given)) or _elsewhere(problem)
        said = f"there is no option {problem.option_name} here: {hint}"
        raise UsageError(said if hint else _line(problem)) from None
    except click.ClickException as problem:
        raise UsageError(_line(problem)) from None


def _elsewhere(problem: click.NoSuchOption) -> str:
    """What an option is called here, or which commands have it."""
    if problem.option_name == "--target":
        return "did you mean --label?"
    context = click.Context(app)
    having = [
        name
        for name in app.names
        for parameter in getattr(app.get_command(context, name), "params", ())
        if problem.option_name in parameter.opts
    ]
    if not having:
        return ""
    asked = problem.ctx.info_name if problem.ctx else None
    if "train" in having and (having == ["train"] or asked == "predict"):
        return "it is an option of regretless train, and the model keeps it"
    return f"it is an option of regretless {', '.join(having)}"


def _json_behind(arguments: list[str]) -> list[str]:
    """--json before a command goes behind it; without a command it is not needed."""
    first = next((k for k, word in enumerate(arguments) if word[:1] != "-"), None)
    if "--json" not in arguments[:first]:
        return arguments
    others = [word for word in arguments[:first] if word != "--json"]
    return others if first is None else [*others, *arguments[first:], "--json"]


def _with_value(flag: str, arguments: list[str]) -> tuple[str, str]:
    """An option as it was given, and what stands behind it."""
    for word, after in zip(arguments, [*arguments[1:], ""], strict=True):
        name, equals, value = word.partition("=")
        if name == flag:
            return flag, value if equals else after
    return flag, ""


def _line(problem: click.ClickException) -> str:
    """What click says of a wrong command, in one line."""
    text = " ".join(str(problem.format_message()).split()).rstrip(".")
    context: click.Context | None = getattr(problem, "ctx", None)
    path = "regretless" if context is None else context.command_path
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
