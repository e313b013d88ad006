"""Run a page: its Python and its commands as one session.

A ``python`` block holds a session with prompts. A ``console`` block holds commands
after ``$``, each with what it prints; ``...`` stands for what differs from run to run.
What is shown is compared with what comes.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
import sys
from collections.abc import Iterator
from typing import NamedTuple

from regretless.cli import main

__all__ = ["Block", "blocks", "play_page"]

FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ regretless (.+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


class Block(NamedTuple):
    """A fenced block: its language, its text, and the line it begins in."""

    language: str
    text: str
    line: int


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    for found in FENCE.finditer(page):
        yield Block(found[2], found[3], page.count("\n", 0, found.start(3)))


def play_page(page: str, name: str) -> str:
    """Run the blocks in order; what went otherwise than the page says."""
    names = {"__name__": "__main__", "command": command}
    steps = [step for block in blocks(page) for step in examples(block)]
    report = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    runner.run(doctest.DocTest(steps, names, name, name, 0, page), out=report.write)
    return report.getvalue()


def examples(block: Block) -> Iterator[doctest.Example]:
    """What a block does, step by step."""
    if block.language == "python":
        for step in doctest.DocTestParser().get_examples(block.text):
            step.lineno += block.line
            yield step
    if block.language == "console":
        for found in COMMAND.finditer(block.text):
            line = block.line + block.text.count("\n", 0, found.start())
            source, options = f"command({found[1]!r})", {doctest.ELLIPSIS: True}
            yield doctest.Example(source, found[2], lineno=line, options=options)


def command(line: str) -> None:
    """Run ``regretless line``, as a terminal shows it: both streams in one."""
    with contextlib.redirect_stderr(sys.stdout):
        main(shlex.split(line))
