"""Hindsight: the best fixed comparator, solved for, with a proof of how good it is.

Solvers and what they return live here; their hot loops are kernels. Nothing here
learns, and nothing here says what a comparator is good for: that is theory's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy import lazily

if TYPE_CHECKING:
    from .ball import in_ball
    from .comparison import ComparatorLedger, compare_along, compare_with
    from .constant import best_constant
    from .experts import BestExpert, BestSequence, best_expert, best_sequence
    from .least_squares import ridge
    from .margin import max_margin_on_simplex
    from .path import Path, svm_path
    from .regularized import penalized
    from .simplex import on_simplex
    from .solution import Hindsight, Margin

__all__ = [
    "BestExpert",
    "BestSequence",
    "ComparatorLedger",
    "Hindsight",
    "Margin",
    "Path",
    "best_constant",
    "best_expert",
    "best_sequence",
    "compare_along",
    "compare_with",
    "in_ball",
    "max_margin_on_simplex",
    "on_simplex",
    "penalized",
    "ridge",
    "svm_path",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "ball": "in_ball",
        "comparison": "ComparatorLedger compare_along compare_with",
        "constant": "best_constant",
        "experts": "BestExpert BestSequence best_expert best_sequence",
        "least_squares": "ridge",
        "margin": "max_margin_on_simplex",
        "path": "Path svm_path",
        "regularized": "penalized",
        "simplex": "on_simplex",
        "solution": "Hindsight Margin",
    },
)
