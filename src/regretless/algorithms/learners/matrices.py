"""What ``matrix=`` names: how much of its matrix a second-order learner keeps.

With "auto", a game keeps the full matrix where at most 2,000 features are declared or
are in the first rows read, and else its diagonal. A game that began with a full matrix
does not outgrow it: it stops with an error that says so.
"""

from __future__ import annotations

import math

from ...parts.geometries import DiagonalMatrix, FullMatrix

__all__ = ["MOST", "matrix_named"]

MOST = 2000  # features of a full matrix


def matrix_named(
    matrix: str, start: tuple[str, float], n_weights: int, *, bias: bool
) -> DiagonalMatrix | FullMatrix:
    """The matrix of this name, which starts at so many times the identity.

    `start` is that number, and before it what the learner calls it.
    """
    name, strength = start
    if not 0.0 < strength < math.inf:
        raise ValueError(f"{name}={strength!r} must be positive and finite")
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
