"""The panel between two rounds: what it knows of every feature, and its members.

Row 0 of every array is the bias, row j + 1 is feature j. ``moments`` are float64,
because squares of 1e30 leave float32. The members' weights may be float32 (fast) or
float64 (exact): the arrays' type decides.

Most of the time goes into waiting for cache lines. So what is known of a slot of a
curve lies on one line, and so do the moments of a feature and its weights on the rows:
``moments`` and ``rows`` are two views of the same memory, of which the first MOMENTS
float64 belong to the one, and the rest to the other.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..generic import compiled
from ..rows import Longs
from ..state import Floats

Reals: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

# columns of moments
MEAN = 0  # of the feature's nonzeros
SPREAD = 1  # Welford's sum of squared deviations from it
POSITIVE = 2  # rows labelled +1 that had the feature
NEGATIVE = 3  # rows labelled -1 that had it
MOMENTS = 4

# the last columns of curves, the coin's own, from the end
THETA = 3  # minus the sum of the gradients
WEALTH = 2  # what was won
REACH = 1  # the sum of |gradients|
COINS = 3

# numbers
ROUNDS = 0
POSITIVES = 1  # rounds labelled +1
NEGATIVES = 2
LENGTHS = 3  # the sum over rounds of |curves|^2
FAR = 4  # where the stack clips margins the second time
DRAWS = 5  # 1 where some of the small gradients are learned from, 0 where none is
NUMBERS = 6

# lines of tile.exact
X = 0
MU = 1
Q = 2
PLUS = 3
MINUS = 4
TERMS = 5  # of naive Bayes' odds
EXACT = 6

# columns of tile.facts: what is known of a row before its label
FIRST = 0  # where it begins in the tile
COUNT = 1  # how many features it has, the bias included
SQUARE = 2  # |x|^2
LOW = 3  # min(x, 0)
HIGH = 4  # max(x, 0)
ROW_SQUARE = 5  # |a|^2
CURVE_SQUARE = 6  # |curves|^2
ODDS = 7  # what presence says, to naive Bayes
FACTS = 8

# tile.scalars: numbers of the type of the weights, so that products stay of that type
SCALE = 0
GAIN = 1
LEAST = 2
MOVE = 3
ONE = 4
SCALARS = 5

LINE = 8  # a tile is filled up to a multiple of this: a vector register of float64
LANES = 4  # lanes that an update gathers at once
TILE = 4096  # entries that a tile holds, unless a single row is longer
TILE_ROWS = 64


@compiled
def filled(n: int) -> int:
    """The same up to whole lines."""
    return (n + LINE - 1) // LINE * LINE


class PanelState(NamedTuple):
    """All that a panel remembers: see the module's docstring."""

    moments: Floats  # [feature, MOMENTS and more]
    rows: Reals  # [feature, more and 2 lanes]: weights on the rows, sums of squares
    curves: Reals  # [feature * slots, 2 lanes + 1 + COINS]: weights on the curves, the
    # coin's being the last of them; the lanes' sums of squares; the coin's own columns
    stack: Floats  # [width]: weights of the stack; zeros from D on
    covariance: Floats  # [D, width]
    numbers: Floats  # [NUMBERS]


class Tile(NamedTuple):
    """Room for some rows of data, feature after feature; nothing is carried over.

    ``columns`` and ``values`` are view A of the rows, one after the other, and
    ``places``, ``lefts`` and ``rights`` the curves; ``facts`` says where each begins.
    The others are of one row: ``exact`` holds the entries and their moments, ``lanes``
    what an update gathers; ``margins`` one number a member, ``inputs`` those of the
    stack, ``leads`` its covariance times them.
    """

    columns: Longs
    values: Reals
    places: Longs
    lefts: Reals
    rights: Reals
    facts: Floats
    exact: Floats
    lanes: Reals
    scalars: Reals
    margins: Floats
    inputs: Floats
    leads: Floats


class Constants(NamedTuple):
    """The numbers of the recipe: one set for all data.

    ``row_steps`` are the eta of the members on view A, the hinges first: there are
    ``row_hinges`` of them, the others are logistic. ``curve_steps`` are those of the
    hinges on the curves. How many there are picks the machine code; what they are does
    not.
    """

    row_steps: tuple[float, ...] = (40.0, 0.3, 0.1, 1.0)
    row_hinges: int = 2
    curve_steps: tuple[float, ...] = (4.0, 1.0)
    row_clip: float = 5.0
    wealth: float = 16.0  # that a coin starts with
    coin_clip: float = 50.0
    near: float = 1.0  # where the stack clips margins
    far: float = 12.0
    negligible: float = 0.03  # a smaller hinge loss is not worth an update
    variance: float = 1e-4  # the least the stack takes for p(1 - p)
    drift: float = 1e-6  # what its covariance gains with an update
    smallest: float = 1e-36  # the least sum of squares that is divided by

    @property
    def members(self) -> int:
        """How many there are, the coin and naive Bayes included."""
        return len(self.row_steps) + len(self.curve_steps) + 2
