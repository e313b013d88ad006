"""No command replaces a file that it reads, under whatever name it is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_files import rows
from regretless.cli import main

FORECASTS = "a,b,y\n0.5,0.6,1\n0.4,0.3,0\n0.7,0.2,1\n"
COMMANDS = {
    "train -o": "train rows.svm -o {}",
    "train -p": "train rows.svm -p {}",
    "train --checkpoint": "train rows.svm --checkpoint {}",
    "train --report": "train rows.svm --report {}",
    "train a glob -o": "train r*.svm -o {}",
    "train two -o": "train other.svm rows.svm -o {}",
    "predict -o": "predict m.rgl rows.svm -o {}",
    "predict -o, the model": "predict m.rgl rows.svm -o m.rgl",
    "convert": "convert rows.svm {}",
    "combine -o": "combine f.csv --truth y -o f.csv",
    "combine --report": "combine f.csv --truth y --report f.csv",
    "compare --report": "compare f.csv --truth y --report f.csv",
    "calibration --report": "calibration f.csv --truth y --report f.csv",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("rows.svm", "other.svm"):
        Path(name).write_text("".join(rows(50, seed=1)))
    Path("f.csv").write_text(FORECASTS)
    assert main(["train", "rows.svm", "-l", "perceptron", "-o", "m.rgl"]) == 0
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("same", ["rows.svm", "./sub/../rows.svm", "link"])
def test_an_input_is_never_replaced(command, same, folder, capsys):
    if same != "rows.svm" and "{}" not in COMMANDS[command]:
        pytest.skip("one name is enough")
    Path("sub").mkdir()
    Path("link").symlink_to("rows.svm")
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    capsys.readouterr()
    assert main(COMMANDS[command].format(same).split()) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "read" in said or command == "convert"  # it looks at the suffix first
    after = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    assert after == before
