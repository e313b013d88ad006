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
from .assumptions import CONVEX, IN_DOMAIN, at_most, tuned, within
from .facts import Facts
from .gradient import LARGEST
from .made_of import ANY, made_of
from .symbols import NORM_U, REGRET, ROUNDS
from .theorem import Assumption, Measured, RegretBound, Symbol, Theorem

SQRT2 = math.sqrt(2.0)


def _width(facts: Facts) -> float:
    """The D of the bounds."""
    domain = facts.parts.domain
    if isinstance(domain, Box):
        return domain.high - domain.low
    return facts.summed("largest_weight") + facts.against.norm_inf


def _apart(facts: Facts) -> Measured:
    """It holds by the choice of D; what is worth saying is how large that is."""
    return Measured(True, f"D = {_width(facts):.6g}")


def _in_box(facts: Facts) -> Measured:
    if not isinstance(facts.parts.domain, Box):
        return Measured(False, "weights are not kept in a box: give radius=")
    return Measured(True, f"its width is {_width(facts):g}")


def _data(facts: Facts, eta: float, regularizer: float = 0.0) -> float:
    """r(u) + (D^2/(2 eta)) sum_i |g_i| + (1/2) sum_t |g_t|^2 in norm t."""
    apart = _width(facts) ** 2 / (2.0 * eta) * GRADIENTS(facts)
    return regularizer + apart + LOCAL(facts) / 2.0


def _box(facts: Facts) -> float:
    """The same, at the step D/sqrt(2)."""
    return SQRT2 * _width(facts) * GRADIENTS(facts)


def _best_step(facts: Facts) -> float:
    return _width(facts) / SQRT2


def _regularizer(facts: Facts) -> float:
    geometry = facts.parts.geometry
    fixed = (geometry.l2 + geometry.beta / geometry.alpha) / 2.0 * facts.norm**2
    return geometry.l1 * facts.norm1 + fixed


def _ftrl_plain(facts: Facts) -> Measured:
    geometry = facts.parts.geometry
    found = f"beta = {geometry.beta:g}, l1 = {geometry.l1:g}, l2 = {geometry.l2:g}"
    return Measured(geometry.beta == geometry.l1 == geometry.l2 == 0.0, found)


def _kt(staked: float, size: float, wealth: float) -> float:
    """|u| sqrt(S ln(1 + 24 S^2 |u|^2/eps^2)) + eps."""
    reach = staked * size / wealth
    return size * math.sqrt(staked * math.log1p(24.0 * reach * reach)) + wealth


def _coin_wealth(facts: Facts) -> float:
    lost = WEALTH(facts) - LEFT(facts)
    return G(facts) * (lost + facts.norm * PULL(facts))


def _coin_coordinates(facts: Facts) -> float:
    stakes = facts.against.tallies["stakes"][: facts.u.size]
    pairs = zip(stakes.tolist(), np.abs(facts.u).tolist(), strict=True)
    met = [_kt(staked, size, WEALTH(facts)) for staked, size in pairs if staked > 0]
    return G(facts) * math.fsum(met)


def _coin_coordinate_wealth(facts: Facts) -> float:
    pulls = facts.against.tallies["pulls"][: facts.u.size]
    return G(facts) * (float(np.abs(facts.u) @ pulls) - facts.summed("earned"))


def _coins_within(facts: Facts) -> Measured:
    largest, allowed = facts.summed("largest_coin"), G(facts)
    found = f"max |g_i| = {largest * allowed:.6g}, G = {allowed:.6g}"
    return Measured(at_most(largest, 1.0), found)


ETA = Symbol[Facts]("eta", "the step", lambda facts: facts.parts.geometry.eta)
ALPHA = Symbol[Facts]("alpha", "the step", lambda facts: facts.parts.geometry.alpha)
WIDTH = Symbol[Facts]("D", "width of the box, or max |w_t|_inf + |u|_inf", _width)
GRADIENTS = Symbol[Facts](
    "sum_i |g_i|",
    "|g_i| the length of all gradients of feature i",
    lambda facts: facts.summed("coordinate_norms"),
)
LOCAL = Symbol[Facts](
    "sum_t |g_t|^2 in norm t",
    "in the norm of the matrix of round t",
    lambda facts: facts.ledger.sum_dual_gradients,
)
G = Symbol[Facts](
    "G", "the gradient that coins are made for", lambda facts: 1.0 / facts.eta
)
WEALTH = Symbol[Facts]("eps", "first wealth", lambda facts: facts.parts.geometry.wealth)
LEFT = Symbol[Facts]("W", "last wealth", lambda facts: facts.summed("wealth"))
PULL = Symbol[Facts]("|sum g_t|/G", "", lambda facts: facts.summed("pull"))
STAKED = Symbol[Facts]("S", "sum |g_t|/G", lambda facts: facts.summed("staked"))
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
    within("|g_t| <= G", LARGEST, G),
)
MANY = (
    made_of("a bettor for every feature", loss=ANY, geometry=CoordinateBetting),
    CONVEX,
    Assumption("|g_{t,i}| <= G", _coins_within, about_u=True),
)
ORABONA_PAL = "Orabona, Pal (2016), corollary 5"

