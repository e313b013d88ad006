"""Conversions: from the hypotheses of a run to one model.

The hypotheses of a run are w_0..w_{m-1}, those that predicted. Each conversion says
which of them it keeps, and what its certificate is about, or why there is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy import lazily

if TYPE_CHECKING:
    from .conversions import CONVERSIONS, model_of
    from .model_kinds import default_kinds

__all__ = ["CONVERSIONS", "default_kinds", "model_of"]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "conversions": "CONVERSIONS model_of",
        "model_kinds": "default_kinds",
    },
)
