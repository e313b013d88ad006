"""What panels of many classes decide together: two forecasts of a row, mixed.

Panel k says how likely class k is against the rest: its score s_k, and the margins m_k
of its members. Two forecasts are made of all of them, each a softmax of inputs:

    up = ln(1 + e^s),  down = -ln(1 + e^-s)
    own:     z_k = v.[up_k, down_k]                                from v = (0, 1) on
    shared:  z_k = w.[clip(m_k, 1), clip(m_k, 12), up_k, down_k],  from w = (0, ..., 1)

The first one trusts the panels, and learns two slopes; the second one has weights that
all classes share, so that a class of few rows has members to trust from its first row
on. Both learn by Newton's step on the log loss, with the covariance P of their inputs:

    P^-1 += sum_k p_k (in_k - mean)(in_k - mean)',  w += P (in_y - mean),
    mean = sum_k p_k in_k,  over the k with p_k > 0.1 in the first sum

What is predicted is the mixture p = a own + (1 - a) shared, whose weight a is Bayes'
rule with a share of 1/(t + 2) given back in round t, so that the mixture may change its
mind. Its log loss is at most that of the better of the two, plus ln 2 + ln(T)/2: after
T rounds a forecast has at least the weight prod_t (1 - 1/(2(t + 2)))/2 >= 1/(2 sqrt(T))
of what it would have had alone. The scores of the classes are its log-odds. (While no
more than two classes have come, there is nothing to decide: s_1 = -s_2.)
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..generic import compiled
from ..state import Floats
from .members import drawn
from .row_views import SUMS

# numbers
LIVE = 0  # 0: a game that began without one
ROUNDS = 1  # of classes that had come
OWN = 2  # the weight of the own forecast, a
OWN_LOSS = 3  # log losses
SHARED_LOSS = 4
MIXED_LOSS = 5
NUMBERS = 6

REMEMBERED = ("numbers", "slopes", "slopes_covariance", "stack", "covariance")
FEWEST = 3  # classes: of two, the scores of their panels are opposite
SLOPES = 2  # columns of the inputs: the last ones
LARGEST = 1e3  # score: e^-1000 is 0
SMALLEST = 1e-300  # probability, whose logarithm is a number
UNLIKELY = 0.1  # classes below bend the log loss little, and are not counted
HEAVIEST = 1e6  # weight of a row that Newton's step takes: no sum overflows


class ClassMixture(NamedTuple):
    """What the mixture remembers; the last four are room for one row."""

    numbers: Floats  # [NUMBERS]
    slopes: Floats  # [SLOPES]: v
    slopes_covariance: Floats  # [SLOPES, SLOPES]
    stack: Floats  # [D]: w
    covariance: Floats  # [D, D]
    inputs: Floats  # [class, D]
    own: Floats  # [class]: probabilities
    shared: Floats  # [class]
    steps: Floats  # [2, D]


def new_mixture(members: int, classes: int) -> ClassMixture:
    """A mixture before the first round, of panels with so many members."""
    size = 2 * members + SLOPES
    numbers, stack = np.zeros(NUMBERS), np.zeros(size)
    numbers[LIVE], numbers[OWN] = 1.0, 0.5
    stack[-1] = 1.0
    start = (numbers, np.array([0.0, 1.0]), np.eye(SLOPES), stack, np.eye(size))
    room = (np.zeros((0, size)), np.zeros(0), np.zeros(0), np.zeros((0, size)))
    return with_room(ClassMixture(*start, *room), classes)


def with_room(mixture: ClassMixture, classes: int) -> ClassMixture:
    """The same with room of its own for a row of so many classes."""
    size = mixture.stack.size
    return mixture._replace(
        inputs=np.zeros((classes, size)),
        own=np.zeros(classes),
        shared=np.zeros(classes),
        steps=np.zeros((2, size)),
    )


def renewed(mixture: ClassMixture, fresh: ClassMixture) -> ClassMixture:
    """What a mixture remembers, in the room of a fresh one; a copy."""
    mine = {name: getattr(mixture, name).copy() for name in REMEMBERED}
    return fresh._replace(**mine)


@compiled
def mix(
    constants: Any, mixture: Any, margins: Any, scores: Any, classes: int, out: Any
) -> None:
    """Write the log-odds of the first classes to `out`, of what their panels say."""
    if mixture.numbers[LIVE] == 0.0 or classes < FEWEST:
        for k in range(classes):
            out[k] = scores[k]
        return
    inputs, own, shared = mixture.inputs, mixture.own, mixture.shared
    members = margins.shape[1]
    for k in range(classes):
        for j in range(members):
            m = margins[k, j]
            inputs[k, j] = min(max(m, -constants.near), constants.near)
            inputs[k, members + j] = min(max(m, -constants.far), constants.far)
        s = min(max(scores[k], -LARGEST), LARGEST)
        soft = math.log1p(math.exp(-abs(s)))
        inputs[k, 2 * members] = max(s, 0.0) + soft
        inputs[k, 2 * members + 1] = min(s, 0.0) - soft
    forecast(mixture.slopes, inputs, classes, own)
    forecast(mixture.stack, inputs, classes, shared)
    a = mixture.numbers[OWN]
    for k in range(classes):
        own[k] = max(own[k], SMALLEST)
        shared[k] = max(shared[k], SMALLEST)
        out[k] = a * own[k] + (1.0 - a) * shared[k]
    likely, others = -1, 0.0
    for k in range(classes):
        if out[k] > 0.5:
            likely = k
        else:
            others += out[k]
    for k in range(classes):
        # Of the likely one 1 - p has lost its digits.
        out[k] = math.log(out[k] / (others if k == likely else 1.0 - out[k]))


@compiled(**SUMS)
def forecast(weights: Any, inputs: Any, classes: int, out: Any) -> None:
    """The softmax of the weighted inputs, of which the last ones are taken."""
    size = weights.size
    skipped = inputs.shape[1] - size
    top = -math.inf
    for k in range(classes):
        row, z = inputs[k, skipped:], 0.0
        for j in range(size):
            z += weights[j] * row[j]
        out[k] = z
        top = max(top, z)
    total = 0.0
    for k in range(classes):
        out[k] = math.exp(out[k] - top)
        total += out[k]
    for k in range(classes):
        out[k] /= total


@compiled
def learn_mixture(
    constants: Any, mixture: Any, classes: int, label: int, c: float
) -> None:
    """Learn the label of the row just mixed, of weight `c`, among so many classes."""
    numbers = mixture.numbers
    if numbers[LIVE] == 0.0 or label >= classes or classes < FEWEST:
        return
    p, q = mixture.own[label], mixture.shared[label]
    a = numbers[OWN]
    mixed = a * p + (1.0 - a) * q
    numbers[OWN_LOSS] -= math.log(p)
    numbers[SHARED_LOSS] -= math.log(q)
    numbers[MIXED_LOSS] -= math.log(mixed)
    share = 1.0 / (numbers[ROUNDS] + 2.0)
    numbers[OWN] = (1.0 - share) * a * p / mixed + share / 2.0
    c = min(c, HEAVIEST)
    inputs, steps, turn = mixture.inputs, mixture.steps, numbers[ROUNDS]
    slopes = (mixture.slopes, mixture.slopes_covariance)
    times = c * drawn(constants, turn, 1.0 - p)
    newton(slopes, inputs, mixture.own, classes, label, times, steps)
    shared = (mixture.stack, mixture.covariance)
    times = c * drawn(constants, turn, 1.0 - q)
    newton(shared, inputs, mixture.shared, classes, label, times, steps)
    numbers[ROUNDS] += 1.0


@compiled(**SUMS)
def newton(
    stack: tuple[Any, Any],
    inputs: Any,
    chances: Any,
    classes: int,
    label: int,
    c: float,
    steps: Any,
) -> None:
    """Move weights by Newton's step on the log loss of a row that counts `c` times."""
    if c == 0.0:
        return
    weights, covariance = stack
    size = weights.size
    skipped = inputs.shape[1] - size
    mean, lead = steps[0], steps[1]
    for j in range(size):
        mean[j] = 0.0
    for k in range(classes):
        row, p = inputs[k, skipped:], chances[k]
        for j in range(size):
            mean[j] += p * row[j]
    for k in range(classes):
        if chances[k] > UNLIKELY:
            doubt = lead_of(covariance, inputs[k, skipped:], mean, lead)
            shrink = c * chances[k] / (1.0 + c * chances[k] * doubt)
            for i in range(size):
                row, by = covariance[i], shrink * lead[i]
                for j in range(size):
                    row[j] -= by * lead[j]
    lead_of(covariance, inputs[label, skipped:], mean, lead)
    for j in range(size):
        weights[j] += c * lead[j]


@compiled(**SUMS)
def lead_of(covariance: Any, inputs: Any, mean: Any, lead: Any) -> float:
    """P gap, written down, and gap'P gap, where gap = inputs - mean."""
    size = covariance.shape[0]
    for j in range(size):
        lead[j] = 0.0
    for i in range(size):
        row, gap = covariance[i], inputs[i] - mean[i]
        for j in range(size):
            lead[j] += gap * row[j]
    doubt = 0.0
    for j in range(size):
        doubt += lead[j] * (inputs[j] - mean[j])
    return doubt
