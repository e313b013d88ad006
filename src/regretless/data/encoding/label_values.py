"""Single labels and arrays of them: what is missing, what is a value, what is equal."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from ...errors import BadRow
from ..chunk import Array, Mask

ENDLESS = "is not a finite number"
UNWRITABLE = "holds U+0000 or half a character, which no file of text can hold"
HALF = re.compile("[\ud800-\udfff]")


def plain_label(value: object) -> Hashable:
    """A numpy scalar as the Python object it stands for; 1.0 as 1."""
    item = getattr(value, "item", None)
    plain: object = value if item is None else item()
    return int(plain) if isinstance(plain, float) and plain.is_integer() else plain


def checked_labels(stored: Iterable[object]) -> list[Hashable]:
    """The labels of a file: no two are equal, and all numbers are finite.

    None stands for a class that has not come.
    """
    labels = [plain_label(each) for each in stored]
    came = [label for label in labels if label is not None]
    if len({*came}) < len(came) or any(map(is_missing, came)):
        raise ValueError("its labels are equal, or missing")
    if any(map(is_infinite, came)):
        raise ValueError("one of its labels is infinite")
    return labels


def checked_label(y: object, row: int) -> Hashable:
    """A label of a class; :class:`BadRow` where it is missing, or cannot be one."""
    label = plain_label(y)
    try:
        hash(label)
        lacking = is_missing(label)
    except (TypeError, ValueError):
        raise BadRow(row, f"label {y!r:.60} cannot be a class") from None
    if lacking:
        raise BadRow(row, f"label {label!r} is missing")
    if is_infinite(label):
        raise BadRow(row, f"label {label} {ENDLESS}")
    if is_unwritable(label):
        raise BadRow(row, f"label {label!r:.60} {UNWRITABLE}")
    return label


def is_unwritable(label: object) -> bool:
    """Whether it is a word that not every file can hold, nor an array of numpy."""
    if not isinstance(label, str) or (label.isascii() and "\0" not in label):
        return False
    return "\0" in label or HALF.search(label) is not None


def is_missing(label: object) -> bool:
    """Whether it is None, nan, or pandas' NA."""
    return label is None or (label == label) is not True  # noqa: PLR0124 - nan


def is_infinite(label: object) -> bool:
    """Whether it is a number without end."""
    return isinstance(label, float) and math.isinf(label)


def label_array(y: Any) -> Array:
    """Labels as an array.

    numpy writes "nan" for one that is missing in a list, and drops U+0000 at an end.
    """
    array: Array = np.asarray(y)
    words = array.dtype.kind == "U" and not hasattr(y, "dtype")
    if words and not all(isinstance(label, str) and "\0" not in label for label in y):
        return np.asarray(y, object)
    return array


def missing_labels(labels: Array) -> Mask:
    """Which labels of an array are missing."""
    if labels.dtype.kind == "f":
        return np.isnan(labels)
    if labels.dtype.kind != "O":
        return np.zeros(labels.size, np.bool_)
    return np.array([is_missing(plain_label(label)) for label in labels], np.bool_)


def few_values(labels: Array) -> list[Hashable]:
    """The distinct values, or the first three of them, in order of appearance."""
    values: list[Hashable] = []
    rest: Mask = np.ones(labels.size, np.bool_)
    while len(values) < 3 and rest.any():
        found = labels[int(np.argmax(rest))]
        values.append(plain_label(found))
        rest &= labels != found
    return values


def first_three(labels: Iterable[object]) -> list[Hashable]:
    """The same of single labels; what cannot be a class is left for later."""
    found: dict[Hashable, None] = {}
    for label in labels:
        if isinstance(label, Hashable):
            found.setdefault(label)
        if len(found) == 3:
            break
    return list(found)


def equal_labels(labels: Array, value: Hashable) -> Mask:
    """Which labels are this value; None is none of them."""
    return np.zeros(labels.size, np.bool_) if value is None else labels == value
