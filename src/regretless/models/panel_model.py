"""A frozen panel as a model: it predicts, gives probabilities, and explains itself."""

from __future__ import annotations

import textwrap
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..algorithms.learners.panel import PANELS, VIEWS
from ..engine.feature_names import Names, weights_by_name
from ..engine.players.frozen_panel import FrozenPanel
from ..parts.panel.forest import INPUTS, SETTINGS
from ..parts.panel.state import (
    FAR,
    MEAN,
    NEGATIVE,
    POSITIVE,
    ROUNDS,
    SPREAD,
    Constants,
)
from ..parts.rows import Dense, Sparse
from ..parts.state import Floats
from .effects import Explanation, largest
from .model import Model
from .provenance import Provenance
from .rows_to_predict import rows_for

__all__ = ["PanelModel"]

TYPICAL = 200  # features of a typical row, at most
FOREST_NAMES = [
    "panel, again",
    f"forest, eta {SETTINGS.steady:g}",
    f"forest, eta {SETTINGS.quick:g}",
    "forest, mean",
]


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
        chosen = (self.scores(X) > self.cut).astype(np.int64)
        return np.array(self.classes or (-1, 1))[chosen]

    @property
    def probabilistic(self) -> bool:
        """It has probabilities: its scores are log-odds."""
        return True

    def explain(self, X: Any = None, *, top: int = 10) -> Explanation:
        """The top features, and which member carries how much of the score.

        On the rows X, if given; else as ``effects()`` says, and what members could
        carry at most.
        """
        near, far, limits = self._stacks()
        low, high = np.abs(near) * self.panel.constants.near, np.abs(far) * limits
        if X is None:
            parts = low + high
        else:
            m = self.panel.margins(*self._rows(X))
            clip = self.panel.constants.near
            carried = near * np.clip(m, -clip, clip) + far * np.clip(m, -limits, limits)
            parts = np.abs(carried).mean(axis=0)
        shares = parts / max(float(parts.sum()), 1e-300)
        names = member_names(self.panel.constants, "H" if self._view == "hat" else "I")
        names += FOREST_NAMES if self.panel.has_forest else []
        rows = zip(names, near.tolist(), far.tolist(), shares.tolist(), strict=True)
        return replace(super().explain(X, top=top), members=tuple(rows))

    def _stacks(self) -> tuple[Floats, Floats, Floats]:
        """The weights of all margins clipped twice, and where they are the second time.

        The second stack adds to the score of the first one.
        """
        panel, members = self.panel, self.panel.constants.members
        stacks = [(panel.state.stack, members, panel.state.numbers[FAR])]
        if panel.has_forest:
            forest = panel.forest
            stacks.append((forest.stack[0], INPUTS, forest.numbers[FAR]))
        near = np.concatenate([w[:n] for w, n, _ in stacks])
        far = np.concatenate([w[n : 2 * n] for w, n, _ in stacks])
        return near, far, np.concatenate([np.full(n, limit) for _, n, limit in stacks])

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
        panel = FrozenPanel(view, constants, dtype=arrays["rows"].dtype, forest=False)
        panel.load_state(arrays)
        return cls(
            panel=panel, kind=str(facts["kind"]), about=str(facts["about"]), **shared
        )

    def explanation(self, top: int) -> list[tuple[str, list[tuple[str, str]]]]:
        """The largest effects, and who carries the score."""
        carried = self.explain(top=0)
        members = [
            (_plainly(name), f"{share:.1%}") for name, *_, share in carried.members
        ]
        effects = self.effects()
        found = [(self.feature(j), f"{effects[j]:+.4g}") for j in largest(effects, top)]
        positive = (self.classes or (-1, 1))[1]
        title = f"effects on the score of a typical row (+ says {positive})"
        return [(title, found), ("shares of the members", members)]

    def effects(self) -> Floats:
        """What each feature does to the score of a typical row, all members together.

        The typical row has all features that most rows have, at their means. Of such a
        feature: the score with it one deviation above its mean, less that with it one
        below. Of any other: the score of the row with the feature at its mean, less
        that of the row without it. Where more than 200 features are in most rows, each
        is looked at alone.
        """
        low, high, known = self.typical_rows()
        n = self.n_features
        change = self.panel.scores(high, n) - self.panel.scores(low, n)
        return np.where(known, change, 0.0)

    def typical_rows(self) -> tuple[Sparse, Sparse, Any]:
        """The two rows of each feature whose scores it is about, and if it has come."""
        moments = self.panel.state.moments[1 : self.n_features + 1]
        count = moments[:, POSITIVE] + moments[:, NEGATIVE]
        mean = moments[:, MEAN]
        deviation = np.sqrt(moments[:, SPREAD] / np.maximum(count, 1.0))
        usual = count > 0.5 * self.panel.state.numbers[ROUNDS]
        shared = np.flatnonzero(usual)
        if shared.size > TYPICAL:
            shared = shared[:0]
        high = np.where(usual, mean + deviation, mean)
        low = np.where(usual, mean - deviation, 0.0)
        rows = [_typical(shared, mean, values) for values in (low, high)]
        return rows[0], rows[1], count > 0.0

    @property
    def _view(self) -> str:
        kind = self.panel.view.__class__
        return next(name for name, one in VIEWS.items() if one.__class__ is kind)

    def _rows(self, X: Any) -> tuple[Dense | Sparse, int]:
        return rows_for(X, self.panel.n_features, self.names, self.reading)

    def __str__(self) -> str:
        """What it is, and what is certified about it."""
        members, features = self.panel.constants.members, self.panel.n_features
        forest = " and a forest" if self.panel.has_forest else ""
        head = f"{self.about}: a panel of {members}{forest} on {features:,} features"
        rest = self.certificate or textwrap.fill(self.why_not, 88)
        return f"{head}\n{rest}"

    __repr__ = __str__


def _typical(shared: Any, means: Floats, values: Floats) -> Sparse:
    """A row a feature: the shared ones at their means, this one at its value."""
    n = values.size
    columns = np.column_stack([np.tile(shared, (n, 1)), np.arange(n)])
    numbers = np.column_stack([np.tile(means[shared], (n, 1)), values])
    # A feature that is shared stands in its row once, at its own value.
    kept = np.column_stack([shared != np.arange(n)[:, None], np.ones(n, bool)])
    starts = np.concatenate([[0], np.cumsum(kept.sum(axis=1))])
    return Sparse(
        starts.astype(np.int64), columns[kept].astype(np.int32), numbers[kept]
    )


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
