"""Geometries: in which sense a step is small, hence how weights move along a row.

Mirror descent, w' = argmin eta <g, w> + D(w, w_t), with one Bregman divergence D a
file: Euclidean (additive updates), p-norm (between the two), and three entropies
(multiplicative updates). Three more adapt to the gradients they have met: diagonal,
proximal, and coin betting. Every one moves in O(nonzeros of the row), but for the one
that knows how features go together, a full matrix. ``duals`` says how many numbers a
feature are kept beside its weight, ``fixed`` whether the start
depends on the number of features, ``quadratic`` (if said) that a step c moves the score
by exactly c |x|^2 in the norm of ``observe_gradient``.
"""

from .betting import Betting, CoordinateBetting
from .diagonal import Diagonal
from .entropy import Entropy
from .euclidean import Euclidean
from .matrix import DiagonalMatrix, FullMatrix
from .moves import (
    extend,
    extra_sums,
    factor,
    length,
    move,
    observe_gradient,
    refresh,
    start,
    weights,
)
from .pnorm import PNorm
from .proximal import Proximal
from .signed import SignedEntropy
from .simplex import SimplexEntropy

__all__ = [
    "Betting",
    "CoordinateBetting",
    "Diagonal",
    "DiagonalMatrix",
    "Entropy",
    "Euclidean",
    "FullMatrix",
    "PNorm",
    "Proximal",
    "SignedEntropy",
    "SimplexEntropy",
    "extend",
    "extra_sums",
    "factor",
    "length",
    "move",
    "observe_gradient",
    "refresh",
    "start",
    "weights",
]
