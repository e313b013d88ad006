"""Who may play rows: every kind of learner of them."""

from __future__ import annotations

from .class_learner import ClassLearner
from .factorization_machine import FactorizationMachine
from .kernel_perceptron import KernelPerceptron
from .linear_learner import LinearLearner
from .panel import Panel
from .regression_panel import RegressionPanel

__all__ = ["RowLearner"]

RowLearner = (
    LinearLearner
    | Panel
    | RegressionPanel
    | KernelPerceptron
    | FactorizationMachine
    | ClassLearner
)
