"""What ``scale=`` names: the views that make a learner free of the features' units."""

from __future__ import annotations

from ...parts.part_types import View
from ...parts.views import AsIs, RunningMax, RunningRMS

__all__ = ["view_named"]

_VIEWS: dict[str | None, View] = {
    None: AsIs(),
    "rms": RunningRMS(),
    "max": RunningMax(),
}


def view_named(scale: str | None) -> View:
    """The view of this name; raise ``ValueError`` where there is none."""
    if scale is not None and not isinstance(scale, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f'scale={scale!r:.40} must be None, "rms" or "max"')
    if scale not in _VIEWS:
        raise ValueError(f'scale={scale!r:.40} must be None, "rms" or "max"')
    return _VIEWS[scale]
