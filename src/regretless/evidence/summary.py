"""A run in a few lines that need no theory: how good it is, and beside what.

``summary_of`` gathers the lines as data. The command line, notebooks and pages show
them, each in its own way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from ..parts.reprs import percent, short_call, shown
from .claims.doubts import no_better
from .claims.sealed import IID_GROUPS
from .metrics import Metrics
from .played_run import PlayedRun

if TYPE_CHECKING:
    from .certify import Certificate
    from .metrics import AmountMetrics, ManyClassMetrics, TwoClassMetrics


PATIENCE = 1.0  # seconds of learning that are spent again for a summary
RARE = 0.05  # the share of a class below which the error says little
CONFUSED = "confused"


class SummaryLine(NamedTuple):
    """One number, and what it is to be read beside."""

    name: str
    value: str
    beside: str


Said: TypeAlias = tuple[str, list[SummaryLine]]
"""What the labels were, and how good the predictions."""
About: TypeAlias = tuple[str, dict[str, str], list[SummaryLine]]
"""What the labels were, words for the lines of metrics, and more lines."""


class Summary(NamedTuple):
    """What there is to say about a run.

    Attributes
    ----------
    title : str
        Who learned how much.
    labels : str
        What was to be predicted.
    compared : tuple of SummaryLine
        How good it was, beside a baseline.
    """

    title: str
    labels: str
    compared: tuple[SummaryLine, ...]


def summary_of(run: PlayedRun, data: str = "") -> Summary:
    """The summary of a run of rows; `data` names what it learned from."""
    where = f"{data}: " if data else ""
    features = features_of(run)
    rows = f"{run.rounds:,} rows"
    if run.today is not None:
        rows = f"{run.today.rows:,} rows ({run.rounds:,} so far)"
    learned = f"{rows}, {features:,} feature{'s' * (features != 1)}"
    title = f"{where}{learned}, learned by {short_call(run.learner)}"
    metrics = run.measured if run.measured is not None else _found(run)
    if metrics is None:
        return Summary(title, "", tuple(_ledger_rows(run)))
    labels, lines = _said(run, metrics)
    if run.today is not None and run.today.rows:
        before = {line.name: line.value for line in lines if line.name != CONFUSED}
        labels, lines = _said(run, run.today)
        lines = [_with_total(line, before.get(line.name)) for line in lines]
    return Summary(title, labels, tuple(lines))


def _with_total(line: SummaryLine, total: str | None) -> SummaryLine:
    """A line about today's rows, and what it is of all."""
    if total is None:
        return line
    return line._replace(beside=f"{line.beside}; all rows so far: {total}")


def certified(
    certificate: Certificate,
    *,
    model: bool = True,
    passes: int = 1,
    weighted: bool = False,
) -> str:
    """A certificate in one sentence of usual words.

    Parameters
    ----------
    certificate : Certificate
        What is certified.
    model : bool
        Whether it is about a saved model; else about the run.
    passes : int
        How often the saved model has learned the rows.
    weighted : bool
        Whether rows had weights: the certificate counts each of them once.
    """
    counts = weighted and certificate.loss in ("error", "squared error")  # not groups
    once = ", each row counted once" * counts
    rows = "groups" if certificate.assumptions[:1] == (IID_GROUPS,) else "rows"
    confidence = f"({100.0 * (1.0 - certificate.delta):.4g}% confidence{once})"
    sure = f"{confidence} if new {rows} come one by one like these"
    if certificate.cut is not None:
        size = math.sqrt(certificate.value)
        rest = certificate.quantiles("; ").removesuffix(".")
        return (
            f"RMSE on new data: at most {shown(size)} {sure}, "
            f"errors above {shown(certificate.cut)} counted as that{rest}"
        )
    mean = ", in the mean over groups" * (rows == "groups")
    bound = f"error on new data{mean}: at most {certificate.value:.2%} {sure}"
    if not model:
        return f"{bound}, for the models of this pass, on average over the rows"
    if not certificate.refit:
        return bound
    share = (certificate.learned or 0) / (certificate.rows or 1)
    often = f" {passes} times" * (passes > 1)
    return (
        f"{bound}, for a copy taken after {share:.0%} of the rows; the saved model has "
        f"learned all rows{often}"
    )


