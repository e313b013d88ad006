"""Foresights: what is said of a row, given the score that the weights have for it.

Most learners say the score itself. The second-order ones know x before they predict,
and may let it into their matrix first.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from .generic import generic, implement, require
from .geometries import length
from .rows import RowView
from .state import State

__all__ = ["AsItStands", "Clipped", "Foreseen", "foresee"]


@generic
def foresee(
    prediction_rule: Any, geometry: Any, state: State, row: RowView, standing: float
) -> float:
    """What to say of a row, whose score is `standing` as the weights are."""
    ...


class AsItStands(NamedTuple):
    """The score itself."""


@implement(foresee, AsItStands)
def _(
    prediction_rule: AsItStands,
    geometry: Any,
    state: State,
    row: RowView,
    standing: float,
) -> float:
    return standing


class Foreseen(NamedTuple):
    """The score under the matrix that x has entered: w.x/(1 + x'Px).

    With w = P b, P = 1/A, that is b'(A + x x')^-1 x, by Sherman and Morrison.
    """


@implement(foresee, Foreseen)
def _(
    prediction_rule: Foreseen,
    geometry: Any,
    state: State,
    row: RowView,
    standing: float,
) -> float:
    return standing / (1.0 + length(geometry, state, row))


class Clipped(NamedTuple):
    """The score, kept within [-reach, reach]."""

    reach: float

    def check(self) -> None:
        """Raise ValueError unless reach is positive and finite."""
        require(0 < self.reach < math.inf, self, "reach", "positive and finite")


@implement(foresee, Clipped)
def _(
    prediction_rule: Clipped, geometry: Any, state: State, row: RowView, standing: float
) -> float:
    if not abs(standing) < math.inf:
        return standing  # to be refused
    return min(max(standing, -prediction_rule.reach), prediction_rule.reach)
