"""What a regression panel is made of: trackers, a ridge regression, and a stack.

A tracker of rate eta, on rows whose every entry is divided by the running root mean
square of its feature, a bias in front ::

    G_j += x_j^2;   w_j += eta x_j/sqrt(G_j) (y - w.x)/(1 + eta sum_j x_j^2/sqrt(G_j))

Nothing in it but the residual has the unit of y, so that labels a million times as
large make weights a million times as large; and the step never overshoots.
"""

from __future__ import annotations

from typing import NamedTuple

from .composition import Composition
from .geometries import Diagonal, FullMatrix
from .losses import Squared
from .prediction_rules import Foreseen
from .rows import Ints
from .state import Floats
from .steps import Constant
from .updates import LeastSquares
from .views import RunningRMS

RATES = (0.3, 1.0, 3.0, 10.0)
CURVE_RATES = (0.3, 1.0, 3.0)
FEW = 24  # features up to which there is a ridge regression on curves
SEEN = 128  # features that the ridge regression sees, the first ones

# What a stack has summed.
UNIT = 0  # the size of the first label that is not zero
LABELS = 1  # the sum of all labels, each times its importance
COUNT = 2  # the sum of the importances
BEST = 3  # the least that a fixed combination has paid, its distance included
BOUND = 4  # sum (y - mean of what was said)^2 times the leverage of the round
SUMS = 5
FIRST = 5  # of a stack over a forest: the first label
LOW = 6  # the least label so far
HIGH = 7
EXTRA = 8  # what was paid more than by the linear panel
MORE_SUMS = 9

# What is known of curves.
ROUNDS = 0
KNOWN = 1  # features that have come
SOLVED = 2  # the round after which ridge regression was solved
CURVE_NUMBERS = 3

LANES = 4  # members on curves: three trackers, then ridge regression
RIDGE = 3


class CurveState(NamedTuple):
    """What curves, and the members on them, remember. Column 0 is the bias."""

    numbers: Floats
    moments: Floats  # [feature in order of appearance, MEAN and SPREAD]
    order: Ints  # the features, in order of appearance
    weights: Floats  # [column, member]
    squares: Floats  # [column]: G of the trackers
    gram: Floats  # [column, column]: of ridge regression, sum c x x', the lower half
    products: Floats  # [column]: sum c y x


class CurveRoom(NamedTuple):
    """Room for a row and for a solution: ``values`` is zero between rows."""

    places: Ints  # [feature]: where it is in the order of appearance, from 1 on
    values: Floats  # [feature]
    columns: Ints  # of the hats
    hats: Floats
    steps: Floats  # [hat]: x/sqrt(G)
    factor: Floats  # [row, row]
    solution: Floats
    met: Ints  # the columns that have come


def tracker(eta: float) -> Composition:
    """A member that follows what changes: the faster, the larger eta."""
    return Composition(
        loss=Squared(),
        geometry=Diagonal(eta),
        step=Constant(1.0),
        update=LeastSquares(),
        view=RunningRMS(),
    )


def ridge_member() -> Composition:
    """The member that averages what stays: ridge regression on the first features."""
    return Composition(
        loss=Squared(),
        geometry=FullMatrix(0.1, SEEN + 1),
        step=Constant(1.0),
        update=LeastSquares(),
        view=RunningRMS(),
    )


def combiner() -> Composition:
    """A stack: VAW on what others say."""
    return Composition(
        loss=Squared(),
        geometry=FullMatrix(1.0),
        step=Constant(1.0),
        update=LeastSquares(),
        prediction_rule=Foreseen(),
    )
