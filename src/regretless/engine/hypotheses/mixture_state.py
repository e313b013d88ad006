"""The mixture of panels of many classes as arrays by name, for files, and back."""

from __future__ import annotations

from ...parts.documents import Document
from ...parts.panel.class_mixture import LIVE, REMEMBERED, ClassMixture
from ..storage import checked_array

MIXTURE = "mixture_"  # begins the names of its arrays


def mixture_arrays(mixture: ClassMixture) -> Document:
    """What a mixture remembers, by name; copies. Nothing where there is none."""
    if mixture.numbers[LIVE] == 0.0:
        return {}
    return {MIXTURE + name: getattr(mixture, name).copy() for name in REMEMBERED}


def mixture_from(arrays: Document, fresh: ClassMixture) -> ClassMixture:
    """The mixture that was written down, in place of a fresh one.

    One that plays no part where there is none; ValueError if it is invalid.
    """
    if MIXTURE + "numbers" not in arrays:
        fresh.numbers[LIVE] = 0.0
        return fresh
    for name in REMEMBERED:
        array = getattr(fresh, name)
        array[:] = checked_array(arrays, MIXTURE + name, shape=array.shape)
    return fresh
