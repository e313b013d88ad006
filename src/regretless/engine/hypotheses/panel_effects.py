"""What moves the score of a frozen panel: its features, and its members."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ...parts.panel.forest import INPUTS, SETTINGS
from ...parts.panel.state import (
    FAR,
    MEAN,
    NEGATIVE,
    POSITIVE,
    ROUNDS,
    SPREAD,
    Constants,
)
from ...parts.panel.variants import name_of_view
from ...parts.rows import Longs, Sparse
from ...parts.state import Floats

if TYPE_CHECKING:
    from .hypothesis import Rows
    from .panel import FrozenPanel

__all__ = ["Member", "effects_of", "member_names", "members_of", "plainly"]
__all__ += ["FOREST_NAMES", "typical_rows"]

Member: TypeAlias = "tuple[str, float, float, float]"
"""The name, the stack's weights of the margin clipped twice, and the share."""

TYPICAL = 200  # features of a typical row, at most
FOREST_NAMES = ["panel, again", f"forest, eta {SETTINGS.rate:g}", "forest, mean"]


def effects_of(panel: FrozenPanel) -> Floats:
    """What each feature does to the score of a typical row, all members together.

    The typical row has all features that most rows have, at their means. Of such a
    feature: the score with it one deviation above its mean, less that with it one
    below. Of any other: the score of the row with the feature at its mean, less that of
    the row without it. Where more than 200 features are in most rows, each is looked at
    alone.
    """
    moments = panel.state.moments[1 : panel.n_features + 1]
    columns = np.flatnonzero(_counts(moments))
    rounds = float(panel.state.numbers[ROUNDS])
    low, high = typical_rows(moments[columns], columns, rounds)
    found, n = np.zeros(panel.n_features), columns.size
    found[columns] = panel.scores(high, n) - panel.scores(low, n)
    return found


def _counts(moments: Floats) -> Floats:
    """How many rows had each feature."""
    return moments[:, POSITIVE] + moments[:, NEGATIVE]


def typical_rows(
    moments: Floats, columns: Longs, rounds: float
) -> tuple[Sparse, Sparse]:
    """The two rows of each feature that has come whose scores its effect is about.

    What is known of the features at `columns` are their `moments`.
    """
    count, mean = _counts(moments), moments[:, MEAN]
    deviation = np.sqrt(moments[:, SPREAD] / np.maximum(count, 1.0))
    usual = count > 0.5 * rounds
    shared = np.flatnonzero(usual)
    if shared.size > TYPICAL:
        shared = shared[:0]
    high = np.where(usual, mean + deviation, mean)
    low = np.where(usual, mean - deviation, 0.0)
    return (
        _typical(columns, shared, mean, low),
        _typical(columns, shared, mean, high),
    )


def _typical(columns: Longs, shared: Longs, means: Floats, values: Floats) -> Sparse:
    """A row a feature: the shared ones at their means, this one at its value."""
    n = values.size
    places = np.column_stack([np.tile(shared, (n, 1)), np.arange(n)])
    numbers = np.column_stack([np.tile(means[shared], (n, 1)), values])
    # A feature that is shared stands in its row once, at its own value.
    kept = np.column_stack([shared != np.arange(n)[:, None], np.ones(n, bool)])
    starts = np.concatenate([[0], np.cumsum(kept.sum(axis=1))])
    return Sparse(
        starts.astype(np.int64), columns[places[kept]].astype(np.int32), numbers[kept]
    )


def members_of(panel: FrozenPanel, rows: Rows | None, n: int) -> tuple[Member, ...]:
    """Each member's weights, and its share of the score.

    Of the mean |contribution| on `n` rows; without rows, of the largest contribution
    that it could make.
    """
    near, far, limits = _stacks(panel)
    clip = panel.constants.near
    if rows is None:
        parts = np.abs(near) * clip + np.abs(far) * limits
    else:
        m = panel.margins(rows, n)
        carried = near * np.clip(m, -clip, clip) + far * np.clip(m, -limits, limits)
        parts = np.abs(carried).mean(axis=0)
    shares = parts / max(float(parts.sum()), 1e-300)
    curves = "H" if name_of_view(panel.view) == "hat" else "I"
    names = member_names(panel.constants, curves)
    names += FOREST_NAMES if panel.has_forest else []
    columns = (near.tolist(), far.tolist(), shares.tolist())
    return tuple(zip(names, *columns, strict=True))


def _stacks(panel: FrozenPanel) -> tuple[Floats, Floats, Floats]:
    """The weights of all margins clipped twice, and where they are the second time.

    The second stack adds to the score of the first one.
    """
    members = panel.constants.members
    stacks = [(panel.state.stack, members, panel.state.numbers[FAR])]
    if panel.has_forest:
        forest = panel.forest
        stacks.append((forest.stack[0], INPUTS, forest.numbers[FAR]))
    near = np.concatenate([w[:n] for w, n, _ in stacks])
    far = np.concatenate([w[n : 2 * n] for w, n, _ in stacks])
    return near, far, np.concatenate([np.full(n, limit) for _, n, limit in stacks])


def plainly(member: str) -> str:
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
