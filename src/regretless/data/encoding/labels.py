"""Labels: the one code between a user's labels and the numbers that kernels take.

The rule is the same for files, arrays, frames, streams, ``learn_one`` and shards:

- two classes become -1 and +1. -1/+1, 0/1 and False/True are known by themselves, and
  need not both have come. Of any other two values the smaller is -1; ``positive`` says
  otherwise. A third value is an error;
- many classes are numbered as they first come; amounts are finite numbers.

A label may be a word, a number, or a boolean; a numpy scalar is what it stands for, and
1.0 is 1. Labels of files may be missing: their target is nan.
"""

from __future__ import annotations

import abc
import math
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from ...errors import BadRow, did_you_mean
from ...parts.documents import Document
from ...parts.state import Floats
from ..chunk import Array
from .label_values import (
    ENDLESS,
    UNWRITABLE,
    checked_label,
    checked_labels,
    equal_labels,
    few_values,
    first_three,
    is_infinite,
    is_missing,
    is_unwritable,
    label_array,
    missing_labels,
    plain_label,
)
from .plain_numbers import float_of

MOST = 10_000  # classes
FRACTIONS = 100  # labels that are no whole numbers: more than this are amounts
MORE = "OneVersusRest(...) and MulticlassPerceptron() take more"
WHICH = "say --positive (positive=), the label that is +1"
ONLY = f"is the only one in the first rows: {WHICH}"
Bad = list[tuple[int, str]]
Positive: TypeAlias = str | float | None


def label_codec(binary: bool, many: bool = False, positive: Positive = None) -> Labels:
    """The code of labels before any came: two classes, many, or amounts."""
    if not many:
        return TwoClassLabels(positive) if binary else AmountLabels()
    if positive is not None:
        raise ValueError(f"positive={positive!r} is for two classes, not for many")
    return ManyClassLabels()


class Labels(abc.ABC):
    """The code of labels, as far as they have come."""

    @property
    @abc.abstractmethod
    def classes(self) -> tuple[Hashable, ...] | None:
        """The user's labels for -1 and +1, or all classes; None: amounts."""

    @abc.abstractmethod
    def encode_some(self, labels: Array) -> tuple[Floats, Bad]:
        """Targets of the next rows; and the rows that have a bad label, and why."""

    @abc.abstractmethod
    def encode_one(self, y: object, row: int) -> float:
        """One label of a stream; :class:`BadRow` where it is missing or bad."""

    @abc.abstractmethod
    def state(self) -> list[object]:
        """What :meth:`restore` takes, as plain data."""

    @abc.abstractmethod
    def restore(self, state: Sequence[object]) -> None:
        """Go on with the code of an earlier stream."""

    def state_dict(self) -> Document:
        """The same as a mapping."""
        return {"classes": self.state()}

    def load_state(self, stored: Document) -> None:
        """Go on with the labels that :meth:`state_dict` named."""
        self.restore(checked_labels(stored["classes"]))

    def meet(self, labels: Iterable[object]) -> None:  # noqa: B027 - most have none open
        """Settle by the next labels of a stream what is still open."""

    def encode(self, y: object) -> Floats:
        """All labels at once: none may be missing.

        Raises
        ------
        BadRow
            At the first that is missing or bad.
        """
        array = label_array(y)
        if array.ndim == 2 and array.shape[1] == 1:
            array = array[:, 0]
        if array.ndim != 1:
            raise ValueError(f"y has {array.ndim} dimensions: it must have one")
        missing = np.flatnonzero(missing_labels(array))
        if missing.size:
            row = int(missing[0])
            why = ENDLESS if array.dtype.kind == "f" else "is missing"
            raise BadRow(row, f"label {array[row]!s} {why}")
        targets, bad = self.encode_some(array)
        if bad:
            raise BadRow(*bad[0])
        return targets


