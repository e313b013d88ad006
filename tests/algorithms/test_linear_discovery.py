"""Every learner that the package exports is put through all laws."""

from __future__ import annotations

import abc
import inspect

import pytest

import regretless as rg
from learners import CASES, FORESEEN_CASES
from regretless.algorithms.learners import LinearLearner


def exported() -> list[type[LinearLearner]]:
    """All linear learners a user can reach as rg.Name."""
    values = [getattr(rg, name) for name in rg.__all__]
    return [
        value
        for value in values
        if inspect.isclass(value)
        and issubclass(value, LinearLearner)
        and not inspect.isabstract(value)
    ]


def subclasses(kind: type) -> set[type]:
    found = set(kind.__subclasses__())
    return found.union(*(subclasses(child) for child in found))


@pytest.mark.parametrize("kind", exported(), ids=lambda kind: kind.__name__)
def test_every_exported_learner_has_a_case(kind):
    represented = {type(case.learner) for case in CASES + FORESEEN_CASES}
    assert kind in represented, f"add {kind.__name__} to CASES of learners.py"


def test_every_learner_of_the_package_is_exported():
    ours = {
        kind
        for kind in subclasses(LinearLearner)
        if kind.__module__.startswith("regretless.")
    }
    assert ours == set(exported())
    assert issubclass(LinearLearner, abc.ABC)


def test_every_name_can_be_fetched():
    for name in rg.__all__:
        assert getattr(rg, name) is not None
    assert set(rg.__all__) <= set(dir(rg))
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        _ = rg.Nonsense
    assert rg.__version__.count(".") == 2


@pytest.mark.parametrize(
    "case", CASES + FORESEEN_CASES, ids=lambda case: repr(case.learner)
)
def test_a_repr_makes_the_same_learner(case):
    names = {name: getattr(rg, name) for name in rg.__all__}
    assert eval(repr(case.learner), names) == case.learner
