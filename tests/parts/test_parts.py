"""A part that lacks something is refused when a learner is made of it, in one line."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from regretless.parts.composition import NEEDED, Composition
from regretless.parts.generic import implement
from regretless.parts.geometries import Euclidean
from regretless.parts.losses import Hinge
from regretless.parts.steps import Constant

GOOD = Composition(Hinge(), Euclidean(), Constant(0.5))
EVERY = [
    (kind, function) for kind, needed in NEEDED.items() for function in needed.functions
]
SAID = [
    (kind, attribute)
    for kind, needed in NEEDED.items()
    for attribute in needed.attributes
]


def part_without(left_out: Any, kind: str) -> Any:
    """A part that has all that its kind needs, but for one function or attribute."""
    needed = NEEDED[kind]
    said = {name: getattr(getattr(GOOD, kind), name) for name in needed.attributes}

    class Mine(NamedTuple):
        """Nothing but its class."""

    for name in said.keys() - {left_out}:
        setattr(Mine, name, said[name])
    for function in needed.functions:
        if function is not left_out:
            implement(function, Mine)(lambda part, *more: 0.0)
    return Mine()


@pytest.mark.parametrize(
    ("kind", "function"), EVERY, ids=lambda one: getattr(one, "__name__", one)
)
def test_a_part_without_a_function_is_refused(kind: str, function: Any) -> None:
    composition = GOOD._replace(**{kind: part_without(function, kind)})
    with pytest.raises(ValueError, match=rf"@implement\({function.__name__}, Mine\)"):
        composition.check()


@pytest.mark.parametrize(("kind", "attribute"), SAID)
def test_a_part_without_an_attribute_is_refused(kind: str, attribute: str) -> None:
    composition = GOOD._replace(**{kind: part_without(attribute, kind)})
    with pytest.raises(ValueError, match=rf"Mine\(\) must say {attribute} = "):
        composition.check()


def test_the_parts_of_the_package_lack_nothing() -> None:
    GOOD.check()
