"""The panels there are: by how their curves see a number, and by how many members."""

from __future__ import annotations

from ..part_types import Part
from .row_views import Hats, Lines
from .state import Constants

VIEWS: dict[str, Part] = {"hat": Hats(), "linear": Lines()}
PANELS = {
    8: Constants(),
    4: Constants(row_steps=(40.0,), row_hinges=1, curve_steps=(4.0,)),
}


def name_of_view(view: Part) -> str:
    """What a view is called in files."""
    return next(name for name, one in VIEWS.items() if one.__class__ is view.__class__)
