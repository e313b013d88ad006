"""Files that the documentation names are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from paths import ROOT

PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
NAMED = re.compile(r"`([\w.-]+/[\w/.-]+\.(?:py|css|js|toml))`")
PLACES = [ROOT, ROOT / "src" / "regretless"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).name)
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    named = set(NAMED.findall(page.read_text()))
    assert {
        one for one in named if not any((p / one).exists() for p in PLACES)
    } == set()


def test_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) < 150
