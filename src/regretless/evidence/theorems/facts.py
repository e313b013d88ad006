"""What theorems about linear learners are evaluated on: measured numbers only."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.ledger import Ledger
from ...parts.state import Floats

if TYPE_CHECKING:
    from ..hindsight import ComparatorLedger


@dataclass(frozen=True)
class Facts:
    """A run, and what one comparator u would have paid on the same rounds.

    Attributes
    ----------
    ledger : Ledger
        What the learner met and paid.
    parts : Composition
        What the learner is made of.
    n_weights : int
        d, the bias included.
    learner : LinearLearner or None
        Who played; what it declares about the data is read from it.
    lifted : float or None
        max |x|_1, where every row is (2x, -1) with x in [0, 1]; else None.
    comparison : ComparatorLedger or None
        What u pays; None where the theorems must do without.
    problem : str
        What u was solved for, where it was.
    """

    ledger: Ledger
    parts: Any  # a Composition; a theorem checks their kinds before it reads them
    n_weights: int
    learner: object = None
    lifted: float | None = None
    comparison: ComparatorLedger | None = None
    problem: str = ""

    @property
    def compared(self) -> bool:
        """Whether there is a comparator."""
        return self.comparison is not None

    def declared(self, name: str) -> float | None:
        """A constant that the learner declares, such as ``max_norm``; None if not."""
        found = getattr(self.learner, name, None)
        return None if found is None else float(found)

    @property
    def against(self) -> ComparatorLedger:
        """What u pays; asked for where there is a comparator, and only there."""
        if self.comparison is None:
            raise ValueError("these facts have no comparator")
        return self.comparison

    @property
    def u(self) -> Floats:
        """The comparator."""
        return self.against.u

    @property
    def margin(self) -> float:
        """Min y u.x; nan where labels are real numbers."""
        found = self.against.min_margin
        return math.nan if found is None else found

    @property
    def paid_on_mistakes(self) -> float:
        """The loss of u where the learner erred."""
        return self.against.loss_on_mistakes

    def summed(self, name: str) -> float:
        """What the learner's geometry has summed under this name."""
        return float(self.against.tallies[name])

    @property
    def eta(self) -> float:
        """The step, of a learner with constant steps."""
        return float(self.parts.step.eta)

    @property
    def loss(self) -> float:
        """The learner's loss."""
        return self.ledger.loss

    @property
    def mistakes(self) -> float:
        """M."""
        return float(self.ledger.mistakes or 0)

    @property
    def rounds(self) -> int:
        """T."""
        return self.ledger.rounds

    @property
    def paid(self) -> float:
        """The loss of u over all rounds."""
        return self.against.loss

    @property
    def regret(self) -> float:
        """The learner's loss minus that of u, penalties included on both sides."""
        return self.ledger.loss - self.against.objective

    @property
    def norm(self) -> float:
        """|u|_2."""
        return float(np.linalg.norm(self.u))

    @property
    def norm1(self) -> float:
        """|u|_1."""
        return float(np.abs(self.u).sum())

    def describe(self) -> str:
        """The comparator in words."""
        if not self.compared:
            return "every u"
        text = f"|u| = {self.norm:.6g}, its loss {self.paid:,.6g}"
        return f"{text}, from {self.problem}" if self.problem else text


def relative_entropy(p: Floats) -> float:
    """RE(p || uniform) = sum p_i ln(n p_i) of a distribution."""
    positive = p[p > 0]
    return float((positive * np.log(positive)).sum() + math.log(p.size))


def nonzero(facts: Facts) -> float:
    """k, how many weights of u are not zero."""
    return float(np.count_nonzero(facts.u))
