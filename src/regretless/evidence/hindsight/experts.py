"""The best expert, and the best sequence of experts: exact, no gap to speak of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...parts.notebook_html import Printed
from ...parts.rows import Longs
from ...parts.state import Floats


@dataclass(frozen=True, eq=False)
class BestExpert(Printed):
    """The one expert that paid least.

    Attributes
    ----------
    expert : int
        Its number, the first one among equals.
    loss : float
        What it paid.
    losses : ndarray
        What every expert paid.
    """

    expert: int
    loss: float
    losses: Floats

    def __str__(self) -> str:
        return f"expert {self.expert} of {self.losses.size:,} paid {self.loss:,.8g}"


@dataclass(frozen=True, eq=False)
class BestSequence(Printed):
    """The experts to have followed, with at most so many changes.

    Attributes
    ----------
    path : ndarray of int
        Whom to follow, one entry a round.
    loss : float
        What that pays: no path with as few changes pays less.
    switches : int
        How often the path really changes.
    """

    path: Longs
    loss: float
    switches: int

    def __str__(self) -> str:
        return (
            f"{np.unique(self.path).size:,} experts and {self.switches:,} changes in "
            f"{self.path.size:,} rounds paid {self.loss:,.8g}"
        )


def best_expert(losses: npt.ArrayLike) -> BestExpert:
    """The expert with the smallest sum of losses.

    Parameters
    ----------
    losses : array
        Rows are rounds, columns are experts.

    Examples
    --------
    >>> from regretless.evidence.hindsight import best_expert
    >>> print(best_expert([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]))
    expert 0 of 2 paid 1
    """
    matrix = _matrix(losses)
    totals = matrix.sum(axis=0)
    best = int(np.argmin(totals))
    return BestExpert(best, float(totals[best]), totals)


def best_sequence(losses: npt.ArrayLike, switches: int) -> BestSequence:
    """The cheapest way to follow experts with at most `switches` changes.

    Dynamic programming over (round, changes left, expert): with V_t[k, j] the cheapest
    way to end at expert j after at most k changes ::

        V_t[k, j] = losses[t, j] + min(V_{t-1}[k, j], min_i V_{t-1}[k-1, i])

    Time and memory are proportional to rounds x experts x (switches + 1); memory is one
    bit for each.

    Parameters
    ----------
    losses : array
        Rows are rounds, columns are experts.
    switches : int
        The most changes allowed.

    Examples
    --------
    >>> from regretless.evidence.hindsight import best_sequence
    >>> L = [[0.0, 1.0], [0.0, 1.0], [1.0, 0.0], [1.0, 0.0]]
    >>> best_sequence(L, 1).path
    array([0, 0, 1, 1])
    """
    matrix = _matrix(losses)
    if switches != int(switches) or switches < 0:
        raise ValueError(
            f"switches={switches!r} must be a number of changes, 0 or more"
        )
    rounds, n = matrix.shape
    most = min(int(switches), rounds - 1)
    best = np.tile(matrix[0], (most + 1, 1))
    came = np.zeros((rounds, most + 1), np.int64)  # the best expert to leave
    changed = np.zeros((rounds, most + 1, (n + 7) // 8), np.uint8)
    for t in range(1, rounds):
        came[t, 1:] = np.argmin(best[:-1], axis=1)
        leave = np.full((most + 1, 1), np.inf)
        leave[1:, 0] = best[:-1].min(axis=1)
        changed[t] = np.packbits(leave < best, axis=1)
        best = np.minimum(best, leave) + matrix[t]
    path = np.empty(rounds, np.int64)
    path[-1] = expert = int(np.argmin(best[most]))
    loss = float(best[most, expert])
    k = most
    for t in range(rounds - 1, 0, -1):
        if changed[t, k, expert // 8] >> (7 - expert % 8) & 1:
            expert = int(came[t, k])
            k -= 1
        path[t - 1] = expert
    return BestSequence(path, loss, int(np.count_nonzero(np.diff(path))))


def _matrix(losses: npt.ArrayLike) -> Floats:
    matrix = np.asarray(losses, np.float64)
    if matrix.ndim != 2 or matrix.size == 0:
        raise ValueError(
            "losses must have two dimensions, rounds and experts, and not be empty"
        )
    if not np.isfinite(matrix).all():
        t, j = np.argwhere(~np.isfinite(matrix))[0]
        raise ValueError(
            f"losses[{t}, {j}] is {matrix[t, j]}: every expert needs a loss in every "
            "round"
        )
    return matrix
