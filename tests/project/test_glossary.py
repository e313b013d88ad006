"""Every kept word is defined and used; so is every letter of a printed theorem."""

from __future__ import annotations

import re

import pytest

from letters import WORDS, letters
from paths import ROOT
from theorems import all_theorems

PAGE = (ROOT / "docs" / "glossary.md").read_text()
TABLES = PAGE.split("\n## ")[1:]
ROWS = [re.findall(r"(?m)^\| (.+?) \| (.+) \|$", table)[1:] for table in TABLES]
DEFINED = dict(ROWS[0])
# The words that code, docs and messages share.
KEPT = [
    "learner",
    "round",
    "mistake",
    "loss",
    "regret",
    "ledger",
    "theorem",
    "certificate",
    "comparator",
    "hindsight",
    "snapshot",
    "run",
    "session",
    "batch",
    "source",
    "player",
    "hypothesis",
    "model",
    "panel",
    "member",
]
BOOK = "\n".join(
    path.read_text()
    for path in sorted((ROOT / "docs").rglob("*.md"))
    if path.name != "glossary.md" and path.parent.name != "decisions"
)


def test_words_are_those_that_are_kept() -> None:
    assert list(DEFINED) == sorted(KEPT)
    assert all(len(text.split(". ")) <= 3 for text in DEFINED.values())


@pytest.mark.parametrize("word", sorted(DEFINED))
def test_every_word_is_used(word: str) -> None:
    plural = {"loss": "losses", "batch": "batches", "hypothesis": "hypotheses"}
    forms = f"{word}|{plural.get(word, word + 's')}"
    assert len(re.findall(rf"(?i)\b(?:{forms})\b", BOOK)) >= 2


def test_every_letter_of_a_theorem_is_defined_and_every_one_defined_is_used() -> None:
    defined = {
        letter
        for names, _ in ROWS[1]
        for name in re.findall(r"`([^`]+)`", names)
        for letter in letters(name)
    }
    used = {
        letter
        for theorems in all_theorems()
        for theorem in theorems
        for text in (theorem.statement, *(one.name for one in theorem.symbols))
        for letter in letters(text)
    }
    assert used - defined - WORDS == set()
    assert defined - used == set()
