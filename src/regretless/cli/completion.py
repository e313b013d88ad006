"""Completion of commands and options by the scripts that click has for shells.

eval "$(_REGRETLESS_COMPLETE=bash_source regretless)"     in ~/.bashrc
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .usage import UsageError

if TYPE_CHECKING:
    import click

VARIABLE = "_REGRETLESS_COMPLETE"


def complete(app: click.Group, instruction: str) -> int:
    """Answer a shell that asks for its script, or what comes next; the exit code."""
    from click.shell_completion import shell_complete

    try:
        return shell_complete(app, {}, "regretless", VARIABLE, instruction)
    except KeyError as missing:
        raise UsageError(
            f"{VARIABLE} is for shells, which also set {missing}"
        ) from None
