"""Every theorem of the package, by the learner that declares it."""

from __future__ import annotations

from typing import Any

from regretless.algorithms.discovery import all_learners
from regretless.evidence.theorems import Theorem, theorems_about
from regretless.evidence.theorems.coverage import COVERAGE


def all_theorems() -> list[tuple[Theorem[Any], ...]]:
    """Those about each learner, and those about prediction sets."""
    return [*filter(None, map(theorems_about, all_learners())), COVERAGE]
