"""Many classes: the multiclass Perceptron's mistake bounds, and one-versus-rest's.

For EVERY matrix U with a row for each class, with the multiclass hinge loss
h_t(U) = max over r != y of max(0, 1 - (u_y - u_r).x_t), R = max |x_t|,
b = sqrt(2) R |U|_F and c = sum_t h_t(U). A mistake at which the rival is r adds
F_t = phi(x_t, y) - phi(x_t, r) to W, of length sqrt(2) |x_t|, so over the N of them

    N - sum of h_t(U) <= sum of <U, F_t> = <U, W> <= |U|_F |W|_F,
    |W|_F^2 <= sum of |F_t|^2 <= 2 R^2 N,

the latter because <W, F_t> <= 0: the right class does not beat the rival. (On the first
row of a class its weights are zero; all steps add up to zero, so the scores of the
classes that have come sum to zero, and the best of them is at least zero.) Only the
very first row has no rival, so the number of mistakes is M = N + 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...engine.ledger import Ledger
from .theorem import Assumption, Measured, Symbol, Theorem

__all__ = ["CLASS_PERCEPTRON", "ONE_VERSUS_REST", "ClassFacts", "root_bound"]

CRAMMER_SINGER = "Crammer and Singer (2003)"


@dataclass(frozen=True)
class ClassFacts:
    """A run of many classes, and what one matrix U would have paid.

    Attributes
    ----------
    ledger : Ledger
        What the learner met and paid.
    n_classes : int
        K.
    norm : float
        |U|_F.
    paid : float
        The multiclass hinge loss of U over all rounds.
    paid_on_mistakes : float
        Over the rounds on which W moved.
    min_margin : float
        The least of (u_y - u_r).x.
    problem : str
        Where U comes from.
    """

    ledger: Ledger
    n_classes: int
    norm: float = 0.0
    paid: float = 0.0
    paid_on_mistakes: float = 0.0
    min_margin: float = 0.0
    problem: str = ""

    @property
    def b(self) -> float:
        """sqrt(2) R |U|_F."""
        return math.sqrt(2.0) * self.ledger.max_norm * self.norm

    def describe(self) -> str:
        """The comparator in words."""
        if not self.problem:
            return f"{self.n_classes:,} classes"
        text = f"|U| = {self.norm:.6g}, its loss {self.paid:,.6g}"
        return f"{text}, {self.problem}"


def root_bound(c: float, b: float) -> float:
    """1 + c + b^2/2 + b sqrt(b^2/4 + c)."""
    return 1.0 + c + b * b / 2 + b * math.sqrt(b * b / 4 + c)


def _mistakes(facts: ClassFacts) -> float:
    return float(facts.ledger.mistakes or 0)


def _data(facts: ClassFacts) -> float:
    return 1.0 + facts.paid_on_mistakes + facts.norm * facts.ledger.weight_norm


def _norms(facts: ClassFacts) -> float:
    squares = 2.0 * facts.ledger.sum_squared_norms
    return 1.0 + facts.paid_on_mistakes + facts.norm * math.sqrt(squares)


def _separates(facts: ClassFacts) -> Measured:
    margin = facts.min_margin
    return Measured(margin > 0.0, f"min (u_y - u_r).x = {margin:.6g}")


def _separable(facts: ClassFacts) -> float:
    return 1.0 + (facts.b / facts.min_margin) ** 2


MISTAKES = Symbol[ClassFacts]("M", "mistakes", _mistakes)
HINGE = Symbol[ClassFacts](
    "h_t(U)", "max over r != y_t of max(0, 1 - (u_y - u_r).x_t), u_r the row of class r"
)
NORM = Symbol[ClassFacts]("|U|", "", lambda facts: facts.norm)
ON_MISTAKES = Symbol[ClassFacts](
    "sum over mistakes of h_t(U)", "", lambda facts: facts.paid_on_mistakes
)
LONGEST = Symbol[ClassFacts]("R", "max |x_t|", lambda facts: facts.ledger.max_norm)

CLASS_PERCEPTRON: tuple[Theorem[ClassFacts], ...] = (
    Theorem(
        "class-perceptron/data",
        "M <= 1 + sum over mistakes of h_t(U) + |U| |W|",
        f"data form of {CRAMMER_SINGER}",
        _mistakes,
        _data,
        follows="class-perceptron/root",
        own=True,
        symbols=(
            MISTAKES,
            HINGE,
            ON_MISTAKES,
            NORM,
            Symbol("|W|", "the last weights", lambda f: f.ledger.weight_norm),
        ),
    ),
    Theorem(
        "class-perceptron/norms",
        "M <= 1 + sum over mistakes of h_t(U) + |U| sqrt(2 sum over mistakes of |x|^2)",
        f"data form of {CRAMMER_SINGER}",
        _mistakes,
        _norms,
        follows="class-perceptron/root",
        own=True,
        symbols=(
            MISTAKES,
            HINGE,
            ON_MISTAKES,
            NORM,
            Symbol(
                "sum over mistakes of |x|^2", "", lambda f: f.ledger.sum_squared_norms
            ),
        ),
    ),
    Theorem(
        "class-perceptron/root",
        "M <= 1 + c + b^2/2 + b sqrt(b^2/4 + c)",
        f"{CRAMMER_SINGER}, with the quadratic solved exactly",
        _mistakes,
        lambda facts: root_bound(facts.paid, facts.b),
        symbols=(
            MISTAKES,
            HINGE,
            Symbol("c", "sum h_t(U)", lambda facts: facts.paid),
            LONGEST,
            NORM,
            Symbol("b", "sqrt(2) R |U|", lambda facts: facts.b),
        ),
    ),
    Theorem(
        "class-perceptron/separable",
        "M <= 1 + 2 (R |U| / margin)^2",
        CRAMMER_SINGER,
        _mistakes,
        _separable,
        (Assumption("U separates the classes", _separates),),
        symbols=(
            MISTAKES,
            LONGEST,
            NORM,
            Symbol("margin", "min (u_y - u_r).x_t", lambda facts: facts.min_margin),
        ),
    ),
)


def _sum(facts: ClassFacts) -> float:
    return float(facts.n_classes + sum(facts.ledger.class_mistakes or ()))


ONE_VERSUS_REST: tuple[Theorem[ClassFacts], ...] = (
    Theorem(
        "one-versus-rest/sum",
        "M <= K + sum over classes of their learners' own mistakes",
        "where no learner errs, the right class alone has a positive score",
        _mistakes,
        _sum,
        symbols=(
            MISTAKES,
            Symbol("K", "classes", lambda facts: float(facts.n_classes)),
        ),
    ),
)
