"""Mistake bounds of the Winnows on the simplex: normalized and balanced.

u is scaled to |u|_1 = 1, and delta is its margin, min y u.x. The divergence from the
uniform start is RE(u || uniform) <= ln N; balanced, there are 2N weights. A step is
made for the margin tanh(eta); where u has a larger one, the theorem holds with it.
"""

from __future__ import annotations

import math

import numpy as np

from ...parts.geometries import SignedEntropy, SimplexEntropy
from ...parts.losses import Hinge
from ...parts.triggers import OnMistake
from .assumptions import NONNEGATIVE, SEPARATES, UNIT_BOX, at_most
from .facts import Facts, nonzero, relative_entropy
from .made_of import made_of
from .symbols import ETA, MISTAKES
from .theorem import Assumption, Measured, Symbol, Theorem

SCHAPIRE = "Schapire, lecture 15"


def _delta(facts: Facts) -> float:
    return min(1.0, facts.margin / facts.norm1)


def _declared(facts: Facts) -> float:
    """The margin that the step is made for."""
    return math.tanh(facts.eta)


def _drop(facts: Facts) -> float:
    """How far the divergence falls on every mistake, at least."""
    return facts.eta * _delta(facts) - _log_cosh(facts.eta)


def _log_cosh(eta: float) -> float:
    return eta + math.log1p(math.exp(-2.0 * eta)) - math.log(2.0)


def _falls(facts: Facts) -> Measured:
    eta = facts.eta
    found = f"{eta * _delta(facts):.6g} against {_log_cosh(eta):.6g}"
    return Measured(_drop(facts) > 0.0, found)


def _margin_reached(facts: Facts) -> Measured:
    made, found = _declared(facts), _delta(facts)
    return Measured(
        at_most(made, found), f"eta is made for {made:.6g}, u has {found:.6g}"
    )


def _largest(facts: Facts) -> float:
    return facts.ledger.max_abs_entry


def _scaled_margin(facts: Facts) -> float:
    """The margin that the step is made for, of rows x with max |x|_inf = X."""
    return facts.norm1 * _largest(facts) * math.tanh(facts.eta * _largest(facts))


def _scaled_reached(facts: Facts) -> Measured:
    made, found = _scaled_margin(facts), facts.margin
    return Measured(
        made > 0.0 and at_most(made, found),
        f"eta is made for {made:.6g}, u has {found:.6g}",
    )


def _kl_half(delta: float) -> float:
    """kl((1+delta)/2 || 1/2)."""
    parts = [(1.0 + delta) / 2.0, (1.0 - delta) / 2.0]
    return math.log(2.0) + sum(part * math.log(part) for part in parts if part > 0.0)


def _panel_votes(facts: Facts) -> Measured:
    sizes = np.unique(np.abs(facts.u[facts.u != 0]))
    found = f"k = {nonzero(facts):g}, {sizes.size} distinct weights"
    return Measured(sizes.size == 1, found)


def _majority(facts: Facts) -> Measured:
    wanted = 1.0 / max(nonzero(facts), 1.0)
    found = f"margin {_delta(facts):.6g}, 1/k = {wanted:.6g}"
    return Measured(at_most(wanted, _delta(facts)), found)


def _made_for_panel(facts: Facts) -> Measured:
    made, wanted = _declared(facts), 1.0 / max(nonzero(facts), 1.0)
    found = f"eta is made for {made:.6g}, 1/k = {wanted:.6g}"
    return Measured(at_most(wanted, made), found)


