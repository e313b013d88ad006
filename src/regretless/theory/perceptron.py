"""The Perceptron's mistake bounds, and the p-norm Perceptron's.

For EVERY u, with h_t(u) = max(0, 1 - y_t u.x_t), R = max |x_t|, b = R |u| and
c = sum_t h_t(u). The data forms use what the run itself measured, so they are tightest.
"""

from __future__ import annotations

import math

import numpy as np

from .assumptions import SEPARATES, is_panel
from .facts import Facts
from .theorem import Assumption, Measured, Theorem

__all__ = ["PERCEPTRON", "PNORM", "root"]

MANSOUR = "Mansour, lecture 5"
CESA_BIANCHI = "Cesa-Bianchi, lecture 16"
EVERYONE = "Novikoff; Freund; Schapire, lecture 15; Mansour, lecture 5"


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


def _by_weights(facts: Facts) -> float:
    return facts.comparison.loss_on_mistakes + facts.norm * facts.ledger.weight_norm


def _votes(facts: Facts) -> Measured:
    largest = facts.ledger.max_norm**2
    good = largest <= facts.n_weights * (1 + 1e-9)
    return Measured(good, f"max |x|^2 = {largest:.6g}, N = {facts.n_weights}")


def _unit_margin(facts: Facts) -> Measured:
    margin = facts.comparison.min_margin
    return Measured(margin >= 1.0, f"min y u.x = {margin:.6g}")


def _panel(facts: Facts) -> float:
    return facts.n_weights * float(np.count_nonzero(facts.u))


PERCEPTRON: tuple[Theorem[Facts], ...] = (
    Theorem(
        "perceptron/data",
        "M <= sum over mistakes of h_t(u) + |u| |w|",
        "data form of Cesa-Bianchi, lecture 16",
        _mistakes,
        _by_weights,
        follows="perceptron/root",
    ),
    Theorem(
        "perceptron/norms",
        "M <= sum over mistakes of h_t(u) + |u| sqrt(sum over mistakes of |x_t|^2)",
        "data form of Cesa-Bianchi, lecture 16",
        _mistakes,
        _by_norms,
        follows="perceptron/root",
    ),
    Theorem(
        "perceptron/root",
        "M <= c + b^2/2 + b sqrt(b^2/4 + c)",
        "Mansour, lecture 5, the quadratic solved exactly",
        _mistakes,
        lambda facts: root(facts.paid, _b(facts)),
    ),
    Theorem(
        "perceptron/oracle",
        "M <= c + b^2 + b sqrt(c)",
        CESA_BIANCHI,
        _mistakes,
        _cesa_bianchi,
    ),
    Theorem(
        "perceptron/agnostic",
        "M <= c + b^2 + 2 b sqrt(c)",
        MANSOUR,
        _mistakes,
        _mansour,
    ),
    Theorem(
        "perceptron/separable",
        "M <= (R |u| / margin)^2, margin = min y u.x",
        EVERYONE,
        _mistakes,
        _separable,
        (SEPARATES,),
    ),
    Theorem(
        "perceptron/panel",
        "M <= N k, u the panel of k voters out of N",
        "Schapire, lecture 15",
        _mistakes,
        _panel,
        (
            Assumption("|x|^2 <= N, as for votes", _votes),
            Assumption("u picks k voters", is_panel),
            Assumption("the panel's majority is always right", _unit_margin),
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


def _pnorm_root(facts: Facts) -> float:
    p = facts.parts.geometry.p
    b = math.sqrt(p - 1.0) * facts.ledger.max_dual_norm * _q_norm(facts)
    return root(facts.paid, b)


def _pnorm_data(facts: Facts) -> float:
    p = facts.parts.geometry.p
    reach = math.sqrt((p - 1.0) * facts.ledger.sum_dual_gradients)
    return facts.comparison.loss_on_mistakes + _q_norm(facts) * reach


PNORM: tuple[Theorem[Facts], ...] = (
    Theorem(
        "pnorm/data",
        "M <= sum_M h_t(u) + |u|_q sqrt((p-1) sum_M |x_t|_p^2), sums over mistakes",
        "data form of Gentile (2003)",
        _mistakes,
        _pnorm_data,
        follows="pnorm/root",
    ),
    Theorem(
        "pnorm/root",
        "M <= c + b^2/2 + b sqrt(b^2/4 + c), b = sqrt(p-1) max |x_t|_p |u|_q",
        "Grove, Littlestone, Schuurmans (2001); Gentile (2003)",
        _mistakes,
        _pnorm_root,
    ),
)
