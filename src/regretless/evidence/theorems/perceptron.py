"""The Perceptron's mistake bounds, and the p-norm Perceptron's.

For EVERY u, with h_t(u) = max(0, 1 - y_t u.x_t), R = max |x_t|, b = R |u| and
c = sum_t h_t(u). The data forms use what the run itself measured, so they are tightest.
A step eta only scales w from w = 0, so |w|/eta is what the proofs call |w|.
"""

from __future__ import annotations

import math

import numpy as np

from ...parts.geometries import Euclidean, PNorm
from ...parts.losses import Hinge
from ...parts.triggers import OnMistake
from .assumptions import SEPARATES, is_panel
from .facts import Facts
from .gradient import approached
from .made_of import made_of
from .symbols import ETA, HINGE, MARGIN, MISTAKES, NORM_U, B, C, R
from .theorem import Assumption, Measured, Symbol, Theorem

__all__ = ["IS_PERCEPTRON", "IS_PNORM", "PERCEPTRON", "PNORM", "root"]

MANSOUR = "Mansour, lecture 5"
CESA_BIANCHI = "Cesa-Bianchi, lecture 16"
EVERYONE = "Novikoff; Freund; Schapire, lecture 15; Mansour, lecture 5"
ROUNDING = 1e-9


def _mistakes(facts: Facts) -> float:
    return facts.mistakes


def _b(facts: Facts) -> float:
    return facts.ledger.max_norm * facts.norm


def _separable(facts: Facts) -> float:
    return (_b(facts) / facts.comparison.min_margin) ** 2


def root(c: float, b: float) -> float:
    """The largest M with M <= c + b sqrt(M)."""
    return c + b * b / 2 + b * math.sqrt(b * b / 4 + c)


def _cesa_bianchi(facts: Facts) -> float:
    c, b = facts.paid, _b(facts)
    return c + b * b + b * math.sqrt(c)


def _mansour(facts: Facts) -> float:
    c, b = facts.paid, _b(facts)
    return c + b * b + 2 * b * math.sqrt(c)


def _by_norms(facts: Facts) -> float:
    squares = facts.ledger.sum_squared_norms
    return facts.comparison.loss_on_mistakes + facts.norm * math.sqrt(squares)


def _length(facts: Facts) -> float:
    """|w|/eta, which is |w| at a step of one."""
    return facts.ledger.weight_norm / facts.parts.step.eta


def _by_weights(facts: Facts) -> float:
    return facts.comparison.loss_on_mistakes + facts.norm * _length(facts)


def _by_final(facts: Facts) -> float:
    """The bound of gradient descent with its last term kept, masked to mistakes."""
    eta = facts.parts.step.eta
    kept = approached(facts)
    grown = eta / 2.0 * facts.ledger.sum_squared_norms
    return facts.comparison.loss_on_mistakes + kept / (2.0 * eta) + grown


def _votes(facts: Facts) -> Measured:
    largest = facts.ledger.max_norm**2
    good = largest <= facts.n_weights * (1 + ROUNDING)
    return Measured(good, f"max |x|^2 = {largest:.6g}, N = {facts.n_weights}")


def _unit_margin(facts: Facts) -> Measured:
    margin = facts.comparison.min_margin
    return Measured(margin >= 1.0, f"min y u.x = {margin:.6g}")


def _voters(facts: Facts) -> float:
    """K."""
    return float(np.count_nonzero(facts.u))


def _is_lifted(facts: Facts) -> Measured:
    if facts.lifted is None:
        return Measured(False, "the rows are others")
    return Measured(True, f"max |x|_1 = {facts.lifted:.6g}")


def _is_disjunction(facts: Facts) -> Measured:
    good, _ = is_panel(facts)
    one = bool(good and facts.u[-1] == 1.0 and _voters(facts) > 1)
    found = f"k = {_voters(facts) - 1:g}" if one else "u is another"
    return Measured(one, found)


def _lifted(facts: Facts) -> float:
    return _voters(facts) * (4.0 * (facts.lifted or 0.0) + 1.0)


ON_MISTAKES = Symbol[Facts](
    "sum over mistakes of h_t(u)",
    "",
    lambda facts: facts.comparison.loss_on_mistakes,
)
SQUARES = Symbol[Facts](
    "sum over mistakes of |x_t|^2",
    "",
    lambda facts: facts.ledger.sum_squared_norms,
)
LENGTH = Symbol[Facts]("|w|", "last weights, at a step of 1", _length)
VOTERS = Symbol[Facts]("k", "voters of u", _voters)
IS_PERCEPTRON = made_of(
    "the Perceptron", loss=Hinge(), geometry=Euclidean, trigger=OnMistake
)
CLOSED = (MISTAKES, HINGE, C, R, NORM_U, B)

