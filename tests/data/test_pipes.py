"""Every format through every kind of pipe: the same rows as from a file, all of them.

A pipe is fed by a thread here, in several writes; the slow tests type the commands.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import regretless as rg
from file_forms import FORMS, compress, libsvm, table
from regretless.cli import main
from regretless.data import input_files as places

ROWS = 4000  # more than the 64 KB that are looked at, whatever the format
NAMES = [*FORMS, "a.csv.gz", "a.svm.zst"]
WAYS = ("fifo", "fd", "dash")


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All files, a model for each, and what is right."""
    folder = tmp_path_factory.mktemp("pipes")
    X, y = table(np.random.default_rng(3), ROWS)
    X += np.arange(ROWS)[:, None] / 1024  # so that no two rows are the same
    for name, write in FORMS.items():
        (folder / name).write_bytes(write(X, y))
    csv = (folder / "a.csv").read_bytes()
    (folder / "a.csv.gz").write_bytes(compress(csv, "gzip"))
    (folder / "a.svm.zst").write_bytes(compress(libsvm(X, y), "zstd"))
    return folder


@contextmanager
def piped(path: Path, way: str, folder: Path) -> Generator[str]:
    """The name under which the bytes of a file come through a pipe."""
    saved = None
    name = str(folder / "pipe")
    if way == "fifo":
        Path(name).unlink(missing_ok=True)
        os.mkfifo(name)
    else:
        reading, writing = os.pipe()
        name = f"/dev/fd/{reading}"
        if way == "dash":
            saved = os.dup(0)
            os.dup2(reading, 0)
            os.close(reading)
            name = "-"

    def feed() -> None:
        # A FIFO is opened for writing when somebody reads it: here, not above.
        out = os.open(name, os.O_WRONLY) if way == "fifo" else writing
        data = path.read_bytes()
        try:
            while data:
                data = data[os.write(out, data[:7001]) :]
        except BrokenPipeError:  # the test will say what it missed
            pass
        os.close(out)

    thread = threading.Thread(target=feed, daemon=True)
    thread.start()
    yield name
    thread.join(20)
    assert not thread.is_alive(), "not everything was read"
    if saved is not None:
        os.dup2(saved, 0)
        os.close(saved)
    elif way == "fd":
        os.close(reading)


def said(capsys: Any, *arguments: str) -> dict[str, Any]:
    """What a command printed, without what may differ: names and seconds."""
    assert main([*arguments, "--json"]) == 0, capsys.readouterr().err
    found = json.loads(capsys.readouterr().out)
    for name in ("seconds", "seconds_learning", "data", "output", "model", "theorems"):
        found.pop(name, None)
    return found


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", NAMES)
def test_train(stored: Path, tmp_path: Path, capsys: Any, name: str, way: str) -> None:
    right = said(capsys, "train", str(stored / name), *learning(name))
    assert right["rows"] == ROWS
    with piped(stored / name, way, tmp_path) as pipe:
        assert said(capsys, "train", pipe, *learning(name)) == right


def learning(name: str) -> list[str]:
    return ["-l", "perceptron", *(["--bits", "8"] if name == "a.vw" else [])]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", NAMES)
def test_predict(
    stored: Path, tmp_path: Path, capsys: Any, name: str, way: str
) -> None:
    model = str(stored / f"{name}.rgl")
    if not Path(model).exists():
        main(["train", str(stored / name), *learning(name), "-o", model, "--quiet"])
    outputs = [str(tmp_path / "file.txt"), str(tmp_path / "pipe.txt")]
    Path(outputs[1]).touch()  # to be replaced
    assert main(["predict", model, str(stored / name), "-o", outputs[0]]) == 0
    right = capsys.readouterr().err
    assert f"{ROWS:,} labeled rows" in right
    with piped(stored / name, way, tmp_path) as pipe:
        assert main(["predict", model, pipe, "-o", outputs[1]]) == 0
    assert capsys.readouterr().err == right
    assert Path(outputs[0]).read_bytes() == Path(outputs[1]).read_bytes()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", NAMES)
def test_convert(
    stored: Path, tmp_path: Path, capsys: Any, name: str, way: str
) -> None:
    bits = learning(name)[2:]
    outputs = [str(tmp_path / "file.svm"), str(tmp_path / "pipe.svm")]
    Path(outputs[1]).touch()  # to be replaced
    right = said(capsys, "convert", str(stored / name), outputs[0], *bits)
    assert right["rows"] == ROWS
    with piped(stored / name, way, tmp_path) as pipe:
        said(capsys, "convert", pipe, outputs[1], *bits)
    assert Path(outputs[0]).read_bytes() == Path(outputs[1]).read_bytes()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("command", ["compare", "combine"])
