"""Estimators for scikit-learn: see :mod:`regretless.integrations.sklearn`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from .integrations import sklearn as _home
from .integrations.sklearn import training_session
from .lazy import keep_old_modules

if TYPE_CHECKING:
    from .integrations.sklearn import *  # noqa: F403

OLD_HOMES = (
    "adagrad coin_betting eg ftrl_proximal kernel_perceptron ogd ons panel "
    "passive_aggressive pegasos perceptrons regression_panel second_order "
    "unnormalized_eg vaw winnows"
)
"""Modules that estimators pickled by version 0.1 name."""

keep_old_modules(__name__, _home)
sys.modules[f"{__name__}.course"] = training_session
for _name in OLD_HOMES.split():
    sys.modules[f"{__name__}.{_name}"] = _home


def __getattr__(name: str) -> Any:
    return getattr(_home, name)


def __dir__() -> list[str]:
    return dir(_home)
