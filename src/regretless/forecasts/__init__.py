"""Forecasts: whom to believe, and how to combine those one has.

Functions of forecasts and outcomes, rows in the order of time: ``compare`` tells two or
more forecasters apart, valid whenever one looks; ``combine`` mixes them online;
``calibration`` asks whether 70% means 70%. Nothing here learns from features.
"""

from ..parts.losses import Absolute, Pinball, Squared
from ..parts.scores import Brier, Log, Spherical
from .combination import Combination
from .combine import combine
from .compare import compare
from .comparison import Comparison
from .simulated import Interview, simulate_interview, simulate_panel
from .tournament import Tournament

__all__ = [
    "Absolute",
    "Brier",
    "Combination",
    "Comparison",
    "Interview",
    "Log",
    "Pinball",
    "Spherical",
    "Squared",
    "Tournament",
    "combine",
    "compare",
    "simulate_interview",
    "simulate_panel",
]
