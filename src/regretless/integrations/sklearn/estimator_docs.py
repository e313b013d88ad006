"""The docstring of an estimator, put together from what is written once.

Its first line and its parameters are those of the learner's docstring; what estimators
add is in that of :class:`OnlineClassifier` or :class:`OnlineRegressor`.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...algorithms.estimator_spec import EstimatorSpec
from ...declared import ParameterDoc, parameters_in
from ...parts.spelled import known_parts
from .named_parts import losses_of, make_learner

if TYPE_CHECKING:
    from .estimator import OnlineEstimator


EXAMPLES = {
    "binary": """
        >>> import regretless as rg
        >>> X = [[1, 0], [0, 1], [2, 1], [1, 3]] * 10
        >>> y = ["ham", "spam", "ham", "spam"] * 10
        >>> model = rg.sklearn.{}({}random_state=0)
        >>> model = model.fit(X, y)
        >>> model.predict([[3, 1], [0, 2]])
        array(['ham', 'spam'], dtype='<U4')
        """,
    "real": """
        >>> import numpy as np, regretless as rg
        >>> X = np.random.default_rng(0).normal(size=(1000, 3))
        >>> y = X @ [0.5, 0.0, -0.25] + 0.1
        >>> model = rg.sklearn.{}({}random_state=0)
        >>> model = model.fit(X, y)
        >>> round(model.score(X, y), 1)
        1.0
        """,
}


def docstring(estimator: type[OnlineEstimator], spec: EstimatorSpec) -> str:
    """The docstring of an estimator with these attributes and parameters."""
    learner = estimator.learner_class
    known = parameters_in(estimator.__mro__[1]) | {
        name: entry
        for name, entry in parameters_in(learner).items()
        if name != "bias"  # which is on by default, and said so
    }
    parts = [
        (inspect.getdoc(learner) or "").partition("\n")[0],
        f"Update rule and theorem: :class:`~regretless.{learner.__name__}`.",
        inspect.cleandoc(spec.notes),
        "Parameters\n----------",
    ]
    for name, parameter in inspect.signature(estimator).parameters.items():
        entry = _entry(estimator, name, known.get(name, ParameterDoc("object", "")))
        hint = f"\n    {spec.hints[name]}" if name in spec.hints else ""
        said = f"{entry.kind}, default={parameter.default!r}\n{entry.text}{hint}"
        parts[-1] += f"\n{name} : {said.rstrip()}"
    given = spec.arguments and f"{spec.arguments}, "
    example = EXAMPLES[estimator.task].format(estimator.__name__, given)
    session = inspect.cleandoc(spec.example or example)
    parts.append(f"Examples\n--------\n{session}\n")
    return "\n\n".join(part for part in parts if part)


def _entry(
    estimator: type[OnlineEstimator], name: str, entry: ParameterDoc
) -> ParameterDoc:
    """What is said about a parameter of an estimator."""
    if name == "model":
        return entry._replace(kind=_one_of(estimator.models))
    if name == "loss":
        taken = _losses(estimator)
        text = f"{_one_of(taken)}, or a loss of regretless, your own too."
        if "logistic" in taken:
            text += ' With "logistic" there is ``predict_proba``.'
        return ParameterDoc(
            "str or a loss", textwrap.indent(textwrap.fill(text, 80), "    ")
        )
    if name == "step":
        text = "    A number is a constant step, None an adaptive one, Adaptive(1.0).\n"
        return ParameterDoc(f"float, None, {entry.kind}", text + entry.text)
    if name == "kernel":
        return ParameterDoc(
            "str or a kernel",
            f"    {_one_of(known_parts('kernel'))}; or a part:\n{entry.text}",
        )
    return entry


def _losses(estimator: type[OnlineEstimator]) -> list[str]:
    """The names of the losses that its learner takes."""
    defaults = {
        name: parameter.default
        for name, parameter in inspect.signature(estimator).parameters.items()
        if name not in estimator.own
    }
    found: list[str] = []
    for name in losses_of(estimator.task):
        given = {**defaults, **estimator.always, "loss": name}
        try:
            make_learner(estimator.learner_class, given, estimator.task)
        except ValueError:
            continue
        found.append(name)
    return found


def _one_of(names: Iterable[str]) -> str:
    *most, last = [f'"{name}"' for name in names]
    return f"{', '.join(most)} or {last}" if most else last
