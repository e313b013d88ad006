"""Winnow's mistake bounds, with a threshold of 1/2, and unnormalized EG's regret.

For every u >= 0, with f_t(u) = max(0, 1 - y_t(2 u.x_t - 1)) and
D(u) = 1 + (ln d - 1)|u|_1 + sum u_i ln u_i, the divergence from the start 1/d. Of any
convex loss with gradients z_t, while eta |z_{t,i}| <= 1 ::

    R(u) <= D(u)/eta + eta sum_t sum_i w_{t,i} z_{t,i}^2

because exp(-a) <= 1 - a + a^2 there. Winnow is that learner on f_t, masked to mistakes.
"""

from __future__ import annotations

import math

import numpy as np

from ...parts.geometries import Entropy
from ...parts.losses import Hinge
from ...parts.triggers import OnMistake
from .assumptions import CONVEX, NONNEGATIVE, at_most, close, entries_within, is_panel
from .facts import Facts, nonzero
from .made_of import ANY, made_of
from .symbols import DIMENSION, ETA, MISTAKES, REGRET, lipschitz
from .theorem import Assumption, Measured, RegretBound, Symbol, Theorem

MANSOUR = "Mansour, lecture 5 (sign of the gradient and |u|_1 = k corrected)"


def _divergence(facts: Facts) -> float:
    u = facts.u[facts.u > 0]
    d = facts.n_weights
    return 1.0 + (math.log(d) - 1.0) * float(u.sum()) + float((u * np.log(u)).sum())


def _agnostic(facts: Facts, divergence: float) -> float:
    eta = facts.eta
    return (divergence / eta + facts.paid) / (1.0 - 2.0 * eta)


def _log_d(facts: Facts) -> float:
    return math.log(facts.n_weights)


def _weighted_mistakes(facts: Facts) -> float:
    eta = facts.eta
    promotion = 2.0 * eta - math.expm1(2.0 * eta) / 2.0
    demotion = -math.expm1(-2.0 * eta) / 2.0
    return FN(facts) * promotion + FP(facts) * demotion


def _regret_bound(facts: Facts) -> float:
    return _divergence(facts) / facts.eta + facts.eta * LOCAL(facts)


def _small_exponents(facts: Facts) -> Measured:
    ledger = facts.ledger
    steepest = min(lipschitz(facts) * ledger.max_abs_entry, ledger.max_gradient)
    largest = facts.eta * steepest
    return Measured(at_most(largest, 1.0), f"eta max |z_i| <= {largest:.6g}")


def _small_step(facts: Facts) -> Measured:
    return Measured(facts.eta < 0.5, f"eta = {facts.eta:g}")


def _quarter_step(facts: Facts) -> Measured:
    return Measured(close(facts.eta, 0.25), f"eta = {facts.eta:g}")


def _always_right(facts: Facts) -> Measured:
    return Measured(facts.paid == 0.0, f"sum f_t(u) = {facts.paid:.6g}")


def _three_features(facts: Facts) -> Measured:
    return Measured(facts.n_weights >= 3, f"d = {facts.n_weights}")


IS_WINNOW = made_of(
    "Winnow with threshold 1/2",
    loss=Hinge(gain=2.0),
    geometry=Entropy,
    trigger=OnMistake,
    threshold=0.5,
)
IS_UNNORMALIZED = made_of("unnormalized EG", loss=ANY, geometry=Entropy)
ENTRIES = entries_within(0.0, 1.0)
SMALL = Assumption("eta < 1/2", _small_step)
EXPONENTS = Assumption("eta |z_{t,i}| <= 1", _small_exponents)
PICKS = Assumption("u is a disjunction of k features", is_panel, about_u=True)
RIGHT = Assumption("the disjunction is always right", _always_right, about_u=True)
QUARTER = Assumption("eta = 1/4", _quarter_step)
DISJUNCTION = (IS_WINNOW, ENTRIES, QUARTER, PICKS, RIGHT)
SURROGATE = Symbol[Facts]("f_t(u)", "max(0, 1 - y_t (2 u.x_t - 1))")
PAID = Symbol[Facts]("sum f_t(u)", "", lambda facts: facts.paid)
DIVERGENCE = Symbol[Facts]("D(u)", "1 + (ln d - 1) |u|_1 + sum u_i ln u_i", _divergence)
K = Symbol[Facts]("k", "features of u", nonzero)
LOCAL = Symbol[Facts](
    "sum w_{t,i} z_{t,i}^2",
    "over rounds and features",
    lambda facts: facts.summed("local"),
)
FN = Symbol[Facts](
    "FN", "mistakes where y = 1", lambda facts: facts.ledger.false_negatives or 0
)
FP = Symbol[Facts](
    "FP", "mistakes where y = -1", lambda facts: facts.ledger.false_positives or 0
)
ON_MISTAKES = Symbol[Facts](
    "sum over mistakes of f_t(u)", "", lambda facts: facts.paid_on_mistakes
)
GRADIENT = Symbol[Facts]("z_t", "the gradient of round t, w_t its weights")

