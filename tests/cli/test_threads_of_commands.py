"""``--threads`` changes no bit: every format, kind of column, learner and option."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from file_forms import small_blocks
from regretless.cli import main
from regretless.engine.players import panel, stages
from resume_cases import BATCH, BLOCK, LEARNERS, Case, all_cases, model_bits

CASES = all_cases()
# Another format, kind of column, learner and option each time.
SOME = CASES[:: 2 * len(LEARNERS) + 1]
# The numbers are dealt out in turn: each format has all of them.
THREADS = (("1", "4"), ("2", "3"), ("1", "3"), ("2", "4"), ("3", "4"), ("1", "2"))


def is_the_same_on_all(case: Case, monkeypatch: Any, capsys: Any) -> None:
    small_blocks(monkeypatch, BLOCK, BATCH)
    monkeypatch.setattr(panel, "FEWEST_WIDE", stages.FEWEST)
    case.write(Path.cwd())
    given = ["train", *case.arguments("m"), "--json"]
    alone = None
    turn = sum(divmod(CASES.index(case), len(LEARNERS)))
    for threads in ("0", *THREADS[turn % len(THREADS)]):
        assert main([*given, "--threads", threads]) == 0, capsys.readouterr().err
        found = json.loads(capsys.readouterr().out)
        del found["seconds"], found["seconds_learning"]
        said = Path("m.txt").read_bytes() if case.way == "predictions" else b""
        told = (found, model_bits("m.rgl"), said)
        alone = alone or told
        assert told == alone, threads


@pytest.mark.parametrize("case", SOME, ids=" ".join)
def test_threads_change_no_bit(
    case: Case, tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    is_the_same_on_all(case, monkeypatch, capsys)


@pytest.mark.slow
@pytest.mark.parametrize("case", [c for c in CASES if c not in SOME], ids=" ".join)
def test_threads_change_no_bit_of_any_learner(
    case: Case, tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    is_the_same_on_all(case, monkeypatch, capsys)


def test_all_formats_and_learners_are_among_some() -> None:
    for of in ("format", "columns", "learner"):
        seen = {getattr(case, of) for case in SOME}
        assert seen == {getattr(case, of) for case in CASES}