def features_of(run: PlayedRun) -> int:
    """The features that were met.

    Numbered ones, as of arrays and LIBSVM files, are all of their columns. Where those
    are hashed and have no names, it is known of those alone that have a weight.
    """
    if isinstance(run.names, Mapping):
        return len(run.names)
    if run.names is None and run.reading.get("bits"):
        weights = run.weights.reshape(-1, run.weights.shape[-1])
        return int((weights != 0.0).any(axis=0).sum())
    return int(run.weights.shape[-1])


def is_rare(metrics: Metrics | None) -> bool:
    """Whether one of two classes is so rare that the error says little."""
    rate = getattr(metrics, "rate", None)
    return rate is not None and min(rate, 1.0 - rate) < RARE


def _said(run: PlayedRun, metrics: Metrics) -> Said:
    labels, words, more = ABOUT[metrics.kind](run, metrics)
    lines: list[tuple[bool, SummaryLine]] = []
    for metric in metrics.declared:
        line = metric.line
        if line is None or (metric.chances and not metrics.has_chances):
            continue
        value, without = metric.of(metrics), metric.baseline(metrics)
        if metric.name == "error" and metrics is not run.today:
            value = (run.mistakes or 0) / max(run.rounds, 1)
        text, beside = line.form(value), line.beside
        if line.known is not None and not line.known(metrics):
            text, beside = "none", line.missing
        # Probabilities are judged by themselves; errors, where nothing is better.
        worse = value >= without and (metric.chances or no_better(metrics))
        words |= {"base": line.form(without), "worse": " (no better)" * worse}
        said = beside.format_map(words)
        if said:
            name = line.name or metric.heading
            lines.append((line.at_cut, SummaryLine(name, text, said)))
    if is_rare(metrics):  # the error says little
        lines.sort(key=lambda each: each[0])
    return labels, [line for _, line in lines] + more


def _two_classes(run: PlayedRun, metrics: TwoClassMetrics) -> About:
    no, yes = map(str, run.classes or ("-1", "1"))
    share = percent(metrics.rate)
    words = {
        "yes": yes,
        "share": share,
        "often": yes if metrics.rate > 0.5 else no,
        "cut": " (threshold 0.5)" * metrics.probabilistic,
    }
    return f"two classes: {share} of the rows are {yes}, the others {no}", words, []


def _many_classes(run: PlayedRun, metrics: ManyClassMetrics) -> About:
    counts = metrics.by_class()[:, 0].tolist()
    most = int(np.argmax(counts))
    often, share = _label(run, most), counts[most] / max(metrics.rows, 1)
    more: list[SummaryLine] = []
    for true, said, times in metrics.confused(3):
        what = f"{_label(run, true)} taken for {_label(run, said)}"
        part = percent(times / max(counts[true], 1))
        more.append(SummaryLine(CONFUSED, f"{times:,}", f"{what} ({part} of them)"))
    labels = f"{len(counts):,} classes: {percent(share)} of the rows are {often}"
    return labels, {"often": often}, more


def _amounts(run: PlayedRun, metrics: AmountMetrics) -> About:
    return f"amounts, {shown(metrics.mean)} in the mean", {}, []


ABOUT: dict[str, Callable[[PlayedRun, Any], About]] = {
    "two classes": _two_classes,
    "many classes": _many_classes,
    "amounts": _amounts,
}


def _ledger_rows(run: PlayedRun) -> list[SummaryLine]:
    """What the ledger alone can tell, where no metrics were kept."""
    if run.mistakes is not None:
        return [SummaryLine("wrong", percent(run.mistakes / max(run.rounds, 1)), "")]
    return [SummaryLine("loss", shown(run.loss / max(run.rounds, 1)), "a row")]


def _found(run: PlayedRun) -> Metrics | None:
    """The metrics, found by playing again; None where that cannot be, or is slow."""
    if run.seconds > PATIENCE:
        return None
    try:
        return run.metrics
    except ValueError:
        return None


def _label(run: PlayedRun, number: int) -> str:
    classes = run.classes or ()
    return str(classes[number]) if number < len(classes) else str(number)
