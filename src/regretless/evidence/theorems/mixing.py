"""Iterative mixing: shards are played from the same weights, then averaged; repeat.

In round n, shard i is played from w_{n-1} and ends at w_{i,n}; then w_n is the sum over
i of mu_{i,n} w_{i,n}, where the mu of a round are not negative and sum to one. For a
sum over rows, "weighted" is: each row counts mu_{i,n}, the share of its shard.

**Proof.** Of the Perceptron: a mistake of shard i in round n adds y x, so u.w grows by
y u.x >= 1 - h_t(u) and |w|^2 by at most |x|^2. Average over the shards of the round:
u.w is linear, |w|^2 is convex (Jensen), so with M the weighted number of mistakes and H
the weighted sum of h_t(u) over them ::

    M - H <= u.w <= |u| |w|,    |w|^2 <= weighted sum of |x_t|^2 over mistakes <= R^2 M

which are the two inequalities of one Perceptron; everything follows as for one. Of
gradient descent with a constant step: a round of a shard costs at most
(|w_{n-1} - u|^2 - |w_{i,n} - u|^2)/(2 eta) + (eta/2) sum |g_t|^2 more than u, and the
average of |w_{i,n} - u|^2 is at least |w_n - u|^2, so the sum telescopes.

With S shards of equal weight, M is 1/S of all mistakes: S machines may make S times as
many mistakes as one. That is the price of not talking to each other.

References
----------
McDonald, Hall, Mann (2010), Distributed training strategies for the structured
perceptron; Zinkevich, Weimer, Smola, Li (2010).
"""

from __future__ import annotations

from dataclasses import dataclass

from ...parts.domains import Everywhere
from .mistake_bounds import Letters, mistake_bounds
from .theorem import Assumption, Measured, RegretBound, Symbol, Theorem

TELESCOPED = "Zinkevich (2003), averaged round by round"


@dataclass(frozen=True)
class MixedFacts:
    """What mixing paid and what u would have paid, each row weighted by its shard.

    Attributes
    ----------
    mistakes : float
        M, the weighted mistakes.
    losses : float
        The weighted losses of the learner.
    paid, paid_on_mistakes : float
        The weighted loss of u, over all rows and over the mistakes.
    squared_norms, squared_gradients : float
        The weighted sums of |x_t|^2 and |g_t|^2 over updates.
    max_norm : float
        R = max |x_t|.
    min_margin : float
        min y u.x.
    norm, weight_norm : float
        |u| and |w|.
    eta : float
        The step.
    domain : domain
        Where weights live.
    in_domain : bool
        Whether u lives there too.
    """

    mistakes: float
    losses: float
    paid: float
    paid_on_mistakes: float
    squared_norms: float
    squared_gradients: float
    max_norm: float
    min_margin: float
    norm: float
    weight_norm: float
    eta: float
    domain: object = Everywhere()
    in_domain: bool = True

    @property
    def regret(self) -> float:
        """R(u)."""
        return self.losses - self.paid

    @property
    def b(self) -> float:
        """R |u|."""
        return self.max_norm * self.norm

    def describe(self) -> str:
        """The comparator in words."""
        return f"|u| = {self.norm:.6g}, its weighted loss {self.paid:,.6g}"


def _separates(facts: MixedFacts) -> Measured:
    return Measured(facts.min_margin > 0.0, f"min y u.x = {facts.min_margin:.6g}")


def _inside(facts: MixedFacts) -> Measured:
    return Measured(facts.in_domain, f"|u| = {facts.norm:.6g}, {facts.domain!r}")


MISTAKES = Symbol[MixedFacts]("M", "mistakes, weighted", lambda f: f.mistakes)
HINGE = Symbol[MixedFacts]("h_t(u)", "max(0, 1 - y_t u.x_t)")
NORM = Symbol[MixedFacts]("|u|", "length of the comparator u", lambda f: f.norm)
ON_MISTAKES = Symbol[MixedFacts](
    "sum over mistakes of h_t(u)", "", lambda facts: facts.paid_on_mistakes
)
LONGEST = Symbol[MixedFacts]("R", "max |x_t|", lambda facts: facts.max_norm)
LENGTH = Symbol[MixedFacts](
    "|w|", "last weights, at a step of 1", lambda f: f.weight_norm / f.eta
)
SQUARES = Symbol[MixedFacts]("sum of |x_t|^2", "on mistakes", lambda f: f.squared_norms)
C = Symbol[MixedFacts]("c", "sum h_t(u), weighted", lambda facts: facts.paid)
B = Symbol[MixedFacts]("b", "R |u|", lambda facts: facts.b)
MARGIN = Symbol[MixedFacts]("margin", "min y_t u.x_t", lambda f: f.min_margin)

MIXED_PERCEPTRON = mistake_bounds(
    "mixing",
    Letters(MISTAKES, HINGE, ON_MISTAKES, NORM, LENGTH, SQUARES, C, LONGEST, B, MARGIN),
    (
        "data form of McDonald, Hall, Mann (2010)",
        "McDonald, Hall, Mann (2010), for any u",
        "McDonald, Hall, Mann (2010)",
    ),
    (),
    Assumption("u separates", _separates),
    ", weighted",
)

MIXED_OGD: tuple[Theorem[MixedFacts], ...] = (
    RegretBound(
        "mixing/regret",
        "R(u) <= |u|^2/(2 eta) + (eta/2) sum |g_t|^2, weighted",
        TELESCOPED,
        lambda f: f.norm**2 / (2.0 * f.eta) + 0.5 * f.eta * f.squared_gradients,
        (Assumption("u lies in the learner's domain", _inside),),
        symbols=(
            Symbol("R(u)", "loss - loss of u", lambda facts: facts.regret),
            NORM,
            Symbol("eta", "the step", lambda facts: facts.eta),
            Symbol("g_t", "the gradient of round t"),
            Symbol("sum |g_t|^2", "", lambda facts: facts.squared_gradients),
        ),
    ),
)
