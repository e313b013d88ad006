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
from .facts import Facts
from .made_of import ANY, made_of
from .symbols import DIMENSION, ETA, MISTAKES, REGRET, lipschitz
from .theorem import Assumption, Measured, Symbol, Theorem

__all__ = ["IS_UNNORMALIZED", "IS_WINNOW", "UNNORMALIZED_EG", "WINNOW"]

MANSOUR = "Mansour, lecture 5 (sign of the gradient and |u|_1 = k corrected)"


def _eta(facts: Facts) -> float:
    return facts.parts.step.eta


def _divergence(facts: Facts) -> float:
    u = facts.u[facts.u > 0]
    d = facts.n_weights
    return 1.0 + (math.log(d) - 1.0) * float(u.sum()) + float((u * np.log(u)).sum())


def _agnostic(facts: Facts) -> float:
    eta = _eta(facts)
    return (_divergence(facts) / eta + facts.paid) / (1.0 - 2.0 * eta)


def _size(facts: Facts) -> float:
    """K."""
    return float(np.count_nonzero(facts.u))


def _log_d(facts: Facts) -> float:
    return math.log(facts.n_weights)


def _disjunction(facts: Facts) -> float:
    return 8.0 * (1.0 + _size(facts) * (_log_d(facts) - 1.0))


def _lecture_disjunction(facts: Facts) -> float:
    return 8.0 * (_size(facts) + 1.0) * _log_d(facts)


def _erring(facts: Facts) -> float:
    eta = _eta(facts)
    start = (_size(facts) + 1.0) * _log_d(facts) / eta
    return (start + facts.paid) / (1.0 - 2.0 * eta)


def _promotion(facts: Facts) -> float:
    eta = _eta(facts)
    return 2.0 * eta - math.expm1(2.0 * eta) / 2.0


def _demotion(facts: Facts) -> float:
    return -math.expm1(-2.0 * _eta(facts)) / 2.0


def _missed(facts: Facts) -> float:
    return float(facts.ledger.false_negatives or 0)


def _raised(facts: Facts) -> float:
    return float(facts.ledger.false_positives or 0)


def _weighted_mistakes(facts: Facts) -> float:
    return _missed(facts) * _promotion(facts) + _raised(facts) * _demotion(facts)


def _potential(facts: Facts) -> float:
    surrogate = facts.comparison.loss_on_mistakes
    return _divergence(facts) + _eta(facts) * surrogate


def _local(facts: Facts) -> float:
    return facts.comparison.tallies["local"]


def _regret_bound(facts: Facts) -> float:
    return _divergence(facts) / _eta(facts) + _eta(facts) * _local(facts)


def _masked_regret(facts: Facts) -> float:
    return facts.ledger.mistake_loss - facts.comparison.loss_on_mistakes


def _steepest(facts: Facts) -> float:
    """At least the largest |z_{t,i}|."""
    return min(lipschitz(facts) * facts.ledger.max_abs_entry, facts.ledger.max_gradient)


def _small_exponents(facts: Facts) -> Measured:
    largest = _eta(facts) * _steepest(facts)
    return Measured(at_most(largest, 1.0), f"eta max |z_i| <= {largest:.6g}")


def _small_step(facts: Facts) -> Measured:
    eta = _eta(facts)
    return Measured(eta < 0.5, f"eta = {eta:g}")


def _quarter_step(facts: Facts) -> Measured:
    eta = _eta(facts)
    return Measured(close(eta, 0.25), f"eta = {eta:g}")


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
DISJUNCTION = (
    IS_WINNOW,
    ENTRIES,
    Assumption("eta = 1/4", _quarter_step),
    PICKS,
    RIGHT,
)
SURROGATE = Symbol[Facts]("f_t(u)", "max(0, 1 - y_t (2 u.x_t - 1))")
PAID = Symbol[Facts]("sum f_t(u)", "", lambda facts: facts.paid)
DIVERGENCE = Symbol[Facts]("D(u)", "1 + (ln d - 1) |u|_1 + sum u_i ln u_i", _divergence)
K = Symbol[Facts]("k", "features of u", _size)
LOCAL = Symbol[Facts]("sum w_{t,i} z_{t,i}^2", "over rounds and features", _local)
GRADIENT = Symbol[Facts]("z_t", "the gradient of round t, w_t its weights")

