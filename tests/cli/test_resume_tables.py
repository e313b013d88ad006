"""Killed after a checkpoint and resumed: every format, column, learner and option.

``python -m benchmarks.resume`` does the same with processes that are really killed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from file_forms import small_blocks
from regretless.cli import main
from regretless.runs import watchers as w
from regretless.runs.checkpoints import read_checkpoint
from resume_cases import BATCH, BLOCK, EVERY, Case, all_cases, model_bits

CASES = all_cases()
# Every pair of format and kind of column, with another learner each time.
SOME = [case for k, case in enumerate(CASES) if 5 * (k // 6) % 6 == k % 6]


class KilledError(BaseException):
    """Nobody catches this: as if the process were gone."""


def dies_after_a_checkpoint(monkeypatch: pytest.MonkeyPatch, more: int) -> None:
    """Let the process end `more` batches after the first checkpoint."""
    original = w.Checkpointer.after
    left = more

    def after(self: Any, batch: Any, scores: Any, game: Any) -> None:
        nonlocal left
        original(self, batch, scores, game)
        if Path("c.ck").exists():
            left -= 1
            if left < 0:
                raise KilledError

    monkeypatch.setattr(w.Checkpointer, "after", after)


def is_the_same_when_resumed(case: Case, monkeypatch: Any, capsys: Any) -> None:
    small_blocks(monkeypatch, BLOCK, BATCH)
    case.write(Path.cwd())
    straight = outcome(capsys, "train", *case.arguments("s"))
    saving = ["--checkpoint", "c.ck", "--every", EVERY]
    with monkeypatch.context() as patch:
        dies_after_a_checkpoint(patch, more=len(case.file) % 4)
        with pytest.raises(KilledError):
            main(["train", *case.arguments("r"), *saving, "--quiet"])
    assert not Path("r.rgl").exists()
    assert 0 < read_checkpoint("c.ck").rounds < straight["rows"]
    asked = ["-o", "r.rgl", *(["-p", "r.txt"] if case.way == "predictions" else [])]
    resumed = outcome(capsys, "train", "--resume", "c.ck", *asked)
    straight["model"]["path"] = resumed["model"]["path"]
    assert resumed == straight
    assert model_bits("r.rgl") == model_bits("s.rgl")
    if case.way == "predictions":
        assert Path("r.txt").read_bytes() == Path("s.txt").read_bytes()


def outcome(capsys: Any, *arguments: str) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == 0, capsys.readouterr().err
    found = json.loads(capsys.readouterr().out)
    for timed in ("seconds", "seconds_learning"):
        del found[timed]
    return found


@pytest.mark.parametrize("case", SOME, ids=" ".join)
def test_resumed(case: Case, tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    is_the_same_when_resumed(case, monkeypatch, capsys)


@pytest.mark.slow
@pytest.mark.parametrize("case", [c for c in CASES if c not in SOME], ids=" ".join)
def test_resumed_with_every_learner(
    case: Case, tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    is_the_same_when_resumed(case, monkeypatch, capsys)
