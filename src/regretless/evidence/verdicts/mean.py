"""Receipts of the mean game: the best number is the mean, and all else is known."""

from __future__ import annotations

import numpy as np

from ..played_run import MeanRun
from ..theorems.mean import MeanFacts
from .regret import Regret
from .task_types import Kind, ledgers_along


def mean_facts(run: MeanRun, u: object = None) -> list[MeanFacts]:
    """The run against the number `u`, or against the mean."""
    return [MeanFacts(run.learner, run.ledger, None if u is None else number(u))]


def mean_hindsight(run: MeanRun, *, tolerance: float) -> float:
    """The mean."""
    del tolerance  # it is exact
    return run.ledger.best


def mean_regret(run: MeanRun, u: object, *, tolerance: float) -> Regret:
    """The regret against the mean, or against a number."""
    del tolerance
    facts = mean_facts(run, u)[0]
    who = "the mean" if u is None else "u ="
    return Regret(facts.regret, facts.regret, f"{who} {facts.number:.6g}")


def number(u: object) -> float:
    """A user's u."""
    try:
        found = np.asarray(u, np.float64)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.ndim > 0:
        raise ValueError(f"u must be a number, not {u!r:.40}")
    if not np.isfinite(found):
        raise ValueError(f"u = {found} is not a finite number")
    return float(found)


KIND = Kind(mean_facts, mean_hindsight, mean_regret, counted=True, along=ledgers_along)
