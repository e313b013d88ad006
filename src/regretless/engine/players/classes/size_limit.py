"""Whether there is room for so many classes: said before the memory is asked for."""

from __future__ import annotations

import math

from ...hypotheses.panel import SHARE
from ...memory import physical_memory

__all__ = ["refuse_size"]

MORE = 3  # bits to spare: there may be more classes to come


def refuse_size(size: float, classes: int, features: int, copies: int = 1) -> None:
    """Raise ValueError where weights of this many bytes would not fit into memory.

    `copies` is how many there are, with those that are frozen on the way.
    """
    room = SHARE * physical_memory()
    if copies * size > room:
        fit = math.log2(max(features, 2) * room / (copies * size))
        bits = max(1, math.floor(fit) - MORE)
        models = " with the models frozen on the way" if copies > 1 else ""
        raise ValueError(
            f"{classes:,} classes on {features:,} features would take "
            f"{copies * size / 1e9:.0f} GB{models}: hash the features to fewer "
            f"(-b {bits}, bits={bits}, has room for {2**MORE} times as many classes), "
            "or take fewer classes; if labels are amounts, they are for a regression"
        )
