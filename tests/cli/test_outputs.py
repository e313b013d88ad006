"""No output is cut without a word: a few faults here, all of them in a slow test."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import faulty_outputs as faulty
from command_files import FORECASTS, rows, table
from killing import KilledError, dies_after
from regretless.cli import main
from regretless.cli.console import StandardOutput
from regretless.cli.predicted_part import PredictionTable
from regretless.cli.row_names import RowNames
from regretless.cli.usage import UsageError
from regretless.data import ReadOptions


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data, forecasts and a model."""
    place = tmp_path_factory.mktemp("outputs")
    (place / "a.svm").write_text("".join(rows(1500, seed=1)))
    (place / "b.svm").write_text("".join(rows(1500, seed=2)))
    (place / "f.csv").write_text(FORECASTS)
    data, model = str(place / "a.svm"), str(place / "m.rgl")
    train = ["train", data, "-l", "perceptron", "--quiet"]
    kept = ["--checkpoint", str(place / "c.ck"), "--every", "1rows"]
    assert main([*train, "-o", model, *kept]) == 0
    return place


@pytest.fixture
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same in a folder of our own."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_predictions_to_a_full_disk_without_a_buffer(folder: Path) -> None:
    """Where Python is unbuffered a write may be short."""
    run = f"{sys.executable} -u -m regretless predict m.rgl a.svm --quiet > out.csv"
    done = subprocess.run(
        ["sh", "-c", f"ulimit -f 8; {run}"], stderr=subprocess.PIPE, check=False
    )
    assert done.returncode == 1
    assert done.stderr == b"standard output: file too large\n"
    assert 0 < Path("out.csv").stat().st_size <= 8192


