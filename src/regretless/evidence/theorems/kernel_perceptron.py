"""The Perceptron's mistake bounds in a kernel's space, until a row is forgotten.

For EVERY u of that space, over rounds 1 to t, where t is the round of the first
eviction (or the last round): h_t(u) = max(0, 1 - y_t u(x_t)), R^2 = max K(x_t, x_t),
b = R |u|, c = sum h_t(u). The mistake of round t was made by the Perceptron itself, so
it counts, and w is taken before the oldest row is forgotten.
"""

from __future__ import annotations

from dataclasses import dataclass

from .mistake_bounds import Letters, mistake_bounds
from .theorem import Assumption, Measured, Symbol


@dataclass(frozen=True)
class KernelFacts:
    """A run up to its first eviction, and what one u would have paid until then.

    Attributes
    ----------
    rounds, mistakes : int
        Up to the first eviction, that round included.
    evicted : bool
        Whether there was one.
    max_norm, sum_squared_norms, weight_norm : float
        R, the sum of K(x, x) over mistakes, and |w|.
    norm : float
        |u|.
    paid, paid_on_mistakes, min_margin : float
        The sum of h_t(u), that over mistakes only, and min y_t u(x_t).
    problem : str
        What u was solved for.
    """

    rounds: int
    mistakes: int
    evicted: bool
    max_norm: float
    sum_squared_norms: float
    weight_norm: float
    norm: float
    paid: float
    paid_on_mistakes: float
    min_margin: float
    problem: str

    @property
    def b(self) -> float:
        """R |u|."""
        return self.max_norm * self.norm

    def describe(self) -> str:
        """The comparator in words."""
        until = f", over rounds 1 to {self.rounds:,}" if self.evicted else ""
        text = f"|u| = {self.norm:.6g}, its loss {self.paid:,.6g}{until}"
        return f"{text}, from {self.problem}"


def _until(facts: KernelFacts) -> Measured:
    if not facts.evicted:
        return Measured(True, "nothing was forgotten")
    return Measured(True, f"the first was forgotten in round {facts.rounds:,}")


def _separates(facts: KernelFacts) -> Measured:
    return Measured(facts.min_margin > 0.0, f"min y u(x) = {facts.min_margin:.6g}")


UNTIL: Assumption[KernelFacts] = Assumption("up to the first forgotten row", _until)
SEPARATES: Assumption[KernelFacts] = Assumption("u separates: y u(x) > 0", _separates)

MISTAKES = Symbol[KernelFacts]("M", "mistakes", lambda facts: facts.mistakes)
HINGE = Symbol[KernelFacts]("h_t(u)", "max(0, 1 - y_t u(x_t))")
NORM = Symbol[KernelFacts]("|u|", "length of the comparator u", lambda f: f.norm)
ON_MISTAKES = Symbol[KernelFacts](
    "sum over mistakes of h_t(u)", "", lambda facts: facts.paid_on_mistakes
)
LONGEST = Symbol[KernelFacts]("R", "max sqrt(K(x, x))", lambda facts: facts.max_norm)
LENGTH = Symbol[KernelFacts]("|w|", "the last weights", lambda f: f.weight_norm)
SQUARES = Symbol[KernelFacts](
    "sum over mistakes of K(x, x)", "K the kernel", lambda f: f.sum_squared_norms
)
C = Symbol[KernelFacts]("c", "sum h_t(u)", lambda facts: facts.paid)
B = Symbol[KernelFacts]("b", "R |u|", lambda facts: facts.b)
MARGIN = Symbol[KernelFacts]("margin", "min y_t u(x_t)", lambda f: f.min_margin)

KERNEL_PERCEPTRON = mistake_bounds(
    "kernel",
    Letters(MISTAKES, HINGE, ON_MISTAKES, NORM, LENGTH, SQUARES, C, LONGEST, B, MARGIN),
    (
        "data form of Cesa-Bianchi, lecture 16",
        "Mansour, lecture 5, in the kernel's space",
        "Novikoff; Mansour, lecture 5, in the kernel's space",
    ),
    (UNTIL,),
    SEPARATES,
)
