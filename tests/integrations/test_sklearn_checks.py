"""Every estimator keeps scikit-learn's rules, and has its learner's parameters."""

from __future__ import annotations

import dataclasses
import inspect
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.utils.estimator_checks import (
    check_class_weight_classifiers,
    check_estimator,
)

import regretless as rg
import regretless.sklearn as sk
from estimators import (
    CLASSIFIERS,
    ESTIMATORS,
    FAST,
    NEVER_HEAVY,
    REGRESSORS,
    excused,
    excused_with,
    has_sets_of_two,
    name_of,
    problem,
    with_one_option,
)
from regretless.algorithms.learners import EventLearner

ROOT = Path(__file__).parents[2]
every_estimator = pytest.mark.parametrize(
    "kind",
    [
        pytest.param(
            kind,
            marks=() if kind.__name__ in FAST else pytest.mark.slow,
            id=kind.__name__,
        )
        for kind in ESTIMATORS
    ],
)


@every_estimator
def test_estimator_passes_all_checks_of_scikit_learn(kind):
    allowed = excused(kind)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the checks provoke and test their own
        found = check_estimator(kind(), expected_failed_checks=allowed, on_skip=None)
    # What is excused does fail: nothing is excused that need not be.
    failed = {each["check_name"] for each in found if each["status"] == "xfail"}
    assert failed == set(allowed)
    skipped = {each["check_name"] for each in found if each["status"] == "skipped"}
    assert skipped <= {"check_array_api_input"}


@pytest.mark.parametrize("schema", [None, rg.Schema()])
def test_the_transformer_passes_all_checks_of_scikit_learn(schema):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(sk.SchemaTransformer(schema), on_skip=None)


FEW = ("PanelClassifier(model='validated')", "PerceptronClassifier(seal='10%')")
"""The cases of the table below that the fast tests have."""


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        pytest.param(
            kind,
            options,
            marks=() if repr(kind(**options)) in FEW else pytest.mark.slow,
            id=repr(kind(**options)),
        )
        for kind in ESTIMATORS
        for options in with_one_option(kind)
    ],
)
def test_estimator_passes_them_with_every_option(kind, options):
    allowed = excused_with(kind, options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(kind(**options), expected_failed_checks=allowed, on_skip=None)


@pytest.mark.parametrize(
    "kind", [kind for kind in CLASSIFIERS if not has_sets_of_two(kind)], ids=name_of
)
def test_sets_of_two_classes_without_probabilities_are_refused(kind):
    X, y, *_ = problem()
    if "level" not in inspect.signature(kind).parameters:
        return
    with pytest.raises(ValueError, match="has no probabilities"):
        kind(level=0.9).fit(np.abs(X), y)


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", [kind for kind in CLASSIFIERS if len(excused(kind)) > 2], ids=name_of
)
def test_class_weights_settle_in_a_hundred_passes(kind):
    if kind.__name__ in NEVER_HEAVY:
        with pytest.raises((AssertionError, ValueError)):
            check_class_weight_classifiers(kind.__name__, kind(passes=100))
    else:
        check_class_weight_classifiers(kind.__name__, kind(passes=100))


def test_the_page_says_why_a_check_is_excused():
    page = " ".join((ROOT / "docs" / "scikit-learn.md").read_text().split())
    for kind in ESTIMATORS:
        for options in ({}, *with_one_option(kind)):
            for reason in (excused(kind) | excused_with(kind, options)).values():
                assert reason in page
    assert all(f"`{name}`" in page for name in NEVER_HEAVY)


NO_SETS = (rg.KernelPerceptron, rg.MulticlassPerceptron)
"""They never have probabilities, so that there are no prediction sets."""


@pytest.mark.parametrize("kind", ESTIMATORS, ids=name_of)
def test_parameters_are_those_of_the_learner(kind):
    fields = {
        field.name: field
        for field in dataclasses.fields(kind.learner_class)
        if field.init and field.name not in ("n_features", "schema")
    }
    own = {"passes", "shuffle", "random_state", "model", "missing", "delta", "seal"}
    own.add("schema")
    if kind in CLASSIFIERS:
        own.add("class_weight")
    if kind.learner_class not in NO_SETS:
        own.add("level")
    given = set(inspect.signature(kind).parameters)
    missing = {"epsilon", "squared"} | set(kind.always)  # one task has no use for them
    assert own <= given
    assert given - own <= set(fields)
    assert set(fields) - given <= missing
    learner = kind()._make_learner()
    real = learner.task not in ("binary", "classes")
    assert real == (kind in REGRESSORS)
    assert learner.bias is not isinstance(learner, rg.KernelPerceptron)


def test_every_learner_has_an_estimator():
    known = {kind.learner_class for kind in ESTIMATORS}
    learners = {
        kind
        for kind in (getattr(rg, name) for name in rg.__all__)
        if inspect.isclass(kind) and issubclass(kind, EventLearner)
    } - {rg.OneVersusRest}  # what classifiers of many classes are made with
    assert learners == known
    real = {kind for kind in learners if "loss" in inspect.signature(kind).parameters}
    assert real <= {kind.learner_class for kind in REGRESSORS}
    written = [sk.OnlineClassifier, sk.OnlineRegressor, sk.SchemaTransformer]
    assert set(sk.__all__) == {kind.__name__ for kind in [*ESTIMATORS, *written]}


def test_scikit_learn_is_loaded_only_when_asked_for():
    import subprocess
    import sys

    code = (
        "import sys, regretless as rg; dir(rg); rg.Perceptron; "
        "assert 'sklearn' in dir(rg) and 'sklearn' not in sys.modules; "
        "rg.sklearn; assert 'sklearn' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
