"""Models: what a run hands over. They predict, they know their names and certificate.

A model is frozen and small: a hypothesis, not the state of a player. Nothing here
learns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import lazily

if TYPE_CHECKING:
    from .files import load
    from .model import Model
    from .provenance import Provenance

__all__ = ["Model", "Provenance", "load"]

__getattr__, __dir__ = lazily(
    __name__, {"files": "load", "model": "Model", "provenance": "Provenance"}
)
