"""What short commands import: each in a process of its own, which names the culprit."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from command_files import rows
from regretless.cli import main

UNWANTED = (
    *("scipy", "rich", "typer", "pydantic", "pyarrow", "pandas", "polars"),
    *("numba", "sklearn", "vl_convert", "ray", "matplotlib"),
    *("asyncio", "concurrent", "multiprocessing", "http", "email", "unittest"),
)
"""Packages that none of these commands needs."""
TOLERATED = ("llvmlite",)
"""It loads machine code that is kept, and may import what it likes."""

WATCH = """
import sys

unwanted, tolerated, seen = {unwanted}, {tolerated}, []


class Watch:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in unwanted:
            return None
        frame, who = sys._getframe(1), []
        while frame is not None:
            who.append(frame.f_globals.get("__name__", "").partition(".")[0])
            if who[-1] == "regretless" and not set(who) & set(tolerated):
                seen.append(name + " by " + frame.f_globals["__name__"])
                return None
            frame = frame.f_back
        return None


sys.meta_path.insert(0, Watch())
"""
END = """
print(*seen, sep="\\n", file=sys.stderr)
"""
COMMANDS = {
    "train": ["train", "a.svm", "-l", "perceptron", "-o", "out.rgl"],
    "train the default": ["train", "a.svm", "-o", "out.rgl"],
    "train json": ["train", "a.svm", "-l", "perceptron", "--json"],
    "predict": ["predict", "m.rgl", "a.svm", "--quiet"],
    "predict the default": ["predict", "p.rgl", "a.svm", "--quiet"],
    "inspect": ["inspect", "m.rgl"],
    "inspect the default": ["inspect", "p.rgl"],
    "help": ["--help"],
    "help of train": ["train", "--help"],
    "version": ["--version"],
}
OF_TABLES = {
    "train": ["train", "a.csv", "-l", "perceptron", "-o", "out.rgl"],
    "predict": ["predict", "t.rgl", "a.csv", "-o", "p.csv", "--quiet"],
}
ARROW = ("pyarrow",)  # reads tables; pandas and scipy are still not needed
EVENTS = """
import regretless as rg
learner = rg.Perceptron()
learner.learn_one({"a": 1.0}, 1)
learner.predict_one({"a": 1.0})
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("start")
    (place / "a.svm").write_text("".join(rows(50, seed=1)))
    data = str(place / "a.svm")
    for learner, name in (("perceptron", "m.rgl"), ("panel", "p.rgl")):
        model = str(place / name)
        assert main(["train", data, "-l", learner, "-o", model, "--quiet"]) == 0
    words = (f"{k % 2},{k % 7},{['red', '', 'blue'][k % 3]}\n" for k in range(50))
    (place / "a.csv").write_text("".join(["label,size,color\n", *words]))
    table = [str(place / "a.csv"), "-l", "perceptron", "-o", str(place / "t.rgl")]
    assert main(["train", *table, "--quiet"]) == 0
    return place


def imported_by(code: str, folder: Path, wanted: tuple[str, ...] = ()) -> list[str]:
    """The unwanted packages that a new process imports, and which module does."""
    unwanted = [name for name in UNWANTED if name not in wanted]
    watch = WATCH.format(unwanted=unwanted, tolerated=TOLERATED)

    def found() -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", f"{watch}\n{code}\n{END}"],
            cwd=folder,
            capture_output=True,
            check=True,
            text=True,
        )
        return [line for line in done.stderr.splitlines() if " by regretless" in line]

    return found() and found()  # the first one may have compiled


SLOW = {"train json", "predict the default", "inspect the default"}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else [])
        for name in COMMANDS
    ],
)
def test_a_short_command_imports_nothing_heavy(name: str, made: Path) -> None:
    code = f"from regretless.cli import main\nassert main({COMMANDS[name]!r}) == 0"
    assert imported_by(code, made) == []


@pytest.mark.parametrize("name", OF_TABLES)
def test_a_table_is_read_without_pandas(name: str, made: Path) -> None:
    """pyarrow would import it, and all of its functions, to hand over numbers."""
    code = f"from regretless.cli import main\nassert main({OF_TABLES[name]!r}) == 0\n"
    code += "assert 'pandas' not in sys.modules\n"
    code += "assert 'pyarrow.compute' not in sys.modules"
    assert imported_by(code, made, ARROW) == []


def test_learning_event_by_event_imports_nothing_heavy(made: Path) -> None:
    assert imported_by(EVENTS, made) == []


def test_a_small_file_is_opened_twice_or_so_and_read_without_threads(
    made: Path,
) -> None:
    """However many comparators its theorems are evaluated with."""
    code = (
        "import threading\n"
        "opened, begun = [], []\n"
        "sys.addaudithook(lambda event, given: opened.append(given[0])"
        " if event == 'open' and given[0] == 'a.svm' else None)\n"
        "threading.Thread.start = lambda thread: begun.append(thread)\n"
        "from regretless.cli import main\n"
        f"assert main({COMMANDS['train']!r}) == 0\n"
        "assert len(opened) <= 3 and not begun, (opened, begun)"
    )
    assert imported_by(code, made) == []


def test_help_imports_no_numpy(made: Path) -> None:
    code = (
        "from regretless.cli import main\nmain(['train', '--help'])\n"
        "assert 'numpy' not in sys.modules"
    )
    assert imported_by(code, made) == []


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts tasks")
@pytest.mark.parametrize("given", [{}, {"OPENBLAS_NUM_THREADS": "2"}])
def test_numpy_starts_no_threads_unless_it_is_told_to(given: dict[str, str]) -> None:
    code = (
        "import os\nfrom regretless.cli.numpy_import import import_numpy\n"
        "before = dict(os.environ)\nimport_numpy()\nassert os.environ == before\n"
        "print(len(os.listdir('/proc/self/task')))"
    )
    others = {
        name: value
        for name, value in os.environ.items()
        if not name.endswith("_NUM_THREADS")
    }
    command = [sys.executable, "-c", code]
    tasks = subprocess.check_output(command, env=others | given, text=True)
    assert int(tasks) == (2 if given and (os.cpu_count() or 1) > 1 else 1)


def test_what_is_imported_is_noticed(made: Path) -> None:
    code = (
        "from regretless.evidence.hindsight import ridge\n"
        "from regretless.data import open_source\n"
        "ridge(open_source([[1.0], [2.0]], [1.0, 2.0], binary=False), 1.0)"
    )
    assert "scipy by regretless.evidence.hindsight.passes" in imported_by(code, made)


@pytest.mark.parametrize("command", ["help", "help of train", "version"])
def test_help_needs_no_numpy(command: str) -> None:
    code = (
        "import sys; from regretless.cli import main; "
        f"main({COMMANDS[command]!r}); sys.exit('numpy' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
