"""Completion of commands and options in bash, zsh and fish, installed or shown."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from .console import say, write_out
from .usage import UsageError

if TYPE_CHECKING:
    import click

VARIABLE = "_REGRETLESS_COMPLETE"
# Where the script goes; the file that has to load it, and the lines for that.
PLACES = {
    "bash": (".bash_completions/regretless.sh", ".bashrc", "source ~/{}\n"),
    "zsh": (
        ".zfunc/_regretless",
        ".zshrc",
        "fpath+=~/.zfunc; autoload -Uz compinit; compinit\n",
    ),
    "fish": (".config/fish/completions/regretless.fish", None, ""),
}


def complete(app: click.Group, instruction: str) -> int:
    """Answer a shell that asks what comes next; the exit code."""
    from click.shell_completion import shell_complete

    try:
        return shell_complete(app, {}, "regretless", VARIABLE, instruction)
    except KeyError as missing:
        raise UsageError(
            f"{VARIABLE} is for shells, which also set {missing}"
        ) from None


def show_completion() -> None:
    """Print the script for the shell that runs."""
    write_out(_script(_shell()))


def install_completion() -> None:
    """Write the script for the shell that runs, and have the shell load it."""
    shell = _shell()
    name, profile, line = PLACES[shell]
    script = Path.home() / name
    script.parent.mkdir(parents=True, exist_ok=True)
    _replace(script, _script(shell))
    if profile is not None:
        loader = Path.home() / profile
        line = line.format(name)
        before = loader.read_text() if loader.exists() else ""
        if line not in before:
            gap = "" if before.endswith("\n") or not before else "\n"
            _replace(loader, f"{before}{gap}{line}")
    say(f"{shell} completes regretless in new terminals: {script}")


def _replace(path: Path, text: str) -> None:
    """Write a file of the user's as a whole: a full disk leaves it as it was."""
    from ..engine.storage.atomic import writing

    with writing(path) as stream:
        stream.write(text.encode())


def _shell() -> str:
    """The user's shell."""
    shell = Path(os.environ.get("SHELL", "")).name
    if shell not in PLACES:
        known = ", ".join(PLACES)
        raise UsageError(f"completion is for {known}; $SHELL is {shell or 'not set'}")
    return shell


def _script(shell: str) -> str:
    """What click makes for a shell."""
    from click.shell_completion import get_completion_class

    from .app import app

    found = get_completion_class(shell)
    assert found is not None, "PLACES has what click has"
    return found(app, {}, "regretless", VARIABLE).source()
