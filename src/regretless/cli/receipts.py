"""The receipts on the screen: what was paid, what was promised, what is certified."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..evidence.claims import change_tests, power_of
from ..evidence.claims.doubts import why_not
from ..evidence.judged_run import JudgedRun
from ..evidence.theorems.showing import LEGEND, screen_table
from ..evidence.verdicts import other_game
from .conclusion import Conclusion, later_lines
from .console import show
from .first_screen import end_lines, head_lines, warning_lines
from .layout import (
    Drawing,
    Section,
    Shown,
    Words,
    facts_table,
    section,
    table_of,
    words,
)
from .progress import amount, clock_fine

if TYPE_CHECKING:
    from ..models.model import Model


CONFUSABLE = 10  # classes whose confusions fit on a screen


def print_receipts(conclusion: Conclusion) -> None:
    """Everything a training came to: the first screen, and all that is behind it."""
    run = conclusion.run
    show(*head_lines(conclusion), Drawing([""]))
    title = f"{run.learner!r} on {', '.join(conclusion.request.data)}"
    show(section(title, facts_table(_ledger_lines(conclusion))))
    show(*_confusion_section(run))
    show(*_theorem_sections(conclusion))
    model = None if conclusion.interrupted else conclusion.model
    if model is None:
        show(*_certificate_section(conclusion))
    else:
        body = str(model.certificate) if model.certificate else model.why_not
        about = f"{model.about}: {_shape(model)}"
        power = _power_lines(run)
        lines = [about, body, conclusion.at_threshold]
        show(section("the model", *(words(line) for line in lines if line), *power))
    if conclusion.set_certificate is not None and run.coverage is not None:
        body = words(str(conclusion.set_certificate))
        show(section(f"certificate of its {run.coverage.of}", body))
    show(*(Words(line, style="bold yellow") for line in warning_lines(conclusion)))
    if len(conclusion.problems) > 1:
        show(section("bad rows", *map(words, conclusion.problems)))
    show(*end_lines(conclusion))


def _certificate_section(conclusion: Conclusion) -> list[Section]:
    """What is certified where no model is saved: one thing, the closest to a model."""
    if conclusion.why_not:
        return [section("certificate", words(conclusion.why_not))]
    power = _power_lines(conclusion.run)
    return [section("certificate", words(str(conclusion.certified)), *power)]


def _power_lines(run: JudgedRun) -> list[Words]:
    """What the test of exchangeability could have noticed, where it noticed nothing."""
    if why_not(run) or not change_tests(run):
        return []
    rate = getattr(run.measured, "rate", None)
    return [words(power_of(run.rounds, rate))]


def _confusion_section(run: JudgedRun) -> list[Section]:
    """Which class was taken for which, where a screen can show it."""
    table = getattr(run.ledger, "confusion", None)
    if table is None or len(table) > CONFUSABLE:
        return []
    labels = [str(label) for label in run.classes or ()]
    lines = [("label", *labels, "")]
    for label, row in zip(labels, table, strict=True):
        lines.append((label, *(f"{count:,}" for count in row), ""))
    return [section("predicted as", table_of(lines))]


def _ledger_lines(conclusion: Conclusion) -> list[tuple[str, str]]:
    run = conclusion.run
    lines = [line for line in run.lines() if line[0] != "time"]
    speed = amount(run.rounds / max(run.seconds, 1e-9))
    learning = f"{clock_fine(run.seconds)} of it learning ({speed} rows a second)"
    lines.append(("time", f"{clock_fine(conclusion.seconds)} in all, {learning}"))
    return [*lines, *later_lines(run)]


def _theorem_sections(conclusion: Conclusion) -> list[Section]:
    """What is proved about this run, and what a comparator would add: nothing else."""
    theorems = conclusion.theorems
    if theorems is None:
        return []
    body: list[Shown] = []
    if theorems.applying:
        body += [screen_table(theorems.applying), Words(LEGEND, style="dim")]
    waiting = len(theorems.waiting)
    if waiting:
        need = f"{waiting} more need" if waiting > 1 else "1 more needs"
        can = (
            "to find the best one takes more than about a second here, so it was left "
            "out: --hindsight asks for it"
        )
        if conclusion.run.game is None:
            can = "and these data can be read only once"
        body.append(words(f"{need} a comparator u; {can}"))
    other = other_game(conclusion.run)
    if other:
        body.append(words(f"none: {other}"))
    return [section("theorems", *body)] if body else []


def _shape(model: Model) -> str:
    import numpy as np

    weights = getattr(model, "weights", None)
    if weights is None:
        return f"{model.n_features:,} features"
    return f"{weights.size:,} weights, {int(np.count_nonzero(weights)):,} nonzero"
