"""Curves and the members on them as arrays: new, by name for files, and back."""

from __future__ import annotations

import numpy as np

from ...parts.documents import Document
from ...parts.panel.forest import AMOUNTS
from ...parts.panel.row_views import KNOTS
from ...parts.panel.state import SPREAD
from ...parts.regression import (
    CURVE_NUMBERS,
    FEW,
    KNOWN,
    LANES,
    CurveRoom,
    CurveState,
)
from ...parts.rows import Longs
from ..storage import COUNTS, FINITE, SIZES, Range, checked_array

CURVE = "curve_"  # begins the names of their arrays


def new_curves(*, live: bool) -> CurveState:
    """Curves that have seen nothing; of nothing at all, where they are not to play.

    One feature more than may come, to end them. Memory that is not written to is not
    taken.
    """
    size = AMOUNTS.widest + 1 if live else 0
    columns, few = KNOTS * size + 1, KNOTS * FEW + 1 if live else 0
    return CurveState(
        numbers=np.zeros(CURVE_NUMBERS),
        moments=np.zeros((size, 2)),
        order=np.zeros(size, np.int32),
        weights=np.zeros((columns, LANES)),
        squares=np.zeros(columns),
        gram=np.zeros((few, few)),
        products=np.zeros(few),
    )


def room_for(curves: CurveState) -> CurveRoom:
    """Room for rows of the features that have come, and for a solution."""
    known = curves.order[: int(curves.numbers[KNOWN])]
    places = np.zeros(int(known.max(initial=-1)) + 1, np.int32)
    places[known] = np.arange(1, known.size + 1)
    most = 2 * curves.order.size + 1
    return CurveRoom(
        places=places,
        values=np.zeros(places.size),
        columns=np.zeros(most, np.int32),
        hats=np.zeros(most),
        steps=np.zeros(most),
        factor=np.zeros(curves.gram.shape),
        solution=np.zeros(curves.products.size),
        met=np.zeros(curves.products.size, np.int32),
    )


def wide_enough(room: CurveRoom, features: int) -> CurveRoom:
    """The same with room for more features."""
    more = features - room.values.size
    return room._replace(
        places=np.concatenate([room.places, np.zeros(more, np.int32)]),
        values=np.concatenate([room.values, np.zeros(more)]),
    )


def curve_arrays(curves: CurveState) -> Document:
    """What curves remember, by name, without the room they have left; copies."""
    return {
        CURVE + name: getattr(curves, name)[used].copy()
        for name, used in _used(curves).items()
    }


def curves_from(arrays: Document, known: int) -> CurveState:
    """The curves that :func:`curve_arrays` wrote; ValueError if they are invalid.

    The table has so many features. Where no curves were written, there are none.
    """
    if f"{CURVE}numbers" not in arrays:
        return new_curves(live=False)
    curves = new_curves(live=True)
    shape = (CURVE_NUMBERS,)
    curves.numbers[:] = checked_array(
        arrays, f"{CURVE}numbers", shape=shape, holds=COUNTS
    )
    if curves.numbers[KNOWN] > curves.order.size:
        raise ValueError(f"{curves.numbers[KNOWN]:g} features cannot have curves")
    holds = {"order": Range(0, known - 1), "squares": SIZES}
    for name, used in _used(curves).items():
        array, held = getattr(curves, name), holds.get(name, FINITE)
        shape = array[used].shape
        array[used] = checked_array(arrays, CURVE + name, array.dtype, shape, held)
    order = curves.order[: int(curves.numbers[KNOWN])]
    if np.unique(order).size < order.size or SIZES.refusal(curves.moments[:, SPREAD]):
        raise ValueError("the features of its curves are out of range")
    return curves


def _used(curves: CurveState) -> dict[str, slice | tuple[Longs, ...]]:
    """What is in use of every array.

    Sums of ridge regression, a triangle, are there as long as features are few.
    """
    known = int(curves.numbers[KNOWN])
    columns = KNOTS * known + 1
    few = columns if known <= FEW else 0
    return {
        "numbers": slice(None),
        "moments": slice(known),
        "order": slice(known),
        "weights": slice(columns),
        "squares": slice(columns),
        "gram": np.tril_indices(few),
        "products": slice(few),
    }
