"""What the estimators refuse, and that one clear line says why."""

from __future__ import annotations

from datetime import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

import regretless as rg
import regretless.sklearn as sk
from estimators import identical, problem

X, LABELS, NUMBERS, WEIGHTS = problem()
MODEL = sk.PerceptronClassifier(model="last")


def refused(message, call, *arguments, **options):
    with pytest.raises(ValueError, match=message) as found:
        call(*arguments, **options)
    assert "\n" not in str(found.value)


def test_negative_weights_name_the_row():
    weights = np.ones(90)
    weights[7] = -2.0
    said = "row 7: sample_weight=-2 is negative"
    refused(said, clone(MODEL).fit, X, LABELS, sample_weight=weights)
    refused(said, sk.OGDRegressor().fit, X, NUMBERS, sample_weight=weights)
    refused(r"expected \(90,\)", clone(MODEL).fit, X, LABELS, sample_weight=[1.0])
    refused("zero everywhere", clone(MODEL).fit, X, LABELS, sample_weight=0)
    refused("zero everywhere", sk.OGDRegressor().fit, X, NUMBERS, sample_weight=0)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_columns_that_held_numbers_in_fit_are_named(frame):
    good = frame({"age": [1.0, 2.0], "size": [3, 4]})
    model = clone(MODEL).fit(good, [0, 1])
    assert list(model.feature_names_in_) == ["age", "size"]
    assert list(model.run_.named_weights()) == ["age", "size"]
    for value in ("large", datetime(2030, 1, 1)):
        bad = frame({"age": [1.0], "size": [value]})
        refused("column 'size' holds .*, not numbers as in fit", model.predict, bad)
        refused("column 'size' holds .*, not numbers", model.partial_fit, bad, [0])
    with pytest.raises(ValueError, match="Feature names must be in the same order"):
        model.predict(frame({"size": [1.0], "age": [1.0]}))


def test_labels_outside_the_declared_classes():
    model = clone(MODEL).partial_fit(X[:9], LABELS[:9], classes=["no", "yes"])
    before = clone(MODEL).partial_fit(X[:9], LABELS[:9], classes=["no", "yes"])
    said = "row 1: label 'perhaps' is none of the"
    refused(said, model.partial_fit, X[:2], ["no", "perhaps"])
    said = "are not those of the first call"
    refused(said, model.partial_fit, X[:2], LABELS[:2], ["a", "b"])
    identical(model, before)  # nothing of it was learned
    refused("1 class", clone(MODEL).fit, X, np.ones(90))
    said = "label 'perhaps' .* begin with partial_fit.X, y. without classes="
    refused(said, clone(MODEL).fit(X, LABELS).partial_fit, X[:1], ["perhaps"])


def test_parameters_are_checked_by_fit_alone():
    for wrong, message in (
        ({"passes": 0}, "passes=0 must be a whole number"),
        ({"passes": True}, "passes=True must be"),
        ({"model": "best"}, "model='best' must be one of 'last', 'mean'"),
        ({"model": "validated", "passes": 2}, "passes must be 1"),
        ({"delta": 2.0}, "delta"),
        ({"bias": "yes"}, "bias='yes' must be True or False"),
    ):
        refused(message, sk.PerceptronClassifier(**wrong).fit, X, LABELS)
    for wrong, message in (
        ({"loss": "log_loss"}, "no loss 'log_loss' .did you mean 'logistic'"),
        ({"loss": "hinje"}, "did you mean 'hinge'"),
        ({"loss": rg.Squared()}, "not for labels that are classes: take the regressor"),
        ({"loss": rg.Hinge}, r"did you forget the \(\)"),
        ({"loss": 3}, "loss=3 is not a loss"),
        ({"step": -1.0}, "eta"),
        ({"radius": 1.0, "domain": rg.Box(-1, 1)}, "radius or domain, not both"),
    ):
        refused(message, sk.OGDClassifier(**wrong).fit, X, LABELS)
    refused("take the classifier", sk.OGDRegressor(loss=rg.Hinge()).fit, X, NUMBERS)
    refused("'last', 'validated'", sk.PanelClassifier(model="mean").fit, X, LABELS)
    refused(
        "'last', 'mean', 'last-half'",
        sk.OGDRegressor(model="validated").fit,
        X,
        NUMBERS,
    )


def test_what_a_kernel_machine_refuses():
    model = sk.KernelPerceptronClassifier()
    many = np.arange(90) % 3
    refused("Only binary .* by KernelPerc.*: there are 3", model.fit, X, many)
    refused("say which two, partial_fit.X, y, class", model.partial_fit, X, LABELS)
    model.set_params(kernel="rbv")
    refused("no kernel 'rbv' .did you mean 'rbf'.*: choose", model.fit, X, LABELS)
    refused("not a part", model.set_params(kernel=rg.RBF).fit, X, LABELS)
    with pytest.raises(AttributeError, match="not linear: it has no coef_"):
        _ = sk.KernelPerceptronClassifier(kernel="linear").fit(X, LABELS).coef_


def test_parameters_cannot_change_in_the_middle():
    model = sk.OGDClassifier().partial_fit(X, LABELS, classes=["no", "yes"])
    model.set_params(step=0.1)
    refused("changed in the middle of a stream", model.partial_fit, X, LABELS)
    model.set_params(step=0.5).partial_fit(X, LABELS)
    model.set_params(loss=rg.Logistic()).fit(X, LABELS)
    assert model.t_ == 90


def test_too_few_rows_to_validate_on():
    model = sk.PerceptronClassifier(model="validated")
    model.partial_fit(X[:1], LABELS[:1], classes=np.unique(LABELS))
    refused("1 round is too few", model.predict, X)


def test_weights_that_overflow_leave_what_was_fitted():
    model = sk.OGDClassifier(random_state=3).fit(X, LABELS)
    before = clone(model).fit(X, LABELS)
    model.set_params(step=1e308)
    refused("row .*: .*take a smaller step", model.fit, X, LABELS)
    identical(model, before)


def test_a_weight_of_a_class_that_never_came() -> None:
    model = rg.sklearn.PerceptronClassifier(class_weight={"Yes": 5.0})
    with pytest.raises(ValueError, match="no row is labeled 'Yes'; labels are 'no', "):
        model.fit([[1.0], [2.0]], ["no", "yes"])
