"""``regretless demo``: train on a stream, then see whether the certificate held."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from .console import show

__all__ = ["demo"]

FRESH = 50_000


def demo(
    rows: Annotated[
        int, typer.Option("--rows", help="How many messages to learn from.", min=2_000)
    ] = 200_000,
) -> None:
    """Make a stream of spam and other messages, learn it, and check the receipts.

    Everything happens in a temporary folder that is removed afterwards.

    Example: regretless demo
    """
    from .app import main
    from .messages import write_messages

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        show(f"Writing {rows:,} messages to learn from, and {FRESH:,} for later.\n")
        write_messages(Path("messages.vw"), rows, seed=1)
        write_messages(Path("later.vw"), FRESH, seed=2)
        for line in (
            "train messages.vw -o spam.rgl",
            "inspect spam.rgl --top 5",
            f"predict spam.rgl later.vw -o {os.devnull}",
        ):
            show(f"[bold cyan]$ regretless {line}[/]")
            code = main(line.split())
            if code:
                raise typer.Exit(code)
