"""A run in a few lines that need no theory: how good it is, and beside what.

``summary_of`` gathers the lines as data. The command line, notebooks and pages show
them, each in its own way.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..parts.reprs import short_call
from .metrics import Metrics
from .metrics.base import shown

__all__ = [
    "Compared",
    "Summary",
    "certified",
    "no_better",
    "percent",
    "summary_of",
]

PATIENCE = 1.0  # seconds of learning that are spent again for a summary
SHARE = 10.0  # a percentage from here on has one digit


class Compared(NamedTuple):
    """One number, and what it is to be read beside."""

    name: str
    value: str
    beside: str


class Summary(NamedTuple):
    """What there is to say about a run.

    Attributes
    ----------
    title : str
        Who learned how much.
    labels : str
        What was to be predicted.
    compared : tuple of Compared
        How good it was, beside a baseline.
    """

    title: str
    labels: str
    compared: tuple[Compared, ...]


def summary_of(run: Any, data: str = "") -> Summary:
    """The summary of a run of rows; `data` names what it learned from."""
    where = f"{data}: " if data else ""
    features = _features(run)
    learned = f"{run.rounds:,} rows, {features:,} feature{'s' * (features != 1)}"
    title = f"{where}{learned}, learned by {short_call(run.learner)}"
    metrics = run.measured if run.measured is not None else _found(run)
    if metrics is None:
        return Summary(title, "", tuple(_ledger_rows(run)))
    kind = metrics.as_dict()["kind"]
    if kind == "two classes":
        rows = _two_classes(run, metrics)
    elif kind == "many classes":
        rows = _many_classes(run, metrics)
    else:
        rows = _amounts(metrics)
    return Summary(title, _labels(run, metrics), tuple(rows))


def _labels(run: Any, metrics: Metrics) -> str:
    """What the labels were."""
    found: Any = metrics
    kind = metrics.as_dict()["kind"]
    if kind == "amounts":
        return f"amounts, {shown(found.mean)} in the mean"
    if kind == "two classes":
        no, yes = _two_labels(run)
        return (
            f"two classes: {percent(found.rate)} of the rows are {yes}, the others {no}"
        )
    counts = found.as_dict()["classes"]
    often = int(np.argmax(counts))
    share = counts[often] / max(metrics.rows, 1)
    label = _label(run, often)
    return f"{len(counts):,} classes: {percent(share)} of the rows are {label}"


def no_better(run: Any) -> bool:
    """Whether one answer for all rows would have erred as little."""
    known: Metrics | None = run.measured
    base: dict[str, float] = {} if known is None else known.baseline()
    if run.mistakes is None or not run.rounds or "error" not in base:
        return False
    return bool(run.mistakes / run.rounds >= base["error"])


def certified(certificate: Any, *, model: bool = True) -> str:
    """A certificate in one sentence of usual words.

    Parameters
    ----------
    certificate : Certificate
        What is certified.
    model : bool
        Whether it is about a saved model; else about the run.
    """
    chance = f"(probability {1 - certificate.delta:g})"
    if certificate.cut is not None:
        size = math.sqrt(certificate.value)
        rest = certificate.quantiles("; ").removesuffix(".")
        return (
            f"the saved model's RMSE is at most {size:.4g} on fresh data {chance}, "
            f"errors above {certificate.cut:.4g} counted as that{rest}"
        )
    bound = f"at most {certificate.value:.2%} on fresh data {chance}"
    if not model:
        return f"the models of this pass err {bound}, on average over the rows"
    if not certificate.refit:
        return f"the saved model errs {bound}"
    share = certificate.learned / certificate.rows
    return (
        f"stopped after {share:.0%} of the rows, it errs {bound}; the saved model has "
        "learned the rest as well"
    )


def percent(share: float) -> str:
    """A share in three figures or so.

    Examples
    --------
    >>> percent(0.0479), percent(0.415), percent(float("nan"))
    ('4.79%', '41.5%', 'nan')
    """
    if np.isnan(share):
        return "nan"
    return f"{share:.2%}" if 100.0 * share < SHARE else f"{share:.1%}"


def _two_classes(run: Any, metrics: Any) -> list[Compared]:
    base, at = metrics.baseline(), metrics.at()
    no, yes = _two_labels(run)
    often = yes if metrics.rate > 0.5 else no
    wrong = run.mistakes / max(run.rounds, 1)
    rows = [
        _wrong(wrong, base["error"], f"always answering {often}"),
        Compared("AUC", f"{metrics.auc:.4f}", "by chance: 0.5"),
    ]
    if metrics.probabilistic:
        rate = f"always answering {percent(metrics.rate)}"
        loss, without = metrics.log_loss, base["log_loss"]
        worse = " (no better)" if loss >= without else ""
        rows.append(
            Compared("log loss", f"{loss:.4f}", f"{rate}: {without:.4f}{worse}")
        )
    precision = f"of the rows answered {yes} are {yes}"
    if metrics.probabilistic:
        precision += " (threshold 0.5)"
    rows += [
        Compared("precision", percent(at.precision), precision),
        Compared("recall", percent(at.recall), f"of the rows that are {yes} are found"),
    ]
    return rows


def _many_classes(run: Any, metrics: Any) -> list[Compared]:
    base, counts = metrics.baseline(), metrics.as_dict()["classes"]
    often = _label(run, int(np.argmax(counts)))
    wrong = run.mistakes / max(run.rounds, 1)
    rows = [_wrong(wrong, base["error"], f"always answering {often}")]
    if "log_loss" in base:
        beside = f"always answering the shares: {base['log_loss']:.4f}"
        rows.append(Compared("log loss", f"{metrics.log_loss:.4f}", beside))
    for true, said, times in metrics.confused(3):
        what = f"{_label(run, true)} taken for {_label(run, said)}"
        share = percent(times / max(counts[true], 1))
        rows.append(Compared("confused", f"{times:,}", f"{what} ({share} of them)"))
    return rows


def _amounts(metrics: Any) -> list[Compared]:
    base = metrics.baseline()
    always = "always answering the mean so far"
    rows = [
        Compared("RMSE", shown(metrics.rmse), f"{always}: {shown(base['rmse'])}"),
        Compared("MAE", shown(metrics.mae), f"{always}: {shown(base['mae'])}"),
        Compared("R2", f"{metrics.r2:.4f}", f"{always}: {base['r2']:.4f}"),
    ]
    if metrics.level != 0.5:
        beside = f"{always}: {shown(base['pinball'])}"
        rows.append(Compared("pinball", shown(metrics.pinball), beside))
    return rows


def _wrong(share: float, without: float, how: str) -> Compared:
    worse = " (no better)" if share >= without else ""
    return Compared("wrong", percent(share), f"{how}: {percent(without)}{worse}")


def _ledger_rows(run: Any) -> list[Compared]:
    """What the ledger alone can tell, where no metrics were kept."""
    if run.mistakes is not None:
        return [Compared("wrong", percent(run.mistakes / max(run.rounds, 1)), "")]
    return [Compared("loss", shown(run.loss / max(run.rounds, 1)), "a row")]


def _found(run: Any) -> Metrics | None:
    """The metrics, found by playing again; None where that cannot be, or is slow."""
    if run.seconds > PATIENCE:
        return None
    try:
        return run.metrics
    except ValueError:
        return None


def _features(run: Any) -> int:
    """Columns; where names are hashed, those that were met."""
    if isinstance(run.names, dict) or run.reading.get("bits"):
        weights = run.weights.reshape(-1, run.weights.shape[-1])
        return int((weights != 0.0).any(axis=0).sum())
    return int(run.weights.shape[-1])


def _two_labels(run: Any) -> tuple[str, str]:
    classes = run.classes
    return ("-1", "1") if classes is None else (str(classes[0]), str(classes[1]))


def _label(run: Any, number: int) -> str:
    classes = run.classes or ()
    return str(classes[number]) if number < len(classes) else str(number)
