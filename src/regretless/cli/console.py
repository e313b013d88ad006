"""Where output goes: results to standard output, everything else to standard error."""

from __future__ import annotations

import json
import math
import sys
from typing import Any

from rich.console import Console

__all__ = ["err", "out", "print_json", "say", "show"]

WIDTH = 88


def out() -> Console:
    """Standard output; colors only on a terminal, lines never cut when piped."""
    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())


def err() -> Console:
    """Standard error, where progress and remarks go."""
    return Console(stderr=True, highlight=False)


def say(text: str) -> None:
    """One remark, on standard error."""
    print(text, file=sys.stderr)


def show(*renderables: Any) -> None:
    """Print results."""
    out().print(*renderables)


def print_json(document: dict[str, Any]) -> None:
    """One JSON document on standard output; what is not a number there is null."""
    sys.stdout.write(json.dumps(_finite(document), indent=2, default=str) + "\n")


def _finite(value: Any) -> Any:
    """The same with nan and infinities as None: JSON has no word for them."""
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if hasattr(value, "item") and getattr(value, "ndim", 1) == 0:
        return _finite(value.item())
    if hasattr(value, "tolist"):
        return _finite(value.tolist())
    return value
