"""A message while something takes long: where somebody looks, and nowhere else."""

from __future__ import annotations

import io
import sys
import threading
import time
from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest

import regretless as rg
from regretless.parts import waiting as w


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def look(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Terminal]:
    """Let standard error be a terminal; to be called in the test itself."""

    def begin() -> Terminal:
        screen = Terminal()
        monkeypatch.setattr(sys, "stderr", screen)
        monkeypatch.setattr(w, "FIRST", 0.02)
        monkeypatch.setattr(w, "EVERY", 0.02)
        return screen

    return begin


def test_a_terminal_is_told_and_cleaned(look: Callable[[], Terminal]) -> None:
    terminal = look()
    with w.waiting("counting"):
        time.sleep(0.1)
    text = terminal.getvalue()
    assert "\rcounting: 0 s" in text
    assert text.endswith(f"\r{'':<{w.WIDTH}}\r")


def test_what_is_quick_says_nothing(look: Callable[[], Terminal]) -> None:
    terminal = look()
    with w.waiting("counting"):
        pass
    assert terminal.getvalue() == ""


def test_what_begins_inside_is_part_of_it(look: Callable[[], Terminal]) -> None:
    terminal = look()
    with w.waiting("outside"), w.waiting("inside"):
        time.sleep(0.1)
    assert "outside" in terminal.getvalue()
    assert "inside" not in terminal.getvalue()
    with w.waiting("after it"):
        time.sleep(0.1)
    assert "after it" in terminal.getvalue()


def test_a_failure_passes_through(look: Callable[[], Terminal]) -> None:
    look()
    with pytest.raises(KeyError), w.waiting("counting"):
        raise KeyError("no")
    assert not getattr(w._begun, "now", False)


def test_no_thread_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    before = threading.active_count()
    with w.waiting("counting"):
        assert threading.active_count() == before


def test_notebooks_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert not w.watched()
    monkeypatch.setitem(sys.modules, "ipykernel", ModuleType("ipykernel"))
    assert w.watched()


def test_playing_says_how_far_it_is(look: Callable[[], Terminal]) -> None:
    terminal = look()

    def slow():
        for i in range(40):
            time.sleep(0.005)
            yield {"a": float(i % 3)}, i % 2

    assert rg.play(rg.Perceptron(), slow()).rounds == 40
    assert "learning, " in terminal.getvalue()
    X = np.random.default_rng(0).normal(size=(50, 2))
    run = rg.play(rg.Perceptron(), X, X[:, 0] > 0)
    assert run.theorems() is not None
