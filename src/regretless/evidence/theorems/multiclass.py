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
from .mistake_bounds import Letters, mistake_bounds
from .theorem import Assumption, Measured, Symbol, Theorem

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
    def mistakes(self) -> float:
        """M."""
        return float(self.ledger.mistakes or 0)

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


def _separates(facts: ClassFacts) -> Measured:
    margin = facts.min_margin
    return Measured(margin > 0.0, f"min (u_y - u_r).x = {margin:.6g}")


MISTAKES = Symbol[ClassFacts]("M", "mistakes", lambda facts: facts.mistakes)
HINGE = Symbol[ClassFacts](
    "h_t(U)", "max over r != y_t of max(0, 1 - (u_y - u_r).x_t), u_r the row of class r"
)
NORM = Symbol[ClassFacts]("|U|", "", lambda facts: facts.norm)
ON_MISTAKES = Symbol[ClassFacts](
    "sum over mistakes of h_t(U)", "", lambda facts: facts.paid_on_mistakes
)
LONGEST = Symbol[ClassFacts]("R", "max |x_t|", lambda facts: facts.ledger.max_norm)
LENGTH = Symbol[ClassFacts]("|W|", "the last weights", lambda f: f.ledger.weight_norm)
SQUARES = Symbol[ClassFacts](
    "sum over mistakes of |x|^2", "", lambda facts: facts.ledger.sum_squared_norms
)
C = Symbol[ClassFacts]("c", "sum h_t(U)", lambda facts: facts.paid)
B = Symbol[ClassFacts]("b", "sqrt(2) R |U|", lambda facts: facts.b)
MARGIN = Symbol[ClassFacts]("margin", "min (u_y - u_r).x_t", lambda f: f.min_margin)

CLASS_PERCEPTRON = mistake_bounds(
    "class-perceptron",
    Letters(
        MISTAKES,
        HINGE,
        ON_MISTAKES,
        NORM,
        LENGTH,
        SQUARES,
        C,
        LONGEST,
        B,
        MARGIN,
        times=2.0,
        free=1.0,
    ),
    (
        f"data form of {CRAMMER_SINGER}",
        f"{CRAMMER_SINGER}, with the quadratic solved exactly",
        CRAMMER_SINGER,
    ),
    (),
    Assumption("U separates the classes", _separates),
)


def _by_scores(facts: ClassFacts) -> Measured:
    mixed = facts.ledger.mixture_losses is not None
    return Measured(
        not mixed, "a mixture of the panels decides" if mixed else "it does"
    )


def _by_mixture(facts: ClassFacts) -> Measured:
    mixed = facts.ledger.mixture_losses is not None
    return Measured(mixed, "it does" if mixed else "the largest score does")


MIXED = Symbol[ClassFacts](
    "L_mixed",
    "log loss of the mixture, on rows whose class was listed",
    lambda facts: _losses(facts)[0],
)
OWN = Symbol[ClassFacts](
    "L_own", "that of the panels' own forecast", lambda facts: _losses(facts)[1]
)
SHARED = Symbol[ClassFacts](
    "L_shared", "that of the shared forecast", lambda facts: _losses(facts)[2]
)
ROUNDS = Symbol[ClassFacts]("T", "rounds", lambda facts: facts.ledger.rounds)


def _losses(facts: ClassFacts) -> tuple[float, float, float]:
    return facts.ledger.mixture_losses or (0.0, 0.0, 0.0)


def _mixture_bound(facts: ClassFacts) -> float:
    given_back = math.log(max(ROUNDS(facts), 1.0)) / 2.0
    return min(OWN(facts), SHARED(facts)) + math.log(2.0) + given_back


ONE_VERSUS_REST: tuple[Theorem[ClassFacts], ...] = (
    Theorem(
        "one-versus-rest/sum",
        "M <= K + sum over classes of their learners' own mistakes",
        "where no learner errs, the right class alone has a positive score",
        lambda facts: facts.n_classes + sum(facts.ledger.class_mistakes or ()),
        (Assumption("the largest score of the learners decides", _by_scores),),
        symbols=(MISTAKES, Symbol("K", "classes", lambda facts: facts.n_classes)),
    ),
    Theorem(
        "one-versus-rest/mixture",
        "L_mixed <= min(L_own, L_shared) + ln 2 + ln(T)/2",
        "Herbster, Warmuth (1998), fixed share with a share of 1/(t + 2)",
        _mixture_bound,
        (Assumption("a mixture of panels decides", _by_mixture),),
        kind="loss",
        part="log loss of the mixture",
        happened=MIXED,
        symbols=(MIXED, OWN, SHARED, ROUNDS),
    ),
)
