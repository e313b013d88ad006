"""Warnings of a training: what would have helped its user to know, a line each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..data.encoding.tables import DATE
from ..evidence.claims.doubts import no_better
from ..evidence.summary import percent
from ..runs.run import Run

if TYPE_CHECKING:
    from ..data import Batch, FileSource
    from ..parts.state import Floats
    from .conclusion import Conclusion

__all__ = ["IdColumns", "cautions_of", "column_cautions"]

RARE = 0.05  # the share of a class below which the error says little
DISTINCT = 0.5  # of the rows: more different words than that are no categories
ENOUGH = 100  # rows that a column is called an id by
FEW = 10  # words that are no dates or numbers that somebody made categories
ALIKE = 0.9  # of the words of a column that look like something else
CLOSE = 4.0  # times the rows: numbers that range no farther may be those of rows
LARGE = 100.0  # entries that a linear learner should not be given as they are
SENTENCE = re.compile(r"\S+(\s+\S+){2,}\s*")
AMOUNT = re.compile(r"[-+]?[$€£]?\s*\d[\d,._ ]*\s*(%|[a-zA-Z]{1,3}[23²³]?)?")


def cautions_of(conclusion: Conclusion) -> list[str]:
    """Every warning, the most important first."""
    run, request = conclusion.run, conclusion.request
    found = [conclusion.lost] if conclusion.lost else []
    if request.initial_model is None and (alone := _alone(run)):
        return [*found, alone]
    found += _texts_and_ids(run, conclusion.ids)  # what to type comes first
    found += column_cautions(run)
    if run.change is not None:
        found.append(run.change.brief)
    slower = "; without --fast it would have a forest" * request.fast
    if run.doubts.words and (run.doubts.diverges or not request.class_weights):
        found.append(f"{run.doubts.words}{slower}")
    elif _no_better(run) and not request.class_weights:
        found.append(
            "the learner is no better than one answer for all rows: see what is beside "
            f"its error{slower}"
        )
    if conclusion.choice.wrapped and request.learner is not None:
        found.append(
            "the labels have more than two values: one learner a class, against the "
            "rest (if they are amounts, say --task regression)"
        )
    found += _scales(run)
    found += _unbalanced(run)
    if request.class_weights:
        found.append(
            "class weights are in use: probabilities are not those of the data, and "
            "errors count each row once, which is not what was learned"
        )
    return found


def _no_better(run: Run) -> bool:
    return run.measured is not None and no_better(run.measured)


def _texts_and_ids(run: Run, numbered: tuple[str, ...]) -> Iterator[str]:
    """Columns of words that are texts, and columns that are new in every row."""
    words = words_like_ids(run)
    for name in _sentences(run, words):
        yield f"column {name!r} holds texts: --text {name} learns their words"
        words.remove(name)
    ids = [*words, *numbered]
    if ids:
        many, are = ("s", "are") if len(ids) > 1 else ("", "is")
        ignore = " ".join(f"--ignore {name}" for name in ids)
        named = ", ".join(map(repr, ids))
        yield f"column{many} {named} {are} new in nearly every row, like ids: {ignore}"


def _alone(run: Run) -> str:
    """That all labels are the same, where they are."""
    rate = getattr(run.measured, "rate", None)
    if rate not in (0.0, 1.0):
        return ""
    label = run.classes[int(rate)] if run.classes else int(rate)
    return f"every label is {label}: there is nothing to tell it from"


def _unbalanced(run: Run) -> Iterator[str]:
    """Classes so unbalanced that the error means little."""
    rate = getattr(run.measured, "rate", None)
    if rate is None or not min(rate, 1.0 - rate) < RARE:
        return
    label = run.classes[int(rate < RARE)] if run.classes else int(rate < RARE)
    read = "read AUC, precision and recall"
    if rate >= RARE:  # those that are printed are of the other class
        read = f"give --positive {label} to read its precision and recall"
    yield (
        f"only {percent(min(rate, 1.0 - rate))} of the rows are {label}: {read}, "
        f"not the error (--class-weight {label}=10 finds more)"
    )


def _scales(run: Run) -> Iterator[str]:
    """Large columns that a linear learner takes as they are."""
    largest = getattr(run.ledger, "max_abs_entry", None)
    if largest is None or largest <= LARGE or not run.learner.linear:
        return
    if run.learner.scales_columns:
        return
    parts = getattr(run.player, "parts", None)
    if parts is not None and type(parts.view).__name__ != "AsIs":
        return
    yield (
        f"columns are as large as {largest:,.0f}, and {type(run.learner).__name__} "
        "takes them as they are: scale them, or use the default learner"
    )


def column_cautions(run: Run) -> Iterator[str]:
    """Columns of tables that are not what they seem."""
    for name, values in _words(run).items():
        if len(values) < FEW:
            continue
        looks = {
            "dates": (DATE, "write 2024-12-31, and they are learned as numbers"),
            "numbers": (AMOUNT, "write plain numbers"),
        }
        for what, (pattern, advice) in looks.items():
            if _share(pattern, values) >= ALIKE:
                yield (
                    f"column {name!r} looks like {what}, and is learned as "
                    f"{len(values):,} words: {advice}, or --ignore {name}"
                )
                break


def words_like_ids(run: Run) -> list[str]:
    """Columns of words that are nearly all different."""
    return [
        name
        for name, values in _words(run).items()
        if len(values) >= max(ENOUGH, DISTINCT * run.rounds)
        and max(_share(DATE, values), _share(AMOUNT, values)) < ALIKE
    ]


def _sentences(run: Run, names: list[str]) -> list[str]:
    """Those of the columns whose values are mostly several words long."""
    known = _words(run)
    return [name for name in names if _share(SENTENCE, known[name]) >= ALIKE / 2.0]


class IdColumns:
    """A watcher that looks for columns like ids in the first batch.

    Attributes
    ----------
    found : tuple of str
        Their names.
    """

    scored = False

    def __init__(self, source: FileSource) -> None:
        self._source = source
        self._looked = False
        self.found: tuple[str, ...] = ()

    def after(self, batch: Batch, scores: Floats | None, session: object) -> None:
        """Look at the first batch."""
        if not self._looked:
            self._looked, self.found = True, _numbers_like_ids(batch, self._source)

    def last(self, session: object) -> None:
        """Nothing is left to do."""


def _numbers_like_ids(batch: Batch, source: FileSource) -> tuple[str, ...]:
    """Columns whose numbers are whole and all different in a batch, as ids are."""
    from ..parts.rows import Dense

    rows, n = batch.rows, batch.targets.size
    columns = getattr(source.options, "columns", None) or ()
    numbers = {str(name) for name, kind in columns if kind == "number"}
    if n < ENOUGH or not numbers:
        return ()
    names = source.named or dict(enumerate(source.names or ()))
    found: list[str] = []
    for j, name in names.items():
        if str(name) not in numbers:
            continue
        if isinstance(rows, Dense):
            values = rows.values.reshape(n, rows.width)[:, j]
        else:
            first, last = rows.starts[0], rows.starts[-1]
            at = first + np.flatnonzero(rows.columns[first:last] == j)
            values = np.zeros(n)  # zeros are not stored
            values[np.searchsorted(rows.starts, at, "right") - 1] = rows.values[at]
        if _like_ids(values):
            found.append(str(name))
    return tuple(found)


def _like_ids(values: Floats) -> bool:
    """Whether numbers are whole, all different, and in order or close together."""
    if (values != np.floor(values)).any():
        return False
    steps = np.diff(np.sort(values))
    if not (steps > 0.0).all():
        return False
    rising = np.diff(values) > 0.0
    return bool(rising.all() or (~rising).all() or steps.sum() <= CLOSE * values.size)


def _words(run: Run) -> dict[str, list[str]]:
    """The words of each column of words that were met."""
    columns = run.reading.get("columns") or ()
    found: dict[str, list[str]] = {n: [] for n, kind in columns if kind == "word"}
    names: Any = run.names
    if not found or not isinstance(names, dict):
        return {}
    for each in cast("dict[int, Any]", names).values():
        column, equals, value = str(each).partition("=")
        if equals and column in found:
            found[column].append(value)
    return found


def _share(pattern: re.Pattern[str], values: list[str]) -> float:
    return sum(bool(pattern.fullmatch(each)) for each in values) / len(values)
