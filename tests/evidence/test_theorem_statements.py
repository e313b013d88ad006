"""No theorem is stated where it was not checked: every learner, every way of showing.

A run is judged with comparators and without, with weights, from another start, and from
a stream that is gone; what the command line, JSON, a notebook and the report then say
may contain the statement of a theorem only if its verdict is that it applies.
"""

from __future__ import annotations

import dataclasses
import html
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import regretless as rg
from games import make_game
from learners import CASES, FORESEEN_CASES, SCALED_CASES, Case
from pages import blocks
from paths import ROOT
from regretless.cli import main
from regretless.cli.receipts import _theorem_sections
from regretless.report import facts as report_facts
from regretless.report.page import page_of
from theorems import all_theorems

STATEMENTS = {theorem.statement for theorems in all_theorems() for theorem in theorems}


LEFT = {"mistakes": "M", "regret": "R", "loss": "L", "coverage": ""}
OWN = re.compile(r"over mistakes|sum_M|^R\(u\) = ")


@pytest.mark.parametrize(
    "theorem",
    {one.name: one for some in all_theorems() for one in some}.values(),
    ids=lambda theorem: theorem.name,
)
def test_a_theorem_says_as_data_what_its_statement_says(theorem: Any) -> None:
    """Reports go by `kind`, `part` and `own`, and read no statement."""
    left = re.split(r" <= | = ", theorem.statement)[0].removesuffix("(u)")
    assert (left == LEFT[theorem.kind]) == (not theorem.part), theorem.statement
    assert bool(OWN.search(theorem.statement)) == theorem.own, theorem.statement


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def stated(text: str) -> set[str]:
    """The statements in a text, however it is wrapped; the longest at each place."""
    flat = squeezed(text)
    found: set[str] = set()
    for statement in sorted(STATEMENTS, key=len, reverse=True):
        if squeezed(statement) in flat:
            found.add(statement)
            flat = flat.replace(squeezed(statement), "#")
    return found


def screen(run: Any, theorems: Any) -> str:
    conclusion = SimpleNamespace(run=run, theorems=theorems, interrupted=False)
    sections = _theorem_sections(conclusion)
    return "\n".join(line for one in sections for line in one.lines(400, False))


def runs_of(case: Case) -> dict[str, tuple[Any, Any]]:
    """Runs and their theorems, by what is special about them."""
    game = make_game(case, 3, n=40, d=3, style="normal")
    run = rg.play(case.learner, game.X, game.y)
    gone = dataclasses.replace(run, game=None)
    weighted = dataclasses.replace(run, weighted=True)
    warm = dataclasses.replace(run, warm=True)
    return {
        "plain": (run, run.theorems()),
        "large": (run, run.theorems(hindsight=False)),
        "stream": (gone, gone.theorems()),
        "--class-weight": (weighted, weighted.theorems()),
        "-i": (warm, warm.theorems()),
    }


@pytest.mark.parametrize(
    "case", CASES + SCALED_CASES + FORESEEN_CASES, ids=lambda case: repr(case.learner)
)
def test_only_what_applies_is_stated(case: Case) -> None:
    for option, (run, theorems) in runs_of(case).items():
        applying = {one.theorem.statement for one in theorems.applying}
        refused = {one.theorem.statement for one in theorems if not one.applies}
        texts = [
            screen(run, theorems),
            json.dumps(theorems.as_dicts()),
            str(theorems),
            html.unescape(theorems._repr_html_()),
        ]
        for text in texts:
            assert stated(text) <= applying, option
            assert not stated(text) & (refused - applying), option
        assert stated(texts[0]) == applying
        if option in ("--class-weight", "-i"):
            assert not applying
            assert "none: " in texts[0]


@pytest.mark.parametrize("case", CASES[:9:4], ids=lambda case: repr(case.learner))
def test_the_report_states_what_applies(case: Case) -> None:
    for option in ("plain", "large", "--class-weight"):
        run, theorems = runs_of(case)[option]
        page = html.unescape(
            page_of(report_facts(run, theorems=theorems, hindsight=False))
        )
        assert stated(page) <= {one.theorem.statement for one in theorems.applying}


def test_the_command_line_states_what_it_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """The four of the first report: a panel, a free OGD, class weights, -i."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    table = "".join(
        f"{'+1' if x > 0 else '-1'} 1:{x:.4f} 2:1\n" for x in rng.normal(size=80)
    )
    Path("a.svm").write_text(table)
    learner = ["-l", "perceptron", "--verbose"]
    assert main(["train", "a.svm", *learner, "-o", "a.rgl"]) == 0
    assert "perceptron/root" in capsys.readouterr().out
    for extra in (["--class-weight", "1=5"], ["-i", "a.rgl", "--again"]):
        assert main(["train", "a.svm", *learner, *extra]) == 0
        out = capsys.readouterr().out
        assert not stated(out)
        assert "theorems\n  none: " in out
    monkeypatch.setattr("regretless.cli.conclusion.SMALL", 0)
    assert main(["train", "a.svm", "--verbose"]) == 0
    assert not stated(capsys.readouterr().out)
    assert main(["train", "a.svm", "-l", "ogd", "step=0.1", "--verbose"]) == 0
    out = capsys.readouterr().out
    assert not stated(out)
    assert "2 more need a comparator u; " in out


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize(
    "page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix()
)
def test_what_pages_show_of_the_screen_was_checked(page: Path) -> None:
    """A statement in the output of a command stands beside its two sides."""
    for block in blocks(page.read_text()):
        if block.language not in ("console", "text", ""):
            continue
        names = {
            theorem.name
            for theorems in all_theorems()
            for theorem in theorems
            if theorem.statement in stated(block.text)
        }
        shown = {name for name in names if re.search(rf"{name}\s+[\d-]", block.text)}
        assert bool(shown) == bool(names), block.text
