"""What every kind of game knows in hindsight: one line each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ...lazy import is_a, sibling
from .regret import Regret

__all__ = ["Kind", "kind_of"]


class Kind(NamedTuple):
    """How the theorems' facts, the best comparator and the regret are found."""

    facts: Callable[..., Sequence[Any]]  # (run, u)
    hindsight: Callable[..., Any]  # (run, *, tolerance)
    regret: Callable[..., Regret]  # (run, u, *, tolerance)
    counted: bool = False  # whether facts need no second look at the data
    alone: Callable[[Any], Sequence[Any]] = lambda run: ()  # without a comparator


HOMES = {
    "ExpertLearner": "experts.KIND",
    "FollowTheLeader": "mean.KIND",
    "Panel": "panel.KIND",
    "RegressionPanel": "regression_panel.KIND",
    "KernelPerceptron": "kernel_perceptron.KIND",
    "OneVersusRest": "multiclass.REDUCED",
    "ClassLearner": "multiclass.KIND",
}
"""Where the kind of a learner is, by its name; that of all others is linear."""


def kind_of(run: Any) -> Kind:
    """The kind of game that a run was."""
    found = [home for who, home in HOMES.items() if is_a(run.learner, who)]
    return sibling(__package__, found[0] if found else "linear.KIND")
