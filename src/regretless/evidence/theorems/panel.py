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
from typing import Any

from ...engine.ledger import Ledger
from .theorem import Assumption, Measured, Symbol, Theorem

__all__ = ["PANEL", "PanelFacts", "stack_bound"]


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
    combination : BestCombination
        The comparator.
    """

    ledger: Ledger
    n_inputs: int
    longest: float
    combination: Any

    @property
    def compared(self) -> bool:
        """Whether there is a comparator."""
        return self.combination is not None

    def describe(self) -> str:
        """The comparator in words."""
        return self.combination.describe()


def stack_bound(facts: PanelFacts) -> float:
    """The right side, for the comparator of the facts."""
    size, rounds = facts.n_inputs, facts.ledger.rounds
    learned = size / 2 * math.log1p(rounds * facts.longest / 4 / size)
    return facts.combination.loss + facts.combination.distance / 2 + learned


def _paid(facts: PanelFacts) -> float:
    return facts.ledger.loss


def _exact(facts: PanelFacts) -> Measured:
    if not facts.compared:
        return Measured(
            False, "the posterior is kept by rank-one steps, an approximation"
        )
    bound, paid = stack_bound(facts), facts.ledger.loss
    kept = "kept" if paid <= bound else "exceeded"
    return Measured(
        False,
        "the posterior is kept by rank-one steps, an approximation; measured all the "
        f"same: it paid {paid:,.6g} where the bound is {bound:,.6g} ({kept})",
    )


PANEL: tuple[Theorem[PanelFacts], ...] = (
    Theorem(
        "panel/stack",
        "L <= L(u) + |u - w_0|^2/2 + (D/2) ln(1 + T c/D)",
        "Kakade and Ng (2004)",
        _paid,
        stack_bound,
        (Assumption("the exact posterior", _exact),),
        kind="loss",
        symbols=(
            Symbol("L", "log loss", _paid),
            Symbol("L(u)", "that of u", lambda facts: facts.combination.loss),
            Symbol("u", "a fixed combination of the members"),
            Symbol("w_0", "the first combination"),
            Symbol("D", "inputs of the stack", lambda facts: float(facts.n_inputs)),
            Symbol("T", "rounds", lambda facts: float(facts.ledger.rounds)),
            Symbol("c", "max |input|^2/4", lambda facts: facts.longest / 4.0),
        ),
    ),
)
