"""Every scikit-learn estimator of the package, found by itself, and how to compare two.

An estimator that is added to ``regretless.sklearn`` is put through all laws at once.
"""

from __future__ import annotations

import inspect

import numpy as np

import regretless as rg
import regretless.sklearn as sk

_EXCUSED = {
    f"check_sample_weight_equivalence_on_{kind}_data": (
        "In one pass a row of weight two is not the same as two rows."
    )
    for kind in ("dense", "sparse")
}
EXACT = {"VAWRegressor"}  # ridge regression, in whatever order rows come


SETTLED = {
    "AROWClassifier",
    "FactorizationMachineClassifier",
    "NormalizedWinnowClassifier",
    "PanelClassifier",
    "SecondOrderPerceptronClassifier",
}
"""Classifiers that settle in one pass at class weights of 1000 to 0.0001."""
_TOO_HEAVY = {
    "check_class_weight_classifiers": (
        "One pass over 50 rows does not settle at class weights of 1000 and 0.0001."
    )
}
NEVER_HEAVY = {
    "EGClassifier",
    "KernelPerceptronClassifier",
    "ONSClassifier",
    "UnnormalizedEGClassifier",
    "WinnowClassifier",
}
"""Classifiers that a hundred passes do not settle either at such weights."""
_BALANCED = dict.fromkeys(
    (
        "check_estimators_partial_fit_n_features",
        "check_fit_score_takes_y",
        "check_n_features_in_after_fitting",
    ),
    "`partial_fit` does not know how many rows of a class will come, and refuses "
    '`class_weight="balanced"`.',
)
_ONE_ORDER = {
    "check_classifiers_train": (
        "`EGClassifier` stays below the score that the check wants of three classes in "
        "1 order of 40, and with `seal=` the check takes that one."
    )
}
OPTIONS = {
    "seal": "10%",
    "level": 0.9,
    "passes": 2,
    "missing": "indicator",
    "class_weight": "balanced",
    "shuffle": False,
    "schema": rg.Schema(),
}
"""A value of each option that is not its default; beside every ``model``."""


def excused(kind) -> dict[str, str]:
    """The checks that an estimator need not pass, and why: sentences of its page."""
    if kind.__name__ in EXACT:
        return {}
    heavy = kind in CLASSIFIERS and kind.__name__ not in SETTLED
    return {**_EXCUSED, **(_TOO_HEAVY if heavy else {})}


def excused_with(kind, options) -> dict[str, str]:
    """The same where an option is not its default."""
    exact = kind.__name__ in EXACT and not options.keys() & {"model", "seal"}
    found = {} if exact else dict(_EXCUSED)
    if kind in CLASSIFIERS:
        found |= _TOO_HEAVY
    if "class_weight" in options:
        found |= _BALANCED
    if kind.__name__ == "EGClassifier" and "seal" in options:
        found |= _ONE_ORDER
    return found


def with_one_option(kind) -> list[dict]:
    """Every other ``model``, and every other value of one option."""
    parameters = inspect.signature(kind).parameters
    known = parameters["model"].default
    found = [{"model": one} for one in kind.models if one != known]
    for name, value in OPTIONS.items():
        if name not in parameters:
            continue
        more = {name: value}
        if name == "level" and not has_sets_of_two(kind):
            if "loss" not in parameters:
                continue
            more["loss"] = "logistic"
        found.append(more)
    return found


def has_sets_of_two(kind) -> bool:
    """Whether there are prediction sets of two classes, or intervals, by default."""
    return kind in REGRESSORS or kind()._learner().probabilistic


# The others compile the machine code of their own parts, seconds each.
FAST = {
    "OGDRegressor",
    "PanelClassifier",
    "PerceptronClassifier",
}

ESTIMATORS = [
    kind
    for kind in (getattr(sk, name) for name in sk.__all__)
    if not inspect.isabstract(kind)
    and not kind.__name__.startswith(("Online", "Schema"))
]
CLASSIFIERS = [kind for kind in ESTIMATORS if issubclass(kind, sk.OnlineClassifier)]
REGRESSORS = [kind for kind in ESTIMATORS if issubclass(kind, sk.OnlineRegressor)]


def name_of(kind) -> str:
    """What pytest prints."""
    return kind.__name__ if inspect.isclass(kind) else repr(kind)


def problem(n=90, d=4, seed=3):
    """Rows, labels of two kinds, numbers, and weights of which some are zero."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    score = X @ rng.normal(size=d) + 0.3 * rng.normal(size=n)
    weights = rng.choice([0.0, 0.5, 1.0, 2.0], size=n)
    return X, np.where(score > 0.2, "yes", "no"), score, weights


def identical(one, other) -> None:
    """The same bits: everything that was learned, and everything that is said."""
    assert one.t_ == other.t_
    assert one.ledger_ == other.ledger_
    assert np.array_equal(one.ledger_.curve, other.ledger_.curve)
    if hasattr(one, "coef_"):
        assert np.array_equal(one.coef_, other.coef_)
        assert np.array_equal(one.intercept_, other.intercept_)
    rows = np.random.default_rng(5).normal(size=(7, one.n_features_in_))
    assert np.array_equal(one.predict(rows), other.predict(rows))
    if hasattr(one, "decision_function"):
        scores = one.decision_function(rows)
        assert np.array_equal(scores, other.decision_function(rows))
        assert np.array_equal(one.classes_, other.classes_)
        assert hasattr(one, "certificate_") == hasattr(other, "certificate_")
        if hasattr(one, "certificate_"):
            ours, theirs = one.certificate_, other.certificate_
            assert (ours.about, ours.n, ours.total) == (
                theirs.about,
                theirs.n,
                theirs.total,
            )
            # Rows that came in several calls may have been chosen to end here.
            assert ours == theirs or ours.scope != theirs.scope
