"""Where output goes: results to standard output, everything else to standard error."""

from __future__ import annotations

import json
import sys
from typing import Any

from rich.console import Console

__all__ = ["err", "print_json", "say", "show"]

WIDTH = 88


def err() -> Console:
    """Standard error, where progress and remarks go."""
    return Console(stderr=True, highlight=False)


def say(text: str) -> None:
    """One remark, on standard error."""
    print(text, file=sys.stderr)


def show(*renderables: Any) -> None:
    """Print results: in color on a terminal, else as plain text of a fixed width."""
    if sys.stdout.isatty():
        screen = Console(highlight=False)
        for one in renderables:
            screen.print(one)
        return
    console = Console(highlight=False, width=WIDTH, no_color=True)
    with console.capture() as captured:
        for one in renderables:
            console.print(one)
    lines = captured.get().splitlines()
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in lines))


def print_json(document: dict[str, Any]) -> None:
    """One JSON document on standard output; what is not a number there is null."""
    from ..storage import finite

    sys.stdout.write(json.dumps(finite(document), indent=2, default=str) + "\n")
