"""What is listed is dumped, checked and restored, of whatever kind it is."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np
import pytest

from regretless.engine.storage import (
    COUNTS,
    Many,
    Maybe,
    Range,
    Sized,
    Stored,
    keep,
    same,
)


class Mark(NamedTuple):
    """Where something was, and what was there."""

    at: int = 0
    weights: Any = np.zeros(0)


class Inner(Stored):
    """An object inside."""

    kept = keep("open", _sums=Range(0.0))

    def __init__(self) -> None:
        self.open = False
        self._sums = np.zeros(2)


class Outer(Stored):
    """One of every kind."""

    kept = keep(
        *("inner", "tests", "inners", "nothing", "name", "rng"),
        size=COUNTS,
        share=Range(0.0, 1.0),
        table=Sized("size", "width"),
        wide=Sized("width", holds=COUNTS),
        marks=Many(Mark, {"at": COUNTS, "weights": Sized("n")}, 2),
        later=Maybe(Inner),
        made_with=same,
    )

    def __init__(self) -> None:
        self.inner, self.inners = Inner(), [Inner(), Inner()]
        self.tests = {"a": Inner(), "b": Inner()}
        self.nothing, self.name, self.made_with = None, "", {"x", "y"}
        self.rng = np.random.default_rng(0)
        self.size, self.share = 0, 0.0
        self.table, self.wide = np.zeros((0, 0)), np.zeros(0, np.int64)
        self.marks: list[Mark] = []
        self.later: Inner | None = None

    def check_state(self) -> None:
        """All of it is there."""
        if self.name == "none":
            raise ValueError("it has no name")


def full() -> Outer:
    outer = Outer()
    outer.inner.open, outer.later, outer.name = True, Inner(), "full"
    outer.inners[1]._sums[:] = outer.tests["b"]._sums[:] = 3.0
    outer.size, outer.share = 2, 0.5
    outer.table, outer.wide = np.ones((2, 3)), np.arange(3)
    outer.marks = [Mark(4, np.ones(2)), Mark(5, np.ones(7))]
    outer.rng.random(5)
    return outer


def test_all_kinds_come_back() -> None:
    outer, again = full(), Outer()
    again.load_state(deepcopy(outer.state_dict()))
    assert str(again.state_dict()) == str(outer.state_dict())
    assert again.rng.random() == outer.rng.random()
    assert again.later is not None
    assert isinstance(again.marks[0], Mark)
    assert outer.copy().size == 2


DAMAGED = [
    ("inner", {"open": 1, "sums": np.zeros(2)}, "wrong kind"),
    ("inner", {"open": True, "sums": np.full(2, -1.0)}, "is not in"),
    ("inner", {"open": True}, "sums"),
    ("inners", [], "zip"),
    ("tests", {}, "a"),
    ("nothing", 0, "wrong kind"),
    ("name", "none", "no name"),
    ("size", 3, "cannot be"),
    ("size", 2.0, "whole number"),
    ("share", 1.5, "number in its range"),
    ("share", float("nan"), "number in its range"),
    ("table", np.ones((2, 4)), "cannot be"),
    ("table", np.ones((2, 3), np.float32), "cannot be"),
    ("wide", np.arange(3) - 1, "is not in"),
    ("marks", [{"at": 1, "weights": np.zeros(0)}] * 3, "more than 2"),
    ("marks", {}, "wrong kind"),
    ("made_with", ["x"], "not"),
    ("rng", {"pcg64": "-1", "stream": "1"}, "out of range"),
]


@pytest.mark.parametrize(("name", "value", "why"), DAMAGED)
def test_what_is_damaged_is_refused(name: str, value: Any, why: str) -> None:
    state = full().state_dict()
    with pytest.raises((ValueError, KeyError), match=why):
        Outer().load_state({**state, name: value})


def test_a_part_that_is_missing_is_named() -> None:
    state = full().state_dict()
    for name in state:
        rest = {key: value for key, value in state.items() if key != name}
        with pytest.raises(KeyError, match=name):
            Outer().load_state(rest)


def test_lists_of_bases_are_joined() -> None:
    class More(Inner):
        kept = keep(_sums=Range(1.0), more=COUNTS)

        def __init__(self) -> None:
            super().__init__()
            self.more = 1

    assert list(More.kept) == ["open", "_sums", "more"]
    with pytest.raises(ValueError, match="is not in"):
        More().load_state({"open": True, "sums": np.zeros(2), "more": 1})
