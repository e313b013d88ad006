"""A dataclass of parameters as the call that makes it: only what is not a default."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, cast

__all__ = ["call", "short_call"]


def call(made: Any, show: Callable[[Any], str] = repr) -> str:
    """The call that makes `made`; its own parameters first, then the inherited ones."""
    own_first = sorted(dataclasses.fields(made), key=lambda one: bool(one.kw_only))
    shown = [
        f"{one.name}={show(getattr(made, one.name))}"
        for one in own_first
        if one.init and not _same(getattr(made, one.name), one.default)
    ]
    return f"{type(made).__name__}({', '.join(shown)})"


def short_call(made: Any) -> str:
    """The same for a column of a table: numbers to four figures."""
    return call(made, _short)


def _same(value: Any, default: Any) -> bool:
    """Equal, and of one kind: parts without fields are all equal as tuples."""
    return type(value) is type(default) and value == default


def _short(value: Any) -> str:
    if hasattr(value, "_fields"):
        inside = ", ".join(_short(item) for item in cast("tuple[Any, ...]", value))
        return f"{type(value).__name__}({inside})"
    return f"{value:.4g}" if isinstance(value, float) else repr(value)
