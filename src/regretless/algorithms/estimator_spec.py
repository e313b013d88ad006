"""How a learner becomes an estimator: what its fields and its docstring do not say."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, Never

NOTHING: Mapping[str, Never] = MappingProxyType({})


class EstimatorSpec(NamedTuple):
    """What a learner declares as its ``classifier`` or its ``regressor``.

    An estimator has the fields of its learner as parameters, and their documentation.
    A loss, step or kernel is a plain value there: its name, or its number.

    Attributes
    ----------
    defaults : mapping
        Parameters whose default is not the learner's.
    fixed : mapping
        Parameters that users cannot set, and their values.
    model : str
        Which hypothesis predicts by default; "last" if the learner keeps no means.
    poor_score : bool
        Whether scikit-learn's checks should not expect a high score.
    notes : str
        A paragraph of the docstring, after the learner's first line.
    hints : mapping
        A sentence for single parameters, after what the learner says about them.
    arguments : str
        Of the estimator in the usual example.
    example : str
        A session in place of the usual example.
    """

    defaults: Mapping[str, object] = NOTHING
    fixed: Mapping[str, object] = NOTHING
    model: str = "last-half"
    poor_score: bool = False
    notes: str = ""
    hints: Mapping[str, str] = NOTHING
    arguments: str = ""
    example: str = ""
