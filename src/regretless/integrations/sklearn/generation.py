"""Estimators made of learners: parameters are fields, and documents are docstrings.

A learner that declares a ``classifier`` or a ``regressor``
(:class:`~regretless.algorithms.estimator_spec.EstimatorSpec`) has one: a class
``NAMEClassifier`` or ``NAMERegressor`` with a constructor of its own. It is made when
it is first asked for, and called ``regretless.sklearn.NAME...`` in pickles.
"""

from __future__ import annotations

import inspect
from dataclasses import MISSING, field, fields, make_dataclass
from typing import Any

from ...algorithms import learners
from ...algorithms.estimator_spec import EstimatorSpec
from ...algorithms.learners.row_learner import RowLearner
from ...parts.documents import Document
from .classifier import OnlineClassifier
from .estimator import OnlineEstimator
from .estimator_docs import docstring
from .named_parts import make_learner, plain
from .regressor import OnlineRegressor

MODULE = "regretless.sklearn"  # where users find them
KINDS: dict[str, type[OnlineEstimator]] = {
    "Classifier": OnlineClassifier,
    "Regressor": OnlineRegressor,
}

BY_NAME = {"kernel": "Part | str", "step": "Part | float | str | None"}


def estimator_names() -> list[str]:
    """The names of all estimators that learners declare."""
    return [
        name + kind
        for name in learners.__all__
        for kind in KINDS
        if _declared(getattr(learners, name), kind) is not None
    ]


def estimator_named(name: str) -> type[OnlineEstimator] | None:
    """The estimator of this name, made now; None if no learner declares it.

    Examples
    --------
    >>> from regretless.integrations.sklearn.generation import estimator_named
    >>> estimator_named("PegasosClassifier")(strength=0.1)
    PegasosClassifier(strength=0.1)
    >>> estimator_named("PegasosRegressor") is None
    True
    """
    for kind in KINDS:
        learner = getattr(learners, name.removesuffix(kind), None)
        if name.endswith(kind) and learner is not None:
            spec = _declared(learner, kind)
            return None if spec is None else _made(learner, kind, spec)
    return None


def _declared(learner: type, kind: str) -> EstimatorSpec | None:
    """What a learner declares of its estimator of this kind."""
    return getattr(learner, kind.lower(), None)


def _made(
    learner: type[RowLearner], kind: str, spec: EstimatorSpec
) -> type[OnlineEstimator]:
    base = KINDS[kind]
    defaults = _defaults(learner, spec, base.task)
    sample = make_learner(learner, {**defaults, **spec.fixed}, base.task)
    models = base.models
    if not sample.averages:
        models = tuple(one for one in models if one in ("last", "validated"))
    own: Document = {name: getattr(base, name) for name in base.own}
    own["model"] = spec.model if sample.averages else "last"
    per_class = sample.class_by_class
    if not (base.task == "real" or per_class or sample.probabilistic):
        del own["level"]  # there never are probabilities
    types = _annotations(learner) | _annotations(base) | BY_NAME
    made = make_dataclass(
        learner.__name__ + kind,
        [
            (name, _widened(types[name], default), field(default=default))
            for name, default in (defaults | own).items()
        ],
        bases=(base,),
        namespace={
            "learner_class": learner,
            "models": models,
            "always": dict(spec.fixed),
            "poor_score": spec.poor_score,
            "many": per_class or sample.task == "classes",
            "__doc__": "",
        },
        kw_only=True,
        repr=False,
        eq=False,
    )
    made.__module__ = MODULE
    made.__doc__ = docstring(made, spec)
    return made


def _widened(declared: str, default: object) -> str:
    """What an estimator takes: also None or the name of a part, if that is default."""
    more = "None" if default is None else "str" if isinstance(default, str) else ""
    fits = more in declared or "Literal" in declared
    return declared if fits else f"{declared} | {more}"


def _annotations(kind: type) -> dict[str, str]:
    """Of its attributes, those of its bases included, as they are written."""
    found: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        for name, hint in inspect.get_annotations(each).items():
            found[name] = (
                hint if isinstance(hint, str) else inspect.formatannotation(hint)
            )
    return found


def _defaults(learner: Any, spec: EstimatorSpec, task: str) -> Document:
    """The parameters that are the learner's, in their order, and their defaults."""
    known = {one.name: one for one in fields(learner) if one.init}
    for name in (*spec.defaults, *spec.fixed):
        if name not in known:
            raise TypeError(f"{learner.__name__} has no parameter {name!r}")
    bias = known.pop("bias", None)  # inherited, and so the first
    found: Document = {}
    for name, one in known.items():
        if name in ("n_features", "schema") or name in spec.fixed:
            continue
        if name in spec.defaults:
            found[name] = spec.defaults[name]
        elif getattr(one.default, "task", task) != task or one.default is MISSING:
            raise TypeError(f"{learner.__name__}: its estimator needs a {name}")
        else:
            found[name] = plain(one.default)
    return found if bias is None else {**found, "bias": True}
