"""Models: what a run hands over. They predict, they know their names and certificate.

A model is frozen and small: weights, not state. Nothing here learns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import lazily

if TYPE_CHECKING:
    from .class_model import ClassesModel
    from .class_panels_model import ClassPanelsModel
    from .files import load
    from .kernel_model import KernelModel
    from .linear_model import LinearModel
    from .model import Model
    from .panel_model import PanelModel
    from .provenance import Provenance
    from .regression_model import RegressionModel
    from .vote_model import VoteModel

__all__ = [
    "ClassPanelsModel",
    "ClassesModel",
    "KernelModel",
    "LinearModel",
    "Model",
    "PanelModel",
    "Provenance",
    "RegressionModel",
    "VoteModel",
    "load",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "class_panels_model": "ClassPanelsModel",
        "class_model": "ClassesModel",
        "files": "load",
        "linear_model": "LinearModel",
        "kernel_model": "KernelModel",
        "model": "Model",
        "panel_model": "PanelModel",
        "regression_model": "RegressionModel",
        "provenance": "Provenance",
        "vote_model": "VoteModel",
    },
)
