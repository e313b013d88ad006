"""Numbers as people read them in sentences."""

from __future__ import annotations


def brief(value: float | None) -> str:
    """A number as people say it: four figures, and millions by their name.

    Examples
    --------
    >>> from regretless.report.numbers import brief
    >>> brief(0.497688), brief(20041.3), brief(391.0), brief(1.6482e8)
    ('0.4977', '20,041', '391', '164.8 million')
    """
    if value is None:
        return ""
    size = abs(value)
    if size >= 1e12:
        return f"{value:.3g}"
    if size >= 1e6:
        unit, name = (1e9, "billion") if size >= 1e9 else (1e6, "million")
        return f"{value / unit:,.4g} {name}"
    whole = value == int(value) or size >= 1e4
    return f"{value:,.0f}" if whole else f"{value:,.4g}"


def counted(count: int, what: str) -> str:
    """How many, and of what: "1 row", "3 rows"."""
    return f"{count:,} {what}{'s' * (count != 1)}"


def percent(share: float) -> str:
    """A share with three figures or so."""
    if share in (0.0, 1.0):
        return f"{share:.0%}"
    return f"{share:.2%}" if share < 0.1 else f"{share:.1%}"
