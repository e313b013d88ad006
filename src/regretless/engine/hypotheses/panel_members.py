"""Who carries the score of a frozen panel: its members."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ...parts.panel.forest import INPUTS, SETTINGS
from ...parts.panel.state import FAR, Constants
from ...parts.panel.variants import name_of_view
from ...parts.state import Floats

if TYPE_CHECKING:
    from .hypothesis import Rows
    from .panel import FrozenPanel


Member: TypeAlias = "tuple[str, float, float, float]"
"""The name, the stack's weights of the margin clipped twice, and the share."""

FOREST_NAMES = ["panel, again", f"forest, eta {SETTINGS.rate:g}", "forest, mean"]


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
