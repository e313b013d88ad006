"""Files for commands: lines of LIBSVM text, and a table of forecasts."""

from __future__ import annotations

import csv
import io
import random

FORECASTS = "ann,bob,rain\n" + ".7,.8,1\n.2,.4,0\n.6,.9,1\n" * 20


def rows(n: int, seed: int) -> list[str]:
    """Rows with eight of sixty features; the first thirty say yes."""
    dice = random.Random(seed)
    made: list[str] = []
    for _ in range(n):
        columns = sorted(dice.sample(range(1, 61), 8))
        score = sum(1 if j <= 30 else -1 for j in columns) + dice.gauss(0.0, 1.0)
        entries = " ".join(f"{j}:{dice.choice(['1', '0.5', '2'])}" for j in columns)
        made.append(f"{'+1' if score > 0 else '-1'} {entries}\n")
    return made


def table(text: str) -> list[dict[str, str]]:
    """The rows of a CSV file of predictions."""
    return list(csv.DictReader(io.StringIO(text)))
