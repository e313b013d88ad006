"""Whether there is room for so many classes: said before the memory is asked for."""

from __future__ import annotations

from ...hypotheses.panel import SHARE, physical_memory

__all__ = ["refuse_size"]


def refuse_size(size: float, classes: int, features: int) -> None:
    """Raise ValueError where weights of this many bytes would not fit into memory."""
    if size > SHARE * physical_memory():
        raise ValueError(
            f"{classes:,} classes on {features:,} features would take "
            f"{size / 1e9:.0f} GB: hash the features (-b 18, bits=18), or take fewer "
            "classes; if labels are amounts, they are for a regression"
        )
