"""Labels of a stream of files: which are -1 and +1."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..parts.state import Floats

__all__ = ["Targets"]

ENDLESS = "is not a finite number"
MORE = "OneVersusRest(...) and MulticlassPerceptron() take more"
WHICH = "say --positive (positive=), the label that is +1"


class Targets:
    """The code between the labels of files and the kernels', kept chunk after chunk.

    Where labels are two classes: 1 is +1 and -1 or 0 is -1; any other two values of the
    first chunk are -1 (the smaller) and +1; `positive` says otherwise. A third value is
    an error. A missing label stays missing: nan.
    """

    def __init__(self, binary: bool, positive: Any = None) -> None:
        self.binary = binary
        self.wanted = positive
        self.negative: Any = None
        self.positive: Any = None

    @property
    def classes(self) -> tuple[Any, Any] | None:
        """The labels that became -1 and +1, as far as they are known."""
        if not self.binary:
            return None
        negative, positive = self.negative, self.positive
        return (
            -1 if negative is None else _plain(negative),
            1 if positive is None else _plain(positive),
        )

    def state(self) -> list[Any]:
        """What :meth:`restore` takes."""
        return [self.negative, self.positive]

    def restore(self, state: list[Any]) -> None:
        """Go on with the code of an earlier stream."""
        self.negative, self.positive = state

    def encode(self, labels: Any) -> tuple[Floats, list[tuple[int, str]]]:
        """Targets of a chunk; and the rows that have a bad label, and why."""
        words = labels.dtype == object
        missing = _missing(labels)
        endless = _none(labels) if words else np.isinf(labels)
        if self.binary:
            why = self._decide(labels[~missing & ~endless], words)
            up, down = _equal(labels, self.positive), _equal(labels, self.negative)
            targets: Floats = np.where(up, 1.0, np.where(down, -1.0, np.nan))
        elif words:
            why = "is not a number"
            targets = np.full(labels.size, np.nan)
        else:
            why = ""
            targets = np.where(endless, np.nan, labels)
        bad = np.flatnonzero(np.isnan(targets) & ~missing)
        return targets, [
            (i, f"label {_show(labels[i])} {ENDLESS if endless[i] else why}")
            for i in bad.tolist()
        ]

    def _decide(self, labels: Any, words: bool) -> str:
        """Settle what is open, from the labels of a chunk; why others are bad."""
        values = _few(labels)
        open_still = self.negative is None or self.positive is None
        if not values or not open_still:
            return self._why()
        if self.wanted is not None:
            self._decide_wanted(values, words)
        elif words:
            if self.negative is None and len(values) > 1:
                self.negative, self.positive = sorted(values[:2])
        elif self.positive is None:
            self._decide_numbers(values)
        else:
            self.negative = next((value for value in values if value in (-1, 0)), None)
        return self._why()

    def _decide_wanted(self, values: list[Any], words: bool) -> None:
        try:
            self.positive = str(self.wanted) if words else float(self.wanted)
        except ValueError:
            raise ValueError(
                f"positive={self.wanted!r}, but labels are numbers"
            ) from None
        others = [value for value in values if value != self.positive]
        if self.negative is None and others:
            self.negative = others[0]

    def _decide_numbers(self, values: list[Any]) -> None:
        if set(values) <= {-1, 1} or set(values) <= {0, 1}:
            self.positive = 1.0
            self.negative = next((value for value in values if value != 1), None)
        elif len(values) > 1:
            self.negative, self.positive = sorted(values[:2])

    def _why(self) -> str:
        """Why a label that is neither of the two is bad."""
        if self.positive is None:
            return f"is the only one in the first rows: {WHICH}"
        if self.negative is None:
            return f"comes after {_show(self.positive)} alone: {WHICH}"
        return (
            f"is a third value after {_show(self.negative)} and "
            f"{_show(self.positive)}: a binary learner takes two, {MORE} (--task "
            "multiclass, or regression where they are amounts)"
        )


def _missing(labels: Any) -> Any:
    if labels.dtype == object:
        return np.array([label is None for label in labels], np.bool_)
    return np.isnan(labels)


def _few(labels: Any) -> list[Any]:
    """The distinct values, or the first three of them, in order of appearance."""
    values: list[Any] = []
    rest: Any = np.ones(labels.size, np.bool_)
    while len(values) < 3 and rest.any():
        found = labels[int(np.argmax(rest))]
        values.append(found.item() if hasattr(found, "item") else found)
        rest &= labels != found
    return values


def _equal(labels: Any, value: Any) -> Any:
    return _none(labels) if value is None else labels == value


def _none(labels: Any) -> Any:
    return np.zeros(labels.size, np.bool_)


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _show(value: Any) -> str:
    item = value.item() if hasattr(value, "item") else value
    return f"{_plain(item)!r:.40}"
