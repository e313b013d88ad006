"""Predictions of a model as objects, one a row, for the document of --json."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..parts.documents import Document

if TYPE_CHECKING:
    from ..data.chunk import Array
    from ..models.model import Model
    from ..parts.state import Floats


def objects(model: Model, scores: Floats, tags: Array | None) -> list[Document]:
    """One object a row; with probabilities, a prediction set and a tag, if any."""
    if model.many:
        rows = _class_objects(model, scores)
    elif model.classes is None:
        rows = [{"prediction": score} for score in scores.tolist()]
    else:
        rows = [
            {"prediction": model.classes[score > model.cut], "score": score}
            for score in scores.tolist()
        ]
        if model.probabilistic:
            _add(rows, "probability", model.probabilities(scores)[:, 1].tolist())
    if model.coverage is not None:
        _add_sets(rows, model, scores)
    if tags is not None:
        for row, tag in zip(rows, tags.tolist(), strict=True):
            if tag:
                row["tag"] = tag
    return rows


def _add(rows: list[Document], name: str, values: list[object]) -> None:
    for row, value in zip(rows, values, strict=True):
        row[name] = value


def _class_objects(model: Model, scores: Floats) -> list[Document]:
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
        _add(
            rows,
            "probabilities",
            [dict(zip(labels, chances, strict=True)) for chances in found],
        )
    return rows


def _add_sets(rows: list[Document], model: Model, scores: Floats) -> None:
    from ..models.sets import intervals_of, sets_of

    if model.classes is None:
        ends = intervals_of(model, scores)
        _add(rows, "low", ends[:, 0].tolist())
        _add(rows, "high", ends[:, 1].tolist())
        return
    pairs = [zip(model.classes, row, strict=True) for row in sets_of(model, scores)]
    _add(rows, "set", [[label for label, is_in in row if is_in] for row in pairs])
