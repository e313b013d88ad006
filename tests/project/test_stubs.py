"""Editors and type checkers see the names that are found or made at run time."""

from __future__ import annotations

import pytest

from stubs import stubs


@pytest.mark.parametrize("path", stubs(), ids=lambda path: path.parent.name)
def test_a_stub_lists_the_names_of_its_package(path) -> None:
    assert path.read_text() == stubs()[path], "run `make stubs`"
