"""What follows for fresh rows if all rows are independent draws from one distribution.

l(h) is the expected loss of h on a fresh row, e(h) its expected error, m the rounds,
and Q draws one of the hypotheses w_0 .. w_{m-1} that predicted. Each statement is about
the draw of the data (in expectation, or with probability 1 - delta), so one run can
neither confirm nor violate it: the right side is evaluated, the left is not known.

The mean has l(mean w) <= l(Q) under a convex loss (Jensen). A vote that errs has half
of its voters wrong, so e(vote) <= 2 e(Q). Dynamic validation chooses h by the rows
after it; with both sides of Hoeffding's inequality for all m hypotheses at once, what
was chosen is nearly as good as each of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...parts.domains import Ball
from ...parts.losses import value
from .facts import Facts
from .gradient import OGD
from .theorem import Assumption, Kind, Measured, Symbol, Theorem

MANSOUR = "Mansour, lecture 5 (which drops the 1/m)"
DEKEL = "Dekel, lecture 18"


@dataclass(frozen=True)
class IidFacts:
    """A run, the probability of being wrong, and what dynamic validation chose.

    Attributes
    ----------
    base : Facts
        The run, with a comparator or without.
    delta : float
        The probability that a statement is false.
    chosen : int or None
        After how many rounds the chosen hypothesis was made; None: not looked for.
    judged : float or None
        Its error on the rows after it.
    """

    base: Facts
    delta: float
    chosen: int | None = None
    judged: float | None = None
    compared = False  # what happened to fresh rows is not known

    @property
    def m(self) -> int:
        """Rounds."""
        return self.base.rounds

    def slack(self, share: float, n: int | None = None) -> float:
        """sqrt(ln(share/delta)/(2n)), n = m by default."""
        return math.sqrt(math.log(share / self.delta) / (2.0 * (n or self.m)))

    def describe(self) -> str:
        """The comparator in words."""
        return self.base.describe()


@dataclass(frozen=True)
class FreshRowBound(Theorem[IidFacts]):
    """A bound on the expected loss or error of fresh rows: known without a u."""

    kind: Kind = "loss"
    every_u: bool = True


def loss_bound(facts: Facts) -> float | None:
    """The c with all losses in [0, c], by what was declared; None where nothing was."""
    domain, longest = facts.parts.domain, facts.declared("max_norm")
    if not isinstance(domain, Ball) or longest is None:
        return None
    if facts.parts.loss.task != "binary":
        return None
    reach = domain.radius * longest
    ends = [(s, y) for s in (-reach, reach) for y in (-1.0, 1.0)]
    return max(float(value(facts.parts.loss, s, y)) for s, y in ends)


def _c(facts: IidFacts) -> float:
    return loss_bound(facts.base) or 0.0


def _random_loss(facts: IidFacts) -> float:
    """L/m + c sqrt(ln(1/delta)/(2m))."""
    return facts.base.loss / facts.m + _c(facts) * facts.slack(1.0)


def _random_error(facts: IidFacts) -> float:
    """M/m + sqrt(ln(1/delta)/(2m))."""
    return facts.base.mistakes / facts.m + facts.slack(1.0)


def _mean_regret(facts: IidFacts) -> float:
    return facts.base.regret / facts.m


def _is_convex(facts: IidFacts) -> Measured:
    loss = facts.base.parts.loss
    convex = bool(getattr(loss, "convex", False))
    return Measured(
        convex, f"{type(loss).__name__} is {'' if convex else 'not '}convex"
    )


def _has_u(facts: IidFacts) -> Measured:
    known = facts.base.compared
    return Measured(known, facts.describe() if known else "none was found")


def _bounded(facts: IidFacts) -> Measured:
    c = loss_bound(facts.base)
    if c is None:
        return Measured(False, "nothing bounds it: declare radius= and max_norm=")
    largest, declared = facts.base.ledger.max_norm, facts.base.declared("max_norm")
    return Measured(largest <= (declared or 0.0) * (1 + 1e-9), f"c = {c:g}")


def _above_error(facts: IidFacts) -> Measured:
    loss = facts.base.parts.loss
    at_zero = float(value(loss, 0.0, 1.0))
    good = bool(getattr(loss, "convex", False)) and at_zero >= 1.0
    return Measured(good, f"{type(loss).__name__} is {at_zero:g} at 0")


def _chose(facts: IidFacts) -> Measured:
    if facts.chosen is None:
        return Measured(False, "the game is too large, or cannot be played again")
    return Measured(True, f"after round {facts.chosen:,} of {facts.m:,}")


def _fresh(facts: IidFacts) -> int:
    """How many rows judged what was chosen."""
    return facts.m - (facts.chosen or 0)


def _lecture(facts: IidFacts) -> float:
    promised = LECTURE.bound(facts.base) / facts.m
    return promised + 2.0 * _c(facts) * facts.slack(2.0)


def _like_lecture(facts: IidFacts) -> Measured:
    for assumption in LECTURE.assumptions:
        if not assumption.about_u:
            holds, found = assumption.check(facts.base)
            if not holds:
                return Measured(False, found)
    return Measured(True, f"R(u) <= {LECTURE.bound(facts.base):.6g}")


LECTURE = next(theorem for theorem in OGD if theorem.name == "ogd/lecture")
CONVEX = Assumption("the loss is convex", _is_convex)
HAS_U = Assumption("there is a comparator", _has_u)
BOUNDED = Assumption("the loss lies in [0, c]", _bounded)
ABOVE = Assumption("the loss is convex and at least 1 on a mistake", _above_error)
CHOSE = Assumption("dynamic validation has chosen", _chose)
ROUNDS = Symbol[IidFacts]("m", "rounds", lambda facts: facts.m)
DELTA = Symbol[IidFacts]("delta", "", lambda facts: facts.delta)
LOSS = Symbol[IidFacts]("l(h)", "expected loss of h on a fresh row")
ERROR = Symbol[IidFacts]("e(h)", "chance that h errs on a fresh row")
RANDOM = Symbol[IidFacts]("Q", "one of w_0 .. w_{m-1}, drawn uniformly")
VOTE = Symbol[IidFacts]("vote", "the majority of all w_0 .. w_{m-1}")
REGRET = Symbol[IidFacts]("R(u)", "loss - loss of u", lambda f: f.base.regret)
MEAN_LOSS = Symbol[IidFacts]("L", "loss of the learner", lambda f: f.base.loss)
MISTAKES = Symbol[IidFacts]("M", "mistakes", lambda facts: facts.base.mistakes)
LARGEST = Symbol[IidFacts]("c", "the loss lies in [0, c]", _c)


CONVERSIONS: tuple[FreshRowBound, ...] = (
    FreshRowBound(
        "iid/mean",
        "E[l(mean w)] - l(u) <= E[R(u)]/m",
        MANSOUR,
        _mean_regret,
        (HAS_U, CONVEX),
        symbols=(LOSS, Symbol("mean w", "of w_0 .. w_{m-1}"), REGRET, ROUNDS),
    ),
    FreshRowBound(
        "iid/random",
        "E[l(Q)] - l(u) <= E[R(u)]/m",
        MANSOUR,
        _mean_regret,
        (HAS_U,),
        symbols=(LOSS, RANDOM, REGRET, ROUNDS),
    ),
    FreshRowBound(
        "iid/loss",
        "l(Q) <= L/m + c sqrt(ln(1/delta)/(2m)) with probability 1 - delta",
        f"{DEKEL}, equation (1)",
        _random_loss,
        (BOUNDED,),
        symbols=(LOSS, RANDOM, MEAN_LOSS, ROUNDS, LARGEST, DELTA),
    ),
    FreshRowBound(
        "iid/excess",
        "l(Q) - l(u) <= lambda X B/sqrt(m) + 2 c sqrt(ln(2/delta)/(2m))"
        " with probability 1 - delta",
        f"{DEKEL}, theorem 2",
        _lecture,
        (Assumption("theorem 1 applies", _like_lecture), BOUNDED),
        symbols=(
            LOSS,
            RANDOM,
            *(
                Symbol[IidFacts](one.name, one.meaning)
                for one in LECTURE.symbols
                if one.name in ("lambda", "X", "B")
            ),
            ROUNDS,
            LARGEST,
            DELTA,
        ),
    ),
)

CLASSIFICATION: tuple[FreshRowBound, ...] = (
    FreshRowBound(
        "iid/error",
        "e(Q) <= M/m + sqrt(ln(1/delta)/(2m)) with probability 1 - delta",
        f"{DEKEL}, equation (1)",
        _random_error,
        symbols=(ERROR, RANDOM, MISTAKES, ROUNDS, DELTA),
    ),
    FreshRowBound(
        "iid/vote",
        "e(vote) <= 2 e(Q) <= 2 M/m + 2 sqrt(ln(1/delta)/(2m))"
        " with probability 1 - delta",
        f"{DEKEL}, section 2.3",
        lambda facts: 2.0 * _random_error(facts),
        symbols=(ERROR, RANDOM, VOTE, MISTAKES, ROUNDS, DELTA),
    ),
    FreshRowBound(
        "iid/vote-loss",
        "e(vote) <= 2 e(Q) <= 2 l(Q) <= 2 L/m + 2 c sqrt(ln(1/delta)/(2m))"
        " with probability 1 - delta",
        f"{DEKEL}, section 2.3",
        lambda facts: 2.0 * _random_loss(facts),
        (ABOVE, BOUNDED),
        symbols=(ERROR, LOSS, RANDOM, VOTE, MEAN_LOSS, ROUNDS, LARGEST, DELTA),
    ),
    FreshRowBound(
        "iid/validated",
        "e(h) <= E + sqrt(ln(2m/delta)/(2n)) with probability 1 - delta",
        f"{DEKEL}, section 2.3 (two-sided, so ln(2m/delta))",
        lambda facts: (facts.judged or 0.0) + facts.slack(2.0 * facts.m, _fresh(facts)),
        (CHOSE,),
        symbols=(
            ERROR,
            Symbol("h", "the w_i that minimizes the right side"),
            Symbol("E", "its errors on the rows after it", lambda f: f.judged or 0.0),
            Symbol("n", "rows after it", lambda facts: float(_fresh(facts))),
            ROUNDS,
            DELTA,
        ),
    ),
    FreshRowBound(
        "iid/validated-excess",
        "e(h) - e(w_i) <= 2 sqrt(ln(2m/delta)/(2(m-i))) for every i at once"
        " with probability 1 - delta",
        f"{DEKEL}, section 2.3 (S' must be the second half)",
        lambda facts: 2.0 * facts.slack(2.0 * facts.m, facts.m - facts.m // 2),
        (CHOSE,),
        symbols=(
            ERROR,
            Symbol("h", "what dynamic validation chose"),
            Symbol("w_i", "the hypothesis after i rounds; the bound is for i = m/2"),
            ROUNDS,
            DELTA,
        ),
    ),
)
