"""Every command where people run it: no home, no locale, no room, nobody to listen.

Commands by environments. What can be tried in this process is tried for all of them;
of what needs a process of its own, a diagonal, and the whole table in the slow tests.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import regretless
from command_files import FORECASTS, rows, table
from regretless.cli import main
from regretless.data import lines

SMALL = 600  # bytes that a full disk has left
KEPT = "machine code cannot be kept"

COMMANDS = {
    "train": ["train", "a.svm", "-l", "perceptron", "-o", "out.rgl"],
    "train many": ["train", "a.svm", "-l", "perceptron,ogd", "-o", "out.rgl"],
    "predict": ["predict", "m.rgl", "a.svm", "--quiet"],
    "predict json": ["predict", "m.rgl", "a.svm", "--json"],
    "inspect": ["inspect", "m.rgl"],
    "convert": ["convert", "a.svm", "out.arrow", "--json"],
    "compare": ["compare", "f.csv", "--truth", "rain"],
    "combine": ["combine", "f.csv", "--truth", "rain"],
    "game": ["game", "halving", "--rounds", "20"],
    "games": ["game"],
    "help": ["--help"],
    "version": ["--version"],
}
"""Commands that print their result."""
TRAIN = ["train", "a.svm", "-l", "perceptron", "--quiet"]
WRITES = {
    "model": ([*TRAIN, "-o", "old"], "old"),
    "models": (["train", "a.svm", "-l", "perceptron,ogd", "-o", "old"], "old"),
    "checkpoint": ([*TRAIN, "--checkpoint", "old", "--every", "1rows"], "old"),
    "predictions": ([*TRAIN, "-p", "old"], "old"),
    "report": ([*TRAIN, "--report", "old"], "old"),
    "predict": (["predict", "m.rgl", "a.svm", "--quiet", "-o", "old"], "old"),
    "convert": (["convert", "a.svm", "old.arrow", "--quiet"], "old.arrow"),
    "convert text": (["convert", "a.svm", "old.svm.gz", "--quiet"], "old.svm.gz"),
    "mixture": (["combine", "f.csv", "--truth", "rain", "-o", "old"], "old"),
    "chart": (["compare", "f.csv", "--truth", "rain", "--report", "old"], "old"),
    "game": (["game", "halving", "--rounds", "20", "--report", "old"], "old"),
}
"""Commands that write a file, and which."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("environments")
    (place / "a.svm").write_text("".join(rows(1500, seed=1)))
    (place / "f.csv").write_text(FORECASTS)
    data, model = str(place / "a.svm"), str(place / "m.rgl")
    assert main(["train", data, "-l", "perceptron", "-o", model, "--quiet"]) == 0
    return place


