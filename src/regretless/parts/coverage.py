"""Prediction sets for any sequence: a threshold that follows a quantile.

The set of round t is {y : score_t(y) <= q_t}, for scores in [0, 1] that depend on the
past alone. Then y_t comes, err_t = 1 if it is outside and 0 if not, and ::

    q_{t+1} = q_t + gamma_t (err_t - alpha)

This is gradient descent on the pinball loss of q. Every y is inside where q_t >= 1, and
none where q_t < 0, so q never leaves [-alpha gamma_1, 1 + (1 - alpha) gamma_1]. The
step is constant within epochs and never grows. Summed by parts, on EVERY sequence and
after every round t ::

    |err_1 + ... + err_t - alpha t| <= (1 + gamma_1) / gamma_t

Nothing is assumed of the data or of the scores. The scores decide how large sets are.

**Of numbers** (p is the prediction, r = y - p) ::

    score(y) = |r| / (|r| + h),   h = unit exp(b(p)), one b for each side of p
    set      = [p - h_down q/(1-q),  p + h_up q/(1-q)]

``unit`` is the mean of |r| over about the last hundred rounds. The first prediction is
made without any label and says nothing of errors: the first two sets are all numbers.
An |r| above 20 units counts as 20, unless the one before was as large: an outlier is
forgotten, a jump is followed.
b is a broken line in the prediction; its knots follow the quantiles alpha/2 on either
side by gradient descent on their own pinball loss. So intervals are wide where errors
are large.

**Of classes** (p_y is the probability of y; square roots spread what is rare) ::

    score(y) = sqrt(1 - p_y) / (sqrt(1 - p_y) + sqrt(p_y))
    set      = {y : p_y >= (1-q)^2 / ((1-q)^2 + q^2)}

What is shown is never empty: it holds the prediction whatever q is.

A model is frozen with the means of q and of the unit over about the last thousand
rounds: they move at every label, and where they stand at the end is chance.
"""

from __future__ import annotations

import math

from .generic import compiled
from .observers import MISTAKES, UPDATES
from .state import Floats

FIRST_STEP = 0.08  # gamma_1
LAST_STEP = 0.01  # at most this: halved no further, so that q follows changes
FIRST_EPOCH = 256  # rounds; each epoch ends after four times as many as the one before

# counts, beside those of the statistics that are about rounds and the curve
MISSED = MISTAKES  # labels outside of the set that was shown
UNBOUNDED = 2  # sets of all numbers, or of any label
OUTSIDE = UPDATES  # the sum of err: an empty set is shown as the prediction

CURVE_COLUMNS = 4  # round, missed, sum of widths, unbounded

# numbers
ALPHA = 0
THRESHOLD = 1  # q
WIDTH = 2  # of all sets that are bounded; of classes, how many labels
WORST = 3  # max over t of |sum err - alpha t| gamma_t / (1 + gamma_1)
INTERVAL_SCORE = 4  # sum of width + (2/alpha) distance outside (Winkler), if bounded
SETTLED = 5  # the mean of q over about the last thousand rounds
OF_CLASSES = 6

# more of them, for intervals
ERRORS = 6  # |r|, summed with forgetting
ERROR_COUNT = 7
SETTLED_UNIT = 8  # the mean of the unit over about the last thousand rounds
CENTER = 9  # the mean of the predictions
SPREAD = 10  # the sum of squared differences to it
PREVIOUS = 11  # |r| of the last round
DOWN = 12  # the knots of b below the prediction, then above it, and their visits
KNOTS = 9
UP = DOWN + KNOTS
VISITS = UP + KNOTS
OF_NUMBERS = VISITS + KNOTS

FORGET = 0.01  # of the errors, a round: about the last hundred count
FAR = 20.0  # units that an error counts at most, if it is the first of its size
SETTLE = 0.001  # the same of what a model is frozen with: the last thousand
REACH = 2.0  # the knots cover so many standard deviations on either side
STEEPEST = 30.0  # |b| at most


@compiled
def step_after(rounds: int) -> float:
    """The step gamma of the round that follows `rounds` others."""
    gamma = FIRST_STEP
    end = FIRST_EPOCH
    while rounds >= end and gamma > LAST_STEP:
        gamma *= 0.5
        end *= 4
    return gamma


@compiled
def threshold_of(q: float) -> float:
    """The least probability of a class that is inside: 0 where q >= 1, 1 where q < 0.

    Examples
    --------
    >>> from regretless.parts.coverage import threshold_of
    >>> threshold_of(0.75), threshold_of(1.2), threshold_of(-0.01)
    (0.1, 0.0, 1.0)
    """
    inside = min(max(q, 0.0), 1.0)
    outside = 1.0 - inside
    return outside * outside / (outside * outside + inside * inside)


@compiled
def knot_place(numbers: Floats, rounds: int, prediction: float) -> float:
    """Where a prediction lies among the knots, from 0 to KNOTS - 1."""
    spread = math.sqrt(numbers[SPREAD] / max(rounds - 1, 1))
    if not 0.0 < spread < math.inf:
        return 0.5 * (KNOTS - 1)
    place = (prediction - numbers[CENTER]) / (REACH * spread)
    place = (place + 1.0) * 0.5 * (KNOTS - 1)
    if not place > 0.0:
        return 0.0
    return min(place, KNOTS - 1.0)


@compiled
def half_width(numbers: Floats, unit: float, side: int, place: float) -> float:
    """The half-width h on one side of the prediction: `side` is DOWN or UP."""
    k = min(int(place), KNOTS - 2)
    share = place - k
    b = (1.0 - share) * numbers[side + k] + share * numbers[side + k + 1]
    return unit * math.exp(b)
