"""Regret bounds of learners that adapt to the gradients they meet.

With |g_i| = sqrt(sum_t g_{t,i}^2), H_t the diagonal of curvatures in round t, and D the
width of the box (without one, D = max_t |w_t|_inf + |u|_inf), mirror descent obeys ::

    R(u) <= (D^2/(2 eta)) sum_i |g_i| + (1/2) sum_t |g_t|^2 in the norm of 1/H_t

The last sum is at most 2 eta sum_i |g_i|. Implicit updates obey the same: with D_t the
divergence of round t, the point they arrive at pays at most
l_t(u) + D_t(u, w_t) - D_t(u, w_{t+1}) - D_t(w_{t+1}, w_t), and the point they predicted
with pays at most g_t.(w_t - w_{t+1}) more, which is what an explicit step pays.

A bettor on coins of size at most one has R(u) = eps - W - theta.u in linearized losses,
and W is at least the wealth of Krichevsky and Trofimov, a function of S and |theta|.
"""

from __future__ import annotations

import math

import numpy as np

from ..parts.domains import Box
from ..parts.geometries import Betting, CoordinateBetting
from .assumptions import CONVEX, IN_DOMAIN, close
from .facts import Facts
from .theorem import Assumption, Measured, Theorem

__all__ = ["ADAGRAD", "COIN", "FTRL_PROXIMAL"]

SQRT2 = math.sqrt(2.0)


def _regret(facts: Facts) -> float:
    return facts.regret


def _coordinates(facts: Facts) -> float:
    """sum_i |g_i|."""
    return facts.comparison.tallies["coordinate_norms"]


def _width(facts: Facts) -> float:
    """The D of the bounds."""
    domain = facts.parts.domain
    if isinstance(domain, Box):
        return domain.high - domain.low
    return facts.comparison.tallies["largest_weight"] + facts.comparison.norm_inf


def _apart(facts: Facts) -> Measured:
    """It holds by the choice of D; what is worth saying is how large that is."""
    return Measured(True, f"D = {_width(facts):.6g}")


def _in_box(facts: Facts) -> Measured:
    if not isinstance(facts.parts.domain, Box):
        return Measured(False, "weights are not kept in a box: give radius=")
    return Measured(True, f"its width is {_width(facts):g}")


def _adagrad_data(facts: Facts) -> float:
    eta = facts.parts.geometry.eta
    apart = _width(facts) ** 2 / (2.0 * eta) * _coordinates(facts)
    return apart + facts.ledger.sum_dual_gradients / 2.0


def _adagrad_box(facts: Facts) -> float:
    return SQRT2 * _width(facts) * _coordinates(facts)


def _adagrad_eta(facts: Facts) -> Measured:
    eta, wanted = facts.parts.geometry.eta, _width(facts) / SQRT2
    return Measured(close(eta, wanted), f"eta = {eta:.6g}, wanted {wanted:.6g}")


def _ftrl_data(facts: Facts) -> float:
    geometry = facts.parts.geometry
    fixed = (geometry.l2 + geometry.beta / geometry.alpha) / 2.0 * facts.norm**2
    apart = _width(facts) ** 2 / (2.0 * geometry.alpha) * _coordinates(facts)
    regularizer = geometry.l1 * facts.norm1 + fixed
    return regularizer + apart + facts.ledger.sum_dual_gradients / 2.0


def _ftrl_box(facts: Facts) -> float:
    return SQRT2 * _width(facts) * _coordinates(facts)


def _ftrl_alpha(facts: Facts) -> Measured:
    alpha, wanted = facts.parts.geometry.alpha, _width(facts) / SQRT2
    return Measured(close(alpha, wanted), f"alpha = {alpha:.6g}, wanted {wanted:.6g}")


def _ftrl_plain(facts: Facts) -> Measured:
    geometry = facts.parts.geometry
    found = f"beta = {geometry.beta:g}, l1 = {geometry.l1:g}, l2 = {geometry.l2:g}"
    return Measured(geometry.beta == geometry.l1 == geometry.l2 == 0.0, found)


def _largest(facts: Facts) -> float:
    """The G that the coins were made with."""
    return 1.0 / facts.parts.step.eta


def _kt(staked: float, size: float, wealth: float) -> float:
    """|u| sqrt(S ln(1 + 24 S^2 |u|^2/eps^2))."""
    reach = staked * size / wealth
    return size * math.sqrt(staked * math.log1p(24.0 * reach * reach))


def _coin_stakes(facts: Facts) -> float:
    wealth = facts.parts.geometry.wealth
    staked = facts.comparison.tallies["staked"]
    return _largest(facts) * (_kt(staked, facts.norm, wealth) + wealth)


def _coin_rounds(facts: Facts) -> float:
    wealth = facts.parts.geometry.wealth
    return _largest(facts) * (_kt(facts.rounds, facts.norm, wealth) + wealth)


def _coin_wealth(facts: Facts) -> float:
    tallies = facts.comparison.tallies
    lost = facts.parts.geometry.wealth - tallies["wealth"]
    return _largest(facts) * (lost + facts.norm * tallies["pull"])


