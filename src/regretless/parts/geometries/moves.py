"""The generics that make a geometry. All weights are ``factor * primal``."""

from __future__ import annotations

from typing import Any

from ..documents import Document
from ..generic import generic
from ..part_types import Geometry
from ..rows import RowView
from ..state import Floats, Numbers, State


@generic
def start(geometry: Any, state: State) -> None:
    """Write the starting weights of all features into zeroed arrays."""
    ...


@generic
def factor(geometry: Any, numbers: Numbers) -> float:
    """The number that turns ``primal.x`` into ``w.x``."""
    ...


@generic
def extend(geometry: Any, state: State, before: int) -> None:
    """Write what new features start from, where it is not zero. Optional.

    The arrays have grown from `before` weights to the size that they have now.
    """
    ...


@generic
def length(geometry: Any, state: State, row: RowView) -> float:
    """|x|^2 in the norm of the matrix 1/A, before x has entered A.

    For the geometries that have a matrix; nothing that lasts may change.
    """
    ...


@generic
def observe_gradient(geometry: Any, state: State, row: RowView, scale: float) -> float:
    """Take in the gradient ``scale*x``; return |x|^2 in the norm that pairs with it.

    Most geometries have one norm for all rounds; those that adapt write down the
    gradient first, and answer in the norm that they have from now on. `square` is
    |x|_2^2 and `largest` is |x|_inf, both known already.
    """
    ...


@generic
def move(geometry: Any, state: State, row: RowView, step: float, shrink: float) -> None:
    """Move by ``step * x`` in the dual, after multiplying w by `shrink`.

    `dot` is w.x and `square` is |x|^2, both from before the move.
    """
    ...


@generic(forceinline=False)
def refresh(geometry: Any, state: State) -> None:
    """Fold lazy factors into the arrays and compute the tracked total exactly."""
    ...


@generic
def extra_sums(geometry: Any, state: State) -> Document:
    """The sums that theorems about this geometry need and no ledger has. Optional."""
    ...


def weights(geometry: Geometry, state: State) -> Floats:
    """A copy of the weight vector as the theory writes it."""
    return factor(geometry, state.numbers) * state.primal
