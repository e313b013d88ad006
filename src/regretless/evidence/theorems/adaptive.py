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

from ...parts.domains import Box, Everywhere
from ...parts.geometries import Betting, CoordinateBetting, Diagonal, Proximal
from ...parts.steps import Constant
from ...parts.updates import Explicit, Implicit
from .assumptions import CONVEX, IN_DOMAIN, at_most, close
from .facts import Facts
from .made_of import ANY, made_of
from .symbols import NORM_U, REGRET, ROUNDS
from .theorem import Assumption, Measured, Symbol, Theorem

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


def _regularizer(facts: Facts) -> float:
    geometry = facts.parts.geometry
    fixed = (geometry.l2 + geometry.beta / geometry.alpha) / 2.0 * facts.norm**2
    return geometry.l1 * facts.norm1 + fixed


def _ftrl_data(facts: Facts) -> float:
    alpha = facts.parts.geometry.alpha
    apart = _width(facts) ** 2 / (2.0 * alpha) * _coordinates(facts)
    return _regularizer(facts) + apart + facts.ledger.sum_dual_gradients / 2.0


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
    return Measured(at_most(largest, allowed), found)


def _coins_within(facts: Facts) -> Measured:
    largest, allowed = facts.comparison.tallies["largest_coin"], _largest(facts)
    found = f"max |g_i| = {largest * allowed:.6g}, G = {allowed:.6g}"
    return Measured(at_most(largest, 1.0), found)


APART = Assumption("|w_t - u|_inf <= D", _apart, about_u=True)
IN_BOX = Assumption("weights stay in a box", _in_box)
IS_ADAGRAD = made_of(
    "AdaGrad",
    loss=ANY,
    geometry=Diagonal,
    step=Constant(1.0),
    domain=(Everywhere, Box),
    update=(Explicit, Implicit),
)
IS_FTRL = made_of(
    "FTRL-Proximal",
    loss=ANY,
    geometry=Proximal,
    step=Constant(1.0),
    domain=(Everywhere, Box),
)
ONE = (
    made_of("one bettor", loss=ANY, geometry=Betting),
    CONVEX,
    Assumption("|g_t| <= G", _gradients_within),
)
MANY = (
    made_of("a bettor for every feature", loss=ANY, geometry=CoordinateBetting),
    CONVEX,
    Assumption("|g_{t,i}| <= G", _coins_within, about_u=True),
)
ORABONA_PAL = "Orabona, Pal (2016), corollary 5"

WIDTH = Symbol[Facts]("D", "width of the box, or max |w_t|_inf + |u|_inf", _width)
GRADIENTS = Symbol[Facts](
    "sum_i |g_i|", "|g_i| the length of all gradients of feature i", _coordinates
)
LOCAL = Symbol[Facts](
    "sum_t |g_t|^2 in norm t",
    "in the norm of the matrix of round t",
    lambda facts: facts.ledger.sum_dual_gradients,
)

ADAGRAD: tuple[Theorem[Facts], ...] = (
    Theorem(
        "adagrad/data",
        "R(u) <= D^2/(2 eta) sum_i |g_i| + (1/2) sum_t |g_t|^2 in norm t",
        "Duchi, Hazan, Singer (2011), data form of theorem 5",
        _regret,
        _adagrad_data,
        (IS_ADAGRAD, CONVEX, IN_DOMAIN, APART),
        kind="regret",
        symbols=(
            REGRET,
            WIDTH,
            Symbol("eta", "the step", lambda facts: facts.parts.geometry.eta),
            GRADIENTS,
            LOCAL,
        ),
    ),
    Theorem(
        "adagrad/box",
        "R(u) <= sqrt(2) D sum_i |g_i|",
        "Duchi, Hazan, Singer (2011), corollary 6",
        _regret,
        _adagrad_box,
        (
            IS_ADAGRAD,
            CONVEX,
            IN_BOX,
            IN_DOMAIN,
            Assumption("eta = D/sqrt(2)", _adagrad_eta),
        ),
        kind="regret",
        symbols=(REGRET, WIDTH, GRADIENTS),
    ),
)

