"""A frozen panel as a model: it predicts, gives probabilities, and explains itself."""

from __future__ import annotations

import textwrap
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..encoding.names import Names, weights_by_name
from ..learners.panel import PANELS, VIEWS
from ..notebooks import as_text
from ..panel_player import FrozenPanel
from ..parts.panel.state import (
    MEAN,
    NEGATIVE,
    POSITIVE,
    ROUNDS,
    SPREAD,
    Constants,
)
from ..parts.rows import Dense, Sparse
from ..parts.state import Floats
from .model import Model
from .provenance import Provenance
from .rows import rows_for

__all__ = ["Explanation", "PanelModel"]


@dataclass(frozen=True, repr=False)
class Explanation:
    """Who carries the score.

    Attributes
    ----------
    members : tuple of (name, near, far, share)
        The stack's weights of a member's margin, clipped at 1 and at 4; and its share
        of the score: of the mean |contribution| on the rows given, or of the largest
        contribution it could make where none were.
    features : tuple of (name, weight)
        The largest weights of view A, largest first.
    measured : bool
        Whether the shares were measured on rows.
    """

    members: tuple[tuple[str, float, float, float], ...]
    features: tuple[tuple[Hashable, float], ...]
    measured: bool

    def __str__(self) -> str:
        """Two tables."""
        left = max(len(name) for name, *_ in self.members)
        of = "on these rows" if self.measured else "at most"
        lines = [f"{'member':<{left}}  {'near':>7}  {'far':>7}  share {of}"]
        lines += [
            f"{name:<{left}}  {near:7.3f}  {far:7.3f}  {share:6.1%}"
            for name, near, far, share in self.members
        ]
        lines += ["", "feature: weight in view A"]
        lines += [f"{name!s:>{left}}: {weight:+.4g}" for name, weight in self.features]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_text(self)


