"""The panel's stack against every fixed combination of its members.

For the exact posterior of Bayesian logistic regression with prior N(w_0, I) on D
inputs, and every u, with c = max |in_t|^2/4 (the log loss bends at most a quarter):

    log loss <= log loss of u + |u - w_0|^2/2 + (D/2) ln(1 + T c/D)

The stack keeps a Gaussian by rank-one steps, skips rounds with small gradients, lets
its covariance drift and predicts with its mean. None of that is the exact posterior, so
the theorem is listed as one that does not apply, with both of its sides as measured.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...engine.ledger import Ledger
from ..hindsight.stack import BestCombination
from .theorem import Assumption, Measured, Symbol, Theorem


@dataclass(frozen=True)
class PanelFacts:
    """A run of a panel, and what one fixed combination of its members would have paid.

    Attributes
    ----------
    ledger : Ledger
        What the panel met and paid.
    n_inputs : int
        D.
    longest : float
        max |in_t|^2.
    combination : BestCombination or None
        The comparator, where there is one.
    """

    ledger: Ledger
    n_inputs: int
    longest: float
    combination: BestCombination | None

    @property
    def compared(self) -> bool:
        """Whether there is a comparator."""
        return self.combination is not None

    @property
    def loss(self) -> float:
        """What the panel paid."""
        return self.ledger.loss

    @property
    def against(self) -> BestCombination:
        """The comparator. Asked for where there is one, and only there."""
        if self.combination is None:
            raise ValueError("these facts have no comparator")
        return self.combination

    def describe(self) -> str:
        """The comparator in words."""
        return self.against.describe()


def stack_bound(facts: PanelFacts) -> float:
    """The right side, for the comparator of the facts."""
    size, rounds = facts.n_inputs, facts.ledger.rounds
    learned = size / 2 * math.log1p(rounds * facts.longest / 4 / size)
    return facts.against.loss + facts.against.distance / 2 + learned


def _exact(facts: PanelFacts) -> Measured:
    found = "the posterior is kept by rank-one steps, an approximation"
    if facts.compared:
        bound = stack_bound(facts)
        kept = "kept" if facts.loss <= bound else "exceeded"
        found += (
            f"; measured all the same: it paid {facts.loss:,.6g} where the bound is "
            f"{bound:,.6g} ({kept})"
        )
    return Measured(False, found)


PANEL: tuple[Theorem[PanelFacts], ...] = (
    Theorem(
        "panel/stack",
        "L <= L(u) + |u - w_0|^2/2 + (D/2) ln(1 + T c/D)",
        "Kakade and Ng (2004)",
        stack_bound,
        (Assumption("the exact posterior", _exact),),
        kind="loss",
        symbols=(
            Symbol("L", "log loss", lambda facts: facts.loss),
            Symbol("L(u)", "that of u", lambda facts: facts.against.loss),
            Symbol("u", "a fixed combination of the members"),
            Symbol("w_0", "the first combination"),
            Symbol("D", "inputs of the stack", lambda facts: facts.n_inputs),
            Symbol("T", "rounds", lambda facts: facts.ledger.rounds),
            Symbol("c", "max |input|^2/4", lambda facts: facts.longest / 4.0),
        ),
    ),
)
