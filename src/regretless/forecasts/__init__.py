"""Forecasts: whom to believe, and how to combine those one has.

Functions of forecasts and outcomes, rows in the order of time: ``compare`` tells two or
more forecasters apart, valid whenever one looks; ``combine`` mixes them online;
``calibration`` asks whether 70% means 70%. Nothing here learns from features.
"""

from ..parts.losses import Absolute, Pinball, Squared
from ..parts.scores import Brier, Log, Spherical
from .calibrating import Calibration, Calibrations, calibration, calibrations
from .combination import Combination
from .combining import combine
from .comparing import compare
from .comparison import Comparison
from .mixture import Mixture, load_mixture
from .reading import from_odds, read_forecasts
from .simulated import Interview, simulate_interview, simulate_panel
from .table import Table
from .tournament import Tournament

__all__ = [
    "Absolute",
    "Brier",
    "Calibration",
    "Calibrations",
    "Combination",
    "Comparison",
    "Interview",
    "Log",
    "Mixture",
    "Pinball",
    "Spherical",
    "Squared",
    "Table",
    "Tournament",
    "calibration",
    "calibrations",
    "combine",
    "compare",
    "from_odds",
    "load_mixture",
    "read_forecasts",
    "simulate_interview",
    "simulate_panel",
]
