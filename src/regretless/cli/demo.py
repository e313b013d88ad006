"""``regretless demo``: train on a stream, then see whether the certificate held."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Annotated

import typer

from .console import show

__all__ = ["demo"]

FRESH = 50_000
LEARN = """
import regretless as rg
from scipy.sparse import csr_array
X = csr_array([[1.0], [1.0]] * 600)
rg.play(rg.Panel(), X, [1, -1] * 600, models=["validated", "exchangeability"])
"""


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
        show(f"Writing {rows:,} messages to learn from, and {FRESH:,} for later.")
        with _compiled():
            write_messages(Path("messages.vw"), rows, seed=1)
            write_messages(Path("later.vw"), FRESH, seed=2)
        for line in (
            "train messages.vw -o spam.rgl",
            "inspect spam.rgl --top 5",
            f"predict spam.rgl later.vw -o {os.devnull}",
        ):
            show(f"\n[bold cyan]$ regretless {line}[/]")
            code = main(line.split())
            if code:
                raise typer.Exit(code)


@contextlib.contextmanager
def _compiled() -> Generator[None]:
    """Have the learner compiled in a process beside, and the reader in this one.

    Only the first time: later there is nothing to compile.
    """
    from ..streams.vw import VwParser

    beside = subprocess.Popen([sys.executable, "-c", LEARN])
    yield
    VwParser().parse(b"1 | a\n", VwParser().no_names)
    beside.wait()
