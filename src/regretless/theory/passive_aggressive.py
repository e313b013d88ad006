"""Mistake and loss bounds of the passive-aggressive learners.

With tau_t the step of round t and h_t the hinge losses, every round lowers |w - u|^2 by
at least tau_t (2 h_t - tau_t |x_t|^2 - 2 h_t(u)), and it was |u|^2 to begin with.
"""

from __future__ import annotations

from ..parts.losses import Hinge, SquaredHinge
from ..parts.updates import Implicit, Polyak
from .assumptions import SEPARATES
from .facts import Facts
from .theorem import Assumption, Measured, Theorem

__all__ = ["PASSIVE_AGGRESSIVE"]

CRAMMER = "Crammer, Dekel, Keshet, Shalev-Shwartz, Singer (2006)"


def _mistakes(facts: Facts) -> float:
    return facts.mistakes


def _loss(facts: Facts) -> float:
    return facts.ledger.loss


def _regret(facts: Facts) -> float:
    return facts.regret


def _longest(facts: Facts) -> float:
    return facts.ledger.max_norm**2


def _pa(facts: Facts) -> float:
    return _longest(facts) * (facts.norm / facts.comparison.min_margin) ** 2


def _pa_one(facts: Facts) -> float:
    c = facts.parts.step.eta
    return max(_longest(facts), 1.0 / c) * (facts.norm**2 + 2.0 * c * facts.paid)


def _pa_two(facts: Facts) -> float:
    c = facts.parts.step.eta
    reach = _longest(facts) + 1.0 / (2.0 * c)
    return reach * (facts.norm**2 + 2.0 * c * facts.paid)


def _kind(update: type, loss: type, text: str) -> Assumption[Facts]:
    def check(facts: Facts) -> Measured:
        parts = facts.parts
        good = isinstance(parts.update, update) and isinstance(parts.loss, loss)
        step = f"C = {parts.step.eta:g}" if isinstance(parts.update, Implicit) else ""
        found = f"{type(parts.loss).__name__}, {step or 'no limit C'}"
        return Measured(good, found)

    return Assumption(text, check)


def _limited(facts: Facts) -> Measured:
    limited = isinstance(facts.parts.update, Implicit)
    found = f"C = {facts.parts.step.eta:g}" if limited else "C = None"
    return Measured(limited, found)


def _pa_regret(facts: Facts) -> float:
    c = facts.parts.step.eta
    squares = facts.ledger.sum_squared_gradients
    return facts.norm**2 / (2.0 * c) + c / 2.0 * squares


LIMITED = Assumption("there is a limit C", _limited)

PASSIVE_AGGRESSIVE: tuple[Theorem[Facts], ...] = (
    Theorem(
        "passive-aggressive/separable",
        "M <= R^2 |u|^2/(min y u.x)^2",
        f"{CRAMMER}, theorem 2",
        _mistakes,
        _pa,
        (_kind(Polyak, Hinge, "it is PA"), SEPARATES),
    ),
    Theorem(
        "passive-aggressive/one",
        "M <= max(R^2, 1/C) (|u|^2 + 2 C sum h_t(u))",
        f"{CRAMMER}, theorem 4",
        _mistakes,
        _pa_one,
        (_kind(Implicit, Hinge, "it is PA-I"),),
    ),
    Theorem(
        "passive-aggressive/two",
        "sum h_t^2 <= (R^2 + 1/(2C)) (|u|^2 + 2 C sum h_t(u)^2)",
        f"{CRAMMER}, theorem 5",
        _loss,
        _pa_two,
        (_kind(Implicit, SquaredHinge, "it is PA-II"),),
    ),
    Theorem(
        "passive-aggressive/regret",
        "R(u) <= |u|^2/(2C) + (C/2) sum |g_t|^2",
        "Kulis, Bartlett (2010), implicit updates",
        _regret,
        _pa_regret,
        (LIMITED,),
    ),
)
