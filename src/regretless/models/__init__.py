"""Models: what a run hands over. They predict, they know their names and certificate.

A model is frozen and small: weights, not state. Nothing here learns.
"""

from .class_panels import ClassPanelsModel
from .classes import ClassesModel
from .files import load
from .linear import LinearModel
from .model import Model
from .panel import PanelModel
from .provenance import Provenance
from .votes import VoteModel

__all__ = [
    "ClassPanelsModel",
    "ClassesModel",
    "LinearModel",
    "Model",
    "PanelModel",
    "Provenance",
    "VoteModel",
    "load",
]
