"""Proof steps of learners that multiply: the divergence to u, and how far it falls."""

from __future__ import annotations

import math

import numpy as np

from ...parts.composition import Composition
from ...parts.geometries import SignedEntropy, SimplexEntropy
from . import divergences as d
from .identity import Identity, Sides, Step, is_convex


def _in_unit_box(step: Step, parts: Composition) -> bool:
    return float(np.abs(step.x).max(initial=0.0)) <= 1.0


def _in_unit_cube(step: Step, parts: Composition) -> bool:
    return _in_unit_box(step, parts) and float(step.x.min(initial=0.0)) >= 0.0


def _winnow_step(step: Step, parts: Composition) -> Sides:
    moved = float(step.after.sum() - step.w.sum())
    u = step.comparator
    toward = -step.eta * step.slope * float(u @ step.x)
    logs = d.unnormalized(step.dual), d.unnormalized(step.dual_after)
    fall = d.cross_entropy(u, logs[1]) - d.cross_entropy(u, logs[0]) + moved
    return fall, moved - toward


def _winnow_lemma(step: Step, parts: Composition) -> Sides:
    z = step.slope * step.x
    return float((step.w * z * z).sum()), 2.0 * step.loss


def _local_step(step: Step, parts: Composition) -> Sides:
    z = step.slope * step.x
    fall = _winnow_step(step, parts)[0]
    gained = step.eta * float(z @ (step.comparator - step.w))
    return fall, gained + step.eta**2 * float((step.w * z * z).sum())


def _small(step: Step, parts: Composition) -> bool:
    return step.eta * float(np.abs(step.slope * step.x).max(initial=0.0)) <= 1.0


def _nonnegative(step: Step, parts: Composition) -> bool:
    return bool((step.comparator >= 0.0).all())


def _small_and_nonnegative(step: Step, parts: Composition) -> bool:
    return _small(step, parts) and _nonnegative(step, parts)


def _shares(parts: Composition) -> d.Shares:
    """The geometry of weights that are shares of a simplex, or of the L1 ball."""
    assert isinstance(parts.geometry, SimplexEntropy | SignedEntropy)
    return parts.geometry


def _simplex_fall(step: Step, parts: Composition) -> float:
    """KL(q || p') - KL(q || p) of the q that stands for u."""
    target = d.target(_shares(parts), step.comparator)
    return d.cross_entropy(
        target, d.log_shares(_shares(parts), step.dual_after)
    ) - d.cross_entropy(target, d.log_shares(_shares(parts), step.dual))


def _divergence(step: Step, parts: Composition) -> Sides:
    target = d.target(_shares(parts), step.comparator)
    g = d.sided(_shares(parts), _shares(parts).radius * step.slope * step.x)
    shares = d.log_shares(_shares(parts), step.dual)
    log_z = d.log_sum_exp(shares - step.eta * g)
    return _simplex_fall(step, parts), step.eta * float(target @ g) + log_z


def _cosh(step: Step, parts: Composition) -> Sides:
    target = d.target(_shares(parts), step.comparator)
    reach = step.y * float(target @ d.sided(_shares(parts), step.x))
    log_cosh = float(np.logaddexp(step.eta, -step.eta)) - math.log(2.0)
    return _simplex_fall(step, parts), log_cosh - step.eta * reach


def _hoeffding(step: Step, parts: Composition) -> Sides:
    largest = float(
        np.abs(_shares(parts).radius * step.slope * step.x).max(initial=0.0)
    )
    cost = 0.5 * (step.eta * largest) ** 2
    return (
        step.eta * (step.loss - step.u_loss) - cost,
        -_simplex_fall(step, parts),
    )


def _feasible(step: Step, parts: Composition) -> bool:
    return d.feasible(_shares(parts), step.comparator)


def _feasible_in_box(step: Step, parts: Composition) -> bool:
    return _feasible(step, parts) and _in_unit_box(step, parts)


def _feasible_convex(step: Step, parts: Composition) -> bool:
    return _feasible(step, parts) and is_convex(step, parts)


UNNORMALIZED = (
    Identity(
        "divergence",
        "D(u||w') - D(u||w) = sum(w' - w) - sum u_i ln(w'_i/w_i)",
        _winnow_step,
        equal=True,
        needs_u=True,
        when=_nonnegative,
    ),
    Identity(
        "local norm",
        "D(u||w') - D(u||w) <= eta z.(u - w) + eta^2 sum w_i z_i^2",
        _local_step,
        needs_u=True,
        when=_small_and_nonnegative,
        cancels=True,
    ),
)
WINNOW = (
    Identity(
        "lemma 5.1",
        "sum_i w_i z_i^2 <= 2 f_t(w_t) on a mistake",
        _winnow_lemma,
        when=_in_unit_cube,
    ),
    *UNNORMALIZED,
)
DIVERGENCE = Identity(
    "divergence",
    "KL(u||w') - KL(u||w) = eta <u, g> + ln sum w_j exp(-eta g_j)",
    _divergence,
    equal=True,
    needs_u=True,
    when=_feasible,
)
EG = (
    DIVERGENCE,
    Identity(
        "hoeffding",
        "eta (l(w) - l(u)) - (eta^2/2)|U g|_inf^2 <= KL(u||w) - KL(u||w')",
        _hoeffding,
        needs_u=True,
        when=_feasible_convex,
        cancels=True,
    ),
)
PANEL = (
    DIVERGENCE,
    Identity(
        "fall",
        "RE(u||w') - RE(u||w) <= ln cosh(eta) - eta y u.x on a mistake",
        _cosh,
        needs_u=True,
        when=_feasible_in_box,
    ),
)
