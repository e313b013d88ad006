"""Receipts of the mean game: the best number is the mean, and all else is known."""

from __future__ import annotations

import math
from typing import Any

from ..mean_ledger import MeanLedger
from ..theory.mean import MeanFacts
from .regret import Regret

__all__ = ["mean_facts", "mean_hindsight", "mean_regret"]


def mean_facts(run: Any, u: Any = None) -> list[MeanFacts]:
    """The run; the theorems are about the mean, whatever `u` is."""
    del u
    return [MeanFacts(run.learner, run.ledger)]


def mean_hindsight(run: Any, *, tolerance: float) -> float:
    """The mean."""
    del tolerance  # it is exact
    return run.ledger.best


def mean_regret(run: Any, u: Any, *, tolerance: float) -> Regret:
    """The regret against the mean, or against a number."""
    del tolerance
    ledger: MeanLedger = run.ledger
    if u is None:
        return Regret(ledger.regret, ledger.regret, f"the mean {ledger.best:.6g}")
    number = float(u)
    if not math.isfinite(number):
        raise ValueError(f"u = {number} is not a finite number")
    paid = ledger.best_loss + ledger.rounds * (number - ledger.best) ** 2
    return Regret(ledger.loss - paid, ledger.loss - paid, f"u = {number:g}")
