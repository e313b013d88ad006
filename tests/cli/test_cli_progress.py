"""Progress on a terminal: the table at doubling counts, and its last line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import regretless as rg
from command_files import rows
from regretless.cli import main, training
from regretless.data import lines


@pytest.mark.parametrize("more", ["", ",ogd", ",arow,panel"])
def test_the_table_doubles_and_ends_where_the_stream_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, more: str
) -> None:
    """Of several learners it shows the first."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(lines, "BLOCK", 2000)
    Path("a.svm").write_text("".join(rows(3000, seed=1)))
    monkeypatch.setattr(training.sys.stderr, "isatty", lambda: True, raising=False)
    assert main(["train", "a.svm", "-l", f"perceptron{more}"]) == 0
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().err)
    drawn = [line.split() for line in re.split(r"[\r\n]+", text)]
    table = [line for line in drawn if len(line) == 6 and line[4] == "<="]
    counts = [int(line[0].replace(",", "")) for line in table]
    assert counts[-1] == 3000
    assert counts == sorted(set(counts))
    assert sum(1000 <= count < 3000 for count in counts) == 2  # past 1,024 and 2,048
    mistakes = rg.play(rg.Perceptron(), "a.svm").mistakes
    assert int(table[-1][1].replace(",", "")) == mistakes
