"""Winnow's mistake bounds, with a threshold of 1/2.

For every u >= 0, with f_t(u) = max(0, 1 - y_t(2 u.x_t - 1)) and
D(u) = 1 + (ln d - 1)|u|_1 + sum u_i ln u_i, the divergence from the start 1/d.
"""

from __future__ import annotations

import math

import numpy as np

from .assumptions import NONNEGATIVE, close, entries_within, is_panel
from .facts import Facts
from .theorem import Assumption, Measured, Theorem

__all__ = ["WINNOW"]

MANSOUR = "Mansour, lecture 5 (sign of the gradient and |u|_1 = k corrected)"


def _divergence(facts: Facts) -> float:
    u = facts.u[facts.u > 0]
    d = facts.n_weights
    return 1.0 + (math.log(d) - 1.0) * float(u.sum()) + float((u * np.log(u)).sum())


def _agnostic(facts: Facts) -> float:
    eta = facts.parts.step.eta
    return (_divergence(facts) / eta + facts.paid) / (1.0 - 2.0 * eta)


def _disjunction(facts: Facts) -> float:
    k = float(np.count_nonzero(facts.u))
    return 8.0 * (1.0 + k * (math.log(facts.n_weights) - 1.0))


def _lecture_disjunction(facts: Facts) -> float:
    k = float(np.count_nonzero(facts.u))
    return 8.0 * (k + 1.0) * math.log(facts.n_weights)


def _promotion(facts: Facts) -> float:
    eta = facts.parts.step.eta
    return 2.0 * eta - math.expm1(2.0 * eta) / 2.0


def _demotion(facts: Facts) -> float:
    return -math.expm1(-2.0 * facts.parts.step.eta) / 2.0


def _weighted_mistakes(facts: Facts) -> float:
    ledger = facts.ledger
    return (ledger.false_negatives or 0) * _promotion(facts) + (
        ledger.false_positives or 0
    ) * _demotion(facts)


def _potential(facts: Facts) -> float:
    surrogate = facts.comparison.loss_on_mistakes
    return _divergence(facts) + facts.parts.step.eta * surrogate


def _half(facts: Facts) -> Measured:
    threshold = facts.parts.threshold
    return Measured(threshold == 0.5, f"threshold = {threshold:g}")


def _small_step(facts: Facts) -> Measured:
    eta = facts.parts.step.eta
    return Measured(eta < 0.5, f"eta = {eta:g}")


def _quarter_step(facts: Facts) -> Measured:
    eta = facts.parts.step.eta
    return Measured(close(eta, 0.25), f"eta = {eta:g}")


def _always_right(facts: Facts) -> Measured:
    return Measured(facts.paid == 0.0, f"sum f_t(u) = {facts.paid:.6g}")


def _three_features(facts: Facts) -> Measured:
    return Measured(facts.n_weights >= 3, f"d = {facts.n_weights}")


THRESHOLD = Assumption("the threshold is 1/2", _half)
ENTRIES = entries_within(0.0, 1.0)
DISJUNCTION = (
    THRESHOLD,
    ENTRIES,
    Assumption("eta = 1/4", _quarter_step),
    Assumption("u is a disjunction of k features", is_panel),
    Assumption("the disjunction is always right", _always_right),
)

WINNOW: tuple[Theorem[Facts], ...] = (
    Theorem(
        "winnow/potential",
        "FN (2 eta - (e^(2 eta) - 1)/2) + FP (1 - e^(-2 eta))/2"
        " <= D(u) + eta sum over mistakes of f_t(u)",
        "the potential argument of Mansour, lecture 5, kept exact",
        _weighted_mistakes,
        _potential,
        (THRESHOLD, ENTRIES, NONNEGATIVE),
    ),
    Theorem(
        "winnow/agnostic",
        "M <= (D(u)/eta + sum f_t(u)) / (1 - 2 eta)",
        MANSOUR,
        lambda facts: facts.mistakes,
        _agnostic,
        (THRESHOLD, ENTRIES, NONNEGATIVE, Assumption("eta < 1/2", _small_step)),
    ),
    Theorem(
        "winnow/disjunction",
        "M <= 8 (1 + k (ln d - 1))",
        MANSOUR,
        lambda facts: facts.mistakes,
        _disjunction,
        DISJUNCTION,
    ),
    Theorem(
        "winnow/lecture-disjunction",
        "M <= 8 (k + 1) ln d",
        "Mansour, lecture 5",
        lambda facts: facts.mistakes,
        _lecture_disjunction,
        (*DISJUNCTION, Assumption("d >= 3", _three_features)),
    ),
)
