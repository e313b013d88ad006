"""Ridge regression in hindsight: one pass for the Gram matrix, one equation.

min_u f(u) = sum_t (u.x_t - y_t)^2 + a|u|^2 is where (X'X + a I) u = X'y. f is
2a-strongly convex, so that at any u, f(u) - min f <= |grad f(u)|^2/(4a): the gap.
"""

from __future__ import annotations

import numpy as np

from ...data import Source
from ...parts.state import Floats
from .budget import expect, spend
from .passes import row_matrix
from .regularized import positive
from .solution import Hindsight

CHOLESKY = 40  # multiplications in the time that an entry of a row takes


def ridge(source: Source, strength: float, *, bias: bool = False) -> Hindsight:
    """Minimize ``sum_t (u.x_t - y_t)^2 + strength |u|^2`` over all u.

    Parameters
    ----------
    source : Source
        The data, which must be readable again, of no more features than their square
        fits in memory.
    strength : float
        Of the penalty, positive. The bias is penalized like every other weight.
    bias : bool
        Whether every row has one more feature, always 1.

    Returns
    -------
    Hindsight
        The weights; the gap is of rounding alone.

    Examples
    --------
    >>> from regretless.evidence.hindsight import ridge
    >>> from regretless.data import open_source
    >>> rows = open_source([[1.0], [2.0]], [1.0, 2.0], binary=False)
    >>> answer = ridge(rows, 1.0)
    >>> answer.u.round(4), round(answer.objective, 4)
    (array([0.8333]), 0.8333)
    """
    positive("strength", strength)
    known = source.n_features
    if known is None:
        known = max((batch.n_features for batch in source.batches()), default=0)
    size = known + bias
    expect(size**3 // CHOLESKY, 0, 0)
    gram, moment = np.zeros((size, size)), np.zeros(size)
    rows, labels = 0, 0.0
    for batch in source.batches():
        y = batch.targets
        matrix = row_matrix(batch.rows, y.size, known, bias=bias)
        spend(matrix.nnz + size * size, y.size, 0)
        gram += np.asarray((matrix.T @ matrix).todense())
        moment += matrix.T @ y
        labels += float(y @ y)
        rows += y.size
    if rows == 0:
        raise ValueError("there are no rows to solve for")
    u = _solved(gram, strength, moment)
    loss = 0.0  # not by the Gram matrix: what is left after it cancels is rounding
    slope = strength * u
    for batch in source.batches():
        again = row_matrix(batch.rows, batch.targets.size, known, bias=bias)
        short = again @ u - batch.targets
        loss += float(short @ short)
        slope = slope + again.T @ short
    objective = loss + strength * float(u @ u)
    gap = float(slope @ slope) / strength
    weights = u[int(bias) :].copy()
    shape = f"{rows:,} rows x {known:,} features{' and a bias' if bias else ''}"
    return Hindsight(
        u=weights,
        bias=float(u[0]) if bias else 0.0,
        loss=loss,
        objective=objective,
        lower_bound=objective - gap,
        problem=f"min sum (u.x - y)^2 + {strength:g}|u|^2 over {shape}",
        passes=2,
        strength=2.0 * strength,
    )


def _solved(gram: Floats, strength: float, moment: Floats) -> Floats:
    """(gram + strength I)^-1 moment, also where rounding has eaten the strength."""
    from scipy import linalg

    try:
        factor = linalg.cho_factor(gram + strength * np.eye(moment.size))
        return linalg.cho_solve(factor, moment)
    except linalg.LinAlgError:
        sizes, axes = linalg.eigh(gram)
        return axes @ ((axes.T @ moment) / (np.maximum(sizes, 0.0) + strength))
