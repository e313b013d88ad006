"""The letters that theorems about linear learners share, each with its value."""

from __future__ import annotations

import math

from .facts import Facts
from .theorem import Symbol

Letter = Symbol[Facts]


def lipschitz(facts: Facts) -> float:
    """The Lipschitz constant of the loss in the score; infinite where there is none."""
    return float(getattr(facts.parts.loss, "lipschitz", math.inf))


def largest_label(facts: Facts) -> float:
    """Max |y|."""
    return max(abs(facts.ledger.min_label), abs(facts.ledger.max_label))


MISTAKES = Letter("M", "mistakes", lambda facts: facts.mistakes)
REGRET = Letter("R(u)", "loss - loss of u", lambda facts: facts.regret, about_u=True)
ROUNDS = Letter("T", "rounds", lambda facts: float(facts.rounds))
DIMENSION = Letter("d", "weights", lambda facts: float(facts.n_weights))
ETA = Letter("eta", "the step", lambda facts: facts.eta)
NORM_U = Letter("|u|", "", lambda facts: facts.norm, about_u=True)
R = Letter("R", "max |x_t|", lambda facts: facts.ledger.max_norm)
B = Letter("b", "R |u|", lambda facts: facts.ledger.max_norm * facts.norm)
C = Letter("c", "sum h_t(u)", lambda facts: facts.paid)
HINGE = Letter("h_t(u)", "max(0, 1 - y_t u.x_t)")
MARGIN = Letter("margin", "min y_t u.x_t", lambda facts: facts.margin)
ON_MISTAKES = Letter(
    "sum over mistakes of h_t(u)", "", lambda facts: facts.paid_on_mistakes
)
LAST = Letter("|w_T - u|", "w_T the last weights", lambda facts: facts.against.distance)
GRADIENTS = Letter("sum |g_t|^2", "", lambda facts: facts.ledger.sum_squared_gradients)
