"""The letters of a formula."""

from __future__ import annotations

import re

WORDS = {
    "sum", "over", "mistakes", "of", "sqrt", "ln", "log2", "max", "min", "min_i",
    "cosh", "e", "floor", "det", "kl", "RE", "uniform", "updates", "inf", "in",
    "norm", "exp", "classes", "their", "learners", "own", "weighted", "sum_i", "sum_t",
    "sum_j", "sum_M", "min_u", "t", "i", "j", "p", "u", "on", "the",
}  # fmt: skip
TOKEN = re.compile(r"[A-Za-z]\w*(?:\{[^}]*\})?\*?")


def letters(text: str) -> set[str]:
    return set(TOKEN.findall(text))
