"""Estimators for scikit-learn: see :mod:`regretless.integrations.sklearn`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .integrations import sklearn as _home

if TYPE_CHECKING:
    from .integrations.sklearn import *  # noqa: F403


def __getattr__(name: str) -> Any:
    return getattr(_home, name)


def __dir__() -> list[str]:
    return dir(_home)
