"""Regret bounds of gradient descent where every round is sigma-strongly convex.

l(w) - l(u) <= g.(w - u) - (sigma/2)|w - u|^2 cancels what steps 1/(sigma t) cost ::

    R(u) <= sum |g_t|^2/(2 sigma t) <= (G^2/(2 sigma)) (1 + ln T)
"""

from __future__ import annotations

import math

from ...parts.geometries import Euclidean
from ...parts.losses import Squared
from ...parts.penalties import L2, NoPenalty
from ...parts.steps import InverseTime
from .assumptions import CONVEX, IN_DOMAIN, at_most, close
from .facts import Facts
from .gradient import SETS
from .made_of import ANY, made_of
from .symbols import REGRET, ROUNDS
from .theorem import Assumption, Measured, RegretBound, Symbol, Theorem

CESA_BIANCHI = "Cesa-Bianchi, lecture 16"


def _curvature(facts: Facts) -> float:
    """The sigma of (w x - y)^2 with one weight and every |x| the same, else 0."""
    ledger = facts.ledger
    one = isinstance(facts.parts.loss, Squared) and facts.n_weights == 1
    if not one or ledger.updates < ledger.rounds:
        return 0.0
    same = close(ledger.sum_squared_norms, ledger.rounds * ledger.max_norm**2)
    return 2.0 * ledger.max_norm**2 if same else 0.0


def _strongly(facts: Facts) -> Measured:
    sigma = getattr(facts.parts.penalty, "sigma", 0.0)
    curvature = _curvature(facts)
    declared = SIGMA(facts)
    if curvature > 0.0:
        found = f"(w x - y)^2 with sigma = {curvature:g}, steps for {declared:g}"
        return Measured(at_most(declared, curvature), found)
    if sigma == 0.0:
        name = type(facts.parts.loss).__name__
        return Measured(False, f"{name} alone is not strongly convex in w")
    found = f"(sigma/2)|w|^2 with sigma = {sigma:g}, steps for {declared:g}"
    return Measured(at_most(declared, sigma), found)


def _strong(facts: Facts) -> float:
    return G(facts) ** 2 / (2.0 * SIGMA(facts)) * (1.0 + math.log(facts.rounds))


STRONG = made_of(
    "gradient descent with steps 1/(sigma t)",
    loss=ANY,
    geometry=Euclidean,
    step=InverseTime,
    domain=SETS,
    penalty=(NoPenalty, L2),
)
STRONGLY_CONVEX = Assumption("each round is sigma-strongly convex", _strongly)
SIGMA = Symbol[Facts](
    "sigma",
    "curvature that steps are made for",
    lambda facts: facts.parts.step.strength,
)
G = Symbol[Facts]("G", "max |g_t|", lambda facts: facts.ledger.max_gradient)

PEGASOS: tuple[Theorem[Facts], ...] = (
    RegretBound(
        "strongly-convex/data",
        "R(u) <= sum |g_t|^2/(2 sigma t)",
        CESA_BIANCHI,
        lambda facts: facts.ledger.sum_rated_gradients / 2.0,
        (STRONG, CONVEX, STRONGLY_CONVEX, IN_DOMAIN),
        symbols=(REGRET, SIGMA),
        every_u=True,
    ),
    RegretBound(
        "strongly-convex/log",
        "R(u) <= (G^2/(2 sigma)) (1 + ln T)",
        f"{CESA_BIANCHI} (every eigenvalue of the Hessian must be >= sigma)",
        _strong,
        (STRONG, CONVEX, STRONGLY_CONVEX, IN_DOMAIN),
        symbols=(REGRET, G, SIGMA, ROUNDS),
        every_u=True,
    ),
)
