"""A majority vote over hypotheses; one whose score is exactly 0 abstains."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..engine.feature_names import Names
from ..engine.storage import checked_array
from ..parts.state import Floats
from .model import Model
from .provenance import Provenance
from .rows_to_predict import matrix_for

__all__ = ["VoteModel"]


@dataclass(frozen=True, repr=False)
class VoteModel(Model, stored_as="vote"):
    """Hypotheses that vote, each as often as it predicted.

    Attributes
    ----------
    hypotheses : ndarray
        One row of weights each.
    biases : ndarray
        Their biases, thresholds subtracted.
    counts : ndarray
        How many rounds each stands for.
    exact : bool
        Whether all hypotheses of the run are here, or a uniform sample of them.
    """

    hypotheses: Floats
    biases: Floats
    counts: Floats
    exact: bool
    about: str
    names: Names | None = None
    classes: tuple[Any, ...] | None = None
    certificate: Any = field(default=None, compare=False)
    why_not: str = ""
    kind: str = "vote"
    provenance: Provenance | None = field(default=None, compare=False)

    def scores(self, X: Any) -> Floats:
        """The share of votes for +1 minus the share for -1."""
        matrix = matrix_for(X, self.hypotheses.shape[1], self.names, self.reading)
        votes = np.sign(np.asarray(matrix @ self.hypotheses.T) + self.biases)
        return votes @ self.counts / self.counts.sum()

    def predict(self, X: Any) -> Any:
        """The majority's labels; the negative class where the vote is tied."""
        chosen = (self.scores(X) > self.cut).astype(np.int64)
        return np.array(self.classes or (-1, 1))[chosen]

    def arrays(self) -> dict[str, Any]:
        """The hypotheses, and how often each votes."""
        return {
            "hypotheses": self.hypotheses,
            "biases": self.biases,
            "counts": self.counts,
        }

    def facts(self) -> dict[str, Any]:
        """All else that is only of a vote."""
        return {"kind": self.kind, "about": self.about, "exact": self.exact}

    @classmethod
    def from_arrays(
        cls, arrays: dict[str, Any], facts: dict[str, Any], **shared: Any
    ) -> VoteModel:
        """The model that :meth:`arrays` and :meth:`facts` described."""
        hypotheses = checked_array(arrays, "hypotheses", shape=(None, None))
        return cls(
            hypotheses=hypotheses,
            biases=checked_array(arrays, "biases", shape=(len(hypotheses),)),
            counts=checked_array(arrays, "counts", shape=(len(hypotheses),)),
            exact=bool(facts["exact"]),
            about=str(facts["about"]),
            kind=str(facts["kind"]),
            **shared,
        )

    @property
    def n_features(self) -> int:
        """How many columns it takes."""
        return self.hypotheses.shape[1]

    def __str__(self) -> str:
        """What it is, and what is certified about it."""
        how = "all" if self.exact else "a uniform sample of"
        head = f"{self.about}: {how} {self.counts.size:,} hypotheses"
        rest = self.certificate if self.certificate is not None else self.why_not
        return f"{head}\n{rest}"

    __repr__ = __str__