WINNOW: tuple[Theorem[Facts], ...] = (
    Theorem(
        "winnow/potential",
        "FN (2 eta - (e^(2 eta) - 1)/2) + FP (1 - e^(-2 eta))/2"
        " <= D(u) + eta sum over mistakes of f_t(u)",
        "the potential argument of Mansour, lecture 5, kept exact",
        lambda facts: _divergence(facts) + facts.eta * ON_MISTAKES(facts),
        (IS_WINNOW, ENTRIES, NONNEGATIVE),
        part="weighed mistakes",
        own=True,
        symbols=(FN, FP, ETA, SURROGATE, DIVERGENCE, ON_MISTAKES),
        happened=_weighted_mistakes,
    ),
    Theorem(
        "winnow/agnostic",
        "M <= (D(u)/eta + sum f_t(u)) / (1 - 2 eta)",
        MANSOUR,
        lambda facts: _agnostic(facts, _divergence(facts)),
        (IS_WINNOW, SMALL, ENTRIES, NONNEGATIVE),
        symbols=(MISTAKES, ETA, DIVERGENCE, SURROGATE, PAID),
    ),
    Theorem(
        "winnow/disjunction",
        "M <= 8 (1 + k (ln d - 1))",
        MANSOUR,
        lambda facts: 8.0 * (1.0 + K(facts) * (_log_d(facts) - 1.0)),
        DISJUNCTION,
        symbols=(MISTAKES, K, DIMENSION),
    ),
    Theorem(
        "winnow/lecture-disjunction",
        "M <= 8 (k + 1) ln d",
        "Mansour, lecture 5",
        lambda facts: 8.0 * (K(facts) + 1.0) * _log_d(facts),
        (*DISJUNCTION, Assumption("d >= 3", _three_features)),
        symbols=(MISTAKES, K, DIMENSION),
    ),
    Theorem(
        "winnow/erring-disjunction",
        "M <= ((k + 1) ln d/eta + sum f_t(u)) / (1 - 2 eta)",
        "Mansour, lecture 5",
        lambda facts: _agnostic(facts, (K(facts) + 1.0) * _log_d(facts)),
        (IS_WINNOW, SMALL, ENTRIES, PICKS),
        symbols=(MISTAKES, K, DIMENSION, ETA, SURROGATE, PAID),
    ),
    RegretBound(
        "winnow/regret",
        "sum over mistakes of (f_t(w_t) - f_t(u))"
        " <= D(u)/eta + eta sum w_{t,i} z_{t,i}^2",
        "Mansour, lecture 5 (eta |z_i| <= 1 is not stated there)",
        _regret_bound,
        (IS_WINNOW, EXPONENTS, NONNEGATIVE),
        part="regret over mistakes",
        own=True,
        symbols=(SURROGATE, GRADIENT, ETA, DIVERGENCE, LOCAL),
        happened=lambda facts: facts.ledger.mistake_loss - facts.paid_on_mistakes,
    ),
)

UNNORMALIZED_EG: tuple[Theorem[Facts], ...] = (
    RegretBound(
        "unnormalized-eg/regret",
        "R(u) <= D(u)/eta + eta sum w_{t,i} z_{t,i}^2",
        "Mansour, lecture 5 (eta |z_i| <= 1 is not stated there)",
        _regret_bound,
        (IS_UNNORMALIZED, CONVEX, EXPONENTS, NONNEGATIVE),
        symbols=(REGRET, GRADIENT, ETA, DIVERGENCE, LOCAL),
    ),
)
