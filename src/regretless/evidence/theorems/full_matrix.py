"""Bounds of the learners with a full matrix: they all do ridge regression.

Let A_t = a I + sum x x' and w_t = A_t^-1 sum y x over the rounds taken in, p_t the
score w_{t-1}.x_t as it stood, q_t = x'A_{t-1}^-1 x, and r_t = x'A_t^-1 x, which is
q_t/(1 + q_t) <= ln(1 + q_t); the logarithms add up to ln det(A_T/a). For every u ::

    sum (y - p)^2/(1 + q) = sum (y - u.x)^2 + a|u|^2 - (u - w_T)'A_T(u - w_T)

VAW says s = p/(1 + q), and (s - y)^2 - (p - y)^2/(1 + q) = y^2 r - q s^2. Of labels -1
and +1 the left side is at least 1 - r on a mistake, and at least 0 else. Take c u for
u, use y u.x >= 1 - h(u), and choose the best c: so follow the Perceptron's and AROW's.

The Newton step, with A_t = eps I + sum g g' and |.|_t its norm, obeys ::

    g.(w_t - u) <= (gamma/2)(|w_t - u|_t^2 - |w_{t+1} - u|_t^2) + g'A_t^-1 g/(2 gamma)

because projecting onto a set that u is in comes no farther from u. The norms add up to
eps|u|^2 + sum (g.(w_t - u))^2, and those squares are what the loss bends.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ...parts.geometries import DiagonalMatrix, FullMatrix
from ...parts.losses import Hinge, Squared, curvature_of
from ...parts.prediction_rules import Clipped, Foreseen
from ...parts.steps import Constant
from ...parts.triggers import OnMargin, OnMistake
from ...parts.updates import LeastSquares, Projected
from .facts import Facts
from .made_of import ANY, made_of
from .symbols import DIMENSION, HINGE, MISTAKES, NORM_U, REGRET, largest_label
from .theorem import Assumption, Measured, RegretBound, Symbol, Theorem

VOVK = "Vovk (2001); Azoury, Warmuth (2001)"
CESA_BIANCHI = "Cesa-Bianchi, Conconi, Gentile (2005)"
CRAMMER = "Crammer, Kulesza, Dredze (2009)"
HAZAN = "Hazan, Agarwal, Kale (2007); Luo, Agarwal, Cesa-Bianchi, Langford (2016)"


def _leverage(facts: Facts) -> float:
    """The sum of r_t."""
    return facts.summed("leverage")


def _growth(facts: Facts) -> float:
    """Ln det(A_T/a)."""
    return facts.summed("growth")


def _strength(facts: Facts) -> float:
    return facts.parts.geometry.strength


def _ridge(facts: Facts) -> float:
    """a|u|^2."""
    return _strength(facts) * facts.norm**2


def _vaw(facts: Facts, learned: float) -> float:
    return _ridge(facts) + largest_label(facts) ** 2 * learned


def _by_dimension(facts: Facts) -> float:
    """D ln(1 + sum |x_t|^2/(a d)), which is at least ln det(A_T/a)."""
    d = facts.n_weights
    return d * math.log1p(SQUARES(facts) / (_strength(facts) * d))


def _on_updates(facts: Facts) -> float:
    return facts.against.loss_on_updates


def _squares_on_updates(facts: Facts) -> float:
    return facts.against.squares_on_updates


def _met(facts: Facts, learned: float) -> float:
    """sqrt((a|u|^2 + sum (u.x)^2 over updates) learned)."""
    return math.sqrt((_ridge(facts) + _squares_on_updates(facts)) * learned)


def _others(facts: Facts) -> float:
    return facts.ledger.updates - facts.mistakes


def _arow(facts: Facts, learned: float) -> float:
    others = _others(facts)
    return _met(facts, learned + others) + _on_updates(facts) - others


def _ons(facts: Facts, learned: float) -> float:
    gamma = GAMMA(facts)
    return gamma / 2.0 * _ridge(facts) + learned / (2.0 * gamma)


def _is_full(facts: Facts) -> Measured:
    full = isinstance(facts.parts.geometry, FullMatrix)
    found = f"d = {facts.n_weights:,}" if full else "not proven: it keeps the diagonal"
    return Measured(full, found)


def _bends(facts: Facts) -> Measured:
    gamma, loss = GAMMA(facts), facts.parts.loss
    proven = curvature_of(loss, facts.parts.prediction_rule.reach)
    if proven is None:
        return Measured(False, f"nothing is proven of {type(loss).__name__}")
    found = f"gamma = {gamma:.6g}, proven up to {proven:.6g}"
    return Measured(gamma <= proven * (1.0 + 1e-12), found)


def _labels_within(facts: Facts) -> Measured:
    reach, largest = facts.parts.prediction_rule.reach, largest_label(facts)
    if not isinstance(facts.parts.loss, Squared):
        return Measured(True, "labels are two classes")
    found = f"max |y| = {largest:.6g}, reach = {reach:g}"
    return Measured(largest <= reach, found)


def _u_within(facts: Facts) -> Measured:
    reach, farthest = facts.parts.prediction_rule.reach, facts.against.max_score
    found = f"max |u.x| = {farthest:.6g}, reach = {reach:g}"
    return Measured(farthest <= reach, found)


FULL = Assumption("the matrix is kept whole", _is_full)
MATRIX = (FullMatrix, DiagonalMatrix)
IS_VAW = made_of(
    "VAW",
    loss=Squared,
    geometry=MATRIX,
    step=Constant(1.0),
    update=LeastSquares,
    prediction_rule=Foreseen,
)
IS_SECOND = made_of(
    "the second-order Perceptron",
    loss=Hinge(),
    geometry=MATRIX,
    step=Constant(1.0),
    trigger=OnMistake,
    update=LeastSquares,
    prediction_rule=Foreseen,
)
IS_AROW = made_of(
    "AROW",
    loss=Hinge(),
    geometry=MATRIX,
    step=Constant(1.0),
    trigger=OnMargin(1.0),
    update=LeastSquares,
)
IS_ONS = made_of(
    "ONS", loss=ANY, geometry=MATRIX, update=Projected, prediction_rule=Clipped
)
WITHIN = (
    IS_ONS,
    FULL,
    Assumption("the loss bends by gamma", _bends),
    Assumption("|y| <= reach", _labels_within),
    Assumption("|u.x_t| <= reach", _u_within, about_u=True),
)

A = Symbol[Facts]("a", "strength of the prior", _strength)
R = Symbol[Facts]("r", "strength of the prior", _strength)
EPS = Symbol[Facts]("eps", "strength of the prior", _strength)
GAMMA = Symbol[Facts]("gamma", "curvature of the loss", lambda facts: 1.0 / facts.eta)
LABELS = Symbol[Facts]("Y", "max |y_t|", largest_label)
SQUARES = Symbol[Facts]("sum |x_t|^2", "", lambda facts: facts.ledger.sum_squared_norms)
ROW = Symbol[Facts]("A_t", "a I + sum of x_s x_s' up to x_t, the row")
ERRED = Symbol[Facts]("A_t", "a I + sum of x_s x_s' over mistakes up to x_t")
UPDATED = Symbol[Facts]("A_t", "r I + sum of x_s x_s' over updates up to x_t, the row")
GRADIENTS = Symbol[Facts]("A_t", "eps I + sum of g_s g_s' up to g_t, the gradient")
ON_MISTAKES = Symbol[Facts]("sum_M h_t(u)", "over mistakes", _on_updates)
SCORES = Symbol[Facts]("sum_M (u.x_t)^2", "over mistakes", _squares_on_updates)
MARGINS = Symbol[Facts]("sum (u.x_t)^2", "over updates", _squares_on_updates)
MET = Symbol[Facts]("sum h_t(u)", "over updates", _on_updates)
KEPT = Symbol[Facts]("V", "updates that were no mistakes", _others)

Bound = Callable[[Facts, float], float]


def _forms(
    kind: type[Theorem[Facts]],
    text: tuple[str, str, str],
    bound: Bound,
    needs: tuple[Assumption[Facts], ...],
    learned: tuple[Symbol[Facts], str, str],
    before: tuple[Symbol[Facts], ...],
    after: tuple[Symbol[Facts], ...] = (),
    *,
    own: bool = False,
) -> tuple[Theorem[Facts], ...]:
    """A bound with the sum of r_t in place of {}, and with ln det(A_T/a), not less.

    `text` is the name, the statement and the source; `learned` the matrix, its sum of
    r_t, and its ln det, in the letters of the statement.
    """
    name, statement, source = text
    matrix, leverage, growth = learned
    mistakes = kind is Theorem
    return (
        kind(
            f"{name}/leverage",
            statement.format(leverage),
            f"{source}, data form",
            lambda facts: bound(facts, _leverage(facts)),
            needs,
            follows=f"{name}/log-det" if mistakes else "",
            own=own,
            symbols=(*before, matrix, Symbol(leverage, "", _leverage), *after),
        ),
        kind(
            f"{name}/log-det",
            statement.format(growth),
            source,
            lambda facts: bound(facts, _growth(facts)),
            needs,
            own=own,
            symbols=(*before, Symbol(growth, "growth of the matrix", _growth), *after),
        ),
    )


VAW: tuple[Theorem[Facts], ...] = (
    *_forms(
        RegretBound,
        ("vaw", "R(u) <= a|u|^2 + Y^2 {}", VOVK),
        _vaw,
        (IS_VAW, FULL),
        (ROW, "sum x_t'A_t^-1 x_t", "ln det(A_T/a)"),
        (REGRET, A, NORM_U, LABELS),
    ),
    RegretBound(
        "vaw/dimension",
        "R(u) <= a|u|^2 + Y^2 d ln(1 + sum |x_t|^2/(a d))",
        VOVK,
        lambda facts: _vaw(facts, _by_dimension(facts)),
        (IS_VAW, FULL),
        symbols=(REGRET, A, NORM_U, LABELS, DIMENSION, SQUARES),
    ),
)

SECOND_ORDER_PERCEPTRON = _forms(
    Theorem,
    (
        "second-order-perceptron",
        "M <= sum_M h_t(u) + sqrt((a|u|^2 + sum_M (u.x_t)^2) {})",
        CESA_BIANCHI,
    ),
    lambda facts, learned: _on_updates(facts) + _met(facts, learned),
    (IS_SECOND, FULL),
    (ERRED, "sum_M x_t'A_t^-1 x_t", "ln det(A_T/a)"),
    (MISTAKES, HINGE, ON_MISTAKES, A, NORM_U, SCORES),
    own=True,
)

AROW = _forms(
    Theorem,
    (
        "arow",
        "M <= sqrt((r|u|^2 + sum (u.x_t)^2) ({} + V)) + sum h_t(u) - V, over updates",
        CRAMMER,
    ),
    _arow,
    (IS_AROW, FULL),
    (UPDATED, "sum x_t'A_t^-1 x_t", "ln det(A_T/r)"),
    (MISTAKES, R, NORM_U, MARGINS),
    (KEPT, HINGE, MET),
)

ONS = _forms(
    RegretBound,
    ("ons", "R(u) <= (gamma eps/2)|u|^2 + {}/(2 gamma)", HAZAN),
    _ons,
    WITHIN,
    (GRADIENTS, "sum g_t'A_t^-1 g_t", "ln det(A_T/eps)"),
    (REGRET, GAMMA, EPS, NORM_U),
)
