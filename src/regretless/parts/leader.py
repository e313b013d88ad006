"""The mean game: predict a number, see y, pay (x - y)^2. The leader is the mean.

    x_{t+1} = x_t + (y_t - x_t)/t,    x_2 = y_1

What rounding takes from the mean is carried along, so it stays as exact as a float can
be, however long the game. The statistics keep both sides of the identity
Regret_T = sum_t (x_t - y_t)^2/t.
"""

from __future__ import annotations

from typing import NamedTuple

from .generic import compiled, implement, require
from .observers import LOSS, ROUNDS, enter, lower_to, raise_to
from .rows import Longs
from .state import Floats

LARGEST = 1e150  # squares of larger numbers overflow

# numbers of the leader
TIME = 0  # numbers seen
MEAN = 1  # the present prediction
REST = 2  # what rounding took from it
SIZE = 3

# sums
# LOSS, sum (x_t - y_t)^2, is the first
HARMONIC = 1  # sum (x_t - y_t)^2 / t
LEADER_LOSS = 2  # sum (x_{t+1} - y_t)^2
SPREAD = 3  # sum (y_t - mean)^2, the loss of the best number in hindsight
Y = 4  # sum y
Y_CARRY = 5  # what rounding took from it
Y_SQUARES = 6  # sum y^2
Y_SQUARES_CARRY = 7
Y_LOWEST = 8
Y_HIGHEST = 9
SUMS = 10


class Leader(NamedTuple):
    """Follow the leader on [low, high], starting at `first`."""

    low: float
    high: float
    first: float

    def check(self) -> None:
        """Raise ValueError unless low <= first <= high, and squares are finite."""
        require(self.low >= -LARGEST, self, "low", "at least -1e150")
        good = self.low < self.high <= LARGEST
        require(good, self, "high", "at most 1e150 and above low")
        require(self.low <= self.first <= self.high, self, "first", "in [low, high]")


class MeanRound(NamedTuple):
    """All that is known once a number is seen."""

    y: float
    score: float
    loss: float
    mistake: bool  # never: there is nothing to be mistaken about
    mean: float  # of all numbers up to this one


@compiled
def follow(leader: Leader, numbers: Floats, y: float) -> MeanRound:
    """Play one round: predict, pay, and take the new mean."""
    x = numbers[MEAN]
    numbers[TIME] += 1.0
    mean = y
    if numbers[TIME] > 1.0:
        rest = numbers[REST]
        step = rest + ((y - x) - rest) / numbers[TIME]
        mean = x + step
        moved = mean - x
        numbers[REST] = (x - (mean - moved)) + (step - moved)
    numbers[MEAN] = mean
    return MeanRound(y, x, (x - y) * (x - y), False, mean)


@implement(enter, MeanRound)
def _(played: MeanRound, counts: Longs, sums: Floats) -> None:
    counts[ROUNDS] += 1
    y = played.y
    left = played.mean - y
    sums[LOSS] += played.loss
    sums[HARMONIC] += played.loss / counts[ROUNDS]
    sums[LEADER_LOSS] += left * left
    if counts[ROUNDS] > 1:
        sums[SPREAD] += (y - played.score) * (y - played.mean)
    add_carefully(sums, Y, y)
    add_carefully(sums, Y_SQUARES, y * y)
    raise_to(sums, Y_HIGHEST, y)
    lower_to(sums, Y_LOWEST, y)


@compiled
def add_carefully(sums: Floats, place: int, number: float) -> None:
    """Add a number, and keep what rounding takes in the next place (Neumaier)."""
    old = sums[place]
    total = old + number
    if abs(old) >= abs(number):
        sums[place + 1] += (old - total) + number
    else:
        sums[place + 1] += (number - total) + old
    sums[place] = total
