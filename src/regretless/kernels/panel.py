"""The panel's loop: members and stack, fused over one pass of a row.

    moments -> views -> margins -> score; then y: the stack moves, the members move

The row is first brought into a tile of short arrays that stay in the nearest cache, so
that square roots and divisions are taken eight at a time.
"""

from __future__ import annotations

import math
from typing import Any

from ..generic import compiled
from ..parts.losses import Logistic, value
from ..parts.observers import Round, note
from ..parts.panel.members import bet, consult, move_curves, move_rows, sigmoid
from ..parts.panel.stack import combine, restack
from ..parts.panel.state import LEAST, LENGTHS, NEGATIVES, ONE, POSITIVES, ROUNDS
from ..parts.panel.views import describe, gather, remember
from ..parts.rows import begin, end
from .compiled import kernel

__all__ = ["play_panel", "score_panel"]


@compiled
def prepare(constants: Any, tile: Any) -> None:
    """Constants of the weights' own type."""
    tile.scalars[LEAST] = constants.smallest
    tile.scalars[ONE] = 1.0


def play_panel(mark: str) -> Any:
    """Build ``play_panel(view, constants, state, tile, observer, rows, targets, ...)``.

    Last come the weights, by which the loss of a row is multiplied for the stack and
    all members but naive Bayes, which counts; they are empty where all are 1.
    It returns the number of rows played; fewer than given mean that the next one is not
    finite, and that nothing of it has been learned.
    """

    @kernel(mark)
    def play_panel(
        view: Any,
        constants: Any,
        state: Any,
        tile: Any,
        observer: Any,
        rows: Any,
        targets: Any,
        weights: Any,
    ) -> int:
        prepare(constants, tile)
        numbers = state.numbers
        for i in range(targets.size):
            y = targets[i]
            c = weights[i] if weights.size > 0 else 1.0
            n, full, square, low, high = gather(
                state, tile, rows, begin(rows, i), end(rows, i)
            )
            if not square < math.inf:
                return i
            row_square, curve_square, odds = describe(view, constants, tile, full)
            lengths = (math.sqrt(row_square), math.sqrt(curve_square))
            consult(constants, state, tile, n, lengths, odds)
            score = combine(constants, state, tile)

            p = sigmoid(score)
            g = (1.0 if y > 0.0 else 0.0) - p
            moved = abs(g) >= constants.negligible
            if moved:
                h = max(p * (1.0 - p), constants.variance)
                restack(constants, state, tile, c * g, c * h)
            moved |= move_rows(constants, state, tile, n, full, y, lengths[0], c)
            moved |= move_curves(constants, state, tile, n, full, y, lengths[1], c)
            moved |= bet(constants, state, tile, n, y, c)
            remember(state, tile, n, y)
            numbers[ROUNDS] += 1.0
            numbers[LENGTHS] += curve_square
            numbers[POSITIVES if y > 0.0 else NEGATIVES] += 1.0

            paid = c * value(Logistic(), score, y)
            mistake = y * score <= 0.0
            known = (square, low, high)
            note(
                observer,
                Round(y, score, paid, mistake, moved, 0.0, *known, 0.0, 0.0, 0.0),
            )
        return targets.size

    return play_panel


def score_panel(mark: str) -> Any:
    """Build ``score_panel(view, constants, state, tile, rows, out, margins)``.

    The score of every row, as the first row after this state would be predicted; the
    members' margins too, where there is room for them. Nothing is learned. A row that
    is not finite scores nan.
    """

    @kernel(mark)
    def score_panel(
        view: Any,
        constants: Any,
        state: Any,
        tile: Any,
        rows: Any,
        out: Any,
        margins: Any,
    ) -> None:
        prepare(constants, tile)
        for i in range(out.size):
            n, full, square, _, _ = gather(
                state, tile, rows, begin(rows, i), end(rows, i)
            )
            if not square < math.inf:
                out[i] = math.nan
                continue
            row_square, curve_square, odds = describe(view, constants, tile, full)
            lengths = (math.sqrt(row_square), math.sqrt(curve_square))
            consult(constants, state, tile, n, lengths, odds)
            out[i] = combine(constants, state, tile)
            if margins.size > 0:
                for k in range(tile.margins.size):
                    margins[i, k] = tile.margins[k]

    return score_panel
