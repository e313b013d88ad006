"""Labels of a stream of files that are any number of classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..parts.state import Floats
from .encoding.class_labels import ClassIndex, plain_label
from .targets import Targets

__all__ = ["ClassTargets", "targets_for"]


def targets_for(binary: bool, many: bool, positive: Any) -> Targets | ClassTargets:
    """The code of labels before any came: two classes, many, or numbers."""
    if not many:
        return Targets(binary, positive)
    if positive is not None:
        raise ValueError(f"positive={positive!r} is for two classes, not for many")
    return ClassTargets()


class ClassTargets:
    """The code between the labels of files and classes, kept chunk after chunk.

    Classes are numbered as they first come. A missing label stays missing: nan.
    """

    binary = False

    def __init__(self) -> None:
        self._roll = ClassIndex()

    @property
    def classes(self) -> tuple[Any, ...]:
        """The labels that have come, in order."""
        return self._roll.classes

    def state(self) -> list[Any]:
        """What :meth:`restore` takes."""
        return list(self.classes)

    def restore(self, state: list[Any]) -> None:
        """Go on with the code of an earlier stream."""
        self._roll.load(state)

    def encode(self, labels: Any) -> tuple[Floats, list[tuple[int, str]]]:
        """Targets of a chunk; and the rows that have a bad label, and why."""
        if labels.dtype == object:
            return self._encode_words(labels)
        targets: Floats = np.full(labels.size, np.nan)
        bad = [(i, _endless(labels[i])) for i in np.flatnonzero(np.isinf(labels))]
        values, firsts, places = np.unique(
            labels, return_index=True, return_inverse=True
        )
        numbers = np.full(values.size, np.nan)
        refused: dict[int, str] = {}
        for place in np.argsort(firsts, kind="stable").tolist():
            if np.isfinite(values[place]):
                numbers[place] = self._number(values[place], place, refused)
        places = places.reshape(-1)
        targets = numbers[places]
        if refused:
            found = np.flatnonzero(np.isin(places, list(refused))).tolist()
            bad += [(i, refused[int(places[i])]) for i in found]
        return targets, sorted((int(i), why) for i, why in bad)

    def _encode_words(self, labels: Any) -> tuple[Floats, list[tuple[int, str]]]:
        targets: Floats = np.full(labels.size, np.nan)
        refused: dict[int, str] = {}
        for i, label in enumerate(labels):
            if label is not None:
                targets[i] = self._number(label, i, refused)
        return targets, sorted(refused.items())

    def _number(self, value: Any, place: int, refused: dict[int, str]) -> float:
        label = plain_label(value)
        try:
            return float(self._roll.number(label))
        except ValueError as error:
            refused[place] = f"label {label!r:.40} {error}"
            return float("nan")


def _endless(label: Any) -> str:
    return f"label {label.item()!r} is not a finite number"