PERCEPTRON: tuple[Theorem[Facts], ...] = (
    Theorem(
        "perceptron/data",
        "M <= sum over mistakes of h_t(u) + |u| |w|",
        "data form of Cesa-Bianchi, lecture 16",
        _mistakes,
        _by_weights,
        (IS_PERCEPTRON,),
        follows="perceptron/root",
        own=True,
        symbols=(MISTAKES, HINGE, ON_MISTAKES, NORM_U, LENGTH),
    ),
    Theorem(
        "perceptron/norms",
        "M <= sum over mistakes of h_t(u) + |u| sqrt(sum over mistakes of |x_t|^2)",
        "data form of Cesa-Bianchi, lecture 16",
        _mistakes,
        _by_norms,
        (IS_PERCEPTRON,),
        follows="perceptron/root",
        own=True,
        symbols=(MISTAKES, HINGE, ON_MISTAKES, NORM_U, SQUARES),
    ),
    Theorem(
        "perceptron/root",
        "M <= c + b^2/2 + b sqrt(b^2/4 + c)",
        "Mansour, lecture 5, the quadratic solved exactly",
        _mistakes,
        lambda facts: root(facts.paid, _b(facts)),
        (IS_PERCEPTRON,),
        symbols=CLOSED,
    ),
    Theorem(
        "perceptron/oracle",
        "M <= c + b^2 + b sqrt(c)",
        CESA_BIANCHI,
        _mistakes,
        _cesa_bianchi,
        (IS_PERCEPTRON,),
        symbols=CLOSED,
    ),
    Theorem(
        "perceptron/agnostic",
        "M <= c + b^2 + 2 b sqrt(c)",
        MANSOUR,
        _mistakes,
        _mansour,
        (IS_PERCEPTRON,),
        symbols=CLOSED,
    ),
    Theorem(
        "perceptron/final",
        "M <= sum over mistakes of h_t(u) + |u|^2/(2 eta) - |w_T - u|^2/(2 eta)"
        " + (eta/2) sum over mistakes of |x_t|^2",
        f"{CESA_BIANCHI}, the last term kept",
        _mistakes,
        _by_final,
        (IS_PERCEPTRON,),
        follows="perceptron/root",
        own=True,
        symbols=(
            MISTAKES,
            HINGE,
            ON_MISTAKES,
            NORM_U,
            ETA,
            Symbol(
                "|w_T - u|",
                "w_T the last weights",
                lambda facts: facts.comparison.distance,
            ),
            SQUARES,
        ),
    ),
    Theorem(
        "perceptron/separable",
        "M <= (R |u| / margin)^2",
        EVERYONE,
        _mistakes,
        _separable,
        (IS_PERCEPTRON, SEPARATES),
        symbols=(MISTAKES, R, NORM_U, MARGIN),
    ),
    Theorem(
        "perceptron/panel",
        "M <= N k",
        "Schapire, lecture 15",
        _mistakes,
        lambda facts: facts.n_weights * _voters(facts),
        (
            IS_PERCEPTRON,
            Assumption("|x|^2 <= N, as for votes", _votes),
            Assumption("u picks k voters", is_panel, about_u=True),
            Assumption(
                "the panel's majority is always right", _unit_margin, about_u=True
            ),
        ),
        symbols=(
            MISTAKES,
            Symbol("N", "experts", lambda facts: float(facts.n_weights)),
            VOTERS,
        ),
    ),
    Theorem(
        "perceptron/disjunction",
        "M <= (k + 1) (4 max |x|_1 + 1)",
        f"{MANSOUR}: the Perceptron on (2x, -1); (k + 1)(4d + 1) there",
        _mistakes,
        _lifted,
        (
            IS_PERCEPTRON,
            Assumption("every row is (2x, -1) with x in [0, 1]^d", _is_lifted),
            Assumption("u is k ones, then 1", _is_disjunction, about_u=True),
            Assumption("the disjunction is always right", _unit_margin, about_u=True),
        ),
        symbols=(
            MISTAKES,
            Symbol("k", "features of u", lambda facts: _voters(facts) - 1.0),
            Symbol("max |x|_1", "", lambda facts: facts.lifted or 0.0),
        ),
    ),
)


def _q_norm(facts: Facts) -> float:
    p = facts.parts.geometry.p
    q = p / (p - 1.0)
    largest = float(np.abs(facts.u).max(initial=0.0))
    if largest == 0.0:
        return 0.0
    return largest * float(((np.abs(facts.u) / largest) ** q).sum()) ** (1.0 / q)


def _pnorm_b(facts: Facts) -> float:
    p = facts.parts.geometry.p
    return math.sqrt(p - 1.0) * facts.ledger.max_dual_norm * _q_norm(facts)


def _pnorm_data(facts: Facts) -> float:
    p = facts.parts.geometry.p
    reach = math.sqrt((p - 1.0) * facts.ledger.sum_dual_gradients)
    return facts.comparison.loss_on_mistakes + _q_norm(facts) * reach


IS_PNORM = made_of(
    "the p-norm Perceptron", loss=Hinge(), geometry=PNorm, trigger=OnMistake
)
P = Symbol[Facts]("p", "the norm", lambda facts: facts.parts.geometry.p)
NORM_Q = Symbol[Facts]("|u|_q", "its length, 1/p + 1/q = 1", _q_norm)

PNORM: tuple[Theorem[Facts], ...] = (
    Theorem(
        "pnorm/data",
        "M <= sum over mistakes of h_t(u)"
        " + |u|_q sqrt((p-1) sum over mistakes of |x_t|_p^2)",
        "data form of Gentile (2003)",
        _mistakes,
        _pnorm_data,
        (IS_PNORM,),
        follows="pnorm/root",
        own=True,
        symbols=(
            MISTAKES,
            HINGE,
            ON_MISTAKES,
            NORM_Q,
            P,
            Symbol(
                "sum over mistakes of |x_t|_p^2",
                "",
                lambda facts: facts.ledger.sum_dual_gradients,
            ),
        ),
    ),
    Theorem(
        "pnorm/root",
        "M <= c + b^2/2 + b sqrt(b^2/4 + c)",
        "Grove, Littlestone, Schuurmans (2001); Gentile (2003)",
        _mistakes,
        lambda facts: root(facts.paid, _pnorm_b(facts)),
        (IS_PNORM,),
        symbols=(
            MISTAKES,
            HINGE,
            C,
            P,
            NORM_Q,
            Symbol("b", "sqrt(p-1) max |x_t|_p |u|_q over updates", _pnorm_b),
        ),
    ),
)
