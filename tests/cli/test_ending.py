"""How commands end: the same exit codes, one line, one document, in every command."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from command_files import FORECASTS, rows
from paths import DOCS
from regretless.cli import ending, main
from regretless.cli.console import CommandOutput, StandardOutput
from regretless.cli.interrupt import Interrupt, Stopped


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data, forecasts and a model."""
    place = tmp_path_factory.mktemp("ending")
    (place / "a.svm").write_text("".join(rows(300, seed=1)))
    (place / "f.csv").write_text(FORECASTS)
    (place / "bad.svm").write_text("1 1:1\n-1 2:x\n")
    (place / "bad.csv").write_text("ann,bob,rain\n.7,x,1\n")
    data, model = str(place / "a.svm"), str(place / "m.rgl")
    assert main(["train", data, "-l", "perceptron", "-o", model, "--quiet"]) == 0
    return place


@pytest.fixture
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same in a folder of our own."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


WORKS = {
    "train": ["train", "a.svm", "-l", "perceptron"],
    "train many": ["train", "a.svm", "-l", "perceptron,ogd"],
    "predict": ["predict", "m.rgl", "a.svm"],
    "inspect": ["inspect", "m.rgl"],
    "convert": ["convert", "a.svm", "b.svm"],
    "compare": ["compare", "f.csv", "--truth", "rain"],
    "combine": ["combine", "f.csv", "--truth", "rain"],
    "game": ["game", "halving", "--rounds", "20"],
    "games": ["game"],
    "version": ["--version"],
    "inspect, json in front": ["--json", "inspect", "m.rgl"],
    "help": ["train", "--help"],
}
FAILS = {
    "train": ["train", "bad.svm", "-l", "perceptron"],
    "train, no file": ["train", "none.svm", "-l", "perceptron"],
    "train many": ["train", "bad.svm", "-l", "perceptron,ogd"],
    "predict": ["predict", "m.rgl", "bad.svm"],
    "predict, no model": ["predict", "none.rgl", "a.svm"],
    "predict, no file": ["predict", "m.rgl", "none.svm"],
    "inspect": ["inspect", "a.svm"],
    "convert": ["convert", "bad.svm", "b.svm"],
    "convert, no file": ["convert", "none.svm", "b.svm"],
    "compare": ["compare", "bad.csv", "--truth", "rain"],
    "compare, no file": ["compare", "none.csv"],
    "compare, no column": ["compare", "f.csv", "--truth", "snow"],
    "combine": ["combine", "bad.csv", "--truth", "rain"],
    "game": ["game", "winnow", "-a", "separable"],
}
WRONG = {
    "nothing": ["trian"],
    "train": ["train"],
    "train, option": ["train", "a.svm", "--nope"],
    "train, number": ["train", "a.svm", "--delta", "x"],
    "train, format": ["train", "a.svm", "--format", "xml"],
    "train, folder": ["train", "a.svm", "-o", "no/such/m.rgl"],
    "train, class weight": ["train", "a.svm", "--class-weight", "x"],
    "train many": ["train", "a.svm", "-l", "perceptron,nobody"],
    "predict": ["predict", "m.rgl"],
    "predict, format": ["predict", "m.rgl", "a.svm", "--format", "xml"],
    "predict, rows": ["predict", "m.rgl", "a.svm", "--on-bad-rows", "eat"],
    "predict, folder": ["predict", "m.rgl", "a.svm", "-o", "no/such/p.txt"],
    "inspect": ["inspect"],
    "inspect, number": ["inspect", "m.rgl", "--top", "-1"],
    "convert": ["convert", "a.svm"],
    "convert, format": ["convert", "a.svm", "b.svm", "--format", "xml"],
    "convert, ending": ["convert", "a.svm", "b.xyz"],
    "convert, itself": ["convert", "a.svm", "a.svm"],
    "convert, folder": ["convert", "a.svm", "no/such/b.svm"],
    "compare": ["compare", "f.csv", "--loss", "bried"],
    "compare, method": ["compare", "f.csv", "--method", "magic"],
    "compare, delta": ["compare", "f.csv", "--delta", "2"],
    "compare, lag": ["compare", "f.csv", "--lag", "0"],
    "combine": ["combine", "f.csv", "--by", "magic"],
    "combine, folder": ["combine", "f.csv", "-o", "no/such/c.csv"],
    "game": ["game", "nobody"],
    "game, folder": ["game", "halving", "--report", "no/such/a.html"],
    "demo": ["demo", "--rows", "3"],
}
OUTCOMES = [
    pytest.param(code, arguments, id=f"{code} {name}")
    for code, table in enumerate((WORKS, FAILS, WRONG))
    for name, arguments in table.items()
]