@pytest.fixture
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    tmp_path.chmod(0o777)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@contextmanager
def full_disk() -> Generator[None]:
    """No file may grow beyond a few bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("name", WRITES)
def test_a_full_disk_leaves_the_old_file(folder: Path, capsys: Any, name: str) -> None:
    arguments, target = WRITES[name]
    assert main(arguments) == 0
    before = Path(target).read_bytes()
    assert len(before) > SMALL
    capsys.readouterr()
    with full_disk():
        code = main(arguments)
    told = [line for line in capsys.readouterr().err.splitlines() if KEPT not in line]
    assert code == 1
    (line,) = [line for line in told if target in line]
    assert line.startswith(target)
    assert "file too large" in line.lower()  # what the system says of such a disk
    assert Path(target).read_bytes() == before
    assert not list(folder.glob(".*")), "nothing temporary is left"


def run(
    *arguments: str, prefix: tuple[str, ...] = (), **more: Any
) -> subprocess.CompletedProcess[bytes]:
    command = [*prefix, sys.executable, "-m", "regretless", *arguments]
    return subprocess.run(command, stderr=subprocess.PIPE, check=False, **more)


def remarks(done: subprocess.CompletedProcess[bytes]) -> list[str]:
    return [line for line in done.stderr.decode().splitlines() if KEPT not in line]


def fails_on_closed(arguments: list[str]) -> None:
    prefix = ("/bin/sh", "-c", 'exec "$@" >&-', "sh")
    done = run(*arguments, prefix=prefix)
    assert remarks(done) == ["standard output: bad file descriptor"]
    assert done.returncode == 1


def fails_on_full(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = run(*arguments, stdout=full)
    assert remarks(done) == ["standard output: no space left on device"]
    assert done.returncode == 1


def fails_without_a_reader(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = run(*arguments, stdout=writer)
    os.close(writer)
    assert remarks(done) == []
    assert done.returncode == 1


def works_as_nobody(arguments: list[str]) -> None:
    """A system user without a home and a locale says what anybody else is told."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("only root can become nobody")
    may_read = "+dac_read_search"  # the packages may lie in somebody's home
    prefix = (
        "setpriv",
        "--reuid=65534",
        "--regid=65534",
        "--clear-groups",
        f"--inh-caps={may_read}",
        f"--ambient-caps={may_read}",
    )
    bare = {"LC_ALL": "C", "PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}
    for left in Path().glob("out.*"):
        left.unlink()
    done = run(*arguments, prefix=prefix, env=bare, stdout=subprocess.PIPE)
    assert done.returncode == 0, done.stderr
    usual = run(*arguments, stdout=subprocess.PIPE)
    assert untimed(done.stdout) == untimed(usual.stdout)


def untimed(text: bytes) -> list[str]:
    lines = [
        re.sub(r" in [\d.]+ \w+$", "", line) for line in text.decode().splitlines()
    ]
    return [line for line in lines if " time " not in line]


PLACES = (fails_on_closed, fails_on_full, fails_without_a_reader, works_as_nobody)
FAST = {
    ("train", fails_on_closed),
    ("predict json", fails_on_full),
    ("compare", fails_without_a_reader),
    ("inspect", works_as_nobody),
}
TABLE = [
    pytest.param(
        COMMANDS[name],
        place,
        id=f"{name} {place.__name__}",
        marks=() if (name, place) in FAST else pytest.mark.slow,
    )
    for name in COMMANDS
    for place in PLACES
]


@pytest.mark.parametrize(("arguments", "place"), TABLE)
def test_commands_by_environments(
    folder: Path, arguments: list[str], place: Any
) -> None:
    place(arguments)
    if "out.rgl" in arguments:
        assert regretless.load("out.rgl").certificate is not None, "it was saved whole"
    assert not list(folder.glob(".*"))


def test_what_needs_no_output_needs_no_standard_output(folder: Path) -> None:
    prefix = ("/bin/sh", "-c", 'exec "$@" >&- 2>&- <&-', "sh")
    done = run(*TRAIN, "-o", "out.rgl", prefix=prefix)
    assert done.returncode == 0
    assert regretless.load("out.rgl").certificate is not None


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_words_of_any_language_in_any_locale(folder: Path, encoding: str) -> None:
    Path("w.csv").write_text("größe,y\n1,да\n2,нет\n3,да\n4,нет\n", encoding="utf-8")
    env = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    train = ["train", "w.csv", "-l", "perceptron", "-o", "w.rgl"]
    done = run(*train, env=env, stdout=subprocess.PIPE)
    assert done.returncode == 0, done.stderr
    predict = ["predict", "w.rgl", "w.csv", "--quiet"]
    done = run(*predict, env=env, stdout=subprocess.PIPE)
    predicted = {row["prediction"] for row in table(done.stdout.decode())}
    assert predicted <= {"да", "нет"}
    done = run("inspect", "w.rgl", "--json", env=env, stdout=subprocess.PIPE)
    assert json.loads(done.stdout)["classes"] == ["да", "нет"]


@pytest.mark.slow
def test_read_only_packages_and_no_home_compile_in_memory(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The package without machine code, in a folder that cannot be written."""
    here = folder / "packages"
    source = Path(regretless.__file__).parent
    skipped = shutil.ignore_patterns("__pycache__")
    shutil.copytree(source, here / "regretless", ignore=skipped)
    env = {
        **os.environ,
        "PYTHONPATH": str(here),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOME": "/dev/null/none",
        "XDG_CACHE_HOME": "/dev/null/none",
    }
    for path in [here, *here.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    command = [sys.executable, "-m", "regretless", *TRAIN, "-o", "out.rgl"]
    if os.geteuid() == 0:  # root may write anywhere, unless it gives that up
        command = ["setpriv", "--bounding-set=-dac_override", *command]
    done = subprocess.run(command, capture_output=True, check=False, env=env)
    for path in [here, *here.rglob("*")]:
        path.chmod(0o755)
    assert done.returncode == 0, done.stderr
    assert len(remarks(done)) == 0
    assert done.stderr.decode().count(KEPT) == 1
    expected = regretless.load("m.rgl").weights
    assert (regretless.load("out.rgl").weights == expected).all()


def test_a_checkpoint_goes_on_where_its_predictions_end(
    folder: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that fills up in the middle; then there is room again."""
    monkeypatch.setattr(lines, "BLOCK", 4000)
    train, resume = TRAIN, ["train", "--resume", "c.ck", "--quiet"]
    assert main([*train, "-p", "straight"]) == 0
    Path("old").write_text("what was there")
    saving = ["--checkpoint", "c.ck", "--every", "100rows"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("regretless.cli.predicted_part.PredictionTable.last", _full)
        assert main([*train, "-p", "old", *saving]) == 1
    assert Path("old").read_text() == "what was there"
    assert main([*resume, "-p", "old"]) == 0
    assert Path("old").read_bytes() == Path("straight").read_bytes()
    assert not Path("old.part").exists()
    capsys.readouterr()
    assert main([*train, "-p", "new", *saving]) == 0
    assert main([*resume, "-p", "gone"]) == 1
    assert "gone.part" in capsys.readouterr().err
    Path("cut.part").write_text("short")
    assert main([*resume, "-p", "cut"]) == 1
    assert "it is of another run" in capsys.readouterr().err


def _full(*_: Any) -> None:
    raise OSError(28, "No space left on device", "old.part")


@pytest.mark.parametrize(
    ("variables", "arguments", "line"),
    [
        (
            {"REGRETLESS_LEVEL": "z80"},
            ["train", "a.svm", "-l", "perceptron"],
            "REGRETLESS_LEVEL=z80: this machine has ",
        ),
        (
            {"NUMBA_DISABLE_JIT": "1", "REGRETLESS_STORE": "off"},
            ["train", "a.svm", "-l", "perceptron"],
            "NUMBA_DISABLE_JIT is set, so this machine code cannot be made; unset it",
        ),
        (
            {"_REGRETLESS_COMPLETE": "bash_complete"},
            [],
            "_REGRETLESS_COMPLETE is for shells, which also set 'COMP_WORDS'",
        ),
    ],
)
def test_a_variable_that_cannot_be_obeyed_is_named(folder, variables, arguments, line):
    ended = subprocess.run(
        [sys.executable, "-m", "regretless", *arguments],
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode in {1, 2}
    assert ended.stderr.splitlines()[-1].startswith(line)
    assert "Traceback" not in ended.stderr
