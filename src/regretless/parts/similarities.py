"""Similarities K(a, b): inner products of two rows in a space of their own.

A kernel of rows is a function of a.b, |a|^2 and |b|^2 here, so that one loop serves all
of them, your own included.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from .generic import generic, implement, require

__all__ = ["RBF", "LinearKernel", "Polynomial", "similarity"]


@generic
def similarity(kernel: Any, dot: float, square_a: float, square_b: float) -> float:
    """K(a, b) of two rows, from a.b, |a|^2 and |b|^2; positive definite."""
    ...


class LinearKernel(NamedTuple):
    """K(a, b) = a.b: the space of the rows themselves."""


@implement(similarity, LinearKernel)
def _(kernel: LinearKernel, dot: float, square_a: float, square_b: float) -> float:
    return dot


class Polynomial(NamedTuple):
    """K(a, b) = (a.b + c)^degree: all products of up to `degree` features."""

    degree: int = 2
    c: float = 1.0

    def check(self) -> None:
        """Raise ValueError unless it is an inner product."""
        require(self.degree >= 1, self, "degree", "a whole number from 1 on")
        require(0.0 <= self.c < math.inf, self, "c", "0 or more")


@implement(similarity, Polynomial)
def _(kernel: Polynomial, dot: float, square_a: float, square_b: float) -> float:
    return (dot + kernel.c) ** kernel.degree


class RBF(NamedTuple):
    """K(a, b) = exp(-gamma |a - b|^2): near rows are alike."""

    gamma: float = 1.0

    def check(self) -> None:
        """Raise ValueError unless it is an inner product."""
        require(0.0 < self.gamma < math.inf, self, "gamma", "positive")


@implement(similarity, RBF)
def _(kernel: RBF, dot: float, square_a: float, square_b: float) -> float:
    return math.exp(-kernel.gamma * max(0.0, square_a + square_b - 2.0 * dot))