FTRL_PROXIMAL: tuple[Theorem[Facts], ...] = (
    Theorem(
        "ftrl-proximal/data",
        "R(u) <= r(u) + D^2/(2 alpha) sum_i |g_i| + (1/2) sum_t |g_t|^2 in norm t",
        "McMahan (2017), theorem 2",
        _regret,
        _ftrl_data,
        (IS_FTRL, CONVEX, IN_DOMAIN, APART),
        kind="regret",
        symbols=(
            REGRET,
            Symbol("r(u)", "l1 |u|_1 + ((l2 + beta/alpha)/2) |u|^2", _regularizer),
            WIDTH,
            Symbol("alpha", "the step", lambda facts: facts.parts.geometry.alpha),
            GRADIENTS,
            LOCAL,
        ),
    ),
    Theorem(
        "ftrl-proximal/box",
        "R(u) <= 2 sqrt(2) B sum_i |g_i|",
        "McMahan (2017), theorem 2; McMahan, Streeter (2010)",
        _regret,
        _ftrl_box,
        (
            IS_FTRL,
            CONVEX,
            IN_BOX,
            IN_DOMAIN,
            Assumption("beta = l1 = l2 = 0", _ftrl_plain),
            Assumption("alpha = sqrt(2) B", _ftrl_alpha),
        ),
        kind="regret",
        symbols=(
            REGRET,
            Symbol("B", "half the width of the box", lambda f: _width(f) / 2.0),
            GRADIENTS,
        ),
    ),
)

LARGEST = Symbol[Facts]("G", "the gradient that coins are made for", _largest)
WEALTH = Symbol[Facts]("eps", "first wealth", lambda facts: facts.parts.geometry.wealth)

COIN: tuple[Theorem[Facts], ...] = (
    Theorem(
        "coin/wealth",
        "R(u) <= G (eps - W + |u| |sum g_t|/G)",
        "Orabona, Pal (2016), the duality of reward and regret",
        _regret,
        _coin_wealth,
        ONE,
        kind="regret",
        symbols=(
            REGRET,
            LARGEST,
            WEALTH,
            Symbol("W", "last wealth", lambda f: f.comparison.tallies["wealth"]),
            NORM_U,
            Symbol("|sum g_t|/G", "", lambda f: f.comparison.tallies["pull"]),
        ),
    ),
    Theorem(
        "coin/stakes",
        "R(u) <= G (|u| sqrt(S ln(1 + 24 S^2 |u|^2/eps^2)) + eps)",
        f"{ORABONA_PAL}, with S for T",
        _regret,
        _coin_stakes,
        ONE,
        kind="regret",
        symbols=(
            REGRET,
            LARGEST,
            NORM_U,
            Symbol("S", "sum |g_t|/G", lambda f: f.comparison.tallies["staked"]),
            WEALTH,
        ),
    ),
    Theorem(
        "coin/rounds",
        "R(u) <= G (|u| sqrt(T ln(1 + 24 T^2 |u|^2/eps^2)) + eps)",
        ORABONA_PAL,
        _regret,
        _coin_rounds,
        ONE,
        kind="regret",
        symbols=(REGRET, LARGEST, NORM_U, ROUNDS, WEALTH),
    ),
    Theorem(
        "coin/coordinate-wealth",
        "R(u) <= G sum_i (eps - W_i + |u_i| |sum g_{t,i}|/G)",
        "Orabona, Pal (2016), the duality of reward and regret",
        _regret,
        _coin_coordinate_wealth,
        MANY,
        kind="regret",
        symbols=(
            REGRET,
            LARGEST,
            WEALTH,
            Symbol("W_i", "last wealth of feature i"),
            Symbol("u_i", "weight of u"),
            Symbol("g_{t,i}", "gradient of round t"),
        ),
    ),
    Theorem(
        "coin/coordinates",
        "R(u) <= G sum_i (|u_i| sqrt(S_i ln(1 + 24 S_i^2 u_i^2/eps^2)) + eps)",
        f"{ORABONA_PAL}, with S for T, in every feature that was met",
        _regret,
        _coin_coordinates,
        MANY,
        kind="regret",
        symbols=(
            REGRET,
            LARGEST,
            Symbol("S_i", "sum over t of |g_{t,i}|/G, g_{t,i} the gradient"),
            Symbol("u_i", "weight of u for feature i"),
            WEALTH,
        ),
    ),
)
