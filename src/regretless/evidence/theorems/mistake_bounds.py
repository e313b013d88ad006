"""The four mistake bounds that every kind of Perceptron has, each in its own letters.

A mistake adds F_t to w, with <w, F_t> <= 0 and |F_t|^2 = k |x_t|^2, so for every u ::

    M <= m + sum over mistakes of h_t(u) + |u| |w|,   |w|^2 <= k sum |x_t|^2 <= k R^2 M

where m counts mistakes that add nothing. With c = sum h_t(u) and b = sqrt(k) R |u| the
quadratic is solved for M; where u has a margin, c is 0 at u/margin.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Generic, NamedTuple

from .theorem import Assumption, F, Symbol, Theorem


class Letters(NamedTuple, Generic[F]):
    """The letters of a kind of Perceptron; `times` and `free` are k and m above."""

    mistakes: Symbol[F]
    hinge: Symbol[F]
    on_mistakes: Symbol[F]
    norm: Symbol[F]
    length: Symbol[F]
    squares: Symbol[F]
    c: Symbol[F]
    longest: Symbol[F]
    b: Symbol[F]
    margin: Symbol[F]
    times: float = 1.0
    free: float = 0.0


def root(c: float, b: float, free: float = 0.0) -> float:
    """The largest M with M <= c + b sqrt(M), and what is free."""
    return free + c + b * b / 2 + b * math.sqrt(b * b / 4 + c)


def mistake_bounds(
    name: str,
    letters: Letters[F],
    sources: Sequence[str],
    needs: tuple[Assumption[F], ...],
    separates: Assumption[F],
    note: str = "",
) -> tuple[Theorem[F], ...]:
    """The data form, that with the lengths of rows, the root, and the separable case.

    `sources` are those of the first two, of the root, and of the last; `note` ends
    every statement.
    """
    a, free, times = letters, letters.free, letters.times
    first = f"{free:g} + " * (free > 0.0)
    factor = f"{times:g} " * (times > 1.0)
    erred = f"M <= {first}{a.on_mistakes.name} + {a.norm.name}"
    seen = (a.mistakes, a.hinge, a.on_mistakes, a.norm)

    def data(facts: F, length: float) -> float:
        return free + a.on_mistakes(facts) + a.norm(facts) * length

    return (
        Theorem(
            f"{name}/data",
            f"{erred} {a.length.name}{note}",
            sources[0],
            lambda facts: data(facts, a.length(facts)),
            needs,
            follows=f"{name}/root",
            own=True,
            symbols=(*seen, a.length),
        ),
        Theorem(
            f"{name}/norms",
            f"{erred} sqrt({factor}{a.squares.name}){note}",
            sources[0],
            lambda facts: data(facts, math.sqrt(times * a.squares(facts))),
            needs,
            follows=f"{name}/root",
            own=True,
            symbols=(*seen, a.squares),
        ),
        Theorem(
            f"{name}/root",
            f"M <= {first}c + b^2/2 + b sqrt(b^2/4 + c){note}",
            sources[1],
            lambda facts: root(a.c(facts), a.b(facts), free),
            needs,
            symbols=(a.mistakes, a.hinge, a.c, a.longest, a.norm, a.b),
        ),
        Theorem(
            f"{name}/separable",
            f"M <= {first}{factor}(R {a.norm.name} / margin)^2{note}",
            sources[2],
            lambda facts: free + (a.b(facts) / a.margin(facts)) ** 2,
            (*needs, separates),
            symbols=(a.mistakes, a.longest, a.norm, a.margin),
        ),
    )
