"""Which theorems speak about a learner: those that it declares."""

from __future__ import annotations

from ...lazy import sibling
from .theorem import AnyTheorem


def theorems_about(learner: object) -> tuple[AnyTheorem, ...]:
    """All theorems about a learner, or a class of them; none if nothing is proven.

    A learner declares ``theorems``: objects, or the names of lists of them, each in a
    module of this package, with blanks between them.
    """
    declared: str | tuple[AnyTheorem, ...] = getattr(learner, "theorems", ())
    if not isinstance(declared, str):
        return declared
    lists = [sibling(__package__, path) for path in declared.split()]
    return tuple(theorem for theorems in lists for theorem in theorems)
