"""Predictions of a model as plain lines, JSON lines or objects, one a row."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ..parts.documents import Document

if TYPE_CHECKING:
    from ..data.chunk import Array
    from ..models.model import Model
    from ..parts.state import Floats

__all__ = ["json_lines", "objects", "plain_lines", "tagged_lines"]


def plain_lines(
    model: Model, scores: Floats, tags: Array | None, *, scored: bool, probable: bool
) -> str:
    """One line a row: the prediction, then what was asked for, then the tag."""
    if model.classes is None:
        return tagged_lines("".join(f"{score!r}\n" for score in scores.tolist()), tags)
    labels = [str(label) for label in model.classes]
    best = scores.argmax(axis=1) if model.many else (scores > model.cut).astype(int)
    chosen: list[int] = best.tolist()
    lines = [[labels[k]] for k in chosen]
    if scored:
        for line, numbers in zip(lines, _table(scores), strict=True):
            line += [repr(number) for number in numbers]
    if probable:
        chances = model.probabilities(scores)
        shown = _table(chances if model.many else chances[:, 1])
        for line, numbers in zip(lines, shown, strict=True):
            line += [f"{chance:.6g}" for chance in numbers]
    return tagged_lines("".join(f"{' '.join(line)}\n" for line in lines), tags)


def _table(numbers: Floats) -> list[list[float]]:
    """A row of numbers for every row, one where there are two classes."""
    return numbers.reshape(len(numbers), -1).tolist()


def tagged_lines(lines: str, tags: Array | None) -> str:
    """Whole lines, each with its tag behind it, as Vowpal Wabbit writes them."""
    if tags is None or not lines:
        return lines
    rows = zip(lines.removesuffix("\n").split("\n"), tags.tolist(), strict=True)
    return "".join(f"{line} {tag}\n" if tag else f"{line}\n" for line, tag in rows)


def json_lines(model: Model, scores: Floats, tags: Array | None) -> str:
    """Those of :func:`objects` as JSON, a line each."""
    from ..engine.storage import finite

    found = objects(model, scores, tags)
    return "".join(f"{json.dumps(finite(row), default=str)}\n" for row in found)


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
