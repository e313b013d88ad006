"""Predictions as objects, with the sets of a model that has any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..parts.documents import Document

if TYPE_CHECKING:
    from ..models.model import Model
    from ..parts.state import Floats

__all__ = ["with_sets"]


def with_sets(rows: list[Document], model: Model, scores: Floats) -> list[Document]:
    """Predictions as objects, with the sets of a model that has any."""
    if model.coverage is None:
        return rows
    from ..models.sets import intervals_of, sets_of

    if model.classes is None:
        ends = intervals_of(model, scores).tolist()
        more = [{"low": low, "high": high} for low, high in ends]
    else:
        more = [
            {
                "set": [
                    label
                    for label, is_in in zip(model.classes, row, strict=True)
                    if is_in
                ]
            }
            for row in sets_of(model, scores).tolist()
        ]
    return [row | sets for row, sets in zip(rows, more, strict=True)]
