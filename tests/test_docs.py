"""Every example in the README and in docs/ runs and prints what it says."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_of(page: Path) -> None:
    flags = doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
    found = doctest.testfile(str(page), module_relative=False, optionflags=flags)
    assert found.failed == 0


def test_readme_has_examples() -> None:
    parsed = doctest.DocTestParser().get_examples(PAGES[0].read_text())
    assert len(parsed) > 10
