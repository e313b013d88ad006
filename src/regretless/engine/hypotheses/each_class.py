"""A hypothesis of any kind for each of many classes: the largest score wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from ...parts.documents import Document
from ...parts.state import Floats
from ..storage import keep
from .class_probabilities import Slopes, kept_slopes
from .feature_effects import Effects
from .hypothesis import Hypothesis, Rows, kind_named

if TYPE_CHECKING:
    from ..players.row_player import Call


class EachClass(Hypothesis, stored_as="each-class"):
    """A hypothesis a class, each of "this class or not".

    Parameters
    ----------
    pattern : Hypothesis
        One of their kind.
    each : sequence of Hypothesis
        One a class.
    slopes : Slopes or None
        What makes probabilities of scores.
    """

    kept = keep("each", slopes=kept_slopes)

    many: ClassVar[bool] = True
    shows: ClassVar[tuple[str, ...]] = ("slopes",)

    def __init__(
        self,
        pattern: Hypothesis,
        each: Sequence[Hypothesis] = (),
        slopes: Slopes | None = None,
    ) -> None:
        self.pattern = pattern
        self.each = list(each)
        self.slopes = slopes
        self.weighs, self.effect_of = pattern.weighs, pattern.effect_of
        self.check_state()

    def prepare_state(self, stored: Document, /) -> None:
        """Have as many members, that know nothing."""
        blank, facts = type(self.pattern).blank, self.pattern.facts()
        self.each = [blank(facts) for _ in stored["each"]]

    def check_state(self) -> None:
        """It knows what its members know."""
        self.log_odds = True if self.slopes is not None else None
        self.n_classes = len(self.each)
        known = [member.n_features for member in self.each]
        self.n_features = max(known, default=self.pattern.n_features)

    def scores(self, rows: Rows, n: int) -> Floats:
        """The scores of `n` rows, a column a class."""
        out = np.empty((n, self.n_classes))
        for k, member in enumerate(self.each):
            out[:, k] = member.scores(rows, n)
        return out

    def asking(self, rows: Rows, out: Floats) -> list[Call]:
        """What scores the row in these buffers, one class after the other."""
        places = [out[0, k : k + 1] for k in range(self.n_classes)]
        pairs = zip(self.each, places, strict=True)
        return [call for member, place in pairs for call in member.asking(rows, place)]

    def grow(self, n_features: int) -> None:
        """Features that came later are unknown to all."""
        for member in self.each:
            member.grow(n_features)
        self.n_features = max(self.n_features, n_features)

    def fitted(self, n_features: int, n_classes: int) -> EachClass:
        """The same for so many features."""
        each = [member.fitted(n_features, 2) for member in self.each]
        return EachClass(self.pattern, each, self.slopes)

    def weights(self) -> Floats:
        """A row a class, where features have weights."""
        found = [member.weights() for member in self.each]
        return np.array(found).reshape(len(found), -1)

    def alone(self, k: int) -> Hypothesis:
        """What predicts class number `k` or not."""
        return self.each[k]

    def effects(self) -> Effects:
        """Those of each class, a row each."""
        found = [member.effects() for member in self.each or [self.pattern]]
        return found[0]._replace(values=np.array([one.values for one in found]))

    def notes(self) -> list[tuple[str, list[tuple[str, ...]]]]:
        """What is worth showing of the first."""
        return self.each[0].notes() if self.each else []

    def describe(self) -> str:
        """How many classes, and what each has."""
        one = self.each[0] if self.each else self.pattern
        return f"{self.n_classes:,} classes, each a {one.noun} of {one.describe()}"

    def facts(self) -> Document:
        """Of which kind the members are."""
        return {"member": self.pattern.stored_as, **self.pattern.facts()}

    @classmethod
    def blank(cls, facts: Document) -> Self:
        """One of no class."""
        return cls(kind_named(facts["member"]).blank(facts))
