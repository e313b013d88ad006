"""Geometries: in which sense a step is small, hence how weights move along a row.

Mirror descent, w' = argmin eta <g, w> + D(w, w_t), with one Bregman divergence D a
file: Euclidean (additive updates), p-norm (between the two), and three entropies
(multiplicative updates). Every one moves in O(nonzeros of the row). ``has_dual`` says
whether summed gradients are kept apart from weights, ``fixed`` whether the start
depends on the number of features.
"""

from .entropy import Entropy
from .euclidean import Euclidean
from .moves import dual_square, factor, move, refresh, start, weights
from .pnorm import PNorm
from .signed import SignedEntropy
from .simplex import SimplexEntropy

__all__ = [
    "Entropy",
    "Euclidean",
    "PNorm",
    "SignedEntropy",
    "SimplexEntropy",
    "dual_square",
    "factor",
    "move",
    "refresh",
    "start",
    "weights",
]
