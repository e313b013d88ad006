"""An option that reaches the learner is two files: where it is declared, and used."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import regretless

PACKAGE = Path(regretless.__file__).parent
DECLARED = "    model: Annotated[\n"
USED = "            self.record.leave_out(self.source.names)\n"
ASKED = """
import sys
import regretless as rg
from regretless.cli import main
from regretless.runs.checkpoints import read_state

X, y = [[1.0, 2.0], [2.0, 1.0], [-1.0, 1.0]], [1, 1, -1]
print("play", rg.play(rg.Perceptron(), X, y, stamp="blue").player.stamp)
assert "stamp : str" in rg.play.__doc__
try:
    rg.play([rg.Perceptron(), rg.Winnow()], X, y, stamp="blue")
except TypeError as error:
    print(error)
main("train data.svm -l perceptron --stamp red -o m.rgl --resumable --quiet".split())
print("kept", read_state("m.rgl").facts["request"]["stamp"])
main("train data.svm -l perceptron,adagrad --stamp red".split())
main(["train", "--help"])
"""


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    """A copy of the package with one more option, in two files."""
    shutil.copytree(PACKAGE, tmp_path / "regretless")
    (tmp_path / "data.svm").write_text("1 1:1 2:2\n1 1:2 2:1\n-1 1:-1 2:1\n")
    runs = tmp_path / "regretless" / "runs"
    options = runs / "session_options.py"
    declared = (
        '    stamp: Annotated[str | None, alone(text="A word on the player.")] = None\n'
    )
    told, more = "    reading : dict\n", "    stamp : str\n        A word.\n"
    text = options.read_text().replace(DECLARED, declared + DECLARED, 1)
    options.write_text(text.replace(told, more + told, 1))
    session = runs / "session.py"
    used = "            self.player.stamp = self.options.stamp\n"
    session.write_text(session.read_text().replace(USED, USED + used, 1))
    return tmp_path


def test_an_option_is_declared_and_used(changed: Path) -> None:
    found = subprocess.run(
        [sys.executable, "-c", ASKED],
        cwd=changed,
        env={**os.environ, "PYTHONPATH": str(changed)},
        capture_output=True,
        text=True,
        check=False,
    )
    told = found.stdout + found.stderr
    for line in (
        "play blue",
        "stamp= goes with one learner, not with several",
        "kept red",
        "--stamp goes with one learner, not with several",
        "A word on the player.",
    ):
        assert line in told, told
