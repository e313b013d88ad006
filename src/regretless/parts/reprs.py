"""A dataclass of parameters as the call that makes it: only what is not a default."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


LARGE, HUGE = 1e4, 1e12  # amounts between them are written out
SHARE = 10.0  # a percentage from here on has one digit


def shown(value: float | None) -> str:
    """An amount for people: four figures, or all of a larger one; "" of nothing.

    Examples
    --------
    >>> shown(0.012344), shown(53_661.7), shown(4.2e12), shown(None)
    ('0.01234', '53,662', '4.2e+12', '')
    """
    if value is None or math.isnan(value):
        return ""
    return f"{value:,.0f}" if LARGE <= abs(value) < HUGE else f"{value:,.4g}"


def number(value: float | None, digits: int = 6) -> str:
    """A number in full, for tables."""
    if value is None:
        return ""
    if abs(value) < 1e15 and value == int(value):
        return f"{int(value):,}"
    return f"{value:,.{digits}g}"


def percent(share: float) -> str:
    """A share in three figures or so.

    Examples
    --------
    >>> percent(0.0479), percent(0.415), percent(float("nan"))
    ('4.79%', '41.5%', 'nan')
    """
    if math.isnan(share):
        return "nan"
    return f"{share:.2%}" if 100.0 * share < SHARE else f"{share:.1%}"


def signed(value: float) -> str:
    """The same with its sign: ``+12,345``."""
    return f"{'+' if value >= 0.0 else ''}{shown(value)}"


def call(made: object, show: Callable[[object], str] = repr) -> str:
    """The call that makes `made`; its own parameters first, then the inherited ones."""
    fields = dataclasses.fields(cast("DataclassInstance", made))
    own_first = sorted(fields, key=lambda one: bool(one.kw_only))
    shown = [
        f"{one.name}={show(getattr(made, one.name))}"
        for one in own_first
        if one.init and not _same(getattr(made, one.name), one.default)
    ]
    return f"{type(made).__name__}({', '.join(shown)})"


def short_call(made: object) -> str:
    """The same for a column of a table: numbers to four figures."""
    return call(made, _short)


def _same(value: object, default: object) -> bool:
    """Equal, and of one kind: parts without fields are all equal as tuples."""
    return type(value) is type(default) and value == default


def _short(value: object) -> str:
    if hasattr(value, "_fields"):
        inside = ", ".join(_short(item) for item in cast("tuple[object, ...]", value))
        return f"{type(value).__name__}({inside})"
    return f"{value:.4g}" if isinstance(value, float) else repr(value)
