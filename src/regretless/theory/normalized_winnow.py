"""Mistake bounds of the Winnows on the simplex: normalized and balanced.

u is scaled to |u|_1 = 1, and delta is its margin, min y u.x. The divergence from the
uniform start is RE(u || uniform) <= ln N; balanced, there are 2N weights.
"""

from __future__ import annotations

import math

import numpy as np

from .assumptions import NONNEGATIVE, SEPARATES, UNIT_BOX, close
from .facts import Facts, relative_entropy
from .theorem import Assumption, Measured, Theorem

__all__ = ["BALANCED_WINNOW", "NORMALIZED_WINNOW"]

SCHAPIRE = "Schapire, lecture 15"


def _mistakes(facts: Facts) -> float:
    return facts.mistakes


def _delta(facts: Facts) -> float:
    return min(1.0, facts.comparison.min_margin / facts.norm1)


def _drop(facts: Facts) -> float:
    """How far the divergence falls on every mistake, at least."""
    eta = facts.parts.step.eta
    return eta * _delta(facts) - _log_cosh(eta)


def _log_cosh(eta: float) -> float:
    return eta + math.log1p(math.exp(-2.0 * eta)) - math.log(2.0)


def _falls(facts: Facts) -> Measured:
    eta = facts.parts.step.eta
    found = f"{eta * _delta(facts):.6g} against {_log_cosh(eta):.6g}"
    return Measured(_drop(facts) > 0.0, found)


def _right_step(facts: Facts) -> Measured:
    delta = _delta(facts)
    eta = facts.parts.step.eta
    best = math.atanh(delta) if delta < 1.0 else math.inf
    return Measured(close(eta, best), f"eta = {eta:.6g}, wanted {best:.6g}")


def _kl_half(delta: float) -> float:
    """kl((1+delta)/2 || 1/2)."""
    parts = [(1.0 + delta) / 2.0, (1.0 - delta) / 2.0]
    return math.log(2.0) + sum(part * math.log(part) for part in parts if part > 0.0)


def _panel_votes(facts: Facts) -> Measured:
    nonzero = np.unique(np.abs(facts.u[facts.u != 0]))
    k = int(np.count_nonzero(facts.u))
    return Measured(nonzero.size == 1, f"k = {k}, {nonzero.size} distinct weights")


def _majority(facts: Facts) -> Measured:
    k = int(np.count_nonzero(facts.u))
    found = f"margin {_delta(facts):.6g}, 1/k = {1 / max(k, 1):.6g}"
    return Measured(_delta(facts) >= (1.0 - 1e-9) / max(k, 1), found)


def _family(prefix: str, sides: int) -> tuple[Theorem[Facts], ...]:
    """The theorems for `sides` weights a feature."""

    def log_n(facts: Facts) -> float:
        return math.log(sides * facts.n_weights)

    def divergence(facts: Facts) -> float:
        p = np.abs(facts.u) / facts.norm1
        return relative_entropy(p) + math.log(sides)

    signs = () if sides == 2 else (NONNEGATIVE,)
    base = (UNIT_BOX, *signs, SEPARATES)
    falls = Assumption("eta delta > ln cosh eta", _falls)
    step = Assumption("eta = (1/2) ln((1+delta)/(1-delta))", _right_step)
    many = "2N" if sides == 2 else "N"
    note = " (ln N there must be ln 2N)" if sides == 2 else ""
    return (
        Theorem(
            f"{prefix}/data",
            f"M <= RE(u || uniform over {many}) / (eta delta - ln cosh eta)",
            f"{SCHAPIRE}, with the divergence of u itself",
            _mistakes,
            lambda facts: divergence(facts) / _drop(facts),
            (*base, falls),
        ),
        Theorem(
            f"{prefix}/step",
            f"M <= ln({many}) / (eta delta + ln(2/(e^eta + e^-eta)))",
            SCHAPIRE + note,
            _mistakes,
            lambda facts: log_n(facts) / _drop(facts),
            (*base, falls),
        ),
        Theorem(
            f"{prefix}/tuned-data",
            f"M <= RE(u || uniform over {many}) / kl((1+delta)/2 || 1/2)",
            f"{SCHAPIRE}, before its last inequality",
            _mistakes,
            lambda facts: divergence(facts) / _kl_half(_delta(facts)),
            (*base, step),
        ),
        Theorem(
            f"{prefix}/tuned",
            f"M <= 2 ln({many}) / delta^2",
            SCHAPIRE + note,
            _mistakes,
            lambda facts: 2.0 * log_n(facts) / _delta(facts) ** 2,
            (*base, step),
        ),
        Theorem(
            f"{prefix}/panel",
            f"M <= 2 k^2 ln({many}), u the panel of k voters",
            SCHAPIRE + note,
            _mistakes,
            lambda facts: 2.0 * float(np.count_nonzero(facts.u)) ** 2 * log_n(facts),
            (
                *base,
                Assumption("u picks k voters", _panel_votes),
                Assumption("its majority is always right", _majority),
                step,
            ),
        ),
    )


NORMALIZED_WINNOW = _family("normalized-winnow", 1)
BALANCED_WINNOW = _family("balanced-winnow", 2)