@pytest.mark.parametrize("name", ["f.csv", "f.csv.gz", "f.tsv", "f.parquet"])
def test_forecasts(
    tmp_path: Path, capsys: Any, name: str, command: str, way: str
) -> None:
    path = tmp_path / name
    path.write_bytes(forecasts(name))
    right = said(capsys, command, str(path))
    assert right["rounds"] == ROWS
    with piped(path, way, tmp_path) as pipe:
        assert said(capsys, command, pipe) == right


def forecasts(name: str) -> bytes:
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, ROWS)
    said = rng.random((ROWS, 2)).round(3)
    if name.endswith("parquet"):
        import pyarrow as pa
        import pyarrow.parquet

        sink = pa.BufferOutputStream()
        columns = {"truth": truth, "ann": said[:, 0], "bob": said[:, 1]}
        pa.parquet.write_table(pa.table(columns), sink)
        return sink.getvalue().to_pybytes()
    mark = "\t" if "tsv" in name else ","
    rows = zip(truth.tolist(), *said.T.tolist(), strict=True)
    lines = [("truth", "ann", "bob"), *rows]
    text = "".join(mark.join(map(str, line)) + "\n" for line in lines).encode()
    return compress(text, "gzip") if name.endswith("gz") else text


@pytest.mark.parametrize("way", WAYS)
def test_many_learners(stored: Path, tmp_path: Path, capsys: Any, way: str) -> None:
    with piped(stored / "a.svm", way, tmp_path) as pipe:
        assert main(["train", pipe, "-l", "perceptron,adagrad", "--json"]) == 0
    runs = json.loads(capsys.readouterr().out)["runs"]
    assert [run["rows"] for run in runs] == [ROWS, ROWS]


@pytest.mark.parametrize("learner", [None, rg.Panel(), rg.Perceptron()], ids=repr)
def test_play(stored: Path, tmp_path: Path, learner: Any) -> None:
    with piped(stored / "a.svm", "fifo", tmp_path) as pipe:
        run = rg.play(pipe) if learner is None else rg.play(learner, pipe)
    assert run.rounds == ROWS


def test_the_task_is_told_from_a_pipe_as_from_a_file(
    tmp_path: Path, capsys: Any
) -> None:
    """Standard input was always two classes."""
    path = tmp_path / "many.csv"
    path.write_text("y,x\n" + "".join(f"{'abc'[i % 3]},{i}\n" for i in range(60)))
    right = said(capsys, "train", str(path))
    assert right["task"] == "multiclass"
    for way in WAYS:
        with piped(path, way, tmp_path) as pipe:
            assert said(capsys, "train", pipe) == right


@pytest.mark.parametrize(
    "options", [["--passes", "2"], ["--holdout", "5"], ["--seal", "5%"]]
)
def test_a_pipe_can_be_read_once(
    stored: Path, tmp_path: Path, capsys: Any, options: list[str]
) -> None:
    with piped(stored / "a.csv", "fifo", tmp_path) as pipe:
        assert main(["train", pipe, *options]) == 2
    assert capsys.readouterr().err == (
        f"{pipe}: a pipe can be read once, and {options[0]} reads the rows again: "
        "give files\n"
    )


def test_what_needs_all_of_a_pipe_says_so_when_there_is_no_room(
    stored: Path, tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    def full(*arguments: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(places, "TemporaryFile", full)
    with piped(stored / "a.parquet", "fd", tmp_path) as pipe:
        assert main(["train", pipe, "-l", "perceptron"]) == 1
        Path(pipe).read_bytes()
    what = "it cannot be kept while it is read: no space left on device"
    assert capsys.readouterr().err == f"{pipe}: {what}\n"


COMMANDS = {
    "train": "train {} -l perceptron --json",
    "predict": "predict {folder}/{name}.rgl {}",
    "convert": "convert {} {folder}/out.svm --json",
}


@pytest.mark.slow
@pytest.mark.parametrize("way", ["{}", "<(cat {})", "/dev/stdin", "-"])
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", NAMES)
def test_commands(stored: Path, name: str, command: str, way: str) -> None:
    path = stored / name
    if command == "predict" and not (stored / f"{name}.rgl").exists():
        main(["train", str(path), *learning(name), "-o", f"{path}.rgl", "--quiet"])
    typed = COMMANDS[command].format(way.format(path), folder=stored, name=name)
    if name == "a.vw" and command != "predict":
        typed += " --bits 8"
    feed = f"cat {path} | " if way in ("/dev/stdin", "-") else ""
    shell = f"{feed}{sys.executable} -m regretless {typed}"
    done = subprocess.run(
        ["bash", "-c", shell], capture_output=True, check=True, text=True
    )
    if command == "predict":
        assert done.stdout.count("\n") == 1 + ROWS  # a header, and a line a row
        assert f"{ROWS:,} labeled rows" in done.stderr
    else:
        assert json.loads(done.stdout)["rows"] == ROWS
