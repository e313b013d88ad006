"""The Perceptron's mistake bounds, and the p-norm Perceptron's.

For EVERY u, with h_t(u) = max(0, 1 - y_t u.x_t), R = max |x_t|, b = R |u| and
c = sum_t h_t(u). The data forms use what the run itself measured, so they are tightest.
A step eta only scales w from w = 0, so |w|/eta is what the proofs call |w|.
"""

from __future__ import annotations

import math

from ...parts.geometries import Euclidean, PNorm
from ...parts.losses import Hinge
from ...parts.triggers import OnMistake
from .assumptions import ROUNDING, SEPARATES, is_panel
from .divergences import p_norm
from .facts import Facts, nonzero
from .gradient import approached
from .made_of import made_of
from .mistake_bounds import Letters, mistake_bounds, root
from .symbols import (
    ETA,
    HINGE,
    LAST,
    MARGIN,
    MISTAKES,
    NORM_U,
    ON_MISTAKES,
    B,
    C,
    R,
)
from .theorem import Assumption, Measured, Symbol, Theorem

MANSOUR = "Mansour, lecture 5"
CESA_BIANCHI = "Cesa-Bianchi, lecture 16"


def _oracle(facts: Facts, times: float) -> float:
    c, b = facts.paid, B(facts)
    return c + b * b + times * b * math.sqrt(c)


def _by_final(facts: Facts) -> float:
    """The bound of gradient descent with its last term kept, masked to mistakes."""
    grown = facts.eta / 2.0 * SQUARES(facts)
    return facts.paid_on_mistakes + approached(facts) / (2.0 * facts.eta) + grown


def _votes(facts: Facts) -> Measured:
    largest = facts.ledger.max_norm**2
    good = largest <= facts.n_weights * (1 + ROUNDING)
    return Measured(good, f"max |x|^2 = {largest:.6g}, N = {facts.n_weights}")


def _unit_margin(facts: Facts) -> Measured:
    return Measured(facts.margin >= 1.0, f"min y u.x = {facts.margin:.6g}")


def _is_lifted(facts: Facts) -> Measured:
    if facts.lifted is None:
        return Measured(False, "the rows are others")
    return Measured(True, f"max |x|_1 = {facts.lifted:.6g}")


def _is_disjunction(facts: Facts) -> Measured:
    good, _ = is_panel(facts)
    one = bool(good and facts.u[-1] == 1.0 and nonzero(facts) > 1)
    found = f"k = {nonzero(facts) - 1:g}" if one else "u is another"
    return Measured(one, found)


SQUARES = Symbol[Facts](
    "sum over mistakes of |x_t|^2", "", lambda facts: facts.ledger.sum_squared_norms
)
LENGTH = Symbol[Facts](
    "|w|",
    "last weights, at a step of 1",
    lambda facts: facts.ledger.weight_norm / facts.eta,
)
VOTERS = Symbol[Facts]("k", "voters of u", nonzero)
EXPERTS = Symbol[Facts]("N", "experts", lambda facts: facts.n_weights)
LIFTED = Symbol[Facts]("max |x|_1", "", lambda facts: facts.lifted or 0.0)
IS_PERCEPTRON = made_of(
    "the Perceptron", loss=Hinge(), geometry=Euclidean, trigger=OnMistake
)
CLOSED = (MISTAKES, HINGE, C, R, NORM_U, B)