@pytest.mark.parametrize(("code", "arguments"), OUTCOMES)
def test_codes_lines_and_documents(
    folder: Path, capsys: Any, code: int, arguments: list[str]
) -> None:
    """Every command, every outcome: the code, at most a line, and one document."""
    assert main(arguments) == code
    plain = capsys.readouterr()
    if "--json" in arguments:
        assert json.loads(plain.out)["about"]
        return
    if code:
        assert plain.err.count("\n") == 1, plain.err
    assert main([*arguments, "--json"]) == code
    told = capsys.readouterr()
    found = json.loads(told.out)
    assert found["exit_code"] == code
    if not arguments[0].startswith("-"):
        assert found["command"] == arguments[0]
    if code:
        assert found["error"] == plain.err.strip() == told.err.strip()
    else:
        assert "error" not in found
    assert not list(folder.glob(".*")), "nothing temporary is left"


def test_a_document_ends_well_where_a_row_is_bad(folder: Path, capsys: Any) -> None:
    """Predictions are written as they come; what fails later ends the document."""
    Path("late.svm").write_text("".join(rows(40, seed=1)) + "1 1:x\n")
    assert main(["predict", "m.rgl", "late.svm", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["error"].startswith("late.svm:41: ")
    assert len(found["predictions"]) == 40


def test_a_bug_is_a_document_too(folder: Path, capsys: Any, monkeypatch: Any) -> None:
    def broken(arguments: Any) -> int:
        raise KeyError("oops")

    monkeypatch.setattr("regretless.cli.app.run", broken)
    assert main(["train", "a.svm", "--json"]) == 1
    told = capsys.readouterr()
    assert json.loads(told.out)["error"] == "a bug in regretless: KeyError: 'oops'"
    assert "Traceback" in told.err


@pytest.mark.parametrize(("number", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
@pytest.mark.parametrize("command", ["convert", "predict", "compare", "inspect"])
def test_a_signal_in_any_command(
    folder: Path, capsys: Any, monkeypatch: Any, number: str, code: int, command: str
) -> None:
    def stuck(*_: Any, **__: Any) -> Any:
        signal.raise_signal(signal.Signals[number])
        raise AssertionError("it went on")

    for name in ("data.convert.FileSource", "cli.forecast_tables.open_table"):
        monkeypatch.setattr(f"regretless.{name}", stuck)
    monkeypatch.setattr("regretless.load", stuck)
    Path("b.svm").write_text("old")
    assert main([*WORKS[command], "--json"]) == code
    told = capsys.readouterr()
    word = "interrupted" if code == 130 else "terminated"
    assert json.loads(told.out) == {
        "command": command,
        "exit_code": code,
        "error": word,
    }
    assert told.err == f"{word}\n"
    assert Path("b.svm").read_text() == "old"


def test_the_handlers_are_given_back(folder: Path) -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    main(["inspect", "m.rgl", "--quiet"])
    after = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    assert after == before
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(main(["--version"])))
    thread.start()
    thread.join()
    assert found == [0]


def test_an_interrupt_waits_for_the_work_but_not_for_input() -> None:
    taken: list[int] = []

    def items() -> Any:
        yield 1
        yield 2
        signal.raise_signal(signal.SIGTERM)  # while the next one is waited for
        yield 3

    with Interrupt() as stop:
        taken.extend(stop.until_asked(items()))
    assert taken == [1, 2]
    assert stop.code == 143
    taken.clear()
    with Interrupt() as stop:
        for item in stop.until_asked(iter([1, 2, 3])):
            signal.raise_signal(signal.SIGINT)  # in the middle of the work
            taken.append(item)
        with pytest.raises(Stopped):  # somebody means it
            signal.raise_signal(signal.SIGINT)
    assert taken == [1]
    assert stop.code == 130


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Interrupt() as stop:
            signal.raise_signal(signal.SIGINT)
        assert not stop.asked
    finally:
        signal.signal(signal.SIGINT, before)


def test_what_is_printed_beside_the_document_goes_to_standard_error(
    folder: Path,
) -> None:
    """Whoever prints: we, a library in Python, or one below it."""
    noisy = """
import os, sys
from regretless.cli import app, main
run = app.run
def noise(arguments):
    print("words of Python")
    os.write(1, b"words from below\\n")
    return run(arguments)
app.run = noise
sys.exit(main(["inspect", "m.rgl", "--json"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", noisy], capture_output=True, check=False
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["command"] == "inspect"
    assert b"words of Python" in done.stderr
    assert b"words from below" in done.stderr


def test_a_list_is_written_as_it_comes() -> None:
    for batches in ([], [[]], [[], [{"a": 1}]], [[1, 2], [], [float("nan")]]):
        out = io.StringIO()
        answer = CommandOutput(True)
        answer.sink = StandardOutput(out, None)
        answer.put({"command": "x"})
        for batch in batches:
            answer.add_rows("rows", batch)
        answer.finish()
        found = json.loads(out.getvalue())
        flat = [row for batch in batches for row in batch]
        expected = [None if row != row else row for row in flat]  # noqa: PLR0124
        assert found == {
            **({"rows": expected} if batches else {}),
            "command": "x",
            "exit_code": 0,
        }


def test_only_the_standard_library_is_imported_before_signals_are_handled() -> None:
    probe = "import sys, regretless.cli; print([m for m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, check=True, text=True
    )
    for heavy in ("'numpy'", "'click'", "'rich'", "'numba'", "'pyarrow'"):
        assert heavy not in done.stdout


def test_the_table_of_codes_is_in_the_documentation() -> None:
    page = DOCS / "command-line.md"
    text = page.read_text()
    for code in ending.CODES:
        assert f"| {code} |" in text


@pytest.mark.parametrize(
    ("number", "code"),
    [pytest.param("SIGINT", 130, marks=pytest.mark.slow), ("SIGTERM", 143)],
)
def test_a_pipe_that_is_silent_does_not_hold_a_signal_back(
    folder: Path, number: str, code: int
) -> None:
    """What has come was learned, is in the checkpoint, and is in the receipts."""
    command = [sys.executable, "-m", "regretless", "train", "-", "-f", "libsvm"]
    more = ["-l", "perceptron", "--json", "-p", "p.txt", "--checkpoint", "c.ck"]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(
        [*command, *more], **pipes, stderr=subprocess.PIPE, env=os.environ
    ) as process:
        process.stdin.write("".join(rows(300, seed=3)).encode() * 200)
        process.stdin.flush()
        part = Path("p.txt.part")  # which has a name where there is a checkpoint
        deadline = time.monotonic() + 300  # of a busy machine
        while time.monotonic() < deadline and process.poll() is None:
            if part.exists() and part.stat().st_size > 100:
                break
            time.sleep(0.05)
        process.send_signal(signal.Signals[number])
        process.wait(300)  # it would wait for ever
        found = json.loads(process.stdout.read())
        process.stdin.close()
    assert process.returncode == code
    assert found["interrupted"] is True
    assert found["exit_code"] == code
    assert found["rows"] > 1000
    assert not Path("p.txt").exists()
