"""Estimators that are made of learners look as if they had been written by hand."""

from __future__ import annotations

import doctest
import inspect
import pickle  # noqa: TID251 - scikit-learn's users do

import pytest

import regretless.sklearn as sk
from estimators import CLASSIFIERS, ESTIMATORS, name_of
from regretless.algorithms.estimator_spec import EstimatorSpec
from regretless.algorithms.learners import Pegasos, Perceptron
from regretless.integrations.sklearn import generation
from regretless.integrations.sklearn.estimator_docs import parameters_in

every_estimator = pytest.mark.parametrize("kind", ESTIMATORS, ids=name_of)
COMPILED = ("Panel", "Perceptron", "OGD", "AdaGrad", "Winnow", "KernelPerceptron")


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(
            kind,
            id=kind.__name__,
            marks=() if kind.learner_class.__name__ in COMPILED else pytest.mark.slow,
        )
        for kind in ESTIMATORS
    ],
)
def test_the_example_of_every_estimator_runs(kind) -> None:
    found = doctest.DocTestParser().get_doctest(
        kind.__doc__, {}, kind.__name__, None, None
    )
    assert f"rg.sklearn.{kind.__name__}(" in found.docstring
    assert len(found.examples) > 3
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    assert runner.run(found).failed == 0


@every_estimator
def test_every_parameter_is_documented_with_its_default(kind) -> None:
    parameters = inspect.signature(kind).parameters
    told = parameters_in(kind)
    assert list(told) == list(parameters)
    for name, entry in told.items():
        assert entry.kind.endswith(f", default={parameters[name].default!r}")
        assert not entry.kind.startswith("object")  # the learner does document it
        assert entry.text.strip()
    lines = kind.__doc__.splitlines()
    assert max(map(len, lines)) <= 88
    assert lines[0] == inspect.getdoc(kind.learner_class).splitlines()[0]
    assert f"~regretless.{kind.learner_class.__name__}`" in kind.__doc__


@every_estimator
def test_parameters_are_keywords_with_types(kind) -> None:
    for parameter in inspect.signature(kind).parameters.values():
        assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
        assert parameter.annotation is not inspect.Parameter.empty
    with pytest.raises(TypeError, match="unexpected keyword argument 'nonsense'"):
        kind(nonsense=1)
    with pytest.raises(TypeError, match="positional argument"):
        kind(0.1)


@every_estimator
def test_pickles_name_the_public_module(kind) -> None:
    assert kind.__module__ == "regretless.sklearn"
    assert kind.__qualname__ == kind.__name__
    stored = pickle.dumps(kind)
    assert b"integrations" not in stored
    assert pickle.loads(stored) is kind is getattr(sk, kind.__name__)


def test_what_is_declared_wrongly_is_refused(monkeypatch) -> None:
    def made(learner: type, **spec) -> None:
        monkeypatch.setattr(learner, "classifier", EstimatorSpec(**spec))
        generation.estimator_named(f"{learner.__name__}Classifier")

    with pytest.raises(TypeError, match="Perceptron has no parameter 'etta'"):
        made(Perceptron, defaults={"etta": 0.1})
    with pytest.raises(TypeError, match="Pegasos: its estimator needs a strength"):
        made(Pegasos)
    with pytest.raises(TypeError, match="Perceptron has no parameter 'domain'"):
        made(Perceptron, fixed={"domain": "allow"})


def test_there_is_nothing_that_no_learner_declares() -> None:
    for name in ("PegasosRegressor", "VAWClassifier", "OneVersusRestClassifier", "Ogd"):
        with pytest.raises(AttributeError, match=f"no attribute '{name}'"):
            getattr(sk, name)
    assert set(sk.__all__) <= set(dir(sk))
    assert "feature_effects_" in dir(CLASSIFIERS[0])


def test_all_that_can_be_declared_is_documented() -> None:
    said = inspect.getdoc(EstimatorSpec)
    for name in EstimatorSpec._fields:
        assert f"\n{name} : " in said
