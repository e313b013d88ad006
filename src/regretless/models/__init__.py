"""Models: what a run hands over. They predict, they know their names and certificate.

A model is frozen and small: weights, not state. Nothing here learns.
"""

from .linear import LinearModel
from .panel import PanelModel
from .votes import VoteModel

__all__ = ["LinearModel", "PanelModel", "VoteModel"]
