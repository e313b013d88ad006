"""Whether a table fits a loss: probabilities, quantiles, outcomes that can happen.

Files, frames, arrays and live rounds all pass here. Every complaint names the row (from
0) and the column.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from ..errors import BadRow
from ..parts.state import Floats
from .scores import Score, about_events, about_quantiles, clipped
from .table import Table

AMOUNTS = "amounts? say so: --loss absolute (loss=), or squared"
SUM = 1e-6  # by how much probabilities may miss a sum of one


def checked(table: Table, score: Score, *, least: int = 2) -> Table:
    """The table as it will be scored; BadRow or ValueError where it does not fit."""
    many = len(table.names)
    if many < least:
        raise ValueError(f"there must be at least two forecasters, and there is {many}")
    if len(table.y) == 0:
        raise ValueError("there are no rounds")
    return fitted(table, score)


def fitted(table: Table, score: Score) -> Table:
    """The same, of any number of rounds and forecasters: those of a live mixture."""
    values = table.values
    infinite = np.isinf(table.y)
    if infinite.any():
        row = int(np.argmax(infinite))
        raise BadRow(row, f"the outcome {table.y[row]} is not finite")
    if about_events(score):
        if table.levels is not None:
            raise ValueError(f"quantiles need loss='wis', 'crps' or 'pinball': {score}")
        _check_probabilities(values, table.names)
        _check_events(table.y, values.shape[2] if values.ndim == 3 else 2)
    elif about_quantiles(score):
        if table.levels is None:
            raise ValueError(
                f"{score.name} needs quantiles: columns ann_q0.1, ann_q0.5"
            )
        _check_finite(values, table.names)
        values = np.sort(values, axis=2)  # nan last: such a forecast is missing
    else:
        if values.ndim == 3:
            raise ValueError(
                f"several outcomes need a score of probabilities, not {score}"
            )
        _check_finite(values, table.names)
    return dataclasses.replace(table, values=clipped(score, values))


def _check_events(y: Floats, outcomes: int) -> None:
    bad = ((y != np.floor(y)) | (y < 0) | (y >= outcomes)) & ~np.isnan(y)
    if bad.any():
        row = int(np.argmax(bad))
        allowed = "0 or 1" if outcomes == 2 else f"0, 1, ... {outcomes - 1}"
        raise BadRow(row, f"the outcome {y[row]:g} is not {allowed}")


def _check_probabilities(values: Floats, names: Sequence[str]) -> None:
    with np.errstate(invalid="ignore"):
        bad = (values < 0.0) | (values > 1.0)
    if bad.any():
        row, column, *_ = np.argwhere(bad)[0]
        told = values[tuple(np.argwhere(bad)[0])]
        hint = ""
        if told > 1.0 and values.ndim == 3:
            hint = "; odds? say so: odds=True, --odds"
        elif 1.0 < told <= 100.0:
            hint = f"; percent? divide by 100; {AMOUNTS}"
        elif values.ndim == 2:
            hint = f"; {AMOUNTS}"
        raise BadRow(
            int(row), f"column {names[column]!r}: {told:g} is not a probability{hint}"
        )
    if values.ndim == 3:
        off = np.abs(values.sum(axis=2) - 1.0) > SUM
        if off.any():
            row, column = np.argwhere(off)[0]
            total = float(values[row, column].sum())
            raise BadRow(
                int(row),
                f"column {names[column]!r}: probabilities add up to {total:.6g}, not 1",
            )


def _check_finite(values: Floats, names: Sequence[str]) -> None:
    bad = np.isinf(values)
    if bad.any():
        at = np.argwhere(bad)[0]
        raise BadRow(
            int(at[0]), f"column {names[at[1]]!r}: {values[tuple(at)]} is not finite"
        )