_DATA, _NORMS, _ROOT, _SEPARABLE = mistake_bounds(
    "perceptron",
    Letters(MISTAKES, HINGE, ON_MISTAKES, NORM_U, LENGTH, SQUARES, C, R, B, MARGIN),
    (
        "data form of Cesa-Bianchi, lecture 16",
        "Mansour, lecture 5, the quadratic solved exactly",
        "Novikoff; Freund; Schapire, lecture 15; Mansour, lecture 5",
    ),
    (IS_PERCEPTRON,),
    SEPARATES,
)
PERCEPTRON: tuple[Theorem[Facts], ...] = (
    _DATA,
    _NORMS,
    _ROOT,
    Theorem(
        "perceptron/oracle",
        "M <= c + b^2 + b sqrt(c)",
        CESA_BIANCHI,
        lambda facts: _oracle(facts, 1.0),
        (IS_PERCEPTRON,),
        symbols=CLOSED,
    ),
    Theorem(
        "perceptron/agnostic",
        "M <= c + b^2 + 2 b sqrt(c)",
        MANSOUR,
        lambda facts: _oracle(facts, 2.0),
        (IS_PERCEPTRON,),
        symbols=CLOSED,
    ),
    Theorem(
        "perceptron/final",
        "M <= sum over mistakes of h_t(u) + |u|^2/(2 eta) - |w_T - u|^2/(2 eta)"
        " + (eta/2) sum over mistakes of |x_t|^2",
        f"{CESA_BIANCHI}, the last term kept",
        _by_final,
        (IS_PERCEPTRON,),
        follows="perceptron/root",
        own=True,
        symbols=(MISTAKES, HINGE, ON_MISTAKES, NORM_U, ETA, LAST, SQUARES),
    ),
    _SEPARABLE,
    Theorem(
        "perceptron/panel",
        "M <= N k",
        "Schapire, lecture 15",
        lambda facts: facts.n_weights * nonzero(facts),
        (
            IS_PERCEPTRON,
            Assumption("|x|^2 <= N, as for votes", _votes),
            Assumption("u picks k voters", is_panel, about_u=True),
            Assumption(
                "the panel's majority is always right", _unit_margin, about_u=True
            ),
        ),
        symbols=(MISTAKES, EXPERTS, VOTERS),
    ),
    Theorem(
        "perceptron/disjunction",
        "M <= (k + 1) (4 max |x|_1 + 1)",
        f"{MANSOUR}: the Perceptron on (2x, -1); (k + 1)(4d + 1) there",
        lambda facts: nonzero(facts) * (4.0 * LIFTED(facts) + 1.0),
        (
            IS_PERCEPTRON,
            Assumption("every row is (2x, -1) with x in [0, 1]^d", _is_lifted),
            Assumption("u is k ones, then 1", _is_disjunction, about_u=True),
            Assumption("the disjunction is always right", _unit_margin, about_u=True),
        ),
        symbols=(
            MISTAKES,
            Symbol("k", "features of u", lambda facts: nonzero(facts) - 1.0),
            LIFTED,
        ),
    ),
)


def _q_norm(facts: Facts) -> float:
    p = P(facts)
    return p_norm(facts.u, p / (p - 1.0))


def _pnorm_b(facts: Facts) -> float:
    return math.sqrt(P(facts) - 1.0) * facts.ledger.max_dual_norm * _q_norm(facts)


def _pnorm_data(facts: Facts) -> float:
    reach = math.sqrt((P(facts) - 1.0) * SQUARES_P(facts))
    return facts.paid_on_mistakes + _q_norm(facts) * reach


IS_PNORM = made_of(
    "the p-norm Perceptron", loss=Hinge(), geometry=PNorm, trigger=OnMistake
)
P = Symbol[Facts]("p", "the norm", lambda facts: facts.parts.geometry.p)
NORM_Q = Symbol[Facts]("|u|_q", "its length, 1/p + 1/q = 1", _q_norm)
SQUARES_P = Symbol[Facts](
    "sum over mistakes of |x_t|_p^2", "", lambda facts: facts.ledger.sum_dual_gradients
)
PNORM_B = Symbol[Facts]("b", "sqrt(p-1) max |x_t|_p |u|_q over updates", _pnorm_b)

PNORM: tuple[Theorem[Facts], ...] = (
    Theorem(
        "pnorm/data",
        "M <= sum over mistakes of h_t(u)"
        " + |u|_q sqrt((p-1) sum over mistakes of |x_t|_p^2)",
        "data form of Gentile (2003)",
        _pnorm_data,
        (IS_PNORM,),
        follows="pnorm/root",
        own=True,
        symbols=(MISTAKES, HINGE, ON_MISTAKES, NORM_Q, P, SQUARES_P),
    ),
    Theorem(
        "pnorm/root",
        "M <= c + b^2/2 + b sqrt(b^2/4 + c)",
        "Grove, Littlestone, Schuurmans (2001); Gentile (2003)",
        lambda facts: root(facts.paid, PNORM_B(facts)),
        (IS_PNORM,),
        symbols=(MISTAKES, HINGE, C, P, NORM_Q, PNORM_B),
    ),
)
