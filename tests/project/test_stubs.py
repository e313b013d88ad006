"""Editors, type checkers and the docs see names that are found or made at run time."""

from __future__ import annotations

import pytest

from stubs import stubs


@pytest.mark.parametrize("path", stubs(), ids=lambda path: path.parent.name)
def test_what_is_derived_is_up_to_date(path) -> None:
    assert path.read_text() == stubs()[path], "run `make stubs`"