def _family(
    prefix: str, what: str, geometry: object, sides: int
) -> tuple[Theorem[Facts], ...]:
    """The theorems for `sides` weights a feature."""

    def log_n(facts: Facts) -> float:
        return math.log(sides * facts.n_weights)

    def divergence(facts: Facts) -> float:
        p = np.abs(facts.u) / facts.norm1
        return relative_entropy(p) + math.log(sides)

    def margin(facts: Facts) -> float:
        share = _scaled_margin(facts) / (facts.norm1 * _largest(facts))
        return 2.0 * log_n(facts) / share**2

    parts = made_of(what, loss=Hinge(), geometry=geometry, trigger=OnMistake)
    signs = () if sides == 2 else (NONNEGATIVE,)
    base = (parts, UNIT_BOX, *signs, SEPARATES)
    falls = Assumption("eta delta > ln cosh eta", _falls, about_u=True)
    step = Assumption(
        "the margin of u is at least what eta is made for",
        _margin_reached,
        about_u=True,
    )
    many = "2N" if sides == 2 else "N"
    note = " (ln N there must be ln 2N)" if sides == 2 else ""
    count = Symbol[Facts]("N", "experts", lambda facts: facts.n_weights)
    reached = Symbol[Facts]("delta", "min y_t u.x_t at |u|_1 = 1", _delta)
    made = Symbol[Facts]("delta", "tanh(eta), what eta is made for", _declared)
    apart = Symbol[Facts](f"RE(u || uniform over {many})", "", divergence)
    return (
        Theorem(
            f"{prefix}/data",
            f"M <= RE(u || uniform over {many}) / (eta delta - ln cosh eta)",
            f"{SCHAPIRE}, with the divergence of u itself",
            lambda facts: divergence(facts) / _drop(facts),
            (*base, falls),
            symbols=(MISTAKES, count, ETA, reached, apart),
        ),
        Theorem(
            f"{prefix}/step",
            f"M <= ln({many}) / (eta delta + ln(2/(e^eta + e^-eta)))",
            SCHAPIRE + note,
            lambda facts: log_n(facts) / _drop(facts),
            (*base, falls),
            symbols=(MISTAKES, count, ETA, reached),
        ),
        Theorem(
            f"{prefix}/tuned-data",
            f"M <= RE(u || uniform over {many}) / kl((1+delta)/2 || 1/2)",
            f"{SCHAPIRE}, before its last inequality",
            lambda facts: divergence(facts) / _kl_half(_declared(facts)),
            (*base, step),
            symbols=(MISTAKES, count, made, apart),
        ),
        Theorem(
            f"{prefix}/tuned",
            f"M <= 2 ln({many}) / delta^2",
            SCHAPIRE + note,
            lambda facts: 2.0 * log_n(facts) / _declared(facts) ** 2,
            (*base, step),
            symbols=(MISTAKES, count, made),
        ),
        Theorem(
            f"{prefix}/panel",
            f"M <= 2 k^2 ln({many})",
            SCHAPIRE + note,
            lambda facts: 2.0 * nonzero(facts) ** 2 * log_n(facts),
            (
                *base,
                Assumption("u picks k voters", _panel_votes, about_u=True),
                Assumption("its majority is always right", _majority, about_u=True),
                Assumption("eta is made for 1/k", _made_for_panel, about_u=True),
                step,
            ),
            symbols=(MISTAKES, count, Symbol("k", "voters of the panel u", nonzero)),
        ),
        Theorem(
            f"{prefix}/margin",
            f"M <= 2 ln({many}) |u|_1^2 X^2 / gamma^2",
            f"Mansour, lecture 5, the remark, with its factor 2 ln({many})",
            margin,
            (
                parts,
                *signs,
                SEPARATES,
                Assumption(
                    "the margin of u is at least what eta is made for",
                    _scaled_reached,
                    about_u=True,
                ),
            ),
            symbols=(
                MISTAKES,
                count,
                Symbol("|u|_1", "", lambda facts: facts.norm1),
                Symbol("X", "max |x_t|_inf", _largest),
                Symbol("gamma", "the margin that eta is made for", _scaled_margin),
            ),
        ),
    )


NORMALIZED_WINNOW = _family(
    "normalized-winnow", "normalized Winnow", SimplexEntropy(1.0), 1
)
BALANCED_WINNOW = _family("balanced-winnow", "balanced Winnow", SignedEntropy(1.0), 2)
