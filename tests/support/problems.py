"""Small hindsight problems, and slow, obvious ways to solve them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import linprog, minimize
from scipy.sparse import csr_array

import regretless as rg
from regretless.data import Batch, open_source
from regretless.parts.losses import slope, value
from regretless.parts.rows import Dense, Sparse

LOSSES = (
    rg.Hinge(),
    rg.Hinge(margin=0.5, gain=2.0),
    rg.SquaredHinge(),
    rg.SquaredHinge(margin=0.3),
    rg.Logistic(),
    rg.Squared(),
    rg.Absolute(),
    rg.Pinball(0.2),
)


def data(seed: int, loss: Any, n: int = 60, d: int = 4) -> tuple[Any, Any]:
    """Rows and labels that no u fits exactly; one row and one column are zero."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * rng.uniform(0.3, 3.0, size=d)
    X[0] = 0.0
    X[:, -1] = 0.0
    y = X @ rng.normal(size=d) + rng.normal(size=n)
    return X, np.sign(y) if loss.task == "binary" else y


def source(X: Any, y: Any, loss: Any) -> Any:
    return open_source(X, y, binary=loss.task == "binary")


class Chunks:
    """Rows that come in batches, and count how often they were asked for."""

    whole = False
    rereadable = True
    names = None
    classes = None

    def __init__(self, X: Any, y: Any, size: int, *, sparse: bool = True) -> None:
        self.X, self.y, self.size, self.sparse = X, np.asarray(y, float), size, sparse
        self.n_features = X.shape[1]
        self.opened = 0

    def batches(self):
        self.opened += 1
        for first in range(0, self.y.size, self.size):
            X = self.X[first : first + self.size]
            y = self.y[first : first + self.size]
            rows = Dense(np.ascontiguousarray(X).reshape(-1), X.shape[1])
            if self.sparse:
                part = csr_array(X)
                rows = Sparse(
                    part.indptr.astype(np.int64),
                    part.indices.astype(np.int32),
                    part.data.astype(float),
                )
            yield Batch(rows, y, self.n_features)


def total(loss: Any, X: Any, y: Any, u: Any, threshold: float = 0.0) -> float:
    """The sum of the losses of u."""
    pairs = zip((X @ u - threshold).tolist(), y.tolist(), strict=True)
    return sum(value(loss, z, t) for z, t in pairs)


def least(
    loss: Any,
    X: Any,
    y: Any,
    *,
    strength: float = 0.0,
    threshold: float = 0.0,
    constraints: Any = (),
    bounds: Any = None,
    start: Any = None,
) -> float:
    """The minimum by a general purpose method, with kinked losses as epigraphs.

    Variables are u and one s_t >= loss_t; every piece of a piecewise linear loss is a
    linear constraint, so that SLSQP sees only smooth functions.
    """
    n, d = X.shape
    pieces = _pieces(loss)
    u0 = np.zeros(d) if start is None else np.asarray(start, float)

    def penalty(u: Any) -> float:
        return 0.5 * strength * float(u @ u)

    if pieces is None:
        found = minimize(
            lambda u: total(loss, X, y, u, threshold) + penalty(u),
            u0,
            jac=lambda u: (
                X.T
                @ np.array(
                    [
                        slope(loss, float(z), float(t))
                        for z, t in zip(X @ u - threshold, y, strict=True)
                    ]
                )
                + strength * u
            ),
            method="SLSQP",
            constraints=list(constraints),
            bounds=bounds,
            options={"maxiter": 2000, "ftol": 1e-13},
        )
        return float(found.fun)
    A, b = pieces(X, y, threshold)
    rows = np.tile(np.eye(n), (len(A) // n, 1))
    epigraph = {
        "type": "ineq",
        "fun": lambda v: rows @ v[d:] - A @ v[:d] - b,
        "jac": lambda v: np.hstack([-A, rows]),
    }
    lifted = [
        {"type": c["type"], "fun": lambda v, c=c: c["fun"](v[:d])} for c in constraints
    ]
    s0 = np.maximum((A @ u0 + b).reshape(-1, n).max(axis=0), 0.0)
    found = minimize(
        lambda v: v[d:].sum() + penalty(v[:d]),
        np.concatenate([u0, s0]),
        jac=lambda v: np.concatenate([strength * v[:d], np.ones(n)]),
        method="SLSQP",
        constraints=[epigraph, *lifted],
        bounds=[*(bounds or [(None, None)] * d), *[(None, None)] * n],
        options={"maxiter": 2000, "ftol": 1e-13},
    )
    return float(found.fun)


def _pieces(loss: Any) -> Any:
    """Loss >= A u + b for each linear piece, stacked; None for a smooth loss."""
    if isinstance(loss, rg.Hinge):

        def hinge(X: Any, y: Any, c: float) -> Any:
            g = loss.gain * y
            return (
                np.vstack([-g[:, None] * X, 0.0 * X]),
                np.concatenate([loss.margin + g * c, 0.0 * y]),
            )

        return hinge
    low, high = {
        "Absolute": (-1.0, 1.0),
        "Pinball": (-getattr(loss, "quantile", 0.0), 1 - getattr(loss, "quantile", 0)),
    }.get(type(loss).__name__, (None, None))
    if low is None:
        return None
    return lambda X, y, c: (
        np.vstack([low * X, high * X]),
        np.concatenate([-low * (y + c), -high * (y + c)]),
    )


def linear_program(loss: Any, X: Any, y: Any, radius: float, *, signed: bool) -> float:
    """The minimum of a piecewise linear loss on the simplex or in the L1 ball."""
    n = len(y)
    A, b = _pieces(loss)(X, y, 0.0)
    A = np.hstack([A, -A]) if signed else A
    width = A.shape[1]
    above = np.hstack([A, -np.tile(np.eye(n), (len(A) // n, 1))])
    mass = np.concatenate([np.ones(width), np.zeros(n)])[None, :]
    costs = np.concatenate([np.zeros(width), np.ones(n)])
    bounds = [(0, None)] * width + [(None, None)] * n
    if signed:
        found = linprog(
            costs, np.vstack([above, mass]), np.append(-b, radius), bounds=bounds
        )
    else:
        found = linprog(costs, above, -b, mass, [radius], bounds=bounds)
    return float(found.fun)