def test_short_writes_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All bytes are written, in order, however few the system takes at a time."""
    real = os.write
    monkeypatch.setattr(os, "write", lambda number, data: real(number, bytes(data[:7])))
    with (tmp_path / "out").open("w") as stream:
        out = StandardOutput(stream, stream.fileno())
        out.write("é\udcff")
        out.write_bytes(bytes(range(200)) * 500)
        out.flush()
    expected = "é".encode() + b"\xff" + bytes(range(200)) * 500
    assert (tmp_path / "out").read_bytes() == expected


@pytest.mark.slow
@pytest.mark.parametrize("unbuffered", [False, True])
def test_all_outputs(folder: Path, unbuffered: bool) -> None:
    names = list(faulty.STREAMS) if unbuffered else [*faulty.STREAMS, *faulty.FILES]
    small = folder / "small"
    small.mkdir()
    with faulty.full_disk(small) as disk:
        found = list(
            faulty.outcomes(
                folder, names, unbuffered=unbuffered, disk=disk, only=("limit", "disk")
            )
        )
    assert len(found) == len(names) * (1 if disk is None else 2)
    assert [one for one in found if one[2] != "refused"] == []


TRAIN = "train a.svm -l perceptron --quiet --again"
OPTIONS = ("--output", "--predictions", "--checkpoint", "--report")
PAIRS = [
    *(f"{TRAIN} {one} {{0}} {two} {{1}}" for one, two in combinations(OPTIONS, 2)),
    "combine f.csv --truth rain --output {0} --save {1}",
    "combine f.csv --truth rain --output {0} --report {1}",
    "combine f.csv --truth rain --save {0} --report {1}",
]
NAMES = [
    ("x.html", "x.html"),
    ("x.html", "./sub/../x.html"),
    ("x.html", "X.html"),
    ("old.html", "link.html"),
    ("old.html", "hard.html"),
    ("link.html", "hard.html"),
]


@pytest.mark.parametrize("command", PAIRS)
def test_two_outputs_are_two_files(folder: Path, capsys: Any, command: str) -> None:
    (folder / "sub").mkdir()
    Path("old.html").write_text("old")
    Path("link.html").symlink_to("old.html")
    Path("hard.html").hardlink_to("old.html")
    before = sorted(folder.iterdir())
    for names in NAMES:
        assert main(command.format(*names).split()) == 2, names
        assert "that is one file" in capsys.readouterr().err
    assert sorted(folder.iterdir()) == before
    assert Path("old.html").read_text() == "old"


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_a_name_of_standard_output_beside_json(folder: Path, name: str) -> None:
    """The JSON has it, so messages go where it went: a file must not end there."""
    run = f"{sys.executable} -m regretless predict m.rgl a.svm --json -o {name}"
    Path("log").write_text("kept\n")
    done = subprocess.run(["sh", "-c", f"{run} 2>>log >out"], check=False)
    assert done.returncode == 2
    said = Path("log").read_text()
    assert said == f"kept\n--output {name}: the JSON goes to standard output\n"


@pytest.mark.parametrize(
    "command",
    [
        "train --resume c.ck -o c.ck --quiet",
        "train --resume c.ck -p c.ck --quiet",
        f"{TRAIN} -i m.rgl -p m.rgl",
        f"{TRAIN} -i m.rgl --checkpoint m.rgl",
        f"{TRAIN} -o p.csv.part -p p.csv --checkpoint c",
        f"{TRAIN} -o file://{{here}}/a.svm",
        "train file://{here}/a.svm -o a.svm",
        "combine f.csv --truth rain --save f.csv",
    ],
)
def test_what_is_read_or_kept_is_not_replaced(
    folder: Path, capsys: Any, command: str
) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert main(command.format(here=folder).split()) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_a_model_that_is_gone_on_with_may_be_replaced(folder: Path) -> None:
    assert (
        main(
            [
                "train",
                "b.svm",
                "-l",
                "perceptron",
                "--quiet",
                "-i",
                "m.rgl",
                "-o",
                "m.rgl",
            ]
        )
        == 0
    )
    assert main(f"{TRAIN} -o /dev/null -p /dev/null".split()) == 1  # no model fits
    again = "train a.svm -l perceptron --quiet --again --checkpoint c --every 1rows"
    assert main(again.split()) == 0
    assert main(["train", "--resume", "c", "--checkpoint", "c", "--quiet"]) == 0


def test_parts_belong_to_one_process(folder: Path, capsys: Any) -> None:
    saving = "-p p.csv --checkpoint c --every 1rows"
    other = PredictionTable("p.csv", RowNames(ReadOptions()), named=True)
    assert main(f"{TRAIN} {saving}".split()) == 2
    assert "another run is writing p.csv.part" in capsys.readouterr().err
    assert not Path("p.csv").exists()
    with pytest.raises(UsageError):
        PredictionTable("p.csv", RowNames(ReadOptions()), named=True)
    assert main(f"{TRAIN} -p p.csv".split()) == 0, "without checkpoints it has no name"
    other.close()
    assert not Path("p.csv.part").exists(), "no empty part is left"
    assert main(f"{TRAIN} {saving}".split()) == 0


def test_a_part_of_another_run_is_refused(
    folder: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("regretless.data.lines.BLOCK", 4000)
    for name in "ab":
        with pytest.MonkeyPatch.context() as patch:
            dies_after(patch, 3)
            with pytest.raises(KilledError):
                main(
                    f"train {name}.svm -l perceptron --quiet -p p.csv "
                    f"--checkpoint {name}.ck --every 1rows".split()
                )
    capsys.readouterr()
    assert main(["train", "--resume", "a.ck", "-p", "p.csv", "--quiet"]) == 1
    assert "it is of another run" in capsys.readouterr().err
    assert main(["train", "--resume", "b.ck", "-p", "p.csv", "--quiet"]) == 0
    assert len(table(Path("p.csv").read_text())) == 1500


@pytest.mark.parametrize("more", ["", " --checkpoint c --every 100000rows"])
def test_predictions_that_fail_leave_nothing(folder: Path, more: str) -> None:
    Path("bad.svm").write_text("1 1:1\n-1 2:x\n")
    before = sorted(folder.iterdir())
    train = f"train bad.svm -l perceptron --quiet -p p.csv{more}"
    assert main(train.split()) == 1
    left = [path for path in folder.iterdir() if path not in before]
    assert [path.name for path in left if path.name != "c"] == (
        [] if not Path("c").exists() else ["p.csv.part"]
    )


def test_no_cell_is_a_formula(folder: Path, capsys: Any) -> None:
    odd = ["=1+1", "+cmd", "-spam", "@x", "\tx", "-1.5", "+2e3", "plain", "a,=b"]
    body = "".join(
        f'"{odd[k % 9]}{k}",{k % 5},{"=y" if k % 2 else "n"}\n' for k in range(90)
    )
    Path("a.csv").write_text(f"who,x,y\n{body}")
    train = "train a.csv -l panel --label y --id who --quiet -o s.rgl"
    safe = "--spreadsheet-safe"
    assert main(f"{train} -p p.csv {safe}".split()) == 0
    assert main(f"predict s.rgl a.csv --id who --quiet -o q.csv {safe}".split()) == 0
    assert (
        main(["predict", "s.rgl", "a.csv", "--id", "who", "--quiet", "-o", "r.csv"])
        == 0
    )
    for name in ("p.csv", "q.csv"):
        for row in table(Path(name).read_text()):
            for cell in row.values():
                number = cell.lstrip("+-").replace(".", "").replace("e", "").isdigit()
                assert cell[:1] not in "=@\t" or not cell, cell
                assert cell[:1] not in "+-" or number or not cell, cell
            float(row["probability"] or 0)
    assert table(Path("q.csv").read_text())[5]["who"] == "-1.55"
    assert any(row["who"].startswith("=") for row in table(Path("r.csv").read_text()))
    assert main(f"train a.csv --label y --again {safe}".split()) == 2
    Path("f.csv").write_text("g,ann,bob,t\n" + "=x,0.5,0.6,1\n=y,0.4,0.3,0\n" * 9)
    combine = f"combine f.csv --truth t --group g --forecasters ann,bob -o c.csv {safe}"
    assert main(combine.split()) == 0
    assert Path("c.csv").read_text().count("'=x") == 9
    assert np.isfinite(float(table(Path("c.csv").read_text())[3]["mixture"]))
