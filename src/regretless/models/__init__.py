"""Models: what a run hands over. They predict, they know their names and certificate.

A model is frozen and small: weights, not state. Nothing here learns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import lazily

if TYPE_CHECKING:
    from .class_panels import ClassPanelsModel
    from .classes import ClassesModel
    from .files import load
    from .linear import LinearModel
    from .machine import KernelModel
    from .model import Model
    from .panel import PanelModel
    from .provenance import Provenance
    from .votes import VoteModel

__all__ = [
    "ClassPanelsModel",
    "ClassesModel",
    "KernelModel",
    "LinearModel",
    "Model",
    "PanelModel",
    "Provenance",
    "VoteModel",
    "load",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "class_panels": "ClassPanelsModel",
        "classes": "ClassesModel",
        "files": "load",
        "linear": "LinearModel",
        "machine": "KernelModel",
        "model": "Model",
        "panel": "PanelModel",
        "provenance": "Provenance",
        "votes": "VoteModel",
    },
)
