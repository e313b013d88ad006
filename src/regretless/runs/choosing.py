"""Which of several runs is the best: by one measure, declared or the default.

The default is the log loss where every run has measured probabilities: with rare
classes all learners make the same mistakes, and differ in their probabilities. Else it
is the share of wrong rows; of amounts the squared error, of their quantiles the loss.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..algorithms.learners.probabilities import NO_PROBABILITIES
from ..errors import OptionError, did_you_mean
from ..parts.reprs import short_call

if TYPE_CHECKING:
    from ..algorithms.learners.row_learner import RowLearner
    from .run import Run


TAKES = {"binary": "two classes", "classes": "many classes", "real": "numbers"}


class Measure(NamedTuple):
    """What runs are compared by.

    Attributes
    ----------
    name : str
        As it is typed: "log-loss".
    title : str
        As it is shown: "log loss".
    of : callable
        From a run to the number; nan where the run has none.
    tasks : tuple of str
        What it can measure: "binary", "classes", "real".
    larger : bool
        Whether more is better.
    chances : bool
        Whether it needs probabilities.
    """

    name: str
    title: str
    of: Callable[[Run], float]
    tasks: tuple[str, ...]
    larger: bool = False
    chances: bool = False

    def paid(self, run: Run) -> float:
        """What to sort by: less is better, and a run without a number comes last."""
        found = self.of(run)
        if math.isnan(found):
            return math.inf
        return -found if self.larger else found


def _metric(name: str) -> Callable[[Run], float]:
    """A metric as it was kept on the way; else the run is played again for it."""
    return lambda run: float(run.metrics.values().get(name, math.nan))


def _error(run: Run) -> float:
    return math.nan if run.mistakes is None else run.mistakes / max(run.rounds, 1)


def _rmse(run: Run) -> float:
    squares = run.ledger.squared_error
    return math.nan if squares is None else math.sqrt(squares / max(run.rounds, 1))


def _loss(run: Run) -> float:
    return run.loss / max(run.rounds, 1)


CLASSES, REAL = ("binary", "classes"), ("real",)
BY_LEDGER = {
    "error": Measure("error", "error", _error, CLASSES),
    "loss": Measure("loss", "mean loss", _loss, (*CLASSES, *REAL)),
    "squared-error": Measure("squared-error", "RMSE", _rmse, REAL),
}
"""Measures that no run is played again for."""


def measures() -> dict[str, Measure]:
    """All measures by name: metrics that are declared to choose, and the ledger's."""
    from ..evidence.metrics import AmountMetrics, ManyClassMetrics, TwoClassMetrics

    found: dict[str, Measure] = {}
    kinds = zip(TAKES, (TwoClassMetrics, ManyClassMetrics, AmountMetrics), strict=True)
    for task, kind in kinds:
        for metric in (each for each in kind.declared if each.chooses):
            name = metric.name.replace("_", "-")
            tasks = (*found[name].tasks, task) if name in found else (task,)
            found[name] = Measure(
                name,
                metric.heading,
                _metric(metric.name),
                tasks,
                metric.larger,
                metric.chances,
            )
    return BY_LEDGER | found


def measure_called(name: str, learners: Iterable[RowLearner] = ()) -> Measure:
    """The measure of this name, which all of the learners have.

    Raises
    ------
    OptionError
        Where there is none, or a learner has no such number.
    """
    known = measures()
    if name not in known:
        near = did_you_mean(name, known)
        raise OptionError(f"--best-by {name}: one of {', '.join(known)}{near}")
    found = known[name]
    for learner in learners:
        if learner.task not in found.tasks:
            raise OptionError(
                f"--best-by {name}: {TAKES[learner.task]} are compared by "
                f"{', '.join(measures_of(learner.task))}"
            )
        if found.chances and not learner.probabilistic:
            raise OptionError(
                f"--best-by {name}: {NO_PROBABILITIES.format(short_call(learner))}"
            )
    return found


def measures_of(task: str) -> list[str]:
    """The names of what learners of a task can be compared by."""
    return [name for name, one in measures().items() if task in one.tasks]


def default_measure(runs: Sequence[Run]) -> Measure:
    """What to choose by where nothing was declared; no run is played again for it."""
    if all(run.mistakes is not None for run in runs):
        known = all(_has_log_loss(run) for run in runs)
        return measures()["log-loss" if known else "error"]
    squares = all(run.ledger.squared_error is not None for run in runs)
    return BY_LEDGER["squared-error" if squares and not _quantiles(runs) else "loss"]


def _has_log_loss(run: Run) -> bool:
    found = {} if run.measured is None else run.measured.values()
    return not math.isnan(found.get("log_loss", math.nan))


def _quantiles(runs: Sequence[Run]) -> bool:
    """Whether amounts are predicted by a quantile other than the median."""
    losses = (getattr(run.player, "loss", None) for run in runs)
    return any(getattr(loss, "quantile", 0.5) != 0.5 for loss in losses)
