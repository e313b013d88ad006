"""What ``matrix=`` names: how much of its matrix a second-order learner keeps.

With "auto", a game keeps the full matrix where at most 2,000 features are declared or
are in the first rows read, and else its diagonal. A game that began with a full matrix
does not outgrow it: it stops with an error that says so.
"""

from __future__ import annotations

from typing import Any

from ..parts.geometries import DiagonalMatrix, FullMatrix

__all__ = ["MOST", "matrix_named"]

MOST = 2000  # features of a full matrix


def matrix_named(matrix: str, strength: float, n_weights: int, *, bias: bool) -> Any:
    """The matrix of this name, which starts at `strength` times the identity."""
    if matrix not in ("auto", "full", "diagonal"):
        raise ValueError(f'matrix={matrix!r} must be "auto", "full" or "diagonal"')
    fits = n_weights - bias <= MOST
    if matrix == "full" and not fits:
        raise ValueError(
            f"{n_weights - bias:,} features: a full matrix is kept of at most "
            f'{MOST:,}; matrix="diagonal" takes any number'
        )
    if matrix == "diagonal" or not fits:
        return DiagonalMatrix(strength)
    return FullMatrix(strength, MOST + bias)