WINNOW: tuple[Theorem[Facts], ...] = (
    Theorem(
        "winnow/potential",
        "FN (2 eta - (e^(2 eta) - 1)/2) + FP (1 - e^(-2 eta))/2"
        " <= D(u) + eta sum over mistakes of f_t(u)",
        "the potential argument of Mansour, lecture 5, kept exact",
        _weighted_mistakes,
        _potential,
        (IS_WINNOW, ENTRIES, NONNEGATIVE),
        part="weighed mistakes",
        own=True,
        symbols=(
            Symbol("FN", "mistakes where y = 1", _missed),
            Symbol("FP", "mistakes where y = -1", _raised),
            ETA,
            SURROGATE,
            DIVERGENCE,
            Symbol(
                "sum over mistakes of f_t(u)",
                "",
                lambda facts: facts.comparison.loss_on_mistakes,
            ),
        ),
    ),
    Theorem(
        "winnow/agnostic",
        "M <= (D(u)/eta + sum f_t(u)) / (1 - 2 eta)",
        MANSOUR,
        lambda facts: facts.mistakes,
        _agnostic,
        (IS_WINNOW, SMALL, ENTRIES, NONNEGATIVE),
        symbols=(MISTAKES, ETA, DIVERGENCE, SURROGATE, PAID),
    ),
    Theorem(
        "winnow/disjunction",
        "M <= 8 (1 + k (ln d - 1))",
        MANSOUR,
        lambda facts: facts.mistakes,
        _disjunction,
        DISJUNCTION,
        symbols=(MISTAKES, K, DIMENSION),
    ),
    Theorem(
        "winnow/lecture-disjunction",
        "M <= 8 (k + 1) ln d",
        "Mansour, lecture 5",
        lambda facts: facts.mistakes,
        _lecture_disjunction,
        (*DISJUNCTION, Assumption("d >= 3", _three_features)),
        symbols=(MISTAKES, K, DIMENSION),
    ),
    Theorem(
        "winnow/erring-disjunction",
        "M <= ((k + 1) ln d/eta + sum f_t(u)) / (1 - 2 eta)",
        "Mansour, lecture 5",
        lambda facts: facts.mistakes,
        _erring,
        (IS_WINNOW, SMALL, ENTRIES, PICKS),
        symbols=(MISTAKES, K, DIMENSION, ETA, SURROGATE, PAID),
    ),
    Theorem(
        "winnow/regret",
        "sum over mistakes of (f_t(w_t) - f_t(u))"
        " <= D(u)/eta + eta sum w_{t,i} z_{t,i}^2",
        "Mansour, lecture 5 (eta |z_i| <= 1 is not stated there)",
        _masked_regret,
        _regret_bound,
        (IS_WINNOW, EXPONENTS, NONNEGATIVE),
        kind="regret",
        part="regret over mistakes",
        own=True,
        symbols=(SURROGATE, GRADIENT, ETA, DIVERGENCE, LOCAL),
    ),
)

UNNORMALIZED_EG: tuple[Theorem[Facts], ...] = (
    Theorem(
        "unnormalized-eg/regret",
        "R(u) <= D(u)/eta + eta sum w_{t,i} z_{t,i}^2",
        "Mansour, lecture 5 (eta |z_i| <= 1 is not stated there)",
        lambda facts: facts.regret,
        _regret_bound,
        (
            IS_UNNORMALIZED,
            CONVEX,
            EXPONENTS,
            NONNEGATIVE,
        ),
        kind="regret",
        symbols=(REGRET, GRADIENT, ETA, DIVERGENCE, LOCAL),
    ),
)
