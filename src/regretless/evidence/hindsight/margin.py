"""The largest margin: max over u of min_t y_t u.x_t, on the simplex or in the L1 ball.

A linear program, and a game: for any distribution p over the rows, no u has a margin
above max_j sum_t p_t y_t x_tj (max_j |...| in the L1 ball). The dual solution is such a
p, so the answer comes with its proof. This is the delta of the Winnows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data import Source
from ...parts.rows import Biased
from ...parts.state import Floats
from .passes import Passes, row_matrix
from .solution import Margin


def max_margin_on_simplex(
    source: Source, *, signed: bool = False, bias: bool = False
) -> Margin:
    """Maximize ``min_t y_t u.x_t`` over ``u >= 0, sum u = 1`` or ``|u|_1 <= 1``.

    Parameters
    ----------
    source : Source
        The data, with labels -1 and +1. They must fit in memory.
    signed : bool
        Whether weights may be negative: the L1 ball instead of the simplex.
    bias : bool
        Whether every row has one more feature, always 1. Its weight is one of the
        simplex's.

    Returns
    -------
    Margin
        The weights, their margin and an upper bound. A margin of 0 or less means that
        the set holds no u that is right on every row.

    Examples
    --------
    >>> from regretless.evidence.hindsight import max_margin_on_simplex
    >>> from regretless.data import open_source
    >>> rows = open_source([[1.0, 0.5], [-0.5, -1.0]], [1, -1], binary=True)
    >>> max_margin_on_simplex(rows).margin
    0.75
    """
    passes = Passes(source, bias=bias)
    if {passes.lowest, passes.highest} - {-1.0, 1.0}:
        raise ValueError("a margin needs labels -1 and +1")
    if passes.whole is None:
        raise ValueError(
            f"the largest margin needs all rows in memory, and {passes.n_rows:,} rows "
            "of a stream are too many"
        )
    plays = _signed_rows(passes)
    weights, duals = _solve(plays, signed)
    weights = _inside(weights, signed)
    shares = np.maximum(duals, 0.0)
    total = float(shares.sum())
    shares = shares / total if total > 0.0 else np.full(shares.size, 1.0 / shares.size)
    payoffs = plays.T @ shares
    u, bias_weight = passes.split(weights)
    return Margin(
        u=u,
        bias=bias_weight,
        margin=float((plays @ weights).min()),
        upper_bound=float(np.abs(payoffs).max() if signed else payoffs.max()),
        problem=(
            f"max min y u.x over {'|u|_1 <= 1' if signed else 'u >= 0, sum u = 1'}, "
            f"{passes.shape}"
        ),
    )


def _signed_rows(passes: Passes) -> Any:
    """The matrix of y_t x_t, the bias in front."""
    from scipy.sparse import csr_array

    block = passes.whole
    if block is None:
        raise AssertionError("checked by the caller")
    rows = block.rows.rows if isinstance(block.rows, Biased) else block.rows
    matrix = row_matrix(rows, passes.n_rows, passes.n_features, bias=passes.bias)
    return csr_array(matrix.multiply(block.targets[:, None]))


def _solve(plays: Any, signed: bool) -> tuple[Floats, Floats]:
    """Weights, and a price for each row: max m with plays @ u >= m."""
    from scipy import optimize
    from scipy.sparse import csr_array, hstack, vstack

    linprog: Any = optimize.linprog
    n, d = plays.shape
    sides = [-plays, plays] if signed else [-plays]
    width = d * len(sides)
    above: Any = hstack([*sides, csr_array(np.ones((n, 1)))], format="csr")
    mass = csr_array(np.append(np.ones(width), 0.0)[None, :])
    costs = np.append(np.zeros(width), -1.0)
    bounds = [(0, None)] * width + [(None, None)]
    if signed:
        limits: Any = vstack([above, mass], format="csr")
        right = np.append(np.zeros(n), 1.0)
        found = linprog(costs, limits, right, bounds=bounds, method="highs")
    else:
        found = linprog(
            costs, above, np.zeros(n), mass, [1.0], bounds=bounds, method="highs"
        )
    if found.status != 0:
        raise ValueError(f"the linear program was not solved: {found.message}")
    weights = found.x[:d] - found.x[d:width] if signed else found.x[:d]
    return weights, -found.ineqlin.marginals[:n]


def _inside(weights: Floats, signed: bool) -> Floats:
    """The weights, in the set to the last bit that matters."""
    size = float(np.abs(weights).sum())
    if signed:
        return weights / max(size, 1.0)
    weights = np.maximum(weights, 0.0)
    return weights / weights.sum()