class TwoClassLabels(Labels):
    """Two classes.

    Parameters
    ----------
    positive : label or None
        The one that is +1; it may be spelled as a word.
    """

    def __init__(self, positive: Positive = None) -> None:
        self.wanted, self.came = positive, False  # whether any label was +1
        self.negative: Hashable = None
        self.positive: Hashable = None
        self.alone: Hashable = None  # the only label so far of a stream that is learned

    @property
    def classes(self) -> tuple[Hashable, Hashable]:
        """The labels for -1 and +1; -1 and 1 where none has come."""
        negative, positive = self.negative, self.positive
        if positive is None and self.alone is not None:
            return self.alone, self.alone
        return -1 if negative is None else negative, 1 if positive is None else positive

    @property
    def settled(self) -> bool:
        """Whether both are known."""
        return self.negative is not None and self.positive is not None

    def state(self) -> list[object]:
        """The two labels; None where one has not come."""
        lone = self.alone if self.positive is None else self.positive
        return [self.negative, lone]

    def restore(self, state: Sequence[object]) -> None:
        """Go on with the code of an earlier stream."""
        self.negative, self.positive = map(plain_label, state)

    def encode_some(self, labels: Array) -> tuple[Floats, Bad]:
        """Targets of the next rows; and the rows that have a bad label, and why."""
        missing = missing_labels(labels)
        no_label = np.isinf(labels) if labels.dtype.kind == "f" else missing & False
        values = few_values(labels[~missing & ~no_label])
        if any(map(is_unwritable, values)):
            no_label = np.array([is_unwritable(plain_label(y)) for y in labels])
            values = few_values(labels[~missing & ~no_label])
        self._settle(values)
        up, down = (equal_labels(labels, one) for one in (self.positive, self.negative))
        self.came |= bool(np.any(up))
        targets: Floats = np.where(up, 1.0, np.where(down, -1.0, np.nan))
        bad = np.flatnonzero(np.isnan(targets) & ~missing).tolist()
        why = [self._why(labels[i], no_label=bool(no_label[i])) for i in bad]
        return targets, list(zip(bad, why, strict=True))

    def encode(self, y: object) -> Floats:
        """All labels at once: one value alone must say which class it is."""
        try:
            return super().encode(y)
        except BadRow:
            values = few_values(label_array(y).reshape(-1))
            if len(values) > 1 or values[0] is None or is_infinite(values[0]):
                raise
            raise ValueError(
                f"y holds one value only, {values[0]!r}: which class is it? "
                "Use -1/+1 or 0/1"
            ) from None

    def encode_one(self, y: object, row: int) -> float:
        """One label of a stream."""
        label = checked_label(y, row)
        if not self.settled:
            self._settle([label])
        if self.positive is not None and label == self.positive:
            return 1.0
        if self.negative is not None and label == self.negative:
            return -1.0
        raise BadRow(row, self._why(label))

    def encode_alone(self, y: object, row: int, *, free: bool) -> float:
        """One label that is learned before the other one has come.

        The first label is taken for +1, unless it is known to be -1. The second one
        settles which it is: where `free`, by the rule, so that what has learned the
        first one as +1 has to look again; else it is -1.
        """
        label = checked_label(y, row)
        known = self.positive if self.alone is None else self.alone
        if known is None or label == known:
            self.alone = label
            self._settle([label])
            return -1.0 if self.negative is not None and label != 1 else 1.0
        if free:
            self.positive = None
            self._settle([known, label])
        else:
            self.negative, self.positive = label, known
        return self.encode_one(label, row)

    def meet(self, labels: Iterable[object]) -> None:
        """Settle by the next labels of a stream what is still open."""
        if not self.settled:
            known = (plain_label(label) for label in labels)
            self._settle(first_three(label for label in known if not is_missing(label)))

    def _settle(self, values: list[Hashable]) -> None:
        """Settle what is open, from the first values that came, in their order."""
        if not values or self.settled:
            return
        if self.wanted is not None:
            self._settle_wanted(self.wanted, values)
        elif self.positive is not None:
            self.negative = next((value for value in values if value in (-1, 0)), None)
        elif all(isinstance(value, bool) for value in values):
            self.negative, self.positive = False, True
        elif any(all(value in two for value in values) for two in ((-1, 1), (0, 1))):
            self.positive = 1
            self.negative = next((value for value in values if value != 1), None)
        elif len(values) > 1:
            try:
                first: list[Any] = values[:2]  # what has no order says so
                self.negative, self.positive = sorted(first)
            except TypeError:
                raise ValueError(
                    f"labels {values[0]!r} and {values[1]!r} cannot be put in order: "
                    "which is the positive class? Use -1/+1 or 0/1"
                ) from None

    def _settle_wanted(self, wanted: str | float, values: list[Hashable]) -> None:
        try:
            words = isinstance(values[0], str)
            self.positive = plain_label(str(wanted) if words else float(wanted))
        except ValueError:
            raise ValueError(f"positive={wanted!r}, but labels are numbers") from None
        if self.negative is None:
            self.negative = next((one for one in values if one != self.positive), None)

    def _why(self, value: object, *, no_label: bool = False) -> str:
        """Why a label that is neither of the two is bad."""
        shown = f"label {plain_label(value)!r:.40}"
        if no_label:
            return f"{shown} {UNWRITABLE if is_unwritable(value) else ENDLESS}"
        if self.positive is None:
            return f"{shown} {ONLY}"
        if self.wanted is not None and not self.came:
            others = did_you_mean(self.wanted, [self.negative, value])
            others = others or f": they are {self.negative!r:.40} and {value!r:.40}"
            return f"no label so far is positive={self.wanted!r:.40}{others}"
        if self.negative is None:
            return f"{shown} comes after {self.positive!r:.40} alone: {WHICH}"
        return (
            f"{shown} is a third value after {self.negative!r:.40} and "
            f"{self.positive!r:.40}: a binary learner takes two, {MORE} (--task "
            "multiclass, or regression where they are amounts)"
        )


