"""The panel between two rounds: what it knows of every feature, and its members.

Row 0 of every array is the bias, row j + 1 is feature j. ``moments`` holds one row a
feature, in float64, because squares of 1e30 leave float32. The members' weights may be
float32 (fast) or float64 (exact): the arrays' type decides. Numbers of one feature lie
side by side, those a prediction needs apart from those only an update needs.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..generic import generic, implement
from .state import Floats

__all__ = [
    "Constants",
    "Hats",
    "Lines",
    "PanelState",
    "Tile",
    "slots",
    "spread",
]

Reals: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"
Longs: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"

# columns of moments
MEAN = 0  # of the feature's nonzeros
SPREAD = 1  # Welford's sum of squared deviations from it
POSITIVE = 2  # rows labelled +1 that had the feature
NEGATIVE = 3  # rows labelled -1 that had it
ODDS = 4  # ln((POSITIVE + 1)/(NEGATIVE + 1))
MOMENTS = 5

# columns of coins
THETA = 0  # the sum of minus the gradients
WEALTH = 1  # won so far
REACH = 2  # the sum of |gradients|
COINS = 3

# numbers
ROUNDS = 0
POSITIVES = 1  # rounds labelled +1
NEGATIVES = 2
LENGTHS = 3  # the sum over rounds of |hats|^2
NUMBERS = 4

KNOTS = 7  # at -3, -2, ..., 3 standard deviations


class PanelState(NamedTuple):
    """All that a panel remembers: see the module's docstring."""

    moments: Floats  # [feature, MOMENTS]
    rows: Reals  # [feature, lane]: weights of the members on the rows
    row_squares: Reals  # [feature, lane]: their sums of squared gradients
    curves: Reals  # [feature * slots, lane]: of those on the curves, the coin's last
    curve_squares: Reals  # [feature * slots, lane]
    coins: Reals  # [feature * slots, COINS]
    stack: Floats  # [D]: weights of the stack
    covariance: Floats  # [D, D]
    numbers: Floats  # [NUMBERS]


class Tile(NamedTuple):
    """Room for one row of data, feature after feature; carries nothing from row to row.

    ``exact`` has lines X, MEAN, ...; ``values`` the views; ``lanes`` what an update
    gathers. ``margins`` and ``inputs`` are one number a member, and the stack's.
    """

    columns: Longs
    places: Longs
    exact: Floats
    values: Reals
    lanes: Reals
    scalars: Reals
    margins: Floats
    inputs: Floats


class Constants(NamedTuple):
    """The numbers of the recipe: one set for all data.

    ``row_steps`` are the eta of the members on view A, the hinges first; there are
    ``row_hinges`` of them, the others are logistic. ``curve_steps`` are those of the
    hinges on the curves.
    """

    row_steps: tuple[float, ...] = (40.0, 0.3, 0.1, 1.0)
    row_hinges: int = 2
    curve_steps: tuple[float, ...] = (4.0, 1.0)
    row_clip: float = 5.0
    curve_clip: float = 3.0
    wealth: float = 16.0
    margin_clip: float = 50.0
    near: float = 1.0
    far: float = 4.0
    negligible: float = 0.03
    variance: float = 1e-4
    drift: float = 1e-6


class Hats(NamedTuple):
    """View H: z spread linearly over the two nearest of the knots -3..3."""


class Lines(NamedTuple):
    """View I: an indicator and z itself, so that a member is linear in z."""


@generic
def slots(view: Any) -> int:
    """How many slots a feature has."""
    ...


@generic
def spread(view: Any, z: float) -> tuple[int, float, float]:
    """The first of two neighboring slots that `z` fills, and what it puts in them."""
    ...


@implement(slots, Hats)
def _(view: Hats) -> int:
    return KNOTS


@implement(spread, Hats)
def _(view: Hats, z: float) -> tuple[int, float, float]:
    t = z + 3.0
    slot: Any = min(np.int32(t), np.int32(KNOTS - 2))
    right = t - slot
    return slot, 1.0 - right, right


@implement(slots, Lines)
def _(view: Lines) -> int:
    return 2


@implement(spread, Lines)
def _(view: Lines, z: float) -> tuple[int, float, float]:
    slot: Any = np.int32(0)
    return slot, 1.0, z
