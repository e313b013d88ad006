"""scikit-learn estimators, one for every learner of rows.

They are what their learners are: one pass over the rows, which ``fit`` shuffles, a
ledger, and for classifiers a certificate. Only this package imports scikit-learn, the
extra ``regretless[sklearn]``; and it holds no learning of its own. Estimators are made
of learners (``generation.py``) when they are asked for.
"""

from __future__ import annotations

from typing import Any

from ...errors import did_you_mean
from .classifier import OnlineClassifier
from .generation import estimator_named, estimator_names
from .regressor import OnlineRegressor
from .transformer import SchemaTransformer


def __getattr__(name: str) -> Any:
    if name == "__all__":
        written = (OnlineClassifier, OnlineRegressor, SchemaTransformer)
        names = [kind.__name__ for kind in written]
        found: Any = sorted([*estimator_names(), *names])
    else:
        found = estimator_named(name)
        if found is None:
            longer = [one for one in estimator_names() if one.endswith(name)]
            near = did_you_mean(name, longer or estimator_names(), 0.5)
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}{near}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})
