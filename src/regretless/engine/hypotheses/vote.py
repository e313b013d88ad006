"""A majority vote over weights; one whose score is exactly 0 abstains."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ...parts.state import Floats
from ..storage import Range, Sized, keep
from .hypothesis import Hypothesis, Rows
from .matrices import Matrix, matrix_of

NO_VOTERS = np.zeros((0, 1))


class Vote(Hypothesis, stored_as="vote"):
    """Hypotheses that vote, each as often as it predicted.

    Parameters
    ----------
    hypotheses : array
        One row of weights each.
    biases : array
        Their biases, thresholds subtracted.
    counts : array
        How many rounds each stands for.
    exact : bool
        Whether all hypotheses of the run are here, or a uniform sample of them.
    """

    kept = keep(
        "exact",
        hypotheses=Sized("voters", "features"),
        biases=Sized("voters"),
        counts=Sized("voters", holds=Range(1.0)),
    )

    noun: ClassVar[str] = "vote"
    two_classes: ClassVar[bool] = True
    log_odds = False
    shows: ClassVar[tuple[str, ...]] = ("hypotheses", "biases", "counts", "exact")

    def __init__(
        self,
        hypotheses: Floats = NO_VOTERS,
        biases: Floats = NO_VOTERS[:, 0],
        counts: Floats = NO_VOTERS[:, 0],
        exact: bool = True,
    ) -> None:
        self.hypotheses = hypotheses
        self.biases = biases
        self.counts = counts
        self.exact = exact
        self.n_features = hypotheses.shape[1]

    def check_state(self) -> None:
        """It knows as many features as voters have weights."""
        self.n_features = self.hypotheses.shape[1]

    def product(self, matrix: Matrix) -> Floats:
        """The share of votes for +1 minus the share for -1, of the rows of a matrix."""
        votes = np.sign(np.asarray(matrix @ self.hypotheses.T) + self.biases)
        return votes @ self.counts / self.counts.sum()

    def scores(self, rows: Rows, n: int) -> Floats:
        """The same of `n` rows."""
        return self.product(matrix_of(rows, n, self.n_features))

    def grow(self, n_features: int) -> None:
        """Features that came later weigh nothing."""
        more = max(0, n_features - self.n_features)
        self.hypotheses = np.pad(self.hypotheses, ((0, 0), (0, more)))
        self.n_features += more

    def describe(self) -> str:
        """How many vote."""
        how = "all" if self.exact else "a uniform sample of"
        return f"{how} {self.counts.size:,} hypotheses"
