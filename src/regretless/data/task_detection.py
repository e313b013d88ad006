"""Which task labels suggest: two classes, many, or amounts; and how sure that is.

Words are classes, numbers with fractions are amounts. Whole numbers may be either.
Classes are mostly numbered from 0 or 1 without gaps, and how often one comes says
nothing about the next: that is told by von Neumann's ratio of the counts c of the
values in order,

    sum (c_{i+1} - c_i)^2 / sum (c_i - mean)^2,

about 2 for classes, and near 0 for amounts, whose counts rise and fall smoothly. Counts
that are all about the same (no more dispersed than those of fair dice) are not judged.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from ..parts.state import Floats
from .chunk import Lines
from .encoding.label_values import label_array, missing_labels

FEW = 20  # whole numbers that are no numbers of classes: more are amounts
MANY = 1_000  # that are amounts without doubt, where there are gaps
CLASSES = 100  # more whole numbers are classes only where each comes several times
SEVERAL = 5
SMOOTH = 1.0  # a ratio below this is no accident
DISPERSED = 4.0  # times the variance of counts that fair dice would have, at least
JUDGED = 10  # values whose counts can be called smooth, at least
DENSE = 0.9  # of the numbers from the first to the last, where there are no gaps
IDS = 100  # words, all different, that are called ids
NUMBER = r"[-+]?(?:\d{1,3}(?:[ ,.']\d{3})+|\d+)(?:[.,]\d+)?"
AMOUNT = re.compile(rf"([$€£]?) ?{NUMBER} ?(%|[a-zA-Z]{{0,3}}[23²³]?)")


class Suggestion(NamedTuple):
    """A task, why, and which other task it might be."""

    task: str
    why: str
    other: str = ""

    def line(self) -> str:
        """All of it, in one line."""
        what = {"multiclass": "classes", "regression": "amounts"}
        if self.task not in what:
            return f"labels: {self.why}"
        line = f"labels: {what[self.task]} ({self.why})"
        if self.other:
            line += f"; if they are {what[self.other]}, say --task {self.other}"
        return line


def task_of(labels: object) -> str:
    """The task that the first labels of a stream suggest: see :func:`suggested`."""
    return suggested(labels).task


def suggested(labels: object) -> Suggestion:
    """Which task the first labels of a stream suggest, and why.

    At most two values are "binary". Words are "multiclass", numbers with fractions
    "regression". Whole numbers are "multiclass" where they are numbered from 0 or 1
    without gaps and no smooth curve of counts, or where there are few; above 100, each
    must come five times. Missing labels (nan, None) do not count.

    Examples
    --------
    >>> from regretless.data.task_detection import suggested
    >>> suggested([1, 2, 3, 4, 5, 4]).line()
    'labels: classes (5 whole numbers from 1 to 5); if they are amounts, say --task regression'
    """  # noqa: E501 - one line of output
    array = label_array(labels).reshape(-1)
    if array.dtype.kind not in "fiub":
        words = {str(label) for label in array[~missing_labels(array)]}
        if len(words) <= 2:
            return Suggestion("binary", "two classes")
        return Suggestion("multiclass", f"{len(words):,} words")
    numbers = array.astype(np.float64)
    values, counts = np.unique(numbers[~np.isnan(numbers)], return_counts=True)
    if len(values) <= 2:
        return Suggestion("binary", "two classes")
    if not np.all(values == np.floor(values)):
        return Suggestion("regression", "numbers with fractions")
    return _whole(values, counts)


def no_classes(labels: object) -> str:
    """Why words are no classes, and what to do about it; empty where they may be some.

    Examples
    --------
    >>> from regretless.data.task_detection import no_classes
    >>> no_classes([f"${k},500" for k in range(1, 30)])
    "the labels look like amounts ('$1,500'): write plain numbers, such as 1500"
    """
    array = np.asarray(labels)
    if array.dtype.kind in "fiub":
        return ""
    words = [str(label) for label in array if label is not None]
    different = set(words)
    if len(different) > FEW:
        looks = [AMOUNT.fullmatch(word) for word in different]
        if all(looks) and len({look.groups() for look in looks if look}) == 1:
            plain = re.sub(r"[^-+\d.]", "", words[0])
            return (
                f"the labels look like amounts ({words[0]!r:.40}): write plain "
                f"numbers, such as {plain}"
            )
    if len(different) == len(words) >= IDS:
        return (
            f"every row has a label of its own ({words[0]!r:.40}, {words[1]!r:.40}), "
            "like ids: name another column"
        )
    return ""


def _whole(values: Floats, counts: Lines) -> Suggestion:
    """Whole numbers, in order, and how often each comes."""
    size, low, high = len(values), values[0], values[-1]
    why = f"{size:,} whole numbers from {low:,.0f} to {high:,.0f}"
    numbered = low in (0.0, 1.0) and size >= DENSE * (high - low + 1.0)
    each = counts.sum() / size
    if not numbered:
        if size > FEW:
            why += ", which are not numbered from 0 or 1 without gaps"
            doubt = "multiclass" if size <= MANY else ""
            return Suggestion("regression", why, doubt)
        return Suggestion("multiclass", why, "regression")
    if size >= JUDGED and each >= SEVERAL and _rises_and_falls(counts):
        why += ", whose counts rise and fall smoothly"
        return Suggestion("regression", why, "multiclass")
    if size > CLASSES and each < SEVERAL:
        return Suggestion("regression", f"{why}, most of them rare", "multiclass")
    return Suggestion("multiclass", why, "regression")


def _rises_and_falls(counts: Lines) -> bool:
    """Whether counts differ by more than chance, and do so smoothly."""
    spread = float(((counts - counts.mean()) ** 2).sum())
    if spread < DISPERSED * counts.sum():
        return False
    return float((np.diff(counts) ** 2).sum()) < SMOOTH * spread
