"""Warnings of a training: what would have helped its user to know, a line each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..data.encoding.hash_index import WIDE
from ..data.encoding.tables import DATE
from ..engine.feature_names import numbered
from ..evidence.claims.doubts import no_better, why_not
from ..evidence.judged_run import JudgedRun
from ..evidence.summary import RARE, is_rare
from ..parts.reprs import percent
from .layout import in_brief
from .seen_columns import SeenColumns, group_column, members_of

if TYPE_CHECKING:
    from .conclusion import Conclusion
    from .request import Request


DISTINCT = 0.8  # of the rows: more different words than that are no categories
NEARLY_ALL = 0.9  # of the first rows, where the words of all cannot be counted
FULL = 0.25  # of all features: from here on words are not counted by them
ENOUGH = 100  # words that a column is called an id by
FEW = 10  # words that are no dates or numbers that were made categories
ALIKE = 0.9  # of the words of a column that look like something else
LARGE = 100.0  # entries that a linear learner should not be given as they are
SENTENCE = re.compile(r"\S+(\s+\S+){2,}\s*")
AMOUNT = re.compile(r"[-+]?[$€£]?\s*\d[\d,._ ]*\s*(%|[a-zA-Z]{1,3}[23²³]?)?")


def cautions_of(conclusion: Conclusion) -> list[str]:
    """Every warning, the most important first."""
    run, request = conclusion.run, conclusion.request
    found = [*_uncertified(conclusion), *([conclusion.lost] if conclusion.lost else [])]
    if request.initial_model is None and (alone := _alone(run)):
        return [*found, alone]
    model = conclusion.model
    shown = conclusion.certificate if model is None else model.certificate
    found += () if shown is None else shown.cautions
    found += _texts_and_ids(run, conclusion.ids)  # what to type comes first
    found += column_cautions(run)
    found += _groups(conclusion)
    slower = "; without --fast it would have a forest" * request.fast
    if run.doubts.words and (run.doubts.diverges or not request.class_weight):
        found.append(f"{run.doubts.words}{slower}")
    elif _no_better(run) and not request.class_weight:
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
    found += _unbalanced(run, request)
    if request.class_weight:
        found.append(
            "class weights are in use: probabilities are not those of the data, and "
            "errors count each row once, which is not what was learned"
        )
    return found


def _uncertified(conclusion: Conclusion) -> Iterator[str]:
    """That nothing is certified, and why: it comes first."""
    run, reason = conclusion.run, conclusion.why_not
    if conclusion.model is not None and conclusion.model.operating_point is not None:
        reason = reason and why_not(run)  # that of the threshold is told beside it
    if run.coverage is not None and run.mistakes is None and reason != run.replay:
        reason = ""  # what is promised about intervals is told instead
    if reason and run.change is not None:
        reason = run.change.brief
    if reason:
        yield in_brief(f"{reason[:1].lower()}{reason[1:]}")


def _no_better(run: JudgedRun) -> bool:
    return run.measured is not None and no_better(run.measured)


def _texts_and_ids(run: JudgedRun, seen: SeenColumns) -> Iterator[str]:
    """Columns of words that are texts, and columns that are new in every row."""
    words = words_like_ids(run, seen)
    for name in _sentences(run, words):
        yield f"column {name!r} holds texts: --text {name} learns their words"
        words.remove(name)
    ids = [*words, *seen.ids]
    if ids:
        many, are = ("s", "are") if len(ids) > 1 else ("", "is")
        ignore = " ".join(f"--ignore {name}" for name in ids)
        named = ", ".join(map(repr, ids))
        yield f"column{many} {named} {are} new in nearly every row, like ids: {ignore}"


def _alone(run: JudgedRun) -> str:
    """That all labels are the same, where they are."""
    rate = getattr(run.measured, "rate", None)
    if rate not in (0.0, 1.0):
        return ""
    label = run.classes[int(rate)] if run.classes else int(rate)
    return f"every label is {label}: there is nothing to tell it from"


def _unbalanced(run: JudgedRun, request: Request) -> Iterator[str]:
    """Classes so unbalanced that the error means little."""
    if not is_rare(run.measured):
        return
    rate: float = getattr(run.measured, "rate", 0.5)
    label = run.classes[int(rate < RARE)] if run.classes else int(rate < RARE)
    read, more = "read AUC and log loss", ""
    if rate >= RARE:  # those that are printed are of the other class
        read = f"give --positive {label} to read its precision and recall"
    elif request.threshold is None:
        saved = "-o FILE " * (request.output is None)
        more = f"; {saved}--threshold recall=0.8 finds more of them"
    yield (
        f"only {percent(min(rate, 1.0 - rate))} of the rows are {label}: {read}, "
        f"not the error{more}"
    )


def _scales(run: JudgedRun) -> Iterator[str]:
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


def column_cautions(run: JudgedRun) -> Iterator[str]:
    """Columns of tables that are not what they seem, and were not declared to be."""
    for name, values in _words(run).items():
        if len(values) < FEW or name in _declared(run):
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


def words_like_ids(run: JudgedRun, seen: SeenColumns) -> list[str]:
    """Columns of words that are nearly all different.

    Words are counted by their features, of which there are 2^bits: where those run out,
    the first rows tell.
    """
    full = _is_full(run)
    return [
        name
        for name, values in _words(run).items()
        if len(values) >= ENOUGH
        and name not in _declared(run)
        and (
            len(values) >= DISTINCT * run.rounds
            or (full and seen.fresh.get(name, 0.0) >= NEARLY_ALL)
        )
        and max(_share(DATE, values), _share(AMOUNT, values)) < ALIKE
    ]


def _groups(conclusion: Conclusion) -> Iterator[str]:
    """A column of ids that come again, where single rows are certified."""
    run, request = conclusion.run, conclusion.request
    certified = not conclusion.why_not and run.rounds
    if not certified or request.reading.get("group") is not None:
        return
    words = {name: len(values) for name, values in _words(run).items()}
    counts = {**conclusion.ids.values, **words}
    name = group_column(counts, run.rounds)
    if name is not None:
        each = f"{run.rounds / counts[name]:,.0f} rows each"
        yield (
            f"column {name!r} repeats ({counts[name]:,} values, {each}): if "
            f"new rows will come from new {members_of(name)}, seal by it: "
            f"--seal 10% --group {name}"
        )


def _declared(run: JudgedRun) -> tuple[str, ...]:
    """Columns that the user has declared to be categories."""
    return tuple(map(str, run.reading.get("categorical") or ()))


def _is_full(run: JudgedRun) -> bool:
    """Whether so many features were met that different words share them."""
    bits = run.reading.get("bits") or WIDE
    return len(run.names or ()) >= FULL * 2**bits


def _sentences(run: JudgedRun, names: list[str]) -> list[str]:
    """Those of the columns whose values are mostly several words long."""
    known = _words(run)
    return [name for name in names if _share(SENTENCE, known[name]) >= ALIKE / 2.0]


def _words(run: JudgedRun) -> dict[str, list[str]]:
    """The words of each column of words that were met."""
    columns = run.reading.get("columns") or ()
    found: dict[str, list[str]] = {n: [] for n, kind in columns if kind == "word"}
    for _, each in numbered(run.names, 0) if found else ():
        column, equals, value = str(each).partition("=")
        if equals and column in found:
            found[column].append(value)
    return found


def _share(pattern: re.Pattern[str], values: list[str]) -> float:
    return sum(bool(pattern.fullmatch(each)) for each in values) / len(values)
