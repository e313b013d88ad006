"""``regretless demo``: train on a stream, then see whether the certificate held."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Annotated

from ..declared import Option
from . import options as o
from .console import CommandOutput, print_json, show
from .ending import answering
from .layout import Words

FRESH = 50_000
# It ends when the demo does, however that ends: its standard input is closed then.
LEARN = """
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(1)), daemon=True).start()
import regretless as rg
from scipy.sparse import csr_array
X = csr_array([[1.0], [1.0]] * 600)
rg.play(rg.Panel(), X, [1, -1] * 600, models=["validated"])
os._exit(0)
"""


def demo(
    rows: Annotated[
        int, Option("--rows", text="How many messages to learn from.", least=2_000)
    ] = 200_000,
    json: o.Json = False,
) -> int:
    """Make a stream of spam and other messages, learn it, and check the receipts.

    Everything happens in a temporary folder that is removed afterwards.

    Example: regretless demo
    """
    from ..engine.storage.scratch import scratch_folder
    from .messages import write_messages

    with scratch_folder("demo") as folder, contextlib.chdir(folder):
        if not json:
            text = f"Writing {rows:,} messages to learn from, and {FRESH:,} for later."
            show(Words(text))
        with _compiled():
            write_messages(Path("messages.vw"), rows, seed=1)
            write_messages(Path("later.vw"), FRESH, seed=2)
        for line in (
            "train messages.vw -o spam.rgl",
            "inspect spam.rgl --top 5",
            f"predict spam.rgl later.vw -o {os.devnull}",
        ):
            if not json:
                show(Words(""), Words(f"$ regretless {line}", "bold cyan"))
            code = _step(line.split() + ["--json"] * json, json)
            if code:
                return code
    return 0


def _step(arguments: list[str], json: bool) -> int:
    """Run one command of the demo; in JSON, its document is a part of the demo's."""
    from .app import run

    answer = CommandOutput(json)
    with answering(answer, arguments):
        answer.code = run(arguments)
    if json:
        print_json({arguments[0]: answer.document, "error": answer.error})
    return answer.code


@contextlib.contextmanager
def _compiled() -> Generator[None]:
    """Have the learner compiled in a process beside, and the reader in this one.

    Only the first time: later there is nothing to compile.
    """
    from ..data.encoding.hash_index import NARROW, HashIndex
    from ..data.formats.vw import VwParser

    command = [sys.executable, "-c", LEARN]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as beside:
        try:
            yield
            VwParser().parse(b"1 | a\n", HashIndex(NARROW))
            beside.wait()
        except BaseException:
            beside.kill()
            raise