@dataclass(frozen=True, repr=False)
class PanelModel(Model, stored_as="panel"):
    """A panel that no longer learns.

    A row is seen with the statistics as they stood when the panel was frozen and this
    row in them, exactly as it would have been predicted then; predicting changes
    nothing, so that the order and the number of rows do not matter.

    Attributes
    ----------
    panel : FrozenPanel
        The panel.
    kind : str
        Which conversion made it: "last", "random", "validated".
    about : str
        The same in words.
    names : tuple or None
        The features' names.
    classes : tuple or None
        The labels for -1 and +1.
    certificate : Certificate or None
        What is certified about this very model.
    why_not : str
        Why nothing is certified, where nothing is.
    """

    panel: FrozenPanel
    kind: str
    about: str
    names: Names | None = None
    classes: tuple[Any, ...] | None = None
    certificate: Any = field(default=None, compare=False)
    why_not: str = ""
    provenance: Provenance | None = field(default=None, compare=False)

    @property
    def n_features(self) -> int:
        """How many columns it takes."""
        return self.panel.n_features

    @property
    def weights(self) -> Floats:
        """The weights of the panel's linear part: view A's, times the stack's."""
        return self.panel.weights()

    def scores(self, X: Any) -> Floats:
        """The log-odds of the positive class."""
        rows, n = self._rows(X)
        return self.panel.scores(rows, n)

    def predict(self, X: Any) -> Any:
        """The predicted labels (the negative class at score 0)."""
        chosen = (self.scores(X) > 0.0).astype(np.int64)
        return np.array(self.classes or (-1, 1))[chosen]

    def predict_proba(self, X: Any) -> Floats:
        """The probabilities of the two classes, a column each, the negative first."""
        scores = self.scores(X)
        small = np.exp(-np.abs(scores))
        positive = np.where(scores > 0.0, 1.0, small) / (1.0 + small)
        negative = np.where(scores > 0.0, small, 1.0) / (1.0 + small)
        return np.stack([negative, positive], axis=1)

    def explain(self, X: Any = None, *, top: int = 10) -> Explanation:
        """Which member carries how much (on the rows X, if given); the top features."""
        constants, stack = self.panel.constants, self.panel.state.stack
        members = constants.members
        near, far = stack[:members], stack[members : 2 * members]
        if X is None:
            parts = np.abs(near * constants.near + far * constants.far)
        else:
            m = self.panel.margins(*self._rows(X))
            low, high = -constants.near, constants.near
            carried = near * np.clip(m, low, high)
            carried += far * np.clip(m, -constants.far, constants.far)
            parts = np.abs(carried).mean(axis=0)
        shares = parts / max(float(parts.sum()), 1e-300)
        names = member_names(constants, "H" if self._view == "hat" else "I")
        rows = zip(names, near.tolist(), far.tolist(), shares.tolist(), strict=True)
        weights = self.named_weights()
        largest = sorted(weights.items(), key=lambda item: -abs(item[1]))[:top]
        return Explanation(tuple(rows), tuple(largest), X is not None)

    def named_weights(self) -> dict[Hashable, float]:
        """Weights of view A by name, or by number."""
        return weights_by_name(self.names, self.weights)

    def arrays(self) -> dict[str, Any]:
        """The panel's state by name, to be saved."""
        return self.panel.arrays()

    def facts(self) -> dict[str, Any]:
        """What else :meth:`from_arrays` needs, as plain JSON."""
        return {
            "kind": self.kind,
            "about": self.about,
            "members": self.panel.constants.members,
            "view": self._view,
        }

    @classmethod
    def from_arrays(
        cls, arrays: dict[str, Any], facts: dict[str, Any], **shared: Any
    ) -> PanelModel:
        """The model that :meth:`arrays` and :meth:`facts` described."""
        view, constants = VIEWS[facts["view"]], PANELS[facts["members"]]
        panel = FrozenPanel(view, constants, dtype=arrays["rows"].dtype)
        panel.load_state(arrays)
        return cls(
            panel=panel, kind=str(facts["kind"]), about=str(facts["about"]), **shared
        )

    def explanation(self, top: int) -> list[tuple[str, list[tuple[str, str]]]]:
        """Who carries the score, and the largest weights of view A."""
        found = self.explain(top=0)
        members = [
            (_plainly(name), f"{share:.1%}") for name, *_, share in found.members
        ]
        effects = self.effects()
        order = np.argsort(-np.abs(effects), kind="stable")[:top].tolist()
        largest = [
            (self.feature(j), f"{effects[j]:+.4g}") for j in order if effects[j] != 0.0
        ]
        positive = (self.classes or (-1, 1))[1]
        title = f"what moves the score most, one feature alone (+ says {positive})"
        return [(title, largest), ("shares of the members", members)]

    def effects(self) -> Floats:
        """What each feature alone does to the score, all members together.

        Of a feature that most rows have: the score of one deviation above its mean,
        less that of one below. Of any other: the score with the feature at its mean,
        less that without it.
        """
        moments = self.panel.state.moments[1 : self.n_features + 1]
        count = moments[:, POSITIVE] + moments[:, NEGATIVE]
        mean = moments[:, MEAN]
        deviation = np.sqrt(moments[:, SPREAD] / np.maximum(count, 1.0))
        usual = count > 0.5 * self.panel.state.numbers[ROUNDS]
        high = self._alone(np.where(usual, mean + deviation, mean))
        low = self._alone(np.where(usual, mean - deviation, 0.0))
        return np.where(count > 0.0, high - low, 0.0)

    def _alone(self, values: Floats) -> Floats:
        """The scores of rows that have one feature each, with these values."""
        n = values.size
        rows = Sparse(
            np.arange(n + 1, dtype=np.int64), np.arange(n, dtype=np.int32), values
        )
        return self.panel.scores(rows, n)

    @property
    def _view(self) -> str:
        kind = self.panel.view.__class__
        return next(name for name, one in VIEWS.items() if one.__class__ is kind)

    def _rows(self, X: Any) -> tuple[Dense | Sparse, int]:
        return rows_for(X, self.panel.n_features, self.names, self.reading)

    def __str__(self) -> str:
        """What it is, and what is certified about it."""
        members, features = self.panel.constants.members, self.panel.n_features
        head = f"{self.about}: a panel of {members} on {features:,} features"
        rest = self.certificate or textwrap.fill(self.why_not, 88)
        return f"{head}\n{rest}"

    __repr__ = __str__


def _plainly(member: str) -> str:
    """A member's name without the letters of its views."""
    plain = member.replace(" on A", " on values")
    return plain.replace(" on H", " on curves").replace(" on I", " on curves")


def member_names(constants: Constants, curves: str) -> list[str]:
    """What each member is, in the order of their margins."""
    losses = [
        "hinge" if k < constants.row_hinges else "logistic"
        for k in range(len(constants.row_steps))
    ]
    steps = zip(losses, constants.row_steps, strict=True)
    rows = [f"{loss} {eta:g} on A" for loss, eta in steps]
    on_curves = [f"hinge {eta:g} on {curves}" for eta in constants.curve_steps]
    return [*rows, *on_curves, f"coin on {curves}", "naive Bayes"]
