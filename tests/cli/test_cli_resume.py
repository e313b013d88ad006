"""Killed and resumed equals uninterrupted: model, ledger, certificate, predictions."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import regretless as rg
from command_files import rows
from killing import KilledError, dies_after
from regretless.cli import main
from regretless.data import lines


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(lines, "BLOCK", 3000)
    text = rows(1800, seed=5)
    text[40:40] = ["7:1 50:1\n"]  # no label
    Path("a.svm").write_text("".join(text[:700]))
    Path("b.svm").write_text("".join(text[700:]))
    return tmp_path


def outcome(capsys: Any, *arguments: str) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    for timed in ("seconds", "seconds_learning"):
        del found[timed]
    return found


def model_bits(path: str) -> tuple[Any, ...]:
    model = rg.load(path)
    arrays = {
        name: np.asarray(array).tobytes() for name, array in model.arrays().items()
    }
    return arrays, model.facts(), model.certificate


@pytest.mark.parametrize("killed", [1, 4, 9])
@pytest.mark.parametrize(
    "learner",
    [
        "perceptron bias=true",
        "ogd loss=logistic step=adaptive(1) radius=3",
        "adagrad scale=rms",
        "panel",
    ],
)
def test_resumed_equals_uninterrupted(
    folder: Path, capsys: Any, monkeypatch: Any, killed: int, learner: str
) -> None:
    data = ["train", "a.svm", "b.svm", "-l", learner]
    straight = outcome(capsys, *data, "-o", "s.rgl", "-p", "s.txt")
    saving = ["--checkpoint", "c.ck", "--every", "150rows"]
    with monkeypatch.context() as patch:
        dies_after(patch, killed)
        with pytest.raises(KilledError):
            main([*data, "-o", "r.rgl", "-p", "r.txt", *saving, "--quiet"])
    if not Path("c.ck").exists():  # killed before the first checkpoint
        resumed = outcome(capsys, *data, "-o", "r.rgl", "-p", "r.txt", *saving)
    else:
        resumed = outcome(
            capsys, "train", "--resume", "c.ck", "-o", "r.rgl", "-p", "r.txt", *saving
        )
    straight["model"]["path"] = resumed["model"]["path"]
    assert resumed == straight
    assert model_bits("r.rgl") == model_bits("s.rgl")
    assert Path("r.txt").read_bytes() == Path("s.txt").read_bytes()


def test_what_was_asked_for_is_remembered(
    folder: Path, capsys: Any, monkeypatch: Any
) -> None:
    asked = ["-l", "perceptron", "--passes", "2", "--delta", "0.2"]
    data = ["train", "a.svm", "b.svm", *asked, "--holdout", "9", "--model", "mean"]
    straight = outcome(capsys, *data, "-o", "s.rgl")
    with monkeypatch.context() as patch:
        dies_after(patch, 4)
        saving = ["--checkpoint", "c.ck", "--every", "150rows", "--quiet"]
        with pytest.raises(KilledError):
            main([*data, "-o", "r.rgl", *saving])
    assert main(["train", "--resume", "c.ck", "--quiet"]) == 0  # saving nothing
    resumed = outcome(capsys, "train", "--resume", "c.ck", "-o", "r.rgl")
    straight["model"]["path"] = "r.rgl"
    assert resumed == straight
    assert resumed["certificate"]["delta"] == 0.2
    assert len(resumed["later_passes"]) == 1
    assert model_bits("r.rgl") == model_bits("s.rgl")


def test_another_learner_or_other_data_are_refused(folder: Path, capsys: Any) -> None:
    saving = ["--checkpoint", "c.ck", "--every", "150rows", "--quiet"]
    assert main(["train", "a.svm", "-l", "perceptron", *saving]) == 0
    for extra, answer in (
        (["-l", "ogd"], "it was made with learner='perceptron', not 'ogd'"),
        (["b.svm"], "it was made with data=['a.svm'], not ['b.svm']"),
    ):
        assert main(["train", *extra, "--resume", "c.ck"]) == 1
        assert answer in capsys.readouterr().err
    Path("a.svm").write_text("".join(rows(100, seed=9)))
    assert main(["train", "--resume", "c.ck"]) == 1
    assert "the files are not those that were being read" in capsys.readouterr().err


def test_a_checkpoint_is_no_model(folder: Path, capsys: Any) -> None:
    saving = ["--checkpoint", "c.ck", "--every", "150rows", "--quiet"]
    main(["train", "a.svm", "-l", "perceptron", "-o", "m.rgl", *saving])
    assert main(["inspect", "c.ck"]) == 1
    assert "c.ck" in capsys.readouterr().err
    assert main(["train", "--resume", "m.rgl"]) == 1
    assert "m.rgl" in capsys.readouterr().err


SLOW_READING = """
import sys, time
from regretless.data import lines
from regretless.cli import main
from regretless.runs import watchers
lines.BLOCK = 3000
original = watchers.Checkpointer.after
def after(self, *arguments):
    original(self, *arguments)
    time.sleep(0.03)
watchers.Checkpointer.after = after
sys.exit(main(sys.argv[1:]))
"""


def start(*arguments: str) -> Any:
    command = [sys.executable, "-c", SLOW_READING, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def wait_for(path: str) -> None:
    for _ in range(3000):
        if Path(path).exists():
            return
        time.sleep(0.02)
    raise AssertionError(f"{path} never came")


def test_sigkill(folder: Path, capsys: Any) -> None:
    data = ["train", "a.svm", "b.svm", "-l", "perceptron", "-o"]
    main([*data, "s.rgl", "--quiet"])
    process = start(*data, "r.rgl", "--checkpoint", "c.ck", "--every", "100rows")
    wait_for("c.ck")
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert not Path("r.rgl").exists()
    assert main(["train", "--resume", "c.ck", "-o", "r.rgl", "--quiet"]) == 0
    assert model_bits("r.rgl") == model_bits("s.rgl")
    assert not list(folder.glob(".*")), "nothing temporary is left"


def test_ctrl_c_shows_what_was_learned_and_can_go_on(folder: Path, capsys: Any) -> None:
    data = ["train", "a.svm", "b.svm", "-l", "perceptron", "-o"]
    main([*data, "s.rgl", "--quiet"])
    saved = ["--checkpoint", "c.ck", "--every", "100rows"]
    process = start(*data, "r.rgl", *saved, "--verbose")
    wait_for("c.ck")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130
    assert b"With probability 0.95" in out
    assert b"go on with regretless train --resume c.ck" in err
    assert not Path("r.rgl").exists()
    assert main(["train", "--resume", "c.ck", "-o", "r.rgl", "--quiet"]) == 0
    assert model_bits("r.rgl") == model_bits("s.rgl")


def test_the_order_of_threads_does_not_matter(folder: Path, capsys: Any) -> None:
    data = ["train", "a.svm", "b.svm", "-l", "ogd", "-o", "t.rgl", "--quiet"]
    found: set[Any] = set()
    for threads in ("0", "1", "3"):
        main([*data, "--threads", threads])
        found.add(np.asarray(rg.load("t.rgl").weights).tobytes())
    assert len(found) == 1
