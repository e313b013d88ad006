"""The first screen in words: how often it erred, what is certified, what that means."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from ..evidence.claims.doubts import no_better
from ..evidence.metrics import TwoClassMetrics
from ..evidence.summary import is_rare
from ..evidence.theorems import Verdict
from .numbers import brief, counted, percent
from .page_facts import PageFacts

Answered: TypeAlias = tuple[list[tuple[str, str]], list[str]]
"""Figures, each with what it is; and sentences."""


class PageAnswer(NamedTuple):
    """What a reader should know who reads nothing else.

    Attributes
    ----------
    title : str
        Who played what.
    figures : list of (number, what)
        The two to four numbers that matter.
    sentences : list of str
        What they mean.
    warning : str
        What speaks against it; empty where nothing does.
    """

    title: str
    figures: list[tuple[str, str]]
    sentences: list[str]
    warning: str


def tightest(facts: PageFacts) -> Verdict | None:
    """The theorem that came closest to what happened."""
    if facts.theorems is None:
        return None
    known = [
        verdict
        for verdict in facts.theorems.applying
        if verdict.happened is not None
        and not verdict.theorem.own
        and verdict.theorem.kind != "coverage"
    ]
    return max(known, key=lambda verdict: verdict.ratio or 0.0, default=None)


def answer_of(facts: PageFacts) -> PageAnswer:
    """The first screen of a page."""
    over = f" on {facts.data}" if facts.data else ""
    title = f"{type(facts.run.learner).__name__}{over}"
    told = [GAMES[facts.kind](facts), _certified(facts), _promise(facts)]
    return PageAnswer(
        title,
        [figure for figures, _ in told for figure in figures],
        [sentence for _, sentences in told for sentence in sentences],
        _warning(facts),
    )


def _rows(facts: PageFacts) -> Answered:
    """How good the predictions of rows were, beside no learning at all."""
    run, found = facts.run, facts.metrics
    how = "each row predicted before it was learned"
    paid = brief(run.loss / max(run.rounds, 1))
    figures, end = [(paid, f"mean loss, {how}")], f", and paid {paid} a row"
    if run.mistakes is not None:
        figures = [(percent(run.mistakes / max(run.rounds, 1)), f"wrong, {how}")]
        end = f", and was wrong {counted(run.mistakes, 'time')}"
    elif found is not None:
        figures, end = [(brief(found.values()["rmse"]), f"RMSE, {how}")], ""
    protocol = (
        f"It predicted {counted(run.rounds, 'row')} one after the other, learning from "
        f"each only after it had answered{end}."
    )
    if found is None:
        return figures, [protocol]
    base = found.baseline()
    if run.mistakes is None:
        mean = brief(base["rmse"])
        figures.append((mean, "RMSE of the mean of the labels before"))
    else:
        constant = percent(base["error"])
        figures.append((constant, "wrong with one answer for all rows"))
    if isinstance(found, TwoClassMetrics) and is_rare(found):
        figures = _rare(found)
    worse = ["One answer for all rows would have been no worse."] * no_better(found)
    return figures, [protocol, *worse]


def _certified(facts: PageFacts) -> Answered:
    """What is certified about new data, as a figure and in a sentence."""
    found, model, promise = facts.certified, facts.model, facts.promise
    if promise and model is not None and not facts.saved:
        promise += f", for {model.about}"
    told = [promise, facts.at_threshold]
    sentences = [f"{one[:1].upper()}{one[1:]}." for one in told if one]
    if found is None or not promise:
        return [], sentences
    bound, what = percent(found.value), "error"
    if found.cut is not None:
        bound, what = brief(math.sqrt(found.value)), "RMSE"
    sealed = found.learned is not None and found.learned == found.rows
    tested = sealed or facts.held_out is not None
    aside = "by rows that were set aside" if tested else "no row set aside"
    if found.refit and found.learned and found.rows:
        of = f" of a copy taken at {percent(found.learned / found.rows)}"
    elif model is not None:
        of = f" of the {'saved' if facts.saved else model.kind} model"
    else:
        of = ", on average over the models of this run"
    sure = f"{100.0 * (1.0 - found.delta):.4g}% sure"
    return [(f"≤ {bound}", f"{what} on new data{of}, {sure}, {aside}")], sentences


def _rare(found: TwoClassMetrics) -> list[tuple[str, str]]:
    """The figures of a class so rare that the error says little."""
    figures = [(brief(found.auc), "AUC; by chance: 0.5")] if found.auc >= 0.0 else []
    if found.probabilistic:
        without = brief(found.baseline()["log_loss"])
        beside = f"log loss; always answering {percent(found.rate)}: {without}"
        figures.append((brief(found.log_loss), beside))
    return figures


def _experts(facts: PageFacts) -> Answered:
    run, ledger = facts.run, facts.run.ledger
    assert ledger.plays == "experts"
    best = ledger.best if run.names is None else run.names[ledger.best]
    figures = [
        (brief(ledger.loss), f"lost in {run.rounds:,} rounds"),
        (brief(ledger.best_loss), f"lost by the best expert, {best}"),
        (brief(ledger.regret), "regret: the difference"),
    ]
    text = (
        f"It listened to {ledger.n_experts:,} experts for {run.rounds:,} rounds "
        f"without knowing whom to believe, and lost {brief(ledger.loss)}. Expert "
        f"{best}, the best in hindsight, lost {brief(ledger.best_loss)}."
    )
    return figures, [text]


def _numbers(facts: PageFacts) -> Answered:
    run, ledger = facts.run, facts.run.ledger
    assert ledger.plays == "numbers"
    figures = [
        (brief(ledger.loss), f"squared loss in {run.rounds:,} rounds"),
        (brief(ledger.best_loss), f"that of the mean, {brief(ledger.best)}"),
        (brief(ledger.regret), "regret: the difference"),
    ]
    text = (
        f"It guessed {run.rounds:,} numbers, each before seeing it, by the mean of "
        f"those before. Knowing the mean of all, {brief(ledger.best)}, from the "
        f"start would have saved {brief(ledger.regret)}."
    )
    return figures, [text]


GAMES: dict[str, Callable[[PageFacts], Answered]] = {
    "rows": _rows,
    "experts": _experts,
    "numbers": _numbers,
}


def _promise(facts: PageFacts) -> Answered:
    """The theorem that came closest, as a figure and in a sentence."""
    found = tightest(facts)
    if found is None:
        return [], []
    what = found.theorem.what
    bound, happened = brief(found.value), brief(found.happened)
    where = "on these very data, whatever made them"
    text = f"Theory promised at most {bound} {what} {where}; {happened} happened"
    if what == "regret":
        text = f"Theory promised a regret of at most {bound} {where}; it was {happened}"
    text += f" ({found.theorem.name})."
    if facts.kind != "rows":
        return [(f"≤ {bound}", "regret that theory allowed here")], [text]
    return [(happened, f"{what}, where theory allowed {bound}")], [text]


def _warning(facts: PageFacts) -> str:
    if facts.run.stopped:
        return f"The run ended early: {facts.run.stopped}"
    found = facts.alarm
    if found is None:
        return facts.why_not if facts.kind == "rows" else ""
    rest = "" if facts.change is None else facts.change.latest
    return (
        "These rows do not look like draws from one distribution: they seem to have "
        f"changed on the way. The strongest sign is in the {found.of}, by round "
        f"{found.round:,}, with evidence {_size(found.evidence)}, where 20 is an "
        f"alarm. No bound about the future is given. {rest}"
    )


def _size(evidence: float) -> str:
    return f"{evidence:,.3g}" if evidence < 1e6 else f"{evidence:.0e}"
