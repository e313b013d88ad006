"""A regression panel's stack against every fixed combination of what it is told.

With z_t the numbers said, u_0 their plain mean, e_t = y_t - u_0.z_t, the stack is VAW
on rows z/s and labels e/s with a = 1. So for every u, with r_t = z_t'A_t^-1 z_t/s^2 ::

    L <= L(u) + s^2 |u - u_0|^2 + sum_t e_t^2 r_t

With a forest it is about the last stack. There, cutting predictions to the labels so
far only lowers L, but where a label is a new extreme: what it costs there is part of
the last sum. If the table became wide on the way, so is what the rows before it cost
more than the linear panel paid.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...engine.ledger import Ledger
from ..hindsight.shares import BestShares
from .theorem import Symbol, Theorem


@dataclass(frozen=True)
class SharesFacts:
    """A run of a regression panel, and its best fixed combination.

    Attributes
    ----------
    ledger : Ledger
        What the panel met and paid.
    best : BestShares
        The comparator.
    learned : float
        sum_t e_t^2 r_t.
    """

    ledger: Ledger
    best: BestShares
    learned: float

    @property
    def loss(self) -> float:
        """What the panel paid."""
        return self.ledger.loss

    def describe(self) -> str:
        """The comparator in words."""
        return self.best.describe()


REGRESSION_PANEL: tuple[Theorem[SharesFacts], ...] = (
    Theorem(
        "regression-panel/stack",
        "L <= min_u (L(u) + s^2 |u - u_0|^2) + sum e_t^2 r_t",
        "Vovk (2001); Azoury, Warmuth (2001), data form",
        lambda facts: facts.best.objective + facts.learned,
        kind="loss",
        symbols=(
            Symbol("L", "squared error", lambda facts: facts.loss),
            Symbol(
                "min_u (L(u) + s^2 |u - u_0|^2)",
                "over all shares u of the members",
                lambda facts: facts.best.objective,
            ),
            Symbol("s", "scale of the numbers, u_0 equal shares"),
            Symbol(
                "sum e_t^2 r_t",
                "e_t the error of equal shares, r_t the leverage of round t",
                lambda facts: facts.learned,
            ),
        ),
    ),
)
