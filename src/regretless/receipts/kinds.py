"""What every kind of game knows in hindsight: one line each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..experts import ExpertLearner, FollowTheLeader
from ..learners import (
    ClassLearner,
    KernelPerceptron,
    OneVersusRest,
    Panel,
    RegressionPanel,
)
from .classes import class_facts, no_class_hindsight, no_class_regret
from .experts import expert_facts, expert_hindsight, expert_regret
from .kernel_perceptron import kernel_facts, no_kernel_hindsight, no_kernel_regret
from .linear import linear_alone, linear_facts, linear_hindsight, linear_regret
from .mean import mean_facts, mean_hindsight, mean_regret
from .panel import panel_alone, panel_facts, panel_hindsight, panel_regret
from .regression_panel import shares_facts, shares_hindsight, shares_regret
from .regret import Regret

__all__ = ["Kind", "kind_of"]


class Kind(NamedTuple):
    """How the theorems' facts, the best comparator and the regret are found."""

    facts: Callable[..., Sequence[Any]]  # (run, u)
    hindsight: Callable[..., Any]  # (run, *, tolerance)
    regret: Callable[..., Regret]  # (run, u, *, tolerance)
    counted: bool = False  # whether facts need no second look at the data
    alone: Callable[[Any], Sequence[Any]] = lambda run: ()  # without a comparator


LINEAR = Kind(linear_facts, linear_hindsight, linear_regret, alone=linear_alone)
OTHERS: dict[type, Kind] = {
    ExpertLearner: Kind(expert_facts, expert_hindsight, expert_regret, True),
    FollowTheLeader: Kind(mean_facts, mean_hindsight, mean_regret, True),
    Panel: Kind(panel_facts, panel_hindsight, panel_regret, alone=panel_alone),
    RegressionPanel: Kind(shares_facts, shares_hindsight, shares_regret, True),
    KernelPerceptron: Kind(kernel_facts, no_kernel_hindsight, no_kernel_regret),
    OneVersusRest: Kind(class_facts, no_class_hindsight, no_class_regret, True),
    ClassLearner: Kind(class_facts, no_class_hindsight, no_class_regret),
}


def kind_of(run: Any) -> Kind:
    """The kind of game that a run was."""
    found = [kind for who, kind in OTHERS.items() if isinstance(run.learner, who)]
    return found[0] if found else LINEAR
