"""Receipts of the mean game: the best number is the mean, and all else is known."""

from __future__ import annotations

import math
from typing import Any

from ..played_run import PlayedRun
from ..theorems.mean import MeanFacts
from .regret import Regret
from .task_types import Kind, ledgers_along

__all__ = ["KIND", "mean_facts", "mean_hindsight", "mean_regret"]


def mean_facts(run: PlayedRun, u: Any = None) -> list[MeanFacts]:
    """The run against the number `u`, or against the mean."""
    return [MeanFacts(run.learner, run.ledger, None if u is None else _number(u))]


def mean_hindsight(run: PlayedRun, *, tolerance: float) -> float:
    """The mean."""
    del tolerance  # it is exact
    return run.ledger.best


def mean_regret(run: PlayedRun, u: Any, *, tolerance: float) -> Regret:
    """The regret against the mean, or against a number."""
    del tolerance
    facts = mean_facts(run, u)[0]
    who = "the mean" if u is None else "u ="
    return Regret(facts.regret, facts.regret, f"{who} {facts.number:.6g}")


def _number(u: Any) -> float:
    try:
        number = float(u)
    except (TypeError, ValueError):
        raise ValueError(f"u must be a number, not {u!r:.40}") from None
    if not math.isfinite(number):
        raise ValueError(f"u = {number} is not a finite number")
    return number


KIND = Kind(mean_facts, mean_hindsight, mean_regret, counted=True, along=ledgers_along)
