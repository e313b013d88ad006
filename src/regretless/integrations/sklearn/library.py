# pyright: reportMissingTypeStubs=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false
"""What this package takes from scikit-learn, which has no types: the one place.

Everything is public there since 1.6.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

try:
    from sklearn import base
    from sklearn.utils import check_array as _check_array
    from sklearn.utils import check_random_state as _check_random_state
    from sklearn.utils import column_or_1d as _column_or_1d
    from sklearn.utils import metaestimators, multiclass
    from sklearn.utils import validation as _validation
except ImportError as missing:
    raise ImportError(
        "regretless.sklearn needs scikit-learn from 1.6 on: "
        "pip install 'regretless[sklearn]'"
    ) from missing


Untyped: TypeAlias = Callable[..., Any]
BaseEstimator = base.BaseEstimator
OneToOneFeatureMixin = base.OneToOneFeatureMixin
TransformerMixin = base.TransformerMixin
feature_names: Untyped = base.OneToOneFeatureMixin.get_feature_names_out
ClassifierMixin = base.ClassifierMixin
RegressorMixin = base.RegressorMixin
available_if: Untyped = metaestimators.available_if
check_array: Untyped = _check_array
check_classification_targets: Callable[..., None] = (
    multiclass.check_classification_targets
)
check_is_fitted: Callable[..., None] = _validation.check_is_fitted
check_random_state: Untyped = _check_random_state
column_or_1d: Untyped = _column_or_1d
validate_data: Untyped = _validation.validate_data