ADAGRAD: tuple[Theorem[Facts], ...] = (
    RegretBound(
        "adagrad/data",
        "R(u) <= D^2/(2 eta) sum_i |g_i| + (1/2) sum_t |g_t|^2 in norm t",
        "Duchi, Hazan, Singer (2011), data form of theorem 5",
        lambda facts: _data(facts, ETA(facts)),
        (IS_ADAGRAD, CONVEX, IN_DOMAIN, APART),
        symbols=(REGRET, WIDTH, ETA, GRADIENTS, LOCAL),
    ),
    RegretBound(
        "adagrad/box",
        "R(u) <= sqrt(2) D sum_i |g_i|",
        "Duchi, Hazan, Singer (2011), corollary 6",
        _box,
        (
            IS_ADAGRAD,
            CONVEX,
            IN_BOX,
            IN_DOMAIN,
            tuned("eta = D/sqrt(2)", ETA, _best_step),
        ),
        symbols=(REGRET, WIDTH, GRADIENTS),
    ),
)

FTRL_PROXIMAL: tuple[Theorem[Facts], ...] = (
    RegretBound(
        "ftrl-proximal/data",
        "R(u) <= r(u) + D^2/(2 alpha) sum_i |g_i| + (1/2) sum_t |g_t|^2 in norm t",
        "McMahan (2017), theorem 2",
        lambda facts: _data(facts, ALPHA(facts), _regularizer(facts)),
        (IS_FTRL, CONVEX, IN_DOMAIN, APART),
        symbols=(
            REGRET,
            Symbol("r(u)", "l1 |u|_1 + ((l2 + beta/alpha)/2) |u|^2", _regularizer),
            WIDTH,
            ALPHA,
            GRADIENTS,
            LOCAL,
        ),
    ),
    RegretBound(
        "ftrl-proximal/box",
        "R(u) <= 2 sqrt(2) B sum_i |g_i|",
        "McMahan (2017), theorem 2; McMahan, Streeter (2010)",
        _box,
        (
            IS_FTRL,
            CONVEX,
            IN_BOX,
            IN_DOMAIN,
            Assumption("beta = l1 = l2 = 0", _ftrl_plain),
            tuned("alpha = sqrt(2) B", ALPHA, _best_step),
        ),
        symbols=(
            REGRET,
            Symbol("B", "half the width of the box", lambda f: _width(f) / 2.0),
            GRADIENTS,
        ),
    ),
)

COIN: tuple[Theorem[Facts], ...] = (
    RegretBound(
        "coin/wealth",
        "R(u) <= G (eps - W + |u| |sum g_t|/G)",
        "Orabona, Pal (2016), the duality of reward and regret",
        _coin_wealth,
        ONE,
        symbols=(REGRET, G, WEALTH, LEFT, NORM_U, PULL),
    ),
    RegretBound(
        "coin/stakes",
        "R(u) <= G (|u| sqrt(S ln(1 + 24 S^2 |u|^2/eps^2)) + eps)",
        f"{ORABONA_PAL}, with S for T",
        lambda facts: G(facts) * _kt(STAKED(facts), facts.norm, WEALTH(facts)),
        ONE,
        symbols=(REGRET, G, NORM_U, STAKED, WEALTH),
    ),
    RegretBound(
        "coin/rounds",
        "R(u) <= G (|u| sqrt(T ln(1 + 24 T^2 |u|^2/eps^2)) + eps)",
        ORABONA_PAL,
        lambda facts: G(facts) * _kt(facts.rounds, facts.norm, WEALTH(facts)),
        ONE,
        symbols=(REGRET, G, NORM_U, ROUNDS, WEALTH),
    ),
    RegretBound(
        "coin/coordinate-wealth",
        "R(u) <= G sum_i (eps - W_i + |u_i| |sum g_{t,i}|/G)",
        "Orabona, Pal (2016), the duality of reward and regret",
        _coin_coordinate_wealth,
        MANY,
        symbols=(
            REGRET,
            G,
            WEALTH,
            Symbol("W_i", "last wealth of feature i"),
            Symbol("u_i", "weight of u"),
            Symbol("g_{t,i}", "gradient of round t"),
        ),
    ),
    RegretBound(
        "coin/coordinates",
        "R(u) <= G sum_i (|u_i| sqrt(S_i ln(1 + 24 S_i^2 u_i^2/eps^2)) + eps)",
        f"{ORABONA_PAL}, with S for T, in every feature that was met",
        _coin_coordinates,
        MANY,
        symbols=(
            REGRET,
            G,
            Symbol("S_i", "sum over t of |g_{t,i}|/G, g_{t,i} the gradient"),
            Symbol("u_i", "weight of u for feature i"),
            WEALTH,
        ),
    ),
)