class ManyClassLabels(Labels):
    """Any number of classes, in the order in which they first come."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}

    @property
    def classes(self) -> tuple[Hashable, ...]:
        """The labels that have come."""
        return tuple(self._numbers)

    def state(self) -> list[object]:
        """The labels that have come."""
        return list(self._numbers)

    def restore(self, state: Sequence[object]) -> None:
        """Go on with the code of an earlier stream."""
        self._numbers = {}
        for label in state:
            self._number(plain_label(label))

    def encode_some(self, labels: Array) -> tuple[Floats, Bad]:
        """Targets of the next rows; and the rows that have a bad label, and why."""
        missing = missing_labels(labels)
        if labels.dtype.kind == "O":
            values: list[object] = labels.tolist()
            order, places = range(len(values)), np.arange(len(values))
        else:
            found, firsts, places = np.unique(
                labels, return_index=True, return_inverse=True
            )
            values, places = found.tolist(), places.reshape(-1)
            order = np.argsort(firsts, kind="stable").tolist()
        numbers, refused = np.full(len(values), np.nan), dict[int, str]()
        for place in order:
            if not is_missing(values[place]):
                try:
                    numbers[place] = self.encode_one(values[place], place)
                except BadRow as error:
                    refused[place] = error.problem
        targets: Floats = numbers[places]
        bad = np.flatnonzero(np.isnan(targets) & ~missing).tolist()
        return targets, [(i, refused[int(places[i])]) for i in bad]

    def encode_one(self, y: object, row: int) -> float:
        """One label of a stream."""
        label = checked_label(y, row)
        try:
            return float(self._number(label))
        except ValueError as error:
            raise BadRow(row, f"label {label!r:.60} {error}") from None

    def forget(self, known: int) -> None:
        """Drop all classes but the first `known`."""
        while len(self._numbers) > known:
            self._numbers.popitem()

    def _number(self, label: Hashable) -> int:
        """The number of a label, a new one where it never came.

        Raises ``ValueError`` where there are more labels than there can be classes.
        """
        found = self._numbers.get(label)
        if found is not None:
            return found
        # Of whole numbers, each is an int.
        fractions = (isinstance(other, float) for other in self._numbers)
        if isinstance(label, float) and sum(fractions) == FRACTIONS:
            raise ValueError(
                f"comes after {FRACTIONS} other labels that are not whole numbers: "
                "these are amounts, which a regression learns, not classes"
            )
        if len(self._numbers) == MOST:
            raise ValueError(
                f"comes after {MOST:,} other labels, the most that can be classes: if "
                "they are amounts, use RegressionPanel() (--task regression)"
            )
        self._numbers[label] = len(self._numbers)
        return self._numbers[label]


class AmountLabels(Labels):
    """Finite numbers."""

    negative: Hashable = None
    positive: Hashable = None
    settled = True

    @property
    def classes(self) -> None:
        """There are none."""

    def state(self) -> list[object]:
        """Nothing is kept of them."""
        return [None, None]

    def restore(self, state: Sequence[object]) -> None:
        """Nothing is kept of them."""

    def encode_some(self, labels: Array) -> tuple[Floats, Bad]:
        """The next numbers; and the rows that have a bad one, and why."""
        if labels.dtype.kind in "buif":
            targets: Floats = np.array(labels, np.float64)
            bad = np.flatnonzero(np.isinf(targets)).tolist()
            targets[bad] = np.nan
            return targets, [(i, f"label {labels[i]} {ENDLESS}") for i in bad]
        targets, problems = np.full(labels.size, np.nan), list[tuple[int, str]]()
        for i in np.flatnonzero(~missing_labels(labels)).tolist():
            try:
                targets[i] = self.encode_one(labels[i], i)
            except BadRow as error:
                problems.append((i, error.problem))
        return targets, problems

    def encode_one(self, y: object, row: int) -> float:
        """One number of a stream."""
        try:
            number = float_of(y)
        except (TypeError, ValueError, OverflowError):
            raise BadRow(row, f"label {plain_label(y)!r} is not a number") from None
        if not math.isfinite(number):
            raise BadRow(row, f"label {number} {ENDLESS}")
        return number
