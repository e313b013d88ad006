"""Predictions of many classes as text: a label a row, then a column a class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..parts.documents import Document

if TYPE_CHECKING:
    from ..models.model import Model
    from ..parts.state import Floats

__all__ = ["class_lines", "class_objects"]


def class_lines(model: Model, scores: Floats, *, scored: bool, probable: bool) -> str:
    """One line a row: the prediction, then what was asked for, a column a class."""
    labels = [str(label) for label in model.classes or ()]
    best: list[int] = scores.argmax(axis=1).tolist()
    columns = [[labels[k]] for k in best]
    if scored:
        for row, numbers in zip(columns, scores.tolist(), strict=True):
            row += [repr(number) for number in numbers]
    if probable:
        found = model.probabilities(scores).tolist()
        for row, chances in zip(columns, found, strict=True):
            row += [f"{chance:.6g}" for chance in chances]
    return "".join(f"{' '.join(row)}\n" for row in columns)


def class_objects(model: Model, scores: Floats) -> list[Document]:
    """One object a row, with probabilities where there are any."""
    classes = model.classes or ()
    labels = [str(label) for label in classes]
    rows: list[Document] = [
        {
            "prediction": classes[best],
            # A class that had not come when the model was frozen has no score.
            "scores": {
                label: number if number > -1e308 else None
                for label, number in zip(labels, numbers, strict=True)
            },
        }
        for best, numbers in zip(
            scores.argmax(axis=1).tolist(), scores.tolist(), strict=True
        )
    ]
    if model.probabilistic:
        found = model.probabilities(scores).tolist()
        for row, chances in zip(rows, found, strict=True):
            row["probabilities"] = dict(zip(labels, chances, strict=True))
    return rows
