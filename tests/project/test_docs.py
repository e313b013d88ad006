"""Every example in the README and in docs/ runs and prints what it says."""

from __future__ import annotations

import pkgutil
import re
from pathlib import Path

import pytest

from pages import blocks, play_page
from paths import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
RUN = ("python", "console")


def languages(page: Path) -> set[str]:
    return {block.language for block in blocks(page.read_text())}


def title(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize(
    "page", [page for page in PAGES if languages(page) & {*RUN}], ids=title
)
def test_examples_of(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    failures = play_page(page.read_text(), title(page))
    assert not failures, failures


@pytest.mark.parametrize("page", PAGES, ids=title)
def test_nothing_goes_without_being_run(page: Path) -> None:
    """Python without a prompt, a prompt outside of Python, a command of another."""
    text = page.read_text()
    python = [block.text for block in blocks(text) if block.language == "python"]
    assert all(">>> " in block for block in python)
    assert sum(block.count(">>> ") for block in python) == text.count(">>> ")
    console = [block.text for block in blocks(text) if block.language == "console"]
    ours = sum(block.count("$ regretless ") for block in console)
    assert ours == sum(block.count("$ ") for block in console)


@pytest.mark.parametrize(
    ("shown", "wrong"),
    [
        ("```python\n>>> 1 + 1\n2\n\n```", "```python\n>>> 1 + 1\n3\n\n```"),
        (
            "```console\n$ regretless --version\nregretless ...\n```",
            "```console\n$ regretless --version\nregretful ...\n```",
        ),
        (
            "```console\n$ regretless predict no.rgl a.svm\n...no.rgl...\n```",
            "```console\n$ regretless predict no.rgl a.svm\n```",
        ),
    ],
)
def test_a_page_that_lies_is_found_out(shown: str, wrong: str) -> None:
    assert play_page(f"Text.\n\n{shown}\n", "true.md") == ""
    assert "Expected" in play_page(f"Text.\n\n{wrong}\n", "false.md")


def test_readme_has_examples() -> None:
    readme = PAGES[0].read_text()
    python = [block.text for block in blocks(readme) if block.language == "python"]
    assert sum(text.count(">>> ") for text in python) > 10


def test_what_the_reference_shows_exists() -> None:
    shown = [
        name
        for page in sorted((ROOT / "docs" / "api").glob("*.md"))
        for name in re.findall(r"^::: (\S+)", page.read_text(), re.MULTILINE)
    ]
    assert shown
    assert [name for name in shown if pkgutil.resolve_name(name) is None] == []
