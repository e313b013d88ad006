"""The first screen in words: how often it erred, what is certified, what that means."""

from __future__ import annotations

from typing import NamedTuple

from ..evidence.claims.doubts import missing_of, no_better
from ..evidence.metrics import TwoClassMetrics
from ..evidence.summary import certified, is_rare
from ..evidence.theorems import Verdict
from .facts import PageFacts
from .numbers import brief, counted, percent


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
    if facts.kind == "experts":
        figures, sentences = _experts(facts)
    elif facts.kind == "numbers":
        figures, sentences = _numbers(facts)
    elif facts.run.mistakes is None:
        figures, sentences = _amounts(facts)
    else:
        figures, sentences = _errors(facts, facts.run.mistakes)
    promised, said = _promise(facts)
    return PageAnswer(title, figures + promised, sentences + said, _warning(facts))


def _errors(facts: PageFacts, mistakes: int) -> tuple[list[tuple[str, str]], list[str]]:
    rounds = facts.run.rounds
    share = percent(mistakes / max(rounds, 1))
    figures = [(share, "wrong, each row predicted before it was learned")]
    sentences = [f"{_protocol(rounds)}, and was wrong {counted(mistakes, 'time')}."]
    if facts.metrics is not None:
        constant = facts.metrics.baseline()["error"]
        figures.append((percent(constant), "wrong with one answer for all rows"))
        if isinstance(facts.metrics, TwoClassMetrics) and is_rare(facts.metrics):
            figures = _rare(facts.metrics)
        if no_better(facts.metrics):
            sentences.append("One answer for all rows would have been no worse.")
    found = facts.headline
    if found is None:
        return figures, sentences
    if found.value >= 1.0:
        sentences.append("That is too few to certify anything about fresh rows.")
        return figures, sentences
    sure, bound = _sure(found.delta), percent(found.value)
    model, aside = facts.model, " and no row set aside"
    sealed = found.learned is not None and found.learned == found.rows
    tested = sealed or facts.held_out is not None
    if tested and model is not None and found is model.certificate:
        aside = ", by rows that were set aside"
    if found.refit and found.learned and found.rows:
        share = percent(found.learned / found.rows)
        figures.append(
            (f"≤ {bound}", f"on fresh rows, {sure} sure, for a copy taken at {share}")
        )
        sentences.append(
            f"Error on new data: at most {bound} ({sure} confidence{aside}), if "
            f"{found.assumptions[0]}; for a copy taken after {share} of the rows. The "
            "saved model has learned all rows."
        )
        return figures, sentences
    if model is not None and model.certificate is not None:
        kept = "the saved model" if facts.saved else "the validated model"
        who = f"On fresh rows {kept} ({_short(model.about)})"
    else:
        kept = "one of its hypotheses, drawn at random"
        who = f"On fresh rows {kept},"
    figures.append((f"≤ {bound}", f"on fresh rows, certified for {kept}, {sure} sure"))
    sentences.append(
        f"{who} errs at most {bound} of the time, with {sure} confidence{aside}, "
        f"if {found.assumptions[0]}."
    )
    return figures, sentences


def _rare(found: TwoClassMetrics) -> list[tuple[str, str]]:
    """The figures of a class so rare that the error says little."""
    figures = [(brief(found.auc), "AUC; by chance: 0.5")] if found.auc >= 0.0 else []
    if found.probabilistic:
        without = brief(found.baseline()["log_loss"])
        beside = f"log loss; always answering {percent(found.rate)}: {without}"
        figures.append((brief(found.log_loss), beside))
    return figures


def _amounts(facts: PageFacts) -> tuple[list[tuple[str, str]], list[str]]:
    run = facts.run
    if facts.metrics is not None:
        found, base = facts.metrics.values(), facts.metrics.baseline()
        size, mean = brief(found["rmse"]), brief(base["rmse"])
        said = [
            f"{_protocol(run.rounds)}. The mean of the labels before has RMSE {mean}."
        ]
        if facts.model is not None and facts.model.certificate is not None:
            told = certified(facts.model.certificate, weighted=run.weighted)
            said.append(f"{told[:1].upper()}{told[1:]}.")
        return [
            (size, "RMSE, each row predicted before it was learned"),
            (mean, "RMSE of the mean of the labels before"),
        ], said
    mean = brief(run.loss / max(run.rounds, 1))
    return [
        (mean, "mean loss, each row predicted before it was learned"),
        (f"{run.rounds:,}", "rows"),
    ], [f"{_protocol(run.rounds)}, and paid {mean} a row."]


def _protocol(rounds: int) -> str:
    return (
        f"It predicted {counted(rounds, 'row')} one after the other, learning "
        "from each only after it had answered"
    )


def _experts(facts: PageFacts) -> tuple[list[tuple[str, str]], list[str]]:
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


def _numbers(facts: PageFacts) -> tuple[list[tuple[str, str]], list[str]]:
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


def _promise(facts: PageFacts) -> tuple[list[tuple[str, str]], list[str]]:
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
        return _uncertified(facts)
    rest = "" if facts.change is None else facts.change.latest
    return (
        "These rows do not look like draws from one distribution: they seem to have "
        f"changed on the way. The strongest sign is in the {found.of}, by round "
        f"{found.round:,}, with evidence {_size(found.evidence)}, where 20 is an "
        f"alarm. No bound about the future is given. {rest}"
    )


def _uncertified(facts: PageFacts) -> str:
    """Why nothing is certified about rows; "" where something is."""
    if facts.kind != "rows" or facts.headline is not None:
        return ""
    model = "" if facts.model is None else missing_of(facts.model)
    return model or facts.missing.get("certificate", "")


def _size(evidence: float) -> str:
    return f"{evidence:,.3g}" if evidence < 1e6 else f"{evidence:.0e}"


def _sure(delta: float) -> str:
    return f"{100.0 * (1.0 - delta):.4g}%"


def _short(about: str) -> str:
    """What is in brackets says which one it is."""
    inside = about.partition("(")[2].rstrip(")")
    return inside or about
