"""The state of a linear learner between two rounds: three arrays, and room to work in.

``primal`` holds one number a feature such that w = factor * primal, so that a score is
one sparse dot product whatever the geometry. ``dual`` holds the numbers that the
geometry needs beside them: summed gradients, or their squares (empty otherwise).
``numbers`` holds the scalars below. ``scratch`` has room for the longest row and
carries nothing from round to round.

Where rows are seen through a view, ``seen`` holds its running statistics of every
feature, and ``shown`` the present row as the view shows it (both are empty otherwise).

Where the mean of all hypotheses is wanted, ``sums`` holds what each weight has added to
it, up to the AGE that ``clock`` says (both are empty otherwise). AGE is the sum of the
factors of all rounds so far: a weight whose primal stood still since its clock has
added primal * (AGE - clock). So a mean costs O(nonzeros) a round in every geometry.
Factors of one run may differ by 1e8, so ages are kept in two parts, a sum and the
rounding error of that sum, and so are clocks.

Lazy scales and tracked totals drift by rounding, so they are folded back into the
arrays when they leave [1e-8, 1e8] of where they were, when a total falls far below its
own peak (what is left of it is mostly rounding), and every REFRESH updates: moments
that depend on the rows alone, so chunked play and whole play agree bit for bit.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from .generic import compiled

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"
Bools: TypeAlias = "np.ndarray[Any, np.dtype[np.bool_]]"
Floats: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"
Numbers: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"

ROUNDS = 0  # rounds played
UPDATES = 1  # updates made
SCALE = 2  # w = SCALE * primal (Euclidean); unit of powers (p-norm)
TOTAL = 3  # |w|^2, sum of weights, or sum |theta|^p, as the geometry says
REFERENCE = 4  # TOTAL when it was last computed exactly
OFFSET = 5  # weights are exp(dual - OFFSET)
SQUARES = 6  # sum of squared gradient norms of an adaptive step
PEAK = 7  # the largest TOTAL since then: its rounding error is a fraction of this
AGE = 8  # the sum of the factors of all hypotheses that have predicted
AGE_ERROR = 9  # what rounding has cut off from it
WEALTH = 10  # of a bettor
STAKED = 11  # the sum of the sizes of all coins it has met
GROWTH = 12  # ln det(A/a) of a matrix A that began at a I
LEVERAGE = 13  # the sum of x'x in the norm of 1/A, each after x has entered
SIZE = 14

SMALL = 1e-8
LARGE = 1e8
FAINT = 1e-4
REFRESH = 16384


class State(NamedTuple):
    """Weights in play: see the module's docstring."""

    primal: Floats
    dual: Floats
    numbers: Numbers
    scratch: Floats
    sums: Floats
    clock: Floats
    seen: Floats
    shown: Floats


@compiled
def grow_older(numbers: Numbers, factor: float) -> None:
    """Add the factor of one more hypothesis to the age, and the rounding to its error.

    (Knuth's exact sum of two numbers.)
    """
    age = numbers[AGE]
    total = age + factor
    added = total - age
    numbers[AGE_ERROR] += (age - (total - added)) + (factor - added)
    numbers[AGE] = total


@compiled
def bank(state: State, j: int) -> None:
    """Add to the mean's sum what weight `j` has earned, before it changes."""
    age = state.numbers[AGE]
    error = state.numbers[AGE_ERROR]
    earned = (age - state.clock[2 * j]) + (error - state.clock[2 * j + 1])
    state.sums[j] += state.primal[j] * earned
    state.clock[2 * j] = age
    state.clock[2 * j + 1] = error


@compiled(forceinline=False)
def bank_all(state: State) -> None:
    """Bank every weight, before all of them change; nothing where no mean is kept."""
    age = state.numbers[AGE]
    error = state.numbers[AGE_ERROR]
    for j in range(state.sums.size):
        # What has just been banked has earned nothing since, and may be infinite by
        # now: weights that explode are the reason why all of them change.
        if state.clock[2 * j] != age or state.clock[2 * j + 1] != error:
            bank(state, j)


@compiled
def drifted(numbers: Numbers) -> bool:
    """Whether the tracked total must be computed afresh now."""
    total = numbers[TOTAL]
    numbers[PEAK] = max(numbers[PEAK], total)
    return (
        not (FAINT * numbers[PEAK] <= total <= LARGE * numbers[REFERENCE])
        or numbers[UPDATES] % REFRESH == 0
    )


@compiled
def settle(numbers: Numbers, total: float) -> None:
    """Write down a total that was computed afresh."""
    numbers[TOTAL] = total
    numbers[REFERENCE] = total
    numbers[PEAK] = total