def _coin_coordinates(facts: Facts) -> float:
    wealth = facts.parts.geometry.wealth
    stakes = facts.comparison.tallies["stakes"][: facts.u.size]
    pairs = zip(stakes.tolist(), np.abs(facts.u).tolist(), strict=True)
    met = [_kt(staked, size, wealth) + wealth for staked, size in pairs if staked > 0]
    return _largest(facts) * math.fsum(met)


def _coin_coordinate_wealth(facts: Facts) -> float:
    tallies = facts.comparison.tallies
    toward = float(np.abs(facts.u) @ tallies["pulls"][: facts.u.size])
    return _largest(facts) * (toward - tallies["earned"])


def _gradients_within(facts: Facts) -> Measured:
    largest, allowed = facts.ledger.max_gradient, _largest(facts)
    found = f"max |g| = {largest:.6g}, G = {allowed:.6g}"
    return Measured(largest <= allowed * (1 + 1e-9), found)


def _coins_within(facts: Facts) -> Measured:
    largest, allowed = facts.comparison.tallies["largest_coin"], _largest(facts)
    found = f"max |g_i| = {largest * allowed:.6g}, G = {allowed:.6g}"
    return Measured(largest <= 1 + 1e-9, found)


def _bettor(kind: type, text: str) -> Assumption[Facts]:
    def check(facts: Facts) -> Measured:
        geometry = facts.parts.geometry
        return Measured(isinstance(geometry, kind), f"{type(geometry).__name__}")

    return Assumption(text, check)


APART = Assumption("|w_t - u|_inf <= D", _apart)
IN_BOX = Assumption("weights stay in a box", _in_box)
ONE = (
    CONVEX,
    _bettor(Betting, "there is one bettor"),
    Assumption("|g_t| <= G", _gradients_within),
)
MANY = (
    CONVEX,
    _bettor(CoordinateBetting, "every feature has a bettor"),
    Assumption("|g_{t,i}| <= G", _coins_within),
)
ORABONA_PAL = "Orabona, Pal (2016), corollary 5"

ADAGRAD: tuple[Theorem[Facts], ...] = (
    Theorem(
        "adagrad/data",
        "R(u) <= D^2/(2 eta) sum_i |g_i| + (1/2) sum_t |g_t|^2 in norm t",
        "Duchi, Hazan, Singer (2011), data form of theorem 5",
        _regret,
        _adagrad_data,
        (CONVEX, IN_DOMAIN, APART),
    ),
    Theorem(
        "adagrad/box",
        "R(u) <= sqrt(2) D sum_i |g_i|, eta = D/sqrt(2)",
        "Duchi, Hazan, Singer (2011), corollary 6",
        _regret,
        _adagrad_box,
        (CONVEX, IN_BOX, IN_DOMAIN, Assumption("eta = D/sqrt(2)", _adagrad_eta)),
    ),
)

FTRL_PROXIMAL: tuple[Theorem[Facts], ...] = (
    Theorem(
        "ftrl-proximal/data",
        "R(u) <= r(u) + D^2/(2 alpha) sum_i |g_i| + (1/2) sum_t |g_t|^2 in norm t",
        "McMahan (2017), theorem 2; r(u) = l1|u|_1 + ((l2 + beta/alpha)/2)|u|^2",
        _regret,
        _ftrl_data,
        (CONVEX, IN_DOMAIN, APART),
    ),
    Theorem(
        "ftrl-proximal/box",
        "R(u) <= 2 sqrt(2) B sum_i |g_i|, alpha = sqrt(2) B",
        "McMahan (2017), theorem 2; McMahan, Streeter (2010)",
        _regret,
        _ftrl_box,
        (
            CONVEX,
            IN_BOX,
            IN_DOMAIN,
            Assumption("beta = l1 = l2 = 0", _ftrl_plain),
            Assumption("alpha = sqrt(2) B", _ftrl_alpha),
        ),
    ),
)

COIN: tuple[Theorem[Facts], ...] = (
    Theorem(
        "coin/wealth",
        "R(u) <= G (eps - W + |u| |sum g_t|/G)",
        "Orabona, Pal (2016), the duality of reward and regret",
        _regret,
        _coin_wealth,
        ONE,
    ),
    Theorem(
        "coin/stakes",
        "R(u) <= G (|u| sqrt(S ln(1 + 24 S^2 |u|^2/eps^2)) + eps), S = sum |g_t|/G",
        f"{ORABONA_PAL}, with S for T",
        _regret,
        _coin_stakes,
        ONE,
    ),
    Theorem(
        "coin/rounds",
        "R(u) <= G (|u| sqrt(T ln(1 + 24 T^2 |u|^2/eps^2)) + eps)",
        ORABONA_PAL,
        _regret,
        _coin_rounds,
        ONE,
    ),
    Theorem(
        "coin/coordinate-wealth",
        "R(u) <= G sum_i (eps - W_i + |u_i| |sum g_{t,i}|/G)",
        "Orabona, Pal (2016), the duality of reward and regret",
        _regret,
        _coin_coordinate_wealth,
        MANY,
    ),
    Theorem(
        "coin/coordinates",
        "R(u) <= G sum_i (|u_i| sqrt(S_i ln(1 + 24 S_i^2 u_i^2/eps^2)) + eps)",
        f"{ORABONA_PAL}, with S for T, in every feature that was met",
        _regret,
        _coin_coordinates,
        MANY,
    ),
)
