"""The figures of the book: one small function a figure, each drawn from a run.

A function takes nothing, plays something, and returns a figure. Colors are numbers
(``color=1``), not names: the page chooses them, by day and by night.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

__all__ = ["drawn", "function"]


def function(module: str, name: str) -> Any:
    """The function that draws a figure."""
    return getattr(importlib.import_module(f"{__name__}.{module}"), name)


@functools.cache
def drawn(module: str, name: str) -> Any:
    """The figure, drawn once a build, for the page and for its notebook."""
    return function(module, name)()
