"""P = U D U': the factors of a symmetric matrix, from its lower triangle.

Version 0.1 kept the triangle of P itself. Its states are factored when they are read:
turned by 180 degrees, P = R R' is the factorization of Cholesky, and then
U = R/diag(R), D = diag(R)^2.
"""

from __future__ import annotations

import numpy as np

from ..state import Floats

__all__ = ["factored"]


def factored(triangle: Floats) -> Floats:
    """The columns of U above its diagonal, each with its entry of D behind it.

    Parameters
    ----------
    triangle : array
        The rows of P up to its diagonal, one after the other.

    Raises
    ------
    ValueError
        If P is not positive definite: rounding has taken its digits.

    Examples
    --------
    >>> import numpy as np
    >>> from regretless.parts.geometries.factors import factored
    >>> factored(np.array([3.0, 1.0, 2.0]))  # [[3, 1], [1, 2]]
    array([2.5, 0.5, 2. ])
    """
    size = int(np.sqrt(2.0 * triangle.size + 0.25))
    at = np.tril_indices(size)
    P = np.zeros((size, size))
    P[at] = triangle
    P.T[at] = triangle
    try:
        if not (np.diag(P) > 0.0).all():
            raise np.linalg.LinAlgError
        unit = np.sqrt(np.diag(P))  # columns of all sizes become comparable
        turned = np.linalg.cholesky((P / unit / unit[:, None])[::-1, ::-1])
    except np.linalg.LinAlgError:
        raise ValueError(
            "its matrix is no longer positive definite (version 0.1 lost the digits of "
            "badly scaled columns): learn again from the first row"
        ) from None
    R = turned[::-1, ::-1] * unit[:, None]
    U = R / np.diag(R)
    np.fill_diagonal(U, np.diag(R) ** 2)
    return U.T[at]
